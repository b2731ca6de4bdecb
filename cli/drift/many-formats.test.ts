import type { ManyReport, StackRow } from "./many";
import { sentenceLines } from "../base/printable";
import { DRIFT_FORMATS } from "./formats";
import { MANY_FORMATS } from "./many-formats";
import type { Report } from "./report";

const same: StackRow & Report = { stack: "dev", outcome: "none", drifted: [], unread: [], clean: 14, servers: [] };
const drift: StackRow & Report = {
  stack: "prod-eu",
  outcome: "drift",
  clean: 2,
  unread: [],
  servers: [],
  drifted: [
    {
      urn: "urn:pulumi:prod-eu::desk::agent-platform:index:SandboxTemplate::code",
      type: "agent-platform:index:SandboxTemplate",
      name: "code",
      id: "t-1",
      operation: "update",
      fields: [{ path: "image", declared: "a", live: "b" }],
      next: "`pulumi up --refresh` restores what is declared (not what is in `ignoreChanges`); to keep what is live, edit the program first",
    },
  ],
};
const unread: StackRow = {
  ...drift,
  stack: "prod-ap",
  outcome: "unread",
  unread: [{ urn: "urn", type: "agent-platform:index:OAuthProvider", name: "github", id: "github-1" }],
};
const failed: StackRow = {
  stack: "prod-us",
  outcome: "failed",
  reason: 'stack "prod-us" is locked:\n  by ```somebody```',
};
const of = (...stacks: StackRow[]): ManyReport => ({ version: 1, stacks });

test("table: a line per stack, what to look at first on top, and a part for each that drifted or failed", () => {
  expect(MANY_FORMATS.text(of(same, drift, failed)))
    .toBe(`3 stacks: 1 could not be compared, 1 with drift, 1 without drift.

  prod-us  could not be compared
  prod-eu  1 of 3 objects drifted
  dev      no drift (14 objects)

Stack prod-us: stack "prod-us" is locked:
  by \`\`\`somebody\`\`\`

${DRIFT_FORMATS.text(drift)}`);
  expect(MANY_FORMATS.text(of({ ...same, clean: 1 }))).toBe(
    "1 stack: 1 without drift.\n\n  dev  no drift (1 object)\n",
  );
});

test("a next step that objects of several stacks have is told once, below all of them", () => {
  const text = MANY_FORMATS.text(of(drift, { ...drift, stack: "prod-ap" }));
  const [next = ""] = drift.drifted.map((object) => object.next);
  expect(text.split("next: ")).toHaveLength(1);
  const lines = ["\n\nNext for prod-eu SandboxTemplate code, prod-ap SandboxTemplate code:", ...sentenceLines(next)];
  expect(text.endsWith(`${lines.join("\n")}\n`)).toBe(true);
});

test("a stack without drift has a part if another agent server is told of it", () => {
  const desk = { urn: "urn", type: "agent-platform:index:Deployment", name: "desk", id: "d-1" };
  const servers = [{ ...desk, before: "0.9.1", after: "0.10.0", sameCommit: true, serves: true }];
  const report = of({ ...same, servers }, { ...same, stack: "test" });
  const told = "Deployment desk: same commit, server 0.9.1 -> 0.10.0\n";
  expect(MANY_FORMATS.text(report)).toMatch(
    /\n {2}test {2}no drift \(14 objects\)\n\nNo drift: all 14 objects of stack dev .*\n\n.*\n$/,
  );
  expect(MANY_FORMATS.text(report).endsWith(`\n\n${told}`)).toBe(true);
});

test("a stack with an object that could not be read is a row of its own kind, above drift", () => {
  const heading = "3 stacks: 1 with objects that could not be read, 1 with drift, 1 without drift";
  const result = "1 of 4 objects drifted, 1 could not be read";
  const table = MANY_FORMATS.text(of(same, drift, unread));
  expect(table).toContain(heading);
  expect(table).toContain(`\n\n  prod-ap  ${result}\n  prod-eu  1 of 3 objects drifted\n`);
  expect(table).toContain(`\nStack prod-ap: ${result}. `);
});

test("stacks that fail alike are told once; so are those that took an engine, and what states have encrypted", () => {
  const alike = ["a", "b", "c", "d", "e", "f", "g"].map((stack): StackRow => ({
    stack,
    outcome: "failed",
    reason: "https://a.example does not answer",
  }));
  // As an engine says it.
  const locked = ["h", "i"].map((stack): StackRow => ({
    stack,
    outcome: "failed",
    reason: `stack "organization/x/${stack}" is locked; \`pulumi cancel --stack organization/x/${stack}\` unlocks it`,
  }));
  const desk = { urn: "urn", type: "agent-platform:index:Deployment", name: "desk", id: "d-1" };
  const engine = "it has resources of other providers";
  const report = of(
    ...alike,
    ...locked,
    { ...same, engine },
    { ...same, stack: "test", encrypted: [{ ...desk, fields: ["secrets"] }] },
  );
  expect(MANY_FORMATS.text(report).split("\n\n").slice(2)).toEqual([
    "Stacks a, b, c, d, e and 2 more: https://a.example does not answer",
    'Stacks h, i: stack "organization/x/h" is locked; `pulumi cancel --stack organization/x/h` unlocks it',
    "Compared by an engine, because it has resources of other providers: dev.",
    "Not compared, because states have it encrypted: secrets of 1 object.\n`drift --stack <name>` opens it.\n",
  ]);
});

test("whatever the counts and the names, a row fits into 80 columns, or goes on below its name", () => {
  const stack = `organization/customer-environments/prod-eu-central`;
  const gone = { ...unread, stack, drifted: Array.from({ length: 120 }, () => drift.drifted).flat(), clean: 1000 };
  const [head = ""] = MANY_FORMATS.text(of(same, drift, gone, failed)).split("\n\nStack");
  expect(head.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(head).toContain(`\n  ${stack}\n       120 of 1121 objects drifted, 1 could not be read\n  prod-eu  1 of 3`);
});
