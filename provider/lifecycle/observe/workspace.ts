import { type Json, type JsonObject, textIn } from "../../base/json";
import { AgentPlatformError, isHttpError } from "../../base/errors";
import type { Connection } from "../../base/connection";
import { configKey, toSet } from "../../base/settings";

/** The workspace (tenant) of an object and its organization, as far as an answer names them. */
export interface Workspace {
  readonly tenantId?: string | null | undefined;
  readonly organizationId?: string | null | undefined;
}

/**
 * The workspaces that the answers to one connection have named. A key of another workspace sees no object of this one, so
 * every object would look deleted (docs/internals/design.md, Origin).
 */
export class Workspaces {
  private readonly tenantIds = new Set<string>();
  private readonly organizationIds = new Set<string>();
  private asked: Promise<void> | undefined;

  /** @param request Asks the platform which workspace this connection opens. */
  constructor(private readonly request: () => Promise<Workspace> = () => Promise.resolve({})) {}

  saw({ tenantId, organizationId }: Workspace): void {
    if (typeof tenantId === "string") this.tenantIds.add(tenantId);
    if (typeof organizationId === "string") this.organizationIds.add(organizationId);
  }

  /** Sends the request, until it is answered once. Throws its error. */
  ask(): Promise<void> {
    return (this.asked ??= this.request().then(
      (workspace) => this.saw(workspace),
      (error: unknown) => {
        this.asked = undefined;
        throw error;
      },
    ));
  }

  /**
   * The workspace of this connection, if the platform's answers name one alone. Asks each time; a list that is kept for a moment answers most.
   * An answer that is an error names none.
   */
  async current(): Promise<string | undefined> {
    try {
      this.saw(await this.request());
    } catch (error) {
      if (!isHttpError(error)) throw error;
    }
    const [only, ...more] = this.tenantIds;
    return more.length === 0 ? only : undefined;
  }

  /** The workspaces that answers have named, for messages. */
  get names(): string {
    const organizations = [...this.organizationIds].map((id) => `organization ${id}`);
    return [...this.tenantIds, ...organizations].join(", ");
  }

  /** Whether answers have named the workspace of the state, another one, or nothing that can be compared. */
  compare(state: JsonObject): "same" | "other" | "unknown" {
    const results = [
      compared(state["tenantId"], this.tenantIds),
      compared(state["organizationId"], this.organizationIds),
    ];
    if (results.includes("other")) return "other";
    return results.includes("same") ? "same" : "unknown";
  }
}

function compared(recorded: Json | undefined, seen: ReadonlySet<string>): "same" | "other" | "unknown" {
  if (typeof recorded !== "string" || seen.size === 0) return "unknown";
  return seen.has(recorded) ? "same" : "other";
}

const remedy =
  `Nothing was changed. If the key is wrong, set the right one (\`pulumi config set --secret ${configKey("apiKey")}\`) and run \`pulumi up\`; ` +
  `if it is right, ${toSet("allowOriginChange", "true")} for one \`pulumi refresh --run-program\``;

/** True if no comparison is needed: with a configured tenant, the platform refuses a key of another one; `allowOriginChange` turns the comparison off. */
const isDecided = ({ tenantId, allowOriginChange }: Connection): boolean => tenantId !== undefined || allowOriginChange;

/**
 * For an object that seems to be gone: throws AgentPlatformError if the key opens another workspace, which cannot see the object, or if the
 * key has changed since the object was last seen and no answer shows which workspace it opens.
 * @param sameKey Whether the key is the one that the object was last seen with; undefined if the state does not say.
 */
export async function refuseForeignWorkspace(
  what: string,
  state: JsonObject,
  { connection, workspaces }: { readonly connection: Connection; readonly workspaces: Workspaces },
  sameKey: boolean | undefined,
): Promise<void> {
  if (isDecided(connection)) return;
  const isRecorded = typeof (state["tenantId"] ?? state["organizationId"]) === "string";
  if (sameKey !== true && isRecorded && workspaces.compare(state) === "unknown") await workspaces.ask();
  refuseOther(what, state, workspaces, sameKey === false ? "this key does not see it" : undefined);
}

/**
 * Throws AgentPlatformError if an object with the state's id or name is, or may be, in another workspace than the state's.
 * @param nameOnlyMatch The key has changed, and only the name suggests that it is the same object.
 */
export function confirmSame(
  what: string,
  state: JsonObject,
  live: Workspace,
  nameOnlyMatch: boolean,
  connection: Connection,
): void {
  if (isDecided(connection)) return;
  const seen = new Workspaces();
  seen.saw(live);
  refuseOther(what, state, seen, nameOnlyMatch ? "this key sees one with its name" : undefined);
}

/** @param doubt Why it may be another workspace where no answer tells; undefined if nothing suggests that. */
function refuseOther(what: string, state: JsonObject, seen: Workspaces, doubt: string | undefined): void {
  const result = seen.compare(state);
  const where = textIn(state, "tenantId") ?? `of organization ${textIn(state, "organizationId") ?? "(unknown)"}`;
  if (result === "other")
    throw new AgentPlatformError(
      `${what} is in the workspace ${where}, but this key opens another one (${seen.names}). ${remedy}`,
    );
  if (result === "unknown" && doubt !== undefined)
    throw new AgentPlatformError(
      `${what}: ${doubt}, but it was last seen with another key. The platform does not say whether both keys open the same workspace. ${remedy}`,
    );
}
