import { offers, type Observable, shownOf } from "./observable";
import { noEndpointFor } from "../../base/settings";
import { AgentPlatformError, isLacking } from "../../base/errors";
import { isUuid } from "../../base/uuid";
import { pluralOf } from "../fields/table";
import { compact, type JsonObject } from "../../base/json";
import { mapFound, UNSUPPORTED, valueOf, type Observation } from "./observation";
import type { Context, Found } from "./context";
import type { Key, ReadObject } from "./read-object";

/** Reads objects that no state holds, for functions and tools. It changes nothing. */
export interface Reader {
  /** Throws AgentPlatformError if it does not exist, or this platform offers no way to read it. */
  get(key: Key): Promise<ReadObject>;
  /** As {@link get}; undefined if it certainly does not exist. */
  find(key: Key): Promise<ReadObject | undefined>;
  /** As {@link find}, of the object that a person names by its id or its name. */
  findNamed(idOrName: string): Promise<ReadObject | undefined>;
  /** As {@link find}; unsupported if this platform has no such look-up. */
  observe(key: Key): Promise<Observation<ReadObject>>;
  /**
   * All objects of the tenant, a page at a time on demand. Throws if this platform offers no list.
   * @param declared The inputs that count as declared. @default none; `{ secrets: {} }` shows the names of a deployment's variables
   */
  list(declared?: JsonObject): AsyncGenerator<ReadObject>;
}

/** The part of a connection that a reader needs (resource-client.ts). */
interface ReaderConnection {
  context(): Context;
  /** Where the kind's API is, for messages. */
  readonly baseUrl: string;
}

export function createReader<Live>(definition: Observable<Live>, connected: ReaderConnection): Reader {
  const { table } = definition;
  const { kind, naturalKey } = table;
  const shown = ({ id, live }: Found<Live>, declared?: JsonObject): ReadObject => ({
    id,
    ...shownOf(definition, live, declared),
    details: compact(definition.toDetails?.(live) ?? {}),
  });
  const observeLive = async (key: Key): Promise<Observation<Found<Live>>> =>
    (await definition.observe?.(connected.context(), key)) ?? UNSUPPORTED;
  const observe = async (key: Key): Promise<Observation<ReadObject>> =>
    mapFound(await observeLive(key), (each) => shown(each));

  const describeKey = (key: Key): string => `${kind} "${"id" in key ? key.id : key.name}"`;
  const find = async (key: Key): Promise<ReadObject | undefined> => {
    const result = await observe(key);
    if (result.state === "found") return result.value;
    if (result.state === "absent") return undefined;
    if (definition.observe === undefined)
      throw new AgentPlatformError(
        `${describeKey(key)} cannot be read: a ${kind} has no object on the platform; declare it, without a get or an import`,
      );
    const { cause } = result;
    const isByContract = cause === undefined && connected.context().connection.contract === "documented";
    const answer = cause === undefined ? "" : ` (${cause.message})`;
    const why = isByContract
      ? noEndpointFor("id" in key ? "it" : "a look-up by name")
      : `this platform does not support it${answer}. Check the base URL and any proxy or gateway in between`;
    throw new AgentPlatformError(`${describeKey(key)} cannot be read: ${why}`, { cause });
  };

  return {
    find,
    observe,
    async findNamed(idOrName) {
      const hasName = naturalKey !== undefined;
      const byId = isUuid(idOrName) || !hasName ? await find({ id: idOrName }) : undefined;
      return byId === undefined && hasName ? find({ name: idOrName }) : byId;
    },
    async get(key) {
      const found = await find(key);
      if (found !== undefined) return found;
      const given = "id" in key ? "id" : (naturalKey ?? "name");
      throw new AgentPlatformError(
        `${describeKey(key)} does not exist at ${connected.baseUrl} for this key and tenant; correct the ${given}, or the connection`,
      );
    },
    async *list(declared) {
      const several = pluralOf(kind);
      const missing = `${several} cannot be listed: this platform does not support it`;
      if (!offers(table, connected.context().connection.contract, "list"))
        throw new AgentPlatformError(`${several} cannot be listed: ${noEndpointFor("a list of them")}`);
      if (definition.list === undefined) throw new AgentPlatformError(missing);
      try {
        for await (const page of definition.list.pages(connected.context())) {
          for (const found of page) {
            const whole = definition.list.isWhole(found) ? found : valueOf(await observeLive({ id: found.id }));
            if (whole !== undefined) yield shown(whole, declared);
          }
        }
      } catch (error) {
        throw isLacking(error) ? new AgentPlatformError(missing, { cause: error }) : error;
      }
    },
  };
}
