import { offers, type Observable, shownOf } from "./observable";
import { noEndpointFor } from "../../base/settings";
import { AgentPlatformError, isLacking } from "../../base/errors";
import { isUuid } from "../../base/uuid";
import { pluralOf } from "../fields/table";
import { compact, type JsonObject } from "../../base/json";
import { mapFound, UNSUPPORTED, valueOf, type Observation } from "./observation";
import type { Context, Found } from "./context";
import type { Key, ReadObject } from "./read-object";

/** The part of a connection that a reader needs (resource-client.ts). */
interface ReaderConnection {
  context(): Context;
  /** Where the kind's API is, for messages. */
  readonly baseUrl: string;
}

/** Reads objects that no state holds, for functions and tools. It changes nothing. */
export type Reader = Pick<ObjectReader<unknown>, "get" | "find" | "findNamed" | "observe" | "list">;

export class ObjectReader<Live> {
  constructor(
    private readonly definition: Observable<Live>,
    private readonly connected: ReaderConnection,
  ) {}

  /** Throws AgentPlatformError if it does not exist, or this platform offers no way to read it. */
  async get(key: Key): Promise<ReadObject> {
    const found = await this.find(key);
    if (found !== undefined) return found;
    const given = "id" in key ? "id" : (this.definition.table.naturalKey ?? "name");
    throw new AgentPlatformError(
      `${this.nameOf(key)} does not exist at ${this.connected.baseUrl} for this key and tenant; correct the ${given}, or the connection`,
    );
  }

  /** As {@link get}; undefined if it certainly does not exist. */
  async find(key: Key): Promise<ReadObject | undefined> {
    const result = await this.observe(key);
    if (result.state === "found") return result.value;
    if (result.state === "absent") return undefined;
    const what = `${this.nameOf(key)} cannot be read`;
    if (this.definition.observe === undefined)
      throw new AgentPlatformError(
        `${what}: a ${this.definition.table.kind} has no object on the platform; declare it, without a get or an import`,
      );
    const { cause } = result;
    const isByContract = cause === undefined && this.connected.context().connection.contract === "documented";
    const answer = cause === undefined ? "" : ` (${cause.message})`;
    const why = isByContract
      ? noEndpointFor("id" in key ? "it" : "a look-up by name")
      : `this platform does not support it${answer}. Check the base URL and any proxy or gateway in between`;
    throw new AgentPlatformError(`${what}: ${why}`, { cause });
  }

  /** As {@link find}, of the object that a person names by its id or its name. */
  async findNamed(idOrName: string): Promise<ReadObject | undefined> {
    const hasName = this.definition.table.naturalKey !== undefined;
    const byId = isUuid(idOrName) || !hasName ? await this.find({ id: idOrName }) : undefined;
    return byId === undefined && hasName ? this.find({ name: idOrName }) : byId;
  }

  /** As {@link find}; unsupported if this platform has no such look-up. */
  async observe(key: Key): Promise<Observation<ReadObject>> {
    return mapFound(await this.observeLive(key), (each) => this.shown(each));
  }

  /**
   * All objects of the tenant, a page at a time on demand. Throws if this platform offers no list.
   * @param declared The inputs that count as declared. @default none; `{ secrets: {} }` shows the names of a deployment's variables
   */
  async *list(declared?: JsonObject): AsyncGenerator<ReadObject> {
    const { table, list } = this.definition;
    const context = this.connected.context();
    const refused = `${pluralOf(table.kind)} cannot be listed`;
    if (!offers(table, context.connection.contract, "list"))
      throw new AgentPlatformError(`${refused}: ${noEndpointFor("a list of them")}`);
    const missing = `${refused}: this platform does not support it`;
    if (list === undefined) throw new AgentPlatformError(missing);
    try {
      for await (const page of list.pages(context)) {
        for (const found of page) {
          const whole = list.isWhole(found) ? found : valueOf(await this.observeLive({ id: found.id }));
          if (whole !== undefined) yield this.shown(whole, declared);
        }
      }
    } catch (error) {
      throw isLacking(error) ? new AgentPlatformError(missing, { cause: error }) : error;
    }
  }

  private async observeLive(key: Key): Promise<Observation<Found<Live>>> {
    return (await this.definition.observe?.(this.connected.context(), key)) ?? UNSUPPORTED;
  }

  private shown({ id, live }: Found<Live>, declared?: JsonObject): ReadObject {
    const details = compact(this.definition.toDetails?.(live) ?? {});
    return { id, ...shownOf(this.definition, live, declared), details };
  }

  private nameOf(key: Key): string {
    return `${this.definition.table.kind} "${"id" in key ? key.id : key.name}"`;
  }
}
