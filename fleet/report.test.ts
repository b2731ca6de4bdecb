import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { firstError, summaryOf } from "./engine";
import { REPORT_FORMATS, reportOf } from "./report";
import { newestSecretsIn, standingOf } from "./rotate";
import type { Outcome, Row, Run } from "./runs";
import { opened, sealed } from "./seal";
import { fakeDatabase } from "../tests/fleet/database";
import { newFolder } from "../tests/support/new-folder";

const run: Run = {
  id: "up-1",
  plan: {
    command: "up",
    file: { path: "/fleet/fleet.yaml", says: "{}" },
    waves: [],
    limits: { concurrency: 2, failures: 1 },
  },
  version: "0.2.0",
  began: new Date("2026-11-27T10:00:00Z"),
  ended: null,
  verdict: null,
  at: { wave: "rest" },
  approved: {},
};
type Standing = Partial<Row>;
const done: Standing = { state: "succeeded", reason: "1 created", seconds: 2.34, ended: "2026-11-27T10:00:30Z" };
const failed: Standing = { ...done, state: "failed", reason: "<b>no</b> \x1b[31m such image" };
const running: Standing = { state: "running", reason: "on here" };
const WAVES = { "a/prod": "canary", "b/prod": "rest", "c/prod": "rest" };
const rows = (standing: Readonly<Record<string, Standing>>): Row[] =>
  Object.entries(WAVES).map(([stack, wave]) => ({
    ...{ stack, wave, state: "waiting", reason: "", seconds: null, ended: null, log: `/fleet/logs/${stack}.log` },
    ...standing[stack],
  }));

test("a run is a table, with the logs of what failed", () => {
  const text = REPORT_FORMATS.text(reportOf(run, rows({ "a/prod": done, "b/prod": failed, "c/prod": running })));
  expect(text).toBe(`up-1: wave rest; 1 succeeded, 1 failed, 1 running

  STACK   WAVE    STATE      SECONDS
  a/prod  canary  succeeded  2.3      1 created
  b/prod  rest    failed     2.3      <b>no</b> \\u001b[31m such image
  c/prod  rest    running    -        on here

Whole output of what failed:
  /fleet/logs/b/prod.log
`);
});

test("a page needs nothing else, and text from elsewhere stays text", () => {
  const page = REPORT_FORMATS.html(reportOf(run, rows({ "b/prod": failed })));
  expect(page).toContain("&#60;b&#62;no&#60;/b&#62; \\u001b[31m such image");
  expect(page).not.toMatch(/<script|src=|href=/);
  expect(page).not.toContain("\x1b");
});

test("reasons that do not fit into 80 columns are below their stacks, and a headline goes on", () => {
  const long = {
    ...failed,
    reason: `agent-platform:index:SandboxTemplate resource has ${"a long problem, ".repeat(12)}`,
  };
  const ended = { ...run, ended: new Date(), verdict: "stopped at the gate of canary: 1 of its stacks failed" };
  const text = REPORT_FORMATS.text(reportOf(ended, rows({ "a/prod": done, "b/prod": long })));
  expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(text).toContain(`  a/prod  canary  succeeded  2.3      1 created
  b/prod  rest    failed     2.3
      agent-platform:index:SandboxTemplate resource has a long problem, a long
`);
});

test("after a rotation, whoever does not serve the new value is named", () => {
  const serving = [
    { agent: "desk", serves: "new", reason: "serves revision r2" },
    { agent: "reader", serves: "old", reason: "revision r3 with the new value is BUILD_FAILED; r1 serves" },
  ] satisfies Outcome["serving"];
  const plan = { ...run.plan, command: "rotate" } as const;
  const ended = { ...run, plan, ended: new Date(), verdict: "done" };
  const late = { ...failed, serving };
  const text = REPORT_FORMATS.text(reportOf(ended, rows({ "a/prod": late, "b/prod": done, "c/prod": done })));
  expect(text).toContain(
    `  a/prod: reader: serves the old value: revision r3 with the new value is
      BUILD_FAILED; r1 serves`,
  );
  expect(text).not.toMatch(/desk|Every agent/);
  const right = rows({ "a/prod": done, "b/prod": done, "c/prod": done });
  expect(REPORT_FORMATS.text(reportOf(ended, right))).toContain("Every agent serves the newest secrets");
});

test("a run without a worker names the command line that goes on with it", () => {
  const report = reportOf(run, rows({}), 0, "agent-platform-fleet destroy --yes");
  const advice = /alive:\s+`agent-platform-fleet destroy --yes`\s+goes on/;
  expect(REPORT_FORMATS.text(report)).toMatch(advice);
});

test("the newest revision comes first: one above the changed one has the new value, too", () => {
  const revisions = ["r3", "r2", "r1"].map((id) => ({ id, status: "DEPLOYED" }));
  expect(standingOf(revisions, "r2", "r1").serves).toBe("new");
  expect(standingOf(revisions, "r2", "r2").serves).toBe("new");
  expect(standingOf(revisions, "r2", "r3").serves).toBe("old");
  expect(standingOf(revisions, "r2", "r9").serves).toBe("unknown");
  expect(standingOf(revisions, "r2", "after r1").serves).toBe("new");
  expect(standingOf(revisions, "r2", "after r2").serves).toBe("old");
  expect(standingOf(revisions, "r2", "after r3").serves).toBe("unknown");
});

test("the newest secrets of an agent: its own, and those that it shares", () => {
  const secret = (key: string, rotatedAt: string | null) => ({
    type: "agent-platform:index:WorkspaceSecret",
    outputs: { key, rotatedAt },
  });
  const state = [secret("A", "2026-01-01"), secret("B", "2026-02-02")];
  const uses = (...names: string[]) => ({
    secretsRevisionId: "own",
    latestRevisionId: "latest",
    secretReferences: names.map((name) => ({ name: "X", secretName: name, secretKey: name })),
  });
  expect(newestSecretsIn({ secretsRevisionId: "" }, state)).toBe("");
  expect(newestSecretsIn(uses(), state)).toBe("own");
  expect(newestSecretsIn(uses("C"), state)).toBe("own");
  expect(newestSecretsIn({ ...uses("A"), redeployTrigger: "2026-01-01" }, state)).toBe("latest");
  expect(newestSecretsIn({ ...uses("A", "B"), redeployTrigger: ["2026-01-01", "2026-02-02"] }, state)).toBe("latest");
  expect(() => newestSecretsIn(uses("A"), state)).toThrow(/WorkspaceSecret A.*redeployTrigger/);
  expect(() => newestSecretsIn({ ...uses("A", "B"), redeployTrigger: "2026-01-01" }, state)).toThrow(
    /WorkspaceSecret B/,
  );
  const encrypted = {
    ...uses(),
    secretReferences: { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" },
  };
  expect(() => newestSecretsIn(encrypted, state)).toThrow(/WorkspaceSecret A/);
});

test("the first error, and what was done, are read from an engine's output", () => {
  const end = { code: 255, signal: null, isStopped: false, tail: "" };
  expect(firstError({ ...end, errors: "   x **failed** error: no \x07bell\nerror: update failed\n" })).toBe("no bell");
  expect(firstError({ ...end, errors: "" })).toBe("the engine ended with 255");
  expect(firstError({ ...end, errors: `error: ${"x".repeat(5000)}` })).toHaveLength(300);
  expect(summaryOf("…\nResources:\n    + 2 created\n    +-1 replaced\n    1 unchanged\n\nDuration: 1s\n")).toBe(
    "2 created, 1 replaced, 1 unchanged",
  );
});

test("a sealed value opens with the same key alone", async () => {
  const database = await fakeDatabase(() => ({}));
  const place = { root: newFolder(), database };
  const text = sealed("a new value", place);
  expect(Buffer.from(text, "base64").toString()).not.toContain("a new value");
  expect(opened(text, place)).toBe("a new value");
  expect(() => opened(text, { ...place, root: newFolder() })).toThrow("FLEET_KEY is not the one");
  const shared = { ...place, database: { ...database, isEmbedded: false } };
  expect(() => sealed("a", shared)).toThrow("FLEET_KEY is missing or too short");
  const file = join(place.root, ".state", "fleet", "key");
  writeFileSync(file, "");
  expect(opened(sealed("after a full disk", place), place)).toBe("after a full disk");
  expect(readFileSync(file, "utf8").length).toBeGreaterThan(40);
});
