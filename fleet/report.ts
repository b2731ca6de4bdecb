import { groupedBy } from "../cli/base/groups";
import { tableLines, jsonText, lineText } from "../cli/base/printable";
import { shownReasons } from "../cli/base/pulumi";
import { logOf } from "./engine";
import type { FleetStack, Wave } from "./plan";
import { lateOf } from "./rotate";
import { CUT_OFF, type Outcome, type Place, type Run, type Progress } from "./runs";

/** How a stack of a run stands. */
export interface ReportRow extends Omit<Outcome, "state"> {
  readonly stack: string;
  readonly wave: string;
  readonly state: Outcome["state"] | "running" | "waiting";
  readonly seconds: number | null;
  /** The whole output of its engines, on the machine of its worker. */
  readonly log: string;
}

/** The output of `agent-platform-fleet status --format json`. Keys may be added; these stay, or `version` changes. */
export type Report = ReturnType<typeof reportOf>;

/** A run as people and programs see it. */
export function reportOf(run: Run, progress: Progress, root: string, workers = 1, next = "") {
  const { id, plan, began, ended, verdict, at } = run;
  return {
    version: 1,
    run: id,
    command: plan.command,
    began: began.toISOString(),
    ended: ended?.toISOString() ?? null,
    /** How it ended; null while it lasts. */
    verdict,
    /** Its wave or gate, while it lasts. */
    at: ended === null ? at : null,
    /** How many workers are alive. */
    workers,
    /** The command line that goes on with it; empty if it has ended. */
    next: ended === null ? next : "",
    stacks: plan.waves.flatMap((wave) => wave.stacks.map((stack) => rowOf(run, wave, stack, progress, root))),
  };
}

function rowOf(run: Run, { name, done = {} }: Wave, { id }: FleetStack, stacks: Progress, root: string): ReportRow {
  const [earlier, outcome, worker] = [done[id], stacks.outcomes.get(id), stacks.running.get(id)];
  const place = { stack: id, wave: name, seconds: null, log: logOf(root, earlier ?? run.id, id) };
  if (outcome !== undefined) return { ...place, ...outcome };
  if (earlier !== undefined) return { ...place, state: "succeeded", reason: `by ${earlier}` };
  if (worker !== undefined) return { ...place, state: "running", reason: `on ${worker}` };
  if (run.ended !== null && stacks.left.has(id)) return { ...place, ...CUT_OFF };
  return { ...place, state: run.ended === null ? "waiting" : "untouched", reason: run.verdict ?? "" };
}

/** Where a run stands, in words. */
export function placeText(at: Place | null): string {
  if (at === null) return "its beginning";
  const { wave, gate } = at;
  if (gate === undefined) return `wave ${wave}`;
  return `gate of ${wave}: ${gate === "approve" ? "waits for approve" : gate}`;
}

const STATES = ["succeeded", "drifted", "failed", "locked", "untouched", "running", "waiting"] as const;

/** One sentence about a run: "up-1: done; 5 succeeded". */
function headlineOf({ run, verdict, at, workers, next, stacks }: Report): string {
  const counts = STATES.map((state) => [stacks.filter((each) => each.state === state).length, state] as const);
  const said = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  const idle = verdict === null && workers === 0 ? `; no worker is alive: \`${next}\` goes on` : "";
  return `${run}: ${verdict ?? placeText(at)}; ${said.join(", ")}${idle}`;
}

const HEAD = ["STACK", "WAVE", "STATE", "SECONDS", ""];
const cells = (row: ReportRow): string[] => [
  row.stack,
  row.wave,
  row.state,
  row.seconds?.toFixed(1) ?? "-",
  row.reason,
];

/** The first of some rows, with how many others there are, and the longest time. */
function alikeOf(rows: readonly [ReportRow, ...ReportRow[]]): ReportRow {
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
    lateOf(serving).map((line) => `\n  ${stack}: ${lineText(line)}`),
  );
  const table = tableLines([HEAD, ...alike.map(cells)]);
  const parts = [headlineOf(report), table.join("\n")];
  if (logs.length > 0) parts.push(`Whole output of what failed:${shownReasons(logs)}`);
  if (late.length > 0) parts.push(`Not known to serve the new value:${late.join("")}`);
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
