import type { ManyReport, StackRow } from "./many";
import { countText } from "./shown";

const OUTCOMES = ["failed", "drift", "none"] as const;

/** What to look at first stands first; within that the order of the names stays. */
export const byOutcome = (rows: readonly StackRow[]): StackRow[] =>
  OUTCOMES.flatMap((outcome) => rows.filter((row) => row.outcome === outcome));

/** "12 stacks: 1 could not be compared, 2 with drift, 9 without" */
export function summaryOf({ stacks }: ManyReport): string {
  const count = (outcome: StackRow["outcome"]): number => stacks.filter((row) => row.outcome === outcome).length;
  const [failed, drift, none] = OUTCOMES.map(count);
  const parts = [
    ...(failed === 0 ? [] : [`${failed} could not be compared`]),
    ...(drift === 0 ? [] : [`${drift} with drift`]),
    ...(none === 0 ? [] : [`${none} without drift`]),
  ];
  return `${stacks.length} ${stacks.length === 1 ? "stack" : "stacks"}: ${parts.join(", ")}`;
}

/** The result of a stack in a few words. */
export function resultOf(row: StackRow): string {
  if (row.outcome === "failed") return "could not be compared";
  if (row.outcome === "drift") return `${countText(row)} drifted`;
  return row.clean === 1 ? "no drift (1 object)" : `no drift (${row.clean} objects)`;
}
