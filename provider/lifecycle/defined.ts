import type { Resolved } from "../base/connection";
import { Checker } from "./checks";
import type { ResourceDefinition } from "./definition";
import type { Table } from "./fields/table";
import { offers } from "./observe/observable";
import type { Context } from "./observe/context";
import { UNSUPPORTED, type Observation } from "./observe/observation";
import type { Key } from "./observe/read-object";
import { ObjectReader, type Reader } from "./observe/reader";
import { Planner } from "./plan";
import { ResourceClient, type AskWorkspace } from "./resource-client";
import type { Session } from "./session";
import { Verbs } from "./verbs";

/** A resource of the platform, open for one process: provider/dynamic and provider/native translate it for the engine. */
export interface Resource {
  readonly table: Table;
  /** Reads objects that no state holds, through the same connection. */
  readonly reader: Reader;
  /** Connects to this platform from now on. Problems of the configuration are kept for `check`, which reports them in full. */
  connect(resolved: Resolved): void;
  /** Before anything is sent. */
  readonly checks: Pick<Checker<unknown, unknown>, "check" | "diff" | "previewOnline" | "outputsAfter">;
  /** Create, read, update and delete. Every one throws AgentPlatformError. */
  readonly verbs: Pick<Verbs<unknown, unknown>, "create" | "find" | "read" | "update" | "delete">;
}

/** A definition, closed: what every resource can do, whatever the types of its inputs and answers. */
export interface Defined extends Pick<
  ResourceDefinition<never, never>,
  "table" | "expectedRefusals" | "filledIn" | "references"
> {
  /** Looks an object up for resources that reference it by id: absent only if it certainly does not exist, unsupported if this platform cannot look it up. */
  observe(context: Context, key: Key): Promise<Observation<unknown>>;
  /** Predicts what `up` sends for one object, with the code that sends it. */
  readonly planner: Pick<Planner<unknown, unknown>, "create" | "update">;
  open(session: Session, askWorkspace: AskWorkspace): Resource;
}

/** Closes a definition: the types of its inputs and its answers stay in its folder. */
export function defineResource<Inputs, Live>(type: ResourceDefinition<Inputs, Live>): Defined {
  const { table, filledIn, references, expectedRefusals } = type;
  // Without the endpoint, a look-up is unsupported.
  const observe: NonNullable<typeof type.observe> = async (context, key, listed) =>
    (offers(table, context.connection.contract, "read") ? await type.observe?.(context, key, listed) : undefined) ??
    UNSUPPORTED;
  const definition: ResourceDefinition<Inputs, Live> = { ...type, observe: type.observe && observe };
  return {
    table,
    expectedRefusals,
    filledIn,
    references,
    observe,
    planner: new Planner(definition),
    open(session, askWorkspace) {
      const client = new ResourceClient(table, session, askWorkspace);
      const reader = new ObjectReader(definition, client);
      return {
        table,
        reader,
        connect: (resolved) => client.connect(resolved),
        checks: new Checker(definition, session, client),
        verbs: new Verbs(definition, session, client, reader),
      };
    },
  };
}
