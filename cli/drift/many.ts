import { messageOf } from "../../provider/base/errors";
import { inParallel } from "../base/in-parallel";
import type { Target } from "../base/pulumi";
import { compareStack } from "./engine";
import { outcomeOf, reportOf, type DriftOutcome, type Report } from "./report";

/** One of many stacks: as its own report has it, or why it could not be compared. */
export type StackRow =
  | (Report & { readonly outcome: DriftOutcome })
  | { readonly stack: string; readonly outcome: "failed"; readonly reason: string };

/** The output of `pulumi-agent-platform drift --stacks --format json`. Keys may be added; these stay, or `version` changes. */
export interface ManyReport {
  readonly version: 1;
  /** In the order of their names. */
  readonly stacks: readonly StackRow[];
}

/** Told of each stack that is done. */
export type Watcher = (row: StackRow, warnings: readonly string[]) => void;

/** Compares each stack with the platform; one that fails is a row, and the others go on. */
export async function compareAll(
  stacks: readonly string[],
  parallel: number,
  target: Target,
  watch: Watcher,
): Promise<ManyReport> {
  const rows = await inParallel(stacks, parallel, async (stack) => {
    const { row, warnings } = await compareOne(stack, target);
    watch(row, warnings);
    return row;
  });
  return { version: 1, stacks: rows };
}

async function compareOne(stack: string, target: Target): Promise<{ row: StackRow; warnings: readonly string[] }> {
  try {
    const events = await compareStack(stack, target);
    const report = reportOf(stack, events);
    return { row: { outcome: outcomeOf(report), ...report }, warnings: events.warnings };
  } catch (error) {
    return { row: { stack, outcome: "failed", reason: messageOf(error) }, warnings: [] };
  }
}
