import { commentText } from "../base/markdown";
import { changeLines, groupedBy, jsonText, nameText, paragraphText, sentenceLines } from "../base/printable";
import type { ManyReport, StackRow } from "./many";
import { objectTitle, resultText, sharedSteps, reportText } from "./formats";
import { someOf } from "../../provider/base/plain-text";

/** The formats of the report on many stacks; each gives the whole text, with a line end. */
export const MANY_FORMATS = {
  text: table,
  markdown: (report: ManyReport) => commentText("Drift of stacks", table(report)),
  json: jsonText,
} as const;

/** For a terminal: a line per stack, and then what there is to say of those that drifted, failed or were not all read. */
function table(report: ManyReport): string {
  const rows = byOutcome(report.stacks);
  const list = changeLines(rows.map((row) => [`  ${nameText(row.stack)}`, resultOf(row), ""]));
  const failed = failedAlike(rows).map(({ names, reason }) => `${names}: ${paragraphText(reason)}\n`);
  const told = rows.flatMap((row) => (row.outcome === "failed" || isQuiet(row) ? [] : [row]));
  const named = told.flatMap((row) =>
    row.drifted.map((object) => [`${nameText(row.stack)} ${objectTitle(object)}`, object] as const),
  );
  const steps = sharedSteps(named);
  const details = [...told.map((row) => reportText(row, steps)), ...steps.values()];
  const notes = notesOf(report).map((note) => `${sentenceLines(note, "").join("\n")}\n`);
  const title = sentenceLines(`${manySummary(report)}.`, "", "  ");
  return [`${[...title, "", ...list].join("\n")}\n`, ...failed, ...details, ...notes].join("\n");
}

const namesText = (stacks: readonly { readonly stack: string }[]): string =>
  someOf(stacks.map(({ stack }) => nameText(stack)));

/** Why stacks could not be compared: each reason once, as that of the first stack. */
function failedAlike(rows: readonly StackRow[]): { readonly names: string; readonly reason: string }[] {
  const failed = rows.flatMap((row) => (row.outcome === "failed" ? [row] : []));
  // The engine's has the name of the stack, in full.
  const nameless = ({ stack, reason }: (typeof failed)[number]): string[] =>
    reason.split(/([^\w./-]+)/).filter((word) => !`/${word}`.endsWith(`/${stack}`));
  return groupedBy(failed, nameless).map((those) => ({
    names: `${those.length === 1 ? "Stack" : "Stacks"} ${namesText(those)}`,
    reason: those[0].reason,
  }));
}

/** What was compared in another way, or not at all: a sentence each. */
function notesOf({ stacks }: ManyReport): string[] {
  const byEngine = groupedBy(
    stacks.filter(({ engine }) => engine !== undefined),
    ({ engine = "" }) => [engine],
  ).map((those) => `Compared by an engine, because ${those[0].engine ?? ""}: ${namesText(those)}.`);
  const encrypted = stacks.flatMap((row) => (row.outcome === "failed" ? [] : (row.encrypted ?? [])));
  const fields = [...new Set(encrypted.flatMap((object) => object.fields))].sort().join(", ");
  const closed =
    encrypted.length === 0
      ? []
      : [
          `Not compared, because states have it encrypted: ${fields} of ${encrypted.length} object${encrypted.length === 1 ? "" : "s"}. ` +
            "`drift --stack <name>` opens it.",
        ];
  return [...byEngine, ...closed];
}

const OUTCOMES = ["failed", "unread", "drift", "none"] as const;

const WORDS = {
  failed: "could not be compared",
  unread: "with objects that could not be read",
  drift: "with drift",
  none: "without drift",
} as const;

/** Sorts the most urgent results first, and otherwise keeps the order of the names. */
const byOutcome = (rows: readonly StackRow[]): StackRow[] =>
  OUTCOMES.flatMap((outcome) => rows.filter((row) => row.outcome === outcome));

/** "12 stacks: 1 could not be compared, 1 with objects that could not be read, 2 with drift, 8 without drift" */
function manySummary({ stacks }: ManyReport): string {
  const count = (outcome: StackRow["outcome"]): number => stacks.filter((row) => row.outcome === outcome).length;
  const parts = OUTCOMES.filter((outcome) => count(outcome) > 0).map(
    (outcome) => `${count(outcome)} ${WORDS[outcome]}`,
  );
  return `${stacks.length} ${stacks.length === 1 ? "stack" : "stacks"}: ${parts.join(", ")}`;
}

/** Whether there is nothing to say of a stack but its result. */
const isQuiet = (row: StackRow): boolean => row.outcome === "none" && row.servers.length === 0;

/** The result of a stack in a few words. */
export function resultOf(row: StackRow): string {
  if (row.outcome === "failed") return "could not be compared";
  if (row.outcome !== "none") return resultText(row);
  return row.clean === 1 ? "no drift (1 object)" : `no drift (${row.clean} objects)`;
}
