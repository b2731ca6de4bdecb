import { instantOf, type PlatformReader } from "../../provider/tools";
import { Revision } from "../base/revision";
import type { StateObject } from "../base/stack-objects";

/**
 * Whether the program has surely changed the deployment's secrets after this revision was made. Otherwise it is not known: others can change
 * them too, and the platform says nothing of them.
 */
export async function haveSecretsChanged(
  platform: Pick<PlatformReader, "revision">,
  deploymentId: string,
  since: Revision,
  state: StateObject | undefined,
): Promise<boolean> {
  const id = state?.outputs["secretsRevisionId"];
  if (typeof id !== "string" || id === "") return false;
  const changed = await platform.revision(deploymentId, id).then(
    (revision) => Revision.parse(revision),
    // It is gone, or the state does not name it yet.
    () => undefined,
  );
  const [then, later] = [since, changed].map((revision) => instantOf(revision?.createdAt));
  return then !== undefined && later !== undefined && later > then;
}
