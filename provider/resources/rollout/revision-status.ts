import { instantOf } from "../../base/time";
import { observe, type Observation, type Unsupported } from "../../lifecycle/observe/observation";
import { readRevision, type RevisionWire } from "../deployment/api";
import { isBeingDeleted, showDeployment } from "../deployment/observe";
import type { DeploymentWire } from "../deployment/wire";
import { meaningOf } from "./classify";
import type { Context } from "../../lifecycle/observe/context";

/** What a read finds out about the latest revision of a deployment; empty if the platform does not say. */
export interface RevisionStatus {
  /** The latest revision, if it serves. */
  readonly servingRevisionId?: string;
  /** Why the latest revision does not serve. */
  readonly problem?: string;
  /** It may still come to serve. */
  readonly isPending?: boolean;
}

/** How long a DEPLOYED revision may take to become the active one before that is worth a warning. */
export const SWITCH_MS = 60_000;

/** The warning that a revision is DEPLOYED, and another one is active. @param what The deployment. */
export const notActive = (what: string, revisionId: string, active: string): string =>
  `${what}: revision ${revisionId} is DEPLOYED, but the platform still names ${active} as the active one. ` +
  "Requests may still reach that one: look at the deployment on the platform";

/** If the deployment's latest revision is the active one, no request is needed; otherwise requests the revision, which a platform may not support. */
export async function revisionStatusOf(
  { send, log }: Pick<Context, "send" | "log">,
  deployment: DeploymentWire,
): Promise<RevisionStatus | Unsupported> {
  const { id, latest_revision_id: latest, active_revision_id: active } = deployment;
  if (isBeingDeleted(deployment)) return { problem: "the deployment is being deleted" };
  // If the answer does not name the latest revision, nothing is known about it.
  if (latest == null) return {};
  if (latest === active) return { servingRevisionId: latest };
  const result = await observe(() => readRevision(send, id, latest));
  if (result.state === "unsupported") return result;
  const status = result.state === "found" ? (result.value.status ?? "UNKNOWN") : "not there yet";
  const meaning = meaningOf(status);
  if (meaning === "deployed") {
    if (active != null && hasSettled(result)) log.warn(notActive(showDeployment(deployment), latest, active));
    return { servingRevisionId: latest };
  }
  const isPending = meaning !== "failed";
  const serves = active == null ? "nothing serves" : `${active} still serves`;
  return { problem: `revision ${latest} ${isPending ? "is" : "ended as"} ${status}; ${serves}`, isPending };
}

/** Whether the revision has had its status for as long as a switch may take, by the platform's clock. */
function hasSettled(result: Observation<RevisionWire>): boolean {
  const since = result.state === "found" ? instantOf(result.value.updated_at) : undefined;
  return result.state === "found" && since !== undefined && (result.date ?? since) - since >= SWITCH_MS;
}
