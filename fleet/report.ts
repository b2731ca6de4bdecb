import { groupedBy, jsonText, lineText, sentenceLines, tableLines, WIDTH } from "../cli/base/printable";
import { shownReasons } from "../cli/base/pulumi";
import { lateOf } from "./rotate";
import type { Place, Row, Run } from "./runs";

/** The output of `agent-platform-fleet status --format json`. Keys may be added; these stay, or `version` changes. */
export type Report = ReturnType<typeof reportOf>;

/** A run as people and programs see it. */
export const reportOf = (
  { id, plan, began, ended, verdict, at, approved }: Run,
  stacks: readonly Row[],
  workers = 1,
  next = "",
) => ({
  version: 1,
  run: id,
  command: plan.command,
  began: began.toISOString(),
  ended: ended?.toISOString() ?? null,
  /** How it ended; null while it lasts. */
  verdict,
  /** Its wave or gate, while it lasts. */
  at: ended === null ? at : null,
  /** Who opened a gate, by its wave. */
  approved,
  /** How many workers are alive. */
  workers,
  /** The command line that goes on with it; empty if it has ended. */
  next: ended === null ? next : "",
  stacks,
});

/** Where a run stands, in words. */
export function placeText(at: Place | null): string {
  if (at === null) return "its beginning";
  const { wave, gate } = at;
  if (gate === undefined) return `wave ${wave}`;
  return `gate of ${wave}: ${gate === "approve" ? "waits for approve" : gate}`;
}

const STATES = ["succeeded", "drifted", "failed", "locked", "untouched", "running", "waiting"] as const;

/** One sentence about a run: "up-1: done; 5 succeeded"; where that does not fit, the numbers are below. */
function headlineOf({ run, verdict, at, workers, next, stacks }: Report): string[] {
  const counts = STATES.map((state) => [stacks.filter((each) => each.state === state).length, state] as const);
  const said = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  const numbers = said.join(", ") + (verdict === null ? idleText(workers, next) : "");
  const where = `${run}: ${verdict ?? placeText(at)};`;
  const line = `${where} ${numbers}`;
  return line.length <= WIDTH ? [line] : [...sentenceLines(where, "", "  "), ...sentenceLines(numbers)];
}

/** What is to be run where nobody does. */
export const idleText = (workers: number, next: string): string =>
  workers === 0 ? `; no worker is alive: \`${next}\` goes on` : "";

const HEAD = ["STACK", "WAVE", "STATE", "SECONDS", ""];

/** The first of some rows, with how many others there are, and the longest time. */
function alikeOf(rows: readonly [Row, ...Row[]]): Row {
  const [first, ...others] = rows;
  const times = rows.flatMap(({ seconds }) => seconds ?? []);
  const stack = others.length === 0 ? first.stack : `${first.stack} and ${others.length} more`;
  return { ...first, stack, seconds: times.length === 0 ? null : Math.max(...times) };
}

function textOf(report: Report): string {
  // What stands alike is one line; `--format json` has all.
  const alike = groupedBy(report.stacks, ({ wave, state, reason }) => [wave, state, reason]).map(alikeOf);
  const logs = report.stacks.filter(({ state }) => state === "failed").map(({ log }) => log);
  const late = report.stacks.flatMap(({ stack, serving }) =>
    lateOf(serving).flatMap((line) => sentenceLines(lineText(`${stack}: ${line}`), "  ", "      ")),
  );
  const cells = alike.map((row) => [row.stack, row.wave, row.state, row.seconds?.toFixed(1) ?? "-", row.reason]);
  const parts = [headlineOf(report).join("\n"), tableLines([HEAD, ...cells]).join("\n")];
  for (const [wave, by] of Object.entries(report.approved))
    parts.push(lineText(`The gate of ${wave} was opened by ${by}.`));
  if (logs.length > 0) parts.push(`Whole output of what failed:${shownReasons(logs)}`);
  if (late.length > 0) parts.push(["Not known to serve the new value:", ...late].join("\n"));
  if (report.command === "rotate" && report.stacks.every(({ state }) => state === "succeeded"))
    parts.push("Every agent serves the newest secrets of its program.");
  return `${parts.join("\n\n")}\n`;
}

/** The formats of `status`. */
export const REPORT_FORMATS = {
  text: textOf,
  json: (report: Report): string => jsonText(report),
  html: (report: Report): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<title>${escaped(report.run)}</title>
<pre>${escaped(textOf(report))}</pre>
</html>
`,
} as const;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
