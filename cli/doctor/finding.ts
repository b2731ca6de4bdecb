import { columns, lineText, sentenceLines } from "../base/printable";
import type { Style } from "../base/style";

/** What a check found: all is well, something to do, or nothing, because what it needs is missing. */
export interface Finding {
  readonly state: "ok" | "fix" | "skip";
  /** What was checked: "key". */
  readonly what: string;
  /** What is there; of one to fix, also what to do. */
  readonly text: string;
}

export const ok = (what: string, text: string): Finding => ({ state: "ok", what, text });
export const fix = (what: string, text: string): Finding => ({ state: "fix", what, text });
export const skip = (what: string, text: string): Finding => ({ state: "skip", what, text });

const MARKS = { ok: "ok", fix: "FIX", skip: "-" } as const;

/** A line for each finding; a long text goes on below its beginning. */
export function findingsTable(findings: readonly Finding[], style: Style): string {
  // The dots stand for the texts, so that all begins are equally wide.
  const begins = columns(findings.map(({ state, what }) => [MARKS[state], what, "."]));
  return findings
    .map(({ state, text }, at) => {
      const lines = sentenceLines(lineText(text), begins[at]?.slice(0, -1)).join("\n");
      return `${state === "fix" ? style.wrong(lines) : state === "skip" ? style.faint(lines) : lines}\n`;
    })
    .join("");
}
