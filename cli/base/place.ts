import type { Connection } from "../../provider/base/connection";
import { type JsonObject, textIn } from "../../provider/base/json";
import { isUuid } from "../../provider/base/uuid";
import { ORIGIN, originsOf } from "../../provider/lifecycle/identity/origin";
import { Workspaces } from "../../provider/lifecycle/observe/workspace";
import type { ManagedTypeSpec } from "./managed-types";
import type { StateObject } from "./stack-objects";

/** An object of the platform. */
export interface LiveObject {
  readonly spec: ManagedTypeSpec;
  readonly id: string;
  readonly name: string;
  readonly outputs: JsonObject;
}

/** Decides whether objects of states are on the platform, and in the tenant, of a connection (docs/internals/design.md, Origin). */
export class ConnectionPlace {
  private readonly workspaces = new Workspaces();
  private readonly origins: ReadonlySet<string>;
  private readonly hasTenant: boolean;

  /** @param live All objects that the connection shows; they name the tenant if the connection does not. */
  constructor(
    private readonly connection: Connection,
    live: readonly LiveObject[],
  ) {
    // A stack may name the tenant, or leave it to its key.
    const tenants = new Set([connection.tenantId, undefined]);
    for (const { outputs } of live) {
      const seen = { tenantId: textIn(outputs, "tenantId"), organizationId: textIn(outputs, "organizationId") };
      tenants.add(seen.tenantId);
      this.workspaces.saw(seen);
    }
    this.hasTenant = tenants.size > 1;
    this.origins = new Set([...tenants].flatMap((tenant) => originsOf(connection, tenant)));
  }

  /**
   * Undefined if the state has no origin (the object is only read, or its create was cut off), or names a tenant at this address, and nothing names that of
   * the connection's key.
   */
  has({ outputs }: StateObject): boolean | undefined {
    const { [ORIGIN]: origin } = outputs;
    if (typeof origin !== "string") return undefined;
    if (this.origins.has(origin)) return this.workspaces.compare(outputs) !== "other";
    const isAtAddress = originsOf(this.connection, textIn(outputs, "tenantId")).includes(origin);
    return isAtAddress && !this.hasTenant ? undefined : false;
  }

  /** The stacks that hold this object, and those that only read it, in the order of their names. */
  stacksWith(
    live: LiveObject,
    states: readonly StateObject[],
  ): { readonly holders: string[]; readonly readers: string[] } {
    const uuid = uuidOf(live);
    const meant = states.filter((state) => this.isSame(state, live, uuid));
    const stacksOf = (those: readonly StateObject[]): string[] => [...new Set(those.map(({ stack }) => stack))].sort();
    return {
      holders: stacksOf(meant.filter(({ isRead }) => !isRead)),
      readers: stacksOf(meant.filter(({ isRead }) => isRead)),
    };
  }

  /** Whether the state refers to this object; if unsure, true, because users may delete objects that are reported to be in no stack. */
  private isSame(state: StateObject, live: LiveObject, uuid: string | undefined): boolean {
    if (state.spec !== live.spec) return false;
    // Asked of each pair of thousands: what is quick comes first.
    if (uuid !== undefined && idsOf(state).includes(uuid) && uuidOf(state) === uuid) return true;
    const isNamed = state.id === undefined ? state.name === live.name : state.id === live.id;
    return isNamed && this.has(state) !== false;
  }
}

const idsOf = ({ id, outputs }: Pick<StateObject, "id" | "outputs">) =>
  [outputs["uuid"], outputs["agentUuid"], outputs["templateId"], id] as const;

/** The platform's own unique id of an object, which a providerId or the name of a template is not. */
const uuidOf = (object: Pick<StateObject, "id" | "outputs">): string | undefined =>
  idsOf(object).find((each): each is string => typeof each === "string" && isUuid(each));
