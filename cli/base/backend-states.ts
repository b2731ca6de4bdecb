import { messageOf } from "../../provider/base/errors";
import { inParallel } from "./in-parallel";
import type { ProgressLine } from "./style";
import type { Target } from "./pulumi";
import { objectsInState, type StateObject } from "./stack-objects";

/** A stack whose state could not be read. */
export interface FailedStack {
  readonly stack: string;
  readonly reason: string;
}

/** What the states of stacks hold. */
export interface HeldInStates {
  readonly objects: readonly StateObject[];
  readonly failed: readonly FailedStack[];
}

/** Reads the states of these stacks, `parallel` at a time; one that cannot be read stops no other. */
export async function statesOf(
  stacks: readonly string[],
  parallel: number,
  target: Target,
  progress: ProgressLine,
): Promise<HeldInStates> {
  let done = 0;
  const all = await inParallel(stacks, parallel, async (stack): Promise<HeldInStates> => {
    try {
      return { objects: await objectsInState(stack, target), failed: [] };
    } catch (error) {
      return { objects: [], failed: [{ stack, reason: messageOf(error) }] };
    } finally {
      progress.show(`reading: ${++done} of ${stacks.length} stacks`);
    }
  });
  return { objects: all.flatMap(({ objects }) => objects), failed: all.flatMap(({ failed }) => failed) };
}
