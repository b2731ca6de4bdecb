import type { JsonObject } from "../base/json";
import { offers } from "./observe/observable";
import type { Context } from "./observe/context";
import { UNSUPPORTED, type Observation } from "./observe/observation";
import type { Key } from "./observe/read-object";
import type { AskWorkspace } from "./resource-client";
import type { ResourceDefinition } from "./definition";
import type { FilledIn } from "./observe/declaration";
import { plannerOf, type Planner } from "./plan";
import { createResource, type Resource } from "./resource";
import { PROBLEM } from "./state";
import type { Session } from "./session";
import { inputsSchema, type ExpectedRefusals, type FromTable, type InputsSchema } from "./fields/schema";
import { rulesOf, type Table } from "./fields/table";

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
  /** Looks for an object, for those that name it by its id: absent only if it surely does not exist, unsupported if this platform cannot tell. */
  observe(context: Context, key: Key): Promise<Observation<unknown>>;
  /** What `up` sends for one object, foretold by the code that sends it. */
  readonly planner: Planner;
  /** The resource, for one process. */
  open(session: Session, askWorkspace: AskWorkspace): Resource;
}

/** Closes a definition: the types of its inputs and its answers stay in its folder. */
export function defineResource<Inputs, Live>(
  own: Omit<ResourceDefinition<Inputs, Live>, keyof FromTable<Inputs>>,
): Defined {
  const { table, naturalKey, undocumented, filledIn } = own;
  const { kind, fields } = table;
  const inputs = inputsSchema<Inputs>(fields, table.rules);
  // Without the endpoint, nothing can be told.
  const offered: typeof own.observe = (context, key, listed) =>
    (offers(own, context.connection.contract, "read") ? own.observe?.(context, key, listed) : undefined) ??
    Promise.resolve(UNSUPPORTED);
  const rules = { ...rulesOf(fields), ...(own.problemReplaces && { [PROBLEM]: { replaceOn: "always" as const } }) };
  const definition = { ...own, observe: own.observe && offered, kind, inputs, fields: rules };
  const { expectedRefusals = () => [], fill = () => ({}) } = definition;
  const open: Defined["open"] = (session, askWorkspace) => createResource(definition, session, askWorkspace);
  const planner = plannerOf(definition);
  const observe: Defined["observe"] = (context, key) => offered(context, key);
  return { kind, table, naturalKey, undocumented, inputs, expectedRefusals, filledIn, fill, observe, planner, open };
}
