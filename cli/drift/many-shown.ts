import type { ManyReport, StackRow } from "./many";
import { resultText } from "./shown";

const OUTCOMES = ["failed", "unread", "drift", "none"] as const;

const WORDS = {
  failed: "could not be compared",
  unread: "with objects that could not be read",
  drift: "with drift",
  none: "without drift",
} as const;

/** Sorts the most urgent results first, and otherwise keeps the order of the names. */
export const byOutcome = (rows: readonly StackRow[]): StackRow[] =>
  OUTCOMES.flatMap((outcome) => rows.filter((row) => row.outcome === outcome));

/** "12 stacks: 1 could not be compared, 1 with objects that could not be read, 2 with drift, 8 without drift" */
export function manySummary({ stacks }: ManyReport): string {
  const count = (outcome: StackRow["outcome"]): number => stacks.filter((row) => row.outcome === outcome).length;
  const parts = OUTCOMES.filter((outcome) => count(outcome) > 0).map(
    (outcome) => `${count(outcome)} ${WORDS[outcome]}`,
  );
  return `${stacks.length} ${stacks.length === 1 ? "stack" : "stacks"}: ${parts.join(", ")}`;
}

/** Whether there is nothing to say of a stack but its result. */
export const isQuiet = (row: StackRow): boolean => row.outcome === "none" && row.servers.length === 0;

/** The result of a stack in a few words. */
export function resultOf(row: StackRow): string {
  if (row.outcome === "failed") return "could not be compared";
  if (row.outcome !== "none") return resultText(row);
  return row.clean === 1 ? "no drift (1 object)" : `no drift (${row.clean} objects)`;
}
