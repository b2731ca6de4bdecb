import type { Deletion } from "../../lifecycle/definition";
import { isMissing, notDeleted } from "../../base/errors";
import { waitUntilGone } from "../../lifecycle/wait/until-gone";
import { deleteDeployment } from "./api";
import { deploymentOf, isBeingDeleted } from "./observe";
import type { Context } from "../../lifecycle/observe/context";

/** Deletes the deployment, and its tracing project if the program asks for that, and waits until it is gone. */
export async function removeDeployment(
  context: Context,
  id: string,
  what: string,
  withTracingProject: boolean,
): Promise<Deletion> {
  const answer = await requestDeletion(context, id, withTracingProject);
  let [wasThere, isKept] = [answer !== "refused", false];
  // DELETE is asynchronous: only the 404 of GET says that the deployment is gone (docs/internals/platform.md, Deletion of a deployment).
  await waitUntilGone(context, what, async (until) => {
    const still = await deploymentOf(context, id, until);
    if (still === undefined) return undefined;
    wasThere = true;
    isKept = answer !== "accepted" && !isBeingDeleted(still);
    return isKept ? undefined : (still.status ?? "UNKNOWN");
  });
  // DELETE said 404 or 405, yet the deployment is there: this platform has no such endpoint.
  if (isKept && answer === "refused") return { left: what };
  if (isKept) throw notDeleted(what);
  return wasThere ? "deleted" : "absent";
}

/** Accepted: the platform's own answer (204). Another success may come from a gateway in between. Refused: nothing to delete, or no such endpoint. */
async function requestDeletion(
  { send }: Context,
  id: string,
  withTracingProject: boolean,
): Promise<"accepted" | "answered" | "refused"> {
  try {
    const { status } = await deleteDeployment(send, id, withTracingProject);
    return status === 204 ? "accepted" : "answered";
  } catch (error) {
    // A gateway's 404 says nothing about the platform: the deployment stays in the state.
    if (!isMissing(error)) throw error;
    return "refused";
  }
}
