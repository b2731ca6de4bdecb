import * as pulumi from "@pulumi/pulumi";
import { shellWord } from "../../provider/base/shell";
import { protocolOfStack } from "../protocol";
import { knownValue } from "../known";
import type { Rollout } from "./rollout";

/**
 * Warns, on the deployment's row, if a run changes the deployment but leaves its rollout out (`--target`): then nothing waits for the new revision, and
 * a green run says nothing about it. The engine does not pass on the targets, but the outputs of the rollout's registration show whether it was left out.
 */
export function warnOfLeftOutRollout(
  deployment: pulumi.CustomResource & { readonly latestRevisionId: pulumi.Output<string | null> },
  rollout: Rollout,
): void {
  // Not under mocks, whose outputs are arbitrary. The native plugin warns by itself (unawaited.ts).
  if (pulumi.runtime.getEngine() === undefined || protocolOfStack() === "native") return;
  void rollout.urn.apply(async (urn) => {
    const { latestRevisionId } = deployment;
    const { revisionId, activeRevisionId } = rollout;
    const [asked, declared, active] = await Promise.all(
      [latestRevisionId, revisionId, activeRevisionId].map(knownValue),
    );
    if (!isLeftOut(asked, declared, active)) return;
    const message =
      "the rollout was left out of this run, so nothing waits until the revision is DEPLOYED. " +
      `Add --target-dependents, or --target ${shellWord(urn)}`;
    await pulumi.log.warn(message, deployment);
  });
}

/** @param asked The deployment's latest revision. @param declared The revision that the rollout waits for. @param active The rollout's active revision. */
function isLeftOut(asked: Known, declared: Known, active: Known): boolean {
  if (declared === undefined || active === undefined) return false;
  // At preview, a change of the deployment makes its revision unknown, and also the outputs of a rollout that is not left out.
  if (asked === undefined) return true;
  // The deployment itself is left out. (If it is to be created, a preview cannot show whether its rollout is as well.)
  if (asked.value === undefined) return false;
  // A rollout that has not been created has no outputs.
  if (active.value === undefined) return true;
  return asked.value !== declared.value && asked.value !== active.value;
}

type Known = Awaited<ReturnType<typeof knownValue>>;
