import { groupedBy } from "../cli/base/groups";
import { columns, jsonText } from "../cli/base/printable";
import { logOf } from "./engine";
import type { Serving } from "./rotate";
import type { EngineRow, Place, Run, StackRow, State } from "./store";

/** How a stack of a run stands. */
export interface ReportRow {
  readonly stack: string;
  readonly wave: string;
  readonly state: State;
  readonly seconds: number | null;
  /** What it changed, or the first line of its error. */
  readonly reason: string;
  /** The whole output of its engines, on the machine of its worker. */
  readonly log: string;
  /** After a rotation: who serves the new value. */
  readonly serving?: readonly Serving[];
}

/** The output of `agent-platform-fleet status --format json`. Keys may be added; these stay, or `version` changes. */
export interface Report {
  readonly version: 1;
  readonly run: string;
  readonly command: string;
  readonly began: string;
  readonly ended: string | null;
  /** How it ended; null while it lasts. */
  readonly verdict: string | null;
  /** Its wave or gate, while it lasts. */
  readonly at: Place | null;
  /** How many workers are alive. */
  readonly workers: number;
  readonly stacks: readonly ReportRow[];
}

const STATES: readonly State[] = ["succeeded", "drifted", "failed", "locked", "untouched", "running", "waiting"];

/** A run as people and programs see it. */
export function reportOf(
  run: Run,
  outcomes: readonly StackRow[],
  engines: readonly EngineRow[],
  root: string,
  workers = 1,
): Report {
  const known = new Map(outcomes.map((row) => [row.task, row]));
  const running = new Map(engines.filter(({ ended }) => ended === null).map(({ stack, host }) => [stack, host]));
  const stacks = run.plan.waves.flatMap(({ name, stacks: those, done = [] }) =>
    those.map(({ id }): ReportRow => {
      const place = { stack: id, wave: name, log: logOf(root, run.id, id) };
      const row = known.get(id);
      if (row !== undefined) {
        const state = STATES.find((each) => each === row.state) ?? "failed";
        const serving = row.report === null ? {} : { serving: row.report };
        return { ...place, state, seconds: row.seconds, reason: row.reason, ...serving };
      }
      if (done.includes(id)) return { ...place, state: "succeeded", seconds: null, reason: "by an earlier run" };
      const host = run.ended === null ? running.get(id) : undefined;
      if (host !== undefined) return { ...place, state: "running", seconds: null, reason: `on ${host}` };
      return {
        ...place,
        state: run.ended === null ? "waiting" : "untouched",
        seconds: null,
        reason: run.verdict ?? "",
      };
    }),
  );
  const { id, command, began, ended, verdict, at } = run;
  return {
    version: 1,
    run: id,
    command,
    began: began.toISOString(),
    ended: ended?.toISOString() ?? null,
    verdict,
    at,
    workers,
    stacks,
  };
}

/** Where a run stands, in words. */
export function placeText(at: Place | null): string {
  if (at === null) return "its beginning";
  const { wave, gate } = at;
  if (gate === undefined) return `wave ${wave}`;
  return `gate of ${wave}: ${gate === "approve" ? "waits for approve" : gate}`;
}

/** One sentence about a run: "run up-1: 5 succeeded, 1 failed". */
export function headlineOf({ run, command, verdict, at, workers, stacks }: Report): string {
  const counts = STATES.map((state) => [stacks.filter((each) => each.state === state).length, state] as const);
  const said = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  const idle = verdict === null && workers === 0 ? `; no worker is alive: \`${command}\` goes on` : "";
  return `${run}: ${verdict ?? placeText(at)}; ${said.join(", ")}${idle}`;
}

const HEAD = ["STACK", "WAVE", "STATE", "SECONDS", ""];
const cells = ({ stack, wave, state, seconds, reason }: ReportRow): string[] => [
  stack,
  wave,
  state,
  seconds?.toFixed(1) ?? "-",
  reason,
];

/** The first of some rows, with how many others there are, and the longest time. */
function alikeOf(rows: readonly [ReportRow, ...ReportRow[]]): ReportRow {
  const [first, ...others] = rows;
  const times = rows.flatMap(({ seconds }) => seconds ?? []);
  const stack = others.length === 0 ? first.stack : `${first.stack} and ${others.length} more`;
  return { ...first, stack, seconds: times.length === 0 ? null : Math.max(...times) };
}

/** Those that do not surely serve the new value of a rotation, by name. */
function notRotated({ command, stacks }: Report): string[] {
  if (command !== "rotate") return [];
  return stacks.flatMap(({ stack, state, reason, serving = [] }) => {
    const late = serving.filter(({ serves }) => serves === "old" || serves === "unknown");
    const lines = late.map(
      ({ agent, serves, reason: why }) =>
        `${stack}: ${agent}: ${serves === "old" ? "serves the old value" : "not known"}: ${why}`,
    );
    return state === "succeeded" ? lines : [`${stack}: not rotated: ${reason || state}`, ...lines];
  });
}

/** The formats of `status`. */
export const REPORT_FORMATS = {
  text: (report: Report): string => {
    const late = notRotated(report);
    // What stands alike is one line; `--format json` has all.
    const alike = groupedBy(report.stacks, ({ wave, state, reason }) => [wave, state, reason]).map(alikeOf);
    const table = columns([HEAD, ...alike.map(cells)]).map((line) => `  ${line}`);
    const logs = report.stacks.filter(({ state }) => state === "failed").map(({ log }) => `  ${log}`);
    const parts = [[headlineOf(report), "", ...table]];
    if (logs.length > 0) parts.push(["Whole output of what failed:", ...logs.slice(0, 10)]);
    if (late.length > 0)
      parts.push([
        "Not known to serve the new value:",
        ...columns(late.map((line) => [line])).map((line) => `  ${line}`),
      ]);
    else if (report.command === "rotate" && report.ended !== null)
      parts.push(["Every agent whose secrets changed serves the new value."]);
    return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
  },
  json: (report: Report): string => jsonText(report),
  html: (report: Report): string => {
    const rows = report.stacks.map(
      (row) =>
        `<tr class="${row.state}">${cells(row)
          .map((cell) => `<td>${escaped(cell)}</td>`)
          .join("")}</tr>`,
    );
    const late = notRotated(report).map((line) => `<li>${escaped(line)}</li>`);
    return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(report.run)}</title>
<style>
  body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color: #1b1f24; background: #fff }
  table { border-collapse: collapse } td, th { text-align: left; padding: .2rem .8rem; border-bottom: 1px solid #d0d7de }
  td:first-child { white-space: nowrap }
  .failed td:nth-child(3), .locked td:nth-child(3), .drifted td:nth-child(3) { color: #a40e26; font-weight: 600 }
  .succeeded td:nth-child(3) { color: #116329 }
</style>
<h1>${escaped(report.command)}</h1>
<p>${escaped(headlineOf(report))}</p>
<p>From ${escaped(report.began)}${report.ended === null ? "" : ` to ${escaped(report.ended)}`}</p>
<table>
<thead><tr>${["Stack", "Wave", "State", "Seconds", "Reason"].map((cell) => `<th scope="col">${cell}</th>`).join("")}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
${late.length > 0 ? `<h2>Not known to serve the new value</h2><ul>${late.join("")}</ul>` : ""}
</html>
`;
  },
} as const;

const escaped = (text: string): string =>
  text.replace(/[&<>"'\p{Cc}]/gu, (character) =>
    `&#${character.codePointAt(0) ?? 32};`.replace(/^&#([0-9]|[12]\d|3[01]);$/, " "),
  );
