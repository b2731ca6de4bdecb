import * as pulumi from "@pulumi/pulumi";
import { shellWord } from "../../provider/base/shell";
import { protocolOfStack } from "../protocol";
import type { Rollout } from "./rollout";

/**
 * Warns, on the deployment's row, of a run that changes the deployment and leaves its rollout out (`--target`): nothing then waits for the new
 * revision, and a green run says nothing about it. The engine tells no one what is targeted; it shows in what the rollout's registration answers.
 */
export function warnOfLeftOutRollout(
  deployment: pulumi.CustomResource & { readonly latestRevisionId: pulumi.Output<string | null> },
  rollout: Rollout,
): void {
  // Under mocks no run leaves anything out: they answer what they like. The native plugin says it itself (unawaited.ts).
  if (pulumi.runtime.getEngine() === undefined || protocolOfStack() === "native") return;
  void rollout.urn.apply(async (urn) => {
    const { latestRevisionId } = deployment;
    const { revisionId, activeRevisionId } = rollout;
    const [asked, declared, active] = await Promise.all([
      settled(latestRevisionId),
      settled(revisionId),
      settled(activeRevisionId),
    ]);
    if (!isLeftOut(asked, declared, active)) return;
    const message =
      "the rollout was left out of this run, so nothing waits until the revision is DEPLOYED. " +
      `Add --target-dependents, or --target ${shellWord(urn)}`;
    await pulumi.log.warn(message, deployment);
  });
}

/** @param asked The revision that the deployment asked for. @param declared The one that the rollout waits for. @param active The one that it says is active. */
function isLeftOut(asked: Settled, declared: Settled, active: Settled): boolean {
  if (!declared.isKnown || !active.isKnown) return false;
  // At preview, a change of the deployment makes its revision unknown, and that of a rollout which is not left out with it.
  if (!asked.isKnown) return true;
  // A deployment that is left out itself. (Of one that is to be made, a preview cannot tell whether its rollout is to be made too.)
  if (asked.value === undefined) return false;
  // One that is still to be made has no outputs yet.
  if (active.value === undefined) return true;
  return asked.value !== declared.value && asked.value !== active.value;
}

interface Settled {
  readonly isKnown: boolean;
  /** Undefined where it is not known. */
  readonly value?: unknown;
}

/** The value of an output, and whether it is known: `apply` would not run where it is not. */
async function settled(output: pulumi.Output<unknown>): Promise<Settled> {
  // Not part of the SDK's types, but of all its outputs.
  const isKnown: unknown = await Reflect.get(output, "isKnown");
  if (isKnown !== true) return { isKnown: false };
  return { isKnown, value: await new Promise((resolve) => void output.apply(resolve)) };
}
