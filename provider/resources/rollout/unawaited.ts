import { nameInUrn } from "../../base/engine-format";
import type { Registered } from "../../lifecycle/observe/declarations";

/**
 * Warns about deployments that this run changes and no Rollout waits for, unless `awaitRollout: false`. The classes of the npm package declare the
 * Rollout; those of other languages do not. At a preview, new deployments share the unknown id, so one Rollout with an unknown deploymentId counts for all.
 * @param registered The resources of a run that has ended.
 */
export function unawaited(registered: readonly Registered[]): string[] {
  const rollouts = registered.filter(({ kind }) => kind === "Rollout");
  /** A Rollout that names no revision, or an earlier one as the program that `pulumi import` writes does, is not changed by a new one: nothing waits. */
  const isAwaited = ({ id, outputs: { latestRevisionId: latest } = {} }: Registered): boolean =>
    rollouts.some(({ id: waits, inputs: { deploymentId, revisionId: of } }) => {
      const isIt = !latest || of === latest || (!of && waits !== undefined);
      return deploymentId === id && isIt;
    });
  const left = registered.filter(
    (each) =>
      each.kind === "Deployment" && each.id !== undefined && each.inputs["awaitRollout"] !== false && !isAwaited(each),
  );
  if (left.length === 0) return [];
  const names = left.map(({ urn }) => `"${nameInUrn(urn)}"`).sort();
  return [
    `no Rollout of this run waits for ${names.length === 1 ? "Deployment" : "the Deployments"} ${names.join(", ")}: \`pulumi up\` succeeds before a new ` +
      "revision is built, and even if the build fails. Declare a Rollout with the deployment's id and latestRevisionId (--target needs " +
      "--target-dependents to include it), or set the deployment's argument awaitRollout to false if nothing should wait",
  ];
}
