import { lookup } from "../../lifecycle/lookup";
import { getRevision } from "../deployment/api";
import { isBeingDeleted } from "../deployment/look";
import type { DeploymentWire } from "../deployment/wire";
import { meaningOf } from "./judge";
import type { Context } from "../../lifecycle/context";

/** What a read finds out about the latest revision of a deployment. */
export interface Standing {
  /** The latest revision, if it serves. */
  readonly servingRevisionId: string | undefined;
  /** Why the latest revision does not serve; undefined if it does, or if the platform does not say. */
  readonly problem: string | undefined;
  /** It may still come to serve. */
  readonly isPending: boolean;
}

const fine = (servingRevisionId?: string): Standing => ({ servingRevisionId, problem: undefined, isPending: false });

/** From the deployment alone if its latest revision is the active one; else from a request for the revision. */
export async function standingOf({ send }: Pick<Context, "send">, deployment: DeploymentWire): Promise<Standing> {
  const { id, latest_revision_id: latest, active_revision_id: active } = deployment;
  if (isBeingDeleted(deployment)) {
    return { servingRevisionId: undefined, problem: "the deployment is being deleted", isPending: false };
  }
  // A field that the answer leaves out says nothing.
  if (latest == null) return fine();
  if (latest === active) return fine(latest);
  const result = await lookup(() => getRevision(send, id, latest));
  if (result.state === "unsupported") return fine();
  const status = result.state === "found" ? (result.value.status ?? "UNKNOWN") : "not there yet";
  const serves = active == null ? "nothing serves" : `${active} still serves`;
  switch (meaningOf(status)) {
    case "deployed":
      return fine(latest);
    case "failed":
      return {
        servingRevisionId: undefined,
        problem: `revision ${latest} ended as ${status}; ${serves}`,
        isPending: false,
      };
    case "superseded":
    case "pending":
      return { servingRevisionId: undefined, problem: `revision ${latest} is ${status}; ${serves}`, isPending: true };
  }
}
