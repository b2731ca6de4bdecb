import { sentenceLines } from "../base/printable";
import { DRIFT_FORMATS } from "./formats";
import { nextOf, type DriftedObject, type Report, type ServerChange } from "./report";

const template = (over: Partial<DriftedObject> = {}): DriftedObject => {
  const object = {
    urn: "urn:pulumi:dev::desk::pulumi-nodejs:dynamic/agent-platform:SandboxTemplate::code",
    type: "pulumi-nodejs:dynamic/agent-platform:SandboxTemplate",
    name: "code",
    id: "t-1",
    operation: "update",
    fields: [{ path: "image", declared: "a", live: "b" }],
    ...over,
  };
  return { ...object, next: nextOf({ ...object, declared: {} }) };
};
const DEPLOYMENT = "agent-platform:index:Deployment";
const of = (...drifted: DriftedObject[]): Report => ({ stack: "dev", drifted, unread: [], clean: 2, servers: [] });
/** Two that drifted, one that could not be read, two that are as declared. */
const unsure: Report = {
  ...of(template(), template({ name: "gone", id: "t-2", operation: "delete", fields: [] })),
  unread: [{ urn: "urn", type: "agent-platform:index:OAuthProvider", name: "github", id: "github-1" }],
};
const withLive = (live: unknown): Report => of(template({ fields: [{ path: "image", declared: "a", live }] }));

test("text: an id that does not fit beside its object is below it", () => {
  const [name, id] = ["release-notes-of-the-whole-company", "73b5b689-208c-4503-80a7-c0c452dc8a01"];
  expect(DRIFT_FORMATS.text(of(template({ name, id })))).toContain(
    `\n\nSandboxTemplate ${name}\n       ${id}\n  image `,
  );
});

test("text: an object a paragraph, on lines for 80 columns", () => {
  const report = of(
    template({
      fields: [
        { path: "image", declared: "python:3.12", live: "b" },
        { path: "resources.cpu", live: "2" },
      ],
    }),
    template({ name: "gone", id: "t-2", operation: "delete", fields: [] }),
    template({ name: "got", id: "t-3", operation: "delete", readOnly: true, fields: [] }),
    template({
      type: DEPLOYMENT,
      name: "agent",
      id: "d-1",
      fields: [
        { path: "sourceRevisionConfig.imageUri", declared: `${"team/".repeat(6)}a:1`, live: `${"team/".repeat(6)}a:2` },
        { path: "rollout.revisionId", declared: "r", live: "s" },
      ],
    }),
    template({
      type: "x:Deployment",
      name: "b",
      fields: [{ path: "secrets", declared: "[secret]", live: "[secret]" }],
    }),
  );
  expect(DRIFT_FORMATS.text(report)).toBe(`Stack dev: 5 of 7 objects drifted. A change is declared -> live.

SandboxTemplate code  t-1
  image          "python:3.12"  -> "b"
  resources.cpu                 -> "2"

SandboxTemplate gone  t-2
  gone: \`pulumi up --refresh\` creates it again

SandboxTemplate got  t-3
  gone: the program only reads it, and \`pulumi up\` fails until it exists again
  or the program reads another one

Deployment agent  d-1
  sourceRevisionConfig.imageUri
       "team/team/team/team/team/team/a:1"
    -> "team/team/team/team/team/team/a:2"
  rollout.revisionId  "r"  -> "s"

Deployment b  t-1
  secrets  [secret]  -> changed

Next for SandboxTemplate code, Deployment agent, Deployment b:
  \`pulumi up --refresh\` restores what is declared (not what is in
  \`ignoreChanges\`); to keep what is live, edit the program first
`);
});

test("markdown: a heading, and the text below it", () => {
  const clean: Report = { ...of(), stack: "a`b" };
  expect(DRIFT_FORMATS.markdown(clean)).toBe(
    "## Drift of stack ``a`b``\n\n    No drift: all 2 objects of stack a`b are as declared.\n",
  );
  for (const report of [of(template({ name: "```\n#" })), unsure, withLive("```")]) {
    const [heading, empty, ...lines] = DRIFT_FORMATS.markdown(report).split("\n");
    expect([heading, empty]).toEqual(["## Drift of stack `dev`", ""]);
    // What is indented ends no block, and is no markup.
    expect(lines.filter((line) => line !== "" && !line.startsWith("    "))).toEqual([]);
    expect(lines.map((line) => line.slice(4)).join("\n")).toBe(DRIFT_FORMATS.text(report));
  }
});

test("what could not be read is named behind what drifted, and never called as declared", () => {
  expect(DRIFT_FORMATS.text(unsure)).toMatch(/^Stack dev: 2 of 5 objects drifted, 1 could not be read\. /);
  expect(DRIFT_FORMATS.text(unsure)).toMatch(
    /\n\nOAuthProvider github {2}github-1\n {2}could not be read: whether it drifted is not known\n$/,
  );
  const nothing = { ...unsure, drifted: [], clean: 0 };
  expect(DRIFT_FORMATS.text(nothing)).toMatch(/Stack dev: 1 of 1 object could not be read/);
  expect(DRIFT_FORMATS.text(nothing)).not.toMatch(/no drift/i);
});

test("a report longer than a comment may be is cut between lines, and says so", () => {
  const many = Array.from({ length: 2000 }, (_, index) => template({ name: `t${index}` }));
  const text = DRIFT_FORMATS.markdown(of(...many));
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(/^## [^]*\n {4,6}\S.*\n\nThe rest is left out here; `--format json` shows it all\.\n$/);
});

describe("text", () => {
  test("a long value is shortened", () => {
    expect(DRIFT_FORMATS.text(withLive("x".repeat(1000))).match(/x+/g)).toContainEqual("x".repeat(58));
    expect(DRIFT_FORMATS.text(withLive("x".repeat(1000)))).not.toContain("x".repeat(59));
  });

  test("characters that steer a terminal or turn text around are shown as their numbers", () => {
    const text = DRIFT_FORMATS.text(withLive("\u001b[31m\u009b\u202e\u{e0041}"));
    expect(text).toContain("\\u001b[31m\\u009b\\u202e\\udb40\\udc41");
  });

  test("one of two secrets changed: both are shown, since the engine does not say which", () => {
    const masked = (path: string) => ({ path, declared: "[secret]", live: "[secret]" });
    expect(DRIFT_FORMATS.text(of(template({ fields: [masked("a"), masked("b")] })))).toContain(
      "[secret]  -> may have changed",
    );
  });

  test("an object for which the engine names no field is shown all the same", () => {
    expect(DRIFT_FORMATS.text(of(template({ fields: [] })))).toContain(
      "changed, but the engine does not say which field",
    );
  });

  test.each([
    [0, /^No drift: stack dev has no objects\.\n$/],
    [1, /^No drift: the one object of stack dev is as declared\.\n$/],
    [2, /^No drift: all 2 objects of stack dev are as declared\.\n$/],
  ])("no drift of %i objects is one sentence", (clean, sentence) => {
    const text = DRIFT_FORMATS.text({ stack: "dev", drifted: [], unread: [], clean, servers: [] });
    expect(text).toMatch(sentence);
  });
});

test("a check that has put a revision back is told in a whole sentence, beside the objects", () => {
  const problem = "Revision r-2 failed its check, and was rolled back";
  const type = "agent-platform:index:RunCheck";
  const check = template({ type, name: "answers", id: "run-1", fields: [{ path: "problem", live: problem }] });
  expect(DRIFT_FORMATS.text(of(check))).toBe(
    `Stack dev: 1 check has put a revision back.\n\nRunCheck answers  run-1\n  problem: ${problem}\n${sentenceLines(`next: ${check.next}`).join("\n")}\n`,
  );
  expect(DRIFT_FORMATS.text(of(template(), check))).toMatch(/^Stack dev: 1 of 3 objects drifted, 1 check has put /);
});

describe("another agent server", () => {
  const server = (name: string, over: Partial<ServerChange> = {}): ServerChange => ({
    ...{ urn: `urn:pulumi:dev::desk::${DEPLOYMENT}::${name}`, type: DEPLOYMENT, name, id: `d-${name}` },
    ...{ before: "0.9.1", after: "0.10.0", sameCommit: true, serves: true },
    ...over,
  });
  const servers = [
    server("desk"),
    server("notes", { sameCommit: false }),
    server("mail"),
    server("desk", { before: "0.10.0", after: "0.10.1", sameCommit: false, serves: false }),
  ];
  const lines = [
    "Deployments desk, mail: same commit, server 0.9.1 -> 0.10.0",
    "Deployment notes: server 0.9.1 -> 0.10.0",
    "Deployment desk: server 0.10.0 -> 0.10.1, in the latest revision, which does not",
    "  serve",
  ];
  const clean = { ...of(), servers };

  test("text: a line for each change, also where nothing drifted", () => {
    const sentence = "No drift: all 2 objects of stack dev are as declared.";
    expect(DRIFT_FORMATS.text(clean)).toBe(`${[sentence, "", ...lines].join("\n")}\n`);
    const drifted = DRIFT_FORMATS.text({ ...of(template()), servers });
    expect(drifted).toMatch(/^Stack dev: 1 of 3 objects drifted\. A change/);
    expect(drifted.endsWith(`\n\n${lines.join("\n")}\n`)).toBe(true);
  });

  test("a version steers no terminal", () => {
    const after = "\u001b[31m`<img>\n";
    const evil = { ...of(), servers: [server("desk", { after })] };
    expect(DRIFT_FORMATS.text(evil)).toContain("same commit, server 0.9.1 -> \\u001b[31m`<img>\\n\n");
  });
});
