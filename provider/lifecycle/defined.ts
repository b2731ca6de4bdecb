import type { JsonObject } from "../base/json";
import type { AskWorkspace } from "./connected";
import type { ExpectedRefusals, FilledIn, InputsSchema, ResourceDefinition } from "./definition";
import { plannerOf, type Planner } from "./plan";
import { createResource, type Resource } from "./resource";
import type { Session } from "./session";
import type { Table } from "./table";

/** A definition, closed: what every resource can do, whatever the types of its inputs and answers. */
export interface Defined {
  readonly kind: string;
  readonly table: Table;
  readonly naturalKey: string | undefined;
  readonly undocumented: ResourceDefinition<unknown, unknown>["undocumented"];
  readonly inputs: InputsSchema<unknown>;
  readonly expectedRefusals: ExpectedRefusals;
  readonly filledIn: FilledIn | undefined;
  readonly fill: (secrets: readonly string[]) => JsonObject;
  /** What `up` sends for one object, foretold by the code that sends it. */
  readonly planner: Planner;
  /** The resource, for one process. */
  open(session: Session, askWorkspace: AskWorkspace): Resource;
}

/** Closes a definition: the types of its inputs and its answers stay in its folder. */
export function defineResource<Inputs, Live>(definition: ResourceDefinition<Inputs, Live>): Defined {
  const { kind, table, naturalKey, undocumented, inputs, filledIn } = definition;
  const { expectedRefusals = () => [], fill = () => ({}) } = definition;
  const open: Defined["open"] = (session, askWorkspace) => createResource(definition, session, askWorkspace);
  const planner = plannerOf(definition);
  return { kind, table, naturalKey, undocumented, inputs, expectedRefusals, filledIn, fill, planner, open };
}
