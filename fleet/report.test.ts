import { firstError, summaryOf } from "./engine";
import type { FleetStack } from "./plan";
import { REPORT_FORMATS, reportOf } from "./report";
import { standingOf } from "./rotate";
import { open, seal } from "./seal";
import type { Run, StackRow } from "./store";
import { newFolder } from "../tests/support/new-folder";

const stack = (id: string): FleetStack => ({ id, stack: "prod", folder: id, labels: {} });
const run: Run = {
  id: "up-1",
  command: "up",
  plan: {
    waves: [
      { name: "canary", stacks: [stack("a/prod")] },
      { name: "rest", stacks: [stack("b/prod"), stack("c/prod"), stack("d/prod")], done: ["d/prod"] },
    ],
    limits: { concurrency: 2, failures: 1 },
  },
  details: {},
  sealed: null,
  stopped: false,
  began: new Date("2026-11-27T10:00:00Z"),
  ended: null,
  verdict: null,
  at: { wave: "rest" },
};
const row = (id: string, changed: Partial<StackRow> = {}): StackRow => ({
  task: id,
  stack: id,
  state: "succeeded",
  reason: "1 created",
  seconds: 2.34,
  report: null,
  ...changed,
});
const engine = { id: 1, run: "up-1", stack: "c/prod", command: "pulumi up", worker: "w", host: "here", machine: "m" };
const running = { ...engine, pid: 7, birth: "1", began: new Date(), ended: null, how: null };
const failed = row("b/prod", { state: "failed", reason: "<b>no</b> \x1b[31m such image" });

test("a run is a table, with the logs of what failed", () => {
  const text = REPORT_FORMATS.text(reportOf(run, [row("a/prod"), failed], [running], "/fleet"));
  expect(text).toBe(`up-1: wave rest; 2 succeeded, 1 failed, 1 running

  STACK   WAVE    STATE      SECONDS
  a/prod  canary  succeeded  2.3      1 created
  b/prod  rest    failed     2.3      <b>no</b> \\u001b[31m such image
  c/prod  rest    running    -        on here
  d/prod  rest    succeeded  -        by an earlier run

Whole output of what failed:
  /fleet/.state/fleet/up-1/b.prod.log
`);
});

test("a page needs nothing else, and text from elsewhere stays text", () => {
  const page = REPORT_FORMATS.html(reportOf(run, [failed], [], "/fleet"));
  expect(page).toContain("&#60;b&#62;no&#60;/b&#62;  [31m such image");
  expect(page).not.toMatch(/<script|src=|href=/);
  expect(page).not.toContain("\x1b");
});

test("what was never begun in a run that has ended is untouched", () => {
  const ended = { ...run, ended: new Date("2026-11-27T10:01:00Z"), verdict: "stopped after 1 failure" };
  const { stacks } = reportOf(ended, [failed], [], "/fleet");
  expect(stacks.map(({ state }) => state)).toEqual(["untouched", "failed", "untouched", "succeeded"]);
});

test("after a rotation, whoever does not serve the new value is named", () => {
  const serving = [
    { agent: "desk", serves: "new", reason: "serves revision r2" },
    { agent: "reader", serves: "old", reason: "revision r3 with the new value is BUILD_FAILED; r1 serves" },
  ] as const;
  const ended = { ...run, command: "rotate", ended: new Date(), verdict: "done" } as const;
  const text = REPORT_FORMATS.text(reportOf(ended, [row("a/prod", { report: serving }), failed], [], "/fleet"));
  expect(text).toContain(
    "a/prod: reader: serves the old value: revision r3 with the new value is BUILD_FAILED; r1 serves",
  );
  expect(text).toContain("c/prod: not rotated: done");
  expect(text).not.toContain("desk");
});

test("the newest revision comes first: one above the changed one has the new value, too", () => {
  const revision = (id: string, isServing = false) => ({ id, status: "DEPLOYED", isServing, isLatest: false });
  const revisions = [revision("r3"), revision("r2", true), revision("r1")];
  expect(standingOf(revisions, "r1").serves).toBe("new");
  expect(standingOf(revisions, "r2").serves).toBe("new");
  expect(standingOf(revisions, "r3").serves).toBe("old");
  expect(standingOf(revisions, "r9").serves).toBe("unknown");
});

test("the first error, and what was done, are read from an engine's output", () => {
  const end = { code: 255, signal: null, isStopped: false, tail: "" };
  expect(firstError({ ...end, errors: "   x **failed** error: no \x07bell\nerror: update failed\n" })).toBe(
    "no \\u0007bell",
  );
  expect(firstError({ ...end, errors: "" })).toBe("the engine ended with 255");
  expect(firstError({ ...end, errors: `error: ${"x".repeat(5000)}` })).toHaveLength(300);
  expect(summaryOf("…\nResources:\n    + 2 created\n    +-1 replaced\n    1 unchanged\n\nDuration: 1s\n")).toBe(
    "2 created, 1 replaced, 1 unchanged",
  );
});

test("a sealed value opens with the same key alone", () => {
  const place = { root: newFolder(), database: { isEmbedded: true } };
  const sealed = seal("a new value", place);
  expect(sealed).not.toContain("a new value");
  expect(open(sealed, place)).toBe("a new value");
  expect(() => open(sealed, { ...place, root: newFolder() })).toThrow("FLEET_KEY is not the one");
  expect(() => seal("a", { ...place, database: { isEmbedded: false } })).toThrow("FLEET_KEY is missing");
});
