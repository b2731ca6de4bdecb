import { columns } from "../base/printable";
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

/** A line for each finding. */
export function findingsTable(findings: readonly Finding[], style: Style): string {
  const lines = columns(findings.map(({ state, what, text }) => [MARKS[state], what, text]));
  return lines
    .map((line, at) => {
      const state = findings[at]?.state;
      return `${state === "fix" ? style.wrong(line) : state === "skip" ? style.faint(line) : line}\n`;
    })
    .join("");
}
