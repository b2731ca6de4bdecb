import { type Connection, isUuid, ORIGIN, originOf, spellingsOf, Workspaces } from "../../provider/tools";
import type { LiveObject } from "./live";
import type { StateObject } from "../base/stack-objects";

/** Decides whether objects of states are on the platform, and in the tenant, of a connection (docs/internals/design.md, Origin). */
export class ConnectionPlace {
  private readonly workspaces = new Workspaces();
  private readonly origins: ReadonlySet<string>;

  /** @param live All that the connection shows: it names the tenant, if the connection does not. */
  constructor({ baseUrl, sandboxBaseUrl, tenantId }: Connection, live: readonly LiveObject[]) {
    // A stack may name the tenant, or leave it to its key.
    const tenants = new Set<string | undefined>([tenantId, undefined]);
    for (const { outputs } of live) {
      const { tenantId: seen, organizationId } = outputs;
      if (typeof seen === "string") tenants.add(seen);
      this.workspaces.saw({
        tenantId: typeof seen === "string" ? seen : undefined,
        organizationId: typeof organizationId === "string" ? organizationId : undefined,
      });
    }
    this.origins = new Set(
      [baseUrl, sandboxBaseUrl]
        .flatMap(spellingsOf)
        .flatMap((url) => [...tenants].map((tenant) => originOf(url, tenant))),
    );
  }

  /** Undefined if the state does not say: it was only read, or its making was cut off. */
  has({ outputs }: StateObject): boolean | undefined {
    const { [ORIGIN]: origin } = outputs;
    if (typeof origin !== "string") return undefined;
    return this.origins.has(origin) && this.workspaces.compareSeen(outputs) !== "other";
  }

  /** Whether the state means this object. In doubt it does: what counts as in no stack may be deleted by hand. */
  isSame(state: StateObject, live: LiveObject): boolean {
    if (state.spec !== live.spec) return false;
    const uuids = [uuidOf(state), uuidOf(live)];
    if (uuids[0] !== undefined && uuids[0] === uuids[1]) return true;
    if (this.has(state) === false) return false;
    return state.id === undefined ? state.name === live.name : state.id === live.id;
  }
}

/** The platform's own id of an object, which no two objects share; a providerId, or the name of a template, is none. */
function uuidOf({ id, outputs }: Pick<StateObject, "id" | "outputs">): string | undefined {
  const known = [outputs["uuid"], outputs["templateId"], id];
  return known.find((each): each is string => typeof each === "string" && isUuid(each));
}
