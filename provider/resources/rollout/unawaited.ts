import { nameInUrn } from "../../base/engine-format";
import type { Registered } from "../../lifecycle/fields/checked-inputs";

/**
 * Warns of deployments that a run makes or changes, and for which none of its Rollouts waits, and whose program does not say that nothing should: the classes of the npm package
 * declare the Rollout, those of other languages do not. At a preview, a Rollout of an unknown deployment may be that of any that is to be made.
 * @param registered What a run that came to its end has registered.
 */
export function unawaited(registered: readonly Registered[]): string[] {
  const awaited = new Set(
    registered.flatMap(({ kind, inputs }) => (kind === "Rollout" ? [inputs["deploymentId"]] : [])),
  );
  const left = registered.filter(
    ({ kind, id, inputs }) =>
      kind === "Deployment" && id !== undefined && inputs["awaitRollout"] !== false && !awaited.has(id),
  );
  if (left.length === 0) return [];
  const names = left.map(({ urn }) => `"${nameInUrn(urn)}"`).sort();
  return [
    `no Rollout of this run waits for ${names.length === 1 ? "Deployment" : "the Deployments"} ${names.join(", ")}: \`pulumi up\` succeeds before a new ` +
      "revision is built, and even if the build fails. Declare a Rollout with the deployment's id and latestRevisionId (--target needs " +
      "--target-dependents to include it), or set the deployment's argument awaitRollout to false if nothing should wait",
  ];
}
