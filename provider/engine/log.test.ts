import type { Progress } from "../lifecycle/observe/context";
import { isWatched, throttled, type Line } from "./log";

function logged(watched = true) {
  const lines: Line[] = [];
  let time = 0;
  const log = throttled(
    (line) => {
      lines.push(line);
      return Promise.resolve();
    },
    watched,
    () => time,
  );
  return { lines, log, at: (ms: number) => (time = ms) };
}

test("a status is shown when it changes, and every 15 seconds while it does not", () => {
  const { lines, log, at } = logged();
  for (let second = 0; second <= 40; second++) {
    at(second * 1000);
    log.progress({
      urn: "u",
      status: second < 3 ? "desk: revision r is QUEUED" : "desk: revision r is BUILDING",
      waitedMs: second * 1000,
    });
  }
  expect(lines.map(({ message }) => message)).toEqual([
    "desk: revision r is QUEUED (0s)",
    "desk: revision r is BUILDING (3s)",
    "desk: revision r is BUILDING (18s)",
    "desk: revision r is BUILDING (33s)",
  ]);
  expect(lines.every(({ ephemeral, urn, severity }) => ephemeral && urn === "u" && severity === "INFO")).toBe(true);
});

test("a warning lasts, and the debug log has lines of its own", () => {
  const { lines, log } = logged();
  log.warn("look at this");
  log.debug("lists cannot be trusted");
  expect(lines).toEqual([
    { severity: "WARNING", message: "look at this", ephemeral: false },
    { severity: "DEBUG", message: "lists cannot be trusted", ephemeral: false },
  ]);
});

const note = "Ctrl-C twice ends the wait";
test.each<[what: string, shown: Progress, line: string]>([
  [
    "a note to the user follows the status and the time",
    { status: "desk: revision r is QUEUED", waitedMs: 2000, note },
    "desk: revision r is QUEUED (2s); Ctrl-C twice ends the wait",
  ],
  [
    "the object is not named again on its own row, of which a narrow terminal shows little",
    { status: "BUILDING", of: "desk: revision r", waitedMs: 12_000, note },
    "BUILDING 12s; Ctrl-C twice ends the wait",
  ],
])("%s", (_what, shown, line) => {
  const { lines, log } = logged();
  log.progress({ urn: "u", ...shown });
  expect(lines.map(({ message }) => message)).toEqual([line]);
});

test("the last line of a wait says how it ended", async () => {
  const { lines, log } = logged();
  await log.finishProgress({ status: "DEPLOYED", waitedMs: 130_000, urn: "u" });
  await log.finishProgress({ status: "DEPLOYED", waitedMs: undefined, urn: "v" });
  expect(lines.map(({ message, ephemeral }) => [message, ephemeral])).toEqual([
    ["DEPLOYED in 2m10s", true],
    ["DEPLOYED", true],
  ]);
});

test("where nobody watches, a wait leaves no line of its own", async () => {
  const { lines, log } = logged(false);
  log.progress({ urn: "u", status: "BUILDING", waitedMs: 0 });
  await log.finishProgress({ status: "DEPLOYED", waitedMs: 5000, urn: "u" });
  log.warn("look at this");
  expect(lines.map(({ message }) => message)).toEqual(["look at this"]);
});

test.each([true, false])("the end of a run says in a line how its waits ended (watched: %s)", async (watched) => {
  const { log } = logged(watched);
  expect(log.ended()).toEqual([]);
  const end = (status: string, name: string, waitedMs?: number) =>
    log.finishProgress({ status, waitedMs, urn: `urn:pulumi:dev::p::t::${name}` });
  await end("DEPLOYED", "desk", 5000);
  await end("DEPLOYED", "not-waited-for");
  expect(log.ended()).toEqual(["DEPLOYED: desk in 5s"]);
  await end("passed", "answers", 2000);
  for (const second of [1, 61, 3, 2]) await end("DEPLOYED", `agent-${second}`, second * 1000);
  expect(log.ended()).toEqual([
    "DEPLOYED: agent-61 in 1m1s, desk in 5s, agent-3 in 3s, 2 more sooner; passed: answers in 2s",
  ]);
});

test("somebody watches a run with a terminal that is not a pipeline's", () => {
  const [terminal, none] = [__filename, `${__filename}.none`];
  expect(isWatched({}, terminal)).toBe(true);
  for (const set of ["true", "1", "azure"]) expect(isWatched({ CI: set }, terminal)).toBe(false);
  for (const unset of ["false", "0", ""]) expect(isWatched({ CI: unset }, terminal)).toBe(true);
  expect(isWatched({}, none)).toBe(process.platform === "win32");
});

test("many waits do not silence each other", () => {
  const { lines, log } = logged();
  for (const urn of ["a", "b", "a", "b"]) log.progress({ urn, status: "BUILDING", waitedMs: 0 });
  expect(lines.map(({ urn }) => urn)).toEqual(["a", "b"]);
});

test("of many waits with an unchanged status, one a second is repeated; a change is shown at once", () => {
  const { lines, log, at } = logged();
  const everybody = (status: string) => {
    for (let urn = 0; urn < 100; urn++) log.progress({ urn: `u${urn}`, status, waitedMs: 0 });
  };
  everybody("QUEUED");
  lines.length = 0;
  for (let second = 15; second < 25; second++) {
    at(second * 1000);
    everybody("QUEUED");
  }
  expect(lines).toHaveLength(10);
  expect(new Set(lines.map(({ urn }) => urn)).size).toBe(10);
  everybody("BUILDING");
  expect(lines).toHaveLength(110);
});

test("what many resources are told alike is said once, with the first names, at the end of a run", () => {
  const { lines, log } = logged();
  for (let at = 30; at >= 1; at--) log.alike("changed secrets: KEY", `agent-${at}`);
  log.alike("changed secrets: OTHER", "desk");
  expect(log.ended()).toEqual([
    "changed secrets: KEY (agent-1, agent-10, agent-11, 27 more)",
    "changed secrets: OTHER (desk)",
  ]);
  expect(lines).toEqual([]);
});
