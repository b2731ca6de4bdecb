import type { CliError } from "../base/cli-error";
import { type EngineEvents, eventsIn, kindOf, parseEvents, type Step } from "../base/engine-events";
import { isObjectType, isOnAgent } from "../base/managed-types";
import { engineFailed, reasonsIn, runPulumi, STREAMING, type Target } from "../base/pulumi";
import { type StackState, stateOf, type StateResource } from "../base/stack-state";
import { stepTo, unreadStep } from "./read";
import { nameInUrn } from "../../provider/base/engine-format";
import { someOf } from "../../provider/base/plain-text";
import { resourceTypeOf } from "../../provider/resources/resource-types";

/** Of a part of the stack, the report would say that all is as declared. */
const WHOLE = { PULUMI_OPTION_TARGET: undefined, PULUMI_OPTION_EXCLUDE: undefined };

/** Compares a stack with the platform without writing to either. What could not be read is returned as unread, with the errors; if that is everything, throws. */
export async function compareStack(stack: string, target: Target): Promise<EngineEvents> {
  const environment = { ...target.environment, ...STREAMING, ...WHOLE };
  const args = ["refresh", "--preview-only", "--json", `--stack=${stack}`];
  const result = await runPulumi(args, { ...target, environment });
  if (result.code !== 0) {
    const events = eventsIn(result.stdout);
    const hasRead = events?.outcomes.some(({ type, old }) => old?.custom === true && isObjectType(type));
    const partial = events && hasRead ? withUnread(events, await stateOf(stack, target)) : undefined;
    if (partial === undefined) throw failed(stack, target, [...(events?.errors ?? []), ...reasonsIn(result)]);
    return partial;
  }
  const events = parseEvents(result.stdout);
  if (!events.complete)
    throw failed(stack, target, [...events.errors, "the engine stopped before it had compared every resource"]);
  return withUncompared(events, await stateOf(stack, target));
}

/** The events of a run that failed, with what it did not read, also for want of reaching it, as unread, and what no comparison shows. Undefined if it has read everything. */
export function withUnread(events: EngineEvents, state: StackState): EngineEvents | undefined {
  const known = new Set(events.outcomes.map(({ urn }) => urn));
  const left = state.resources.flatMap(({ id, ...resource }): Step[] => {
    const { urn, type, delete: isLeaving, pendingReplacement: isGone, inputs, outputs } = resource;
    if (id === undefined || type.startsWith("pulumi:") || known.has(urn) || isLeaving === true || isGone === true)
      return [];
    const object = { resource: { ...resource, id }, inputs, outputs };
    // A check has no object: its state says all.
    return [resourceTypeOf(type) === "RunCheck" ? stepTo(object, "same", {}) : unreadStep(object)];
  });
  const outcomes = [...events.outcomes, ...left];
  return left.length === 0 ? undefined : withUncompared({ ...events, outcomes }, state);
}

function withUncompared(events: EngineEvents, state: StackState): EngineEvents {
  // The engine passes over what a run has deleted for a replacement, and calls it unchanged.
  const gone = new Set(state.resources.flatMap((row) => (row.pendingReplacement === true ? [row.urn] : [])));
  const outcomes = events.outcomes.filter(({ urn }) => !gone.has(urn));
  return { ...events, outcomes, warnings: [...events.warnings, ...uncomparedIn(state)] };
}

/**
 * What a state says that no comparison shows: objects that a cut-off run may have made, or has deleted for a replacement, and, as version 0.2.0 wrote it,
 * objects of agents with `deletedWith`, which stay if that other resource stays.
 */
export function uncomparedIn({ resources, begun }: StackState): string[] {
  const told = (those: readonly StateResource[], sentence: string): string[] => {
    const titles = those.map(({ urn }) => `${kindOf(urn)} ${nameInUrn(urn)}`).sort();
    return titles.length === 0 ? [] : [`${someOf(titles, 10)}: ${sentence}`];
  };
  return [
    ...told(
      begun,
      "a run was cut off while it created or imported this, so it may be on the platform and is not compared. " +
        "Run `pulumi up`, which finds or makes what the program declares, and then `pulumi refresh --yes --clear-pending-creates`",
    ),
    ...told(
      resources.filter(({ pendingReplacement }) => pendingReplacement === true),
      "a run was cut off after it had deleted this for a replacement, so it is not compared. Run `pulumi up`, which creates what the program declares",
    ),
    ...told(
      resources.filter(({ type, deletedWith }) => isOnAgent(type) && deletedWith !== undefined),
      "no delete is sent for what the state has deleted with its deployment or assistant (deletedWith, as version 0.2.0 wrote it). " +
        "Run `pulumi up` once with the program as it is, which takes that out",
    ),
  ];
}

const failed = (stack: string, target: Target, reasons: readonly string[]): CliError => {
  const meaning = "could not be compared with the platform, so nothing is known about drift";
  return engineFailed(stack, target, meaning, "refresh --preview-only", reasons);
};
