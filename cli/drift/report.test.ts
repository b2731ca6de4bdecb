import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UNREAD } from "../../provider/lifecycle/state";
import { parseEvents, type Step } from "../base/engine-events";
import { nextOf, outcomeOf, reportOf, type DriftedObject } from "./report";

/** Events of Pulumi 3.246.0 for a real stack; ids, times and the port are replaced, and unused parts left out. */
const recorded = (name: string): string => readFileSync(join(__dirname, "fixtures", `${name}.ndjson`), "utf8");
const report = reportOf("test", parseEvents(recorded("drift")));
const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

test.each<[what: string, urnEnd: string, fields: DriftedObject["fields"], operation?: string]>([
  [
    "a changed field of a deployment and its revision, and nothing that no read gives back",
    "::agent",
    [
      { path: "sourceRevisionConfig.imageUri", declared: "registry.example/agent:1", live: "registry.example/agent:9" },
      { path: "rollout.revisionId", declared: id(7), live: id(8) },
    ],
  ],
  ["a secret, without its value", "Deployment::agent2", [{ path: "secrets", declared: "[secret]", live: "[secret]" }]],
  [
    "variables beside a secret one",
    "Deployment::mixed",
    [
      { path: "environmentVariables.B", declared: "plain", live: "plain2" },
      { path: "environmentVariables.C", live: "[secret]" },
    ],
  ],
  [
    "an OAuth provider",
    "OAuthProvider::github",
    [{ path: "tokenUrl", declared: "https://a.example/token", live: "https://b.example/token" }],
  ],
  ["a template", "SandboxTemplate::code", [{ path: "image", declared: "python:3.12", live: "drifted|a`b\nc" }]],
  ["an object that is gone", "SandboxTemplate::gone", [], "delete"],
  [
    "an object that is only read, by its outputs",
    "SandboxTemplate::got",
    [{ path: "image", declared: "python:3.12", live: "drifted|a`b\nc" }],
  ],
])("a recorded run shows %s", (_what, urnEnd, fields, operation = "update") => {
  const [, kind, name] = /(\w*)::(\w+)$/.exec(urnEnd) ?? [];
  const type: unknown = expect.stringMatching(new RegExp(`^pulumi-nodejs:dynamic/agent-platform:\\w*${kind ?? ""}$`));
  const object = { operation, fields, name, type, ...(name === "gone" && { id: id(10) }) };
  expect(report.drifted.filter(({ urn }) => urn.endsWith(urnEnd))).toMatchObject([object]);
});

test.each([
  ["found now", undefined],
  ["that a refresh has recorded", "another snapshot has its tag, latest"],
])("a problem %s is the drift, since no program declares one", (_which, known) => {
  const urn = "urn:pulumi:test::test::agent-platform:index:SandboxSnapshot::python";
  const problem = "another snapshot has its tag, latest";
  const stateOf = (inputs: object) => ({ urn, custom: true, id: "s-1", inputs, outputs: inputs });
  const step = {
    op: "update",
    urn,
    type: "agent-platform:index:SandboxSnapshot",
    old: stateOf({ name: "python", ...(known !== undefined && { problem: known }) }),
    new: stateOf({ name: "python", problem }),
  };
  const { outcomes } = parseEvents(JSON.stringify({ resOutputsEvent: { metadata: step } }));
  expect(reportOf("test", { outcomes }).drifted.map(({ fields }) => fields)).toEqual([
    [{ path: "problem", live: problem }],
  ]);
});

test.each([
  ["declared", false],
  ["of an object that is only read", true],
])("of a secret that the state has unmarked only the name is shown: %s", (_where, external) => {
  const urn = "urn:pulumi:test::test::agent-platform:index:Deployment::desk";
  const stateOf = (value: string) => {
    const inputs = { name: "desk", secrets: { KEY: value, SAME: "canary-same" } };
    return { urn, custom: true, external, id: "d-1", inputs, outputs: inputs };
  };
  const step = { op: "update", urn, type: "agent-platform:index:Deployment", old: stateOf("canary-old") };
  const metadata = { ...step, new: stateOf("canary-new") };
  const { drifted } = reportOf("test", parseEvents(JSON.stringify({ resOutputsEvent: { metadata } })));
  expect(drifted.flatMap(({ fields }) => fields)).toEqual([
    { path: "secrets.KEY", declared: "[secret]", live: "[secret]" },
  ]);
});

const DEPLOYMENT = "agent-platform:index:Deployment";
const ROLLOUT = "agent-platform:index:Rollout";
const VOLUME = "agent-platform:index:SandboxVolume";
const PLATFORM_AGENT = "agent-platform:index:PlatformAgent";

type Drifted = Parameters<typeof nextOf>[0];
const differs = (...paths: string[]): Drifted => ({
  type: DEPLOYMENT,
  operation: "update",
  fields: paths.map((path) => ({ path, declared: "a", live: "b" })),
  declared: {},
});
const madeAnew = (declared: object): Drifted => ({
  ...differs("problem"),
  type: PLATFORM_AGENT,
  declared: { ...declared },
});
const gone: Drifted = { type: DEPLOYMENT, operation: "delete", fields: [], declared: {} };
const readOnly = true;

test.each<[string, Drifted, RegExp]>([
  [
    "a declared input",
    differs("image"),
    /^`pulumi up --refresh` restores.*\(not what is in `ignoreChanges`\).*edit the program/,
  ],
  ["a deleted object", gone, /^`pulumi up --refresh` creates it again$/],
  [
    "a deleted object that the program adopts by its id",
    { ...gone, declared: { adopt: "d-1" } },
    /^leave `adopt` out of the program: `pulumi up --refresh` then creates it again$/,
  ],
  [
    "a deleted object that the program adopts by its name",
    { ...gone, declared: { adopt: true } },
    /^`pulumi up --refresh` creates it/,
  ],
  [
    "a volume that has failed",
    { ...differs("problem"), type: VOLUME },
    /^`pulumi up` is refused: repair it on the platform, or delete it there if it has nothing to keep, run `pulumi refresh`, and then `pulumi up`$/,
  ],
  [
    "a volume that is not ready yet",
    { ...differs(), type: VOLUME, fields: [{ path: "problem", live: "is not ready yet" }] },
    /waits until it is ready$/,
  ],
  [
    "a volume of another size",
    { ...differs("sizeBytes", "description"), type: VOLUME },
    /^`pulumi up` is refused: declare the live `sizeBytes`$/,
  ],
  ["a volume with another description", { ...differs("description"), type: VOLUME }, /^`pulumi up --refresh` restores/],
  [
    "an agent of the platform that was made anew, with productionOnly",
    madeAnew({ productionOnly: true }),
    /^`pulumi up` is refused: delete the agent on the platform, run `pulumi refresh`, and then `pulumi up`; to keep it, .*`adopt: true`$/,
  ],
  [
    "an agent of the platform that was made anew, with other fields that no answer shows",
    madeAnew({ extra: {} }),
    /^`pulumi up --refresh` restores/,
  ],
  [
    "an agent of the platform that has left EXTERNAL",
    { ...differs(), type: PLATFORM_AGENT, fields: [{ path: "sourceType", declared: "EXTERNAL", live: "LSD" }] },
    /^`pulumi up` is refused: declare the live `sourceType`$/,
  ],
  [
    "an agent of the platform that is EXTERNAL",
    { ...differs(), type: PLATFORM_AGENT, fields: [{ path: "sourceType", declared: "LSD", live: "EXTERNAL" }] },
    /^`pulumi up --refresh` restores/,
  ],
  ["an object that is only read", { ...differs("image"), readOnly }, /^`pulumi refresh` records/],
  ["a deleted object that is only read", { ...gone, readOnly }, /`pulumi up` fails until/],
  ["outputs alone", differs(), /^`pulumi refresh` records it/],
  ["a deployment that is being deleted", differs("problem"), /waits until it is gone, and creates it again$/],
  [
    "a snapshot that is of no use",
    { ...differs("problem"), type: "agent-platform:index:SandboxSnapshot" },
    /^`pulumi up --refresh` builds another one; .*another snapshot has its tag.*`adopt: true`/,
  ],
  ["another revision", differs("rollout.revisionId"), /^another revision serves, and `pulumi up --refresh` keeps it/],
  ["another revision, with another image", differs("image", "rollout.revisionId"), /restores what is declared/],
  ["a revision that does not serve", differs("rollout.problem"), /waits for the revision again/],
  ["a wait of another program's deployment", { ...differs("problem"), type: ROLLOUT }, /waits for the revision again/],
])("the next command follows from the kind of drift: %s", (_what, object, next) => {
  expect(nextOf(object)).toMatch(next);
});

test("stack, components, connections and rollouts are not counted as clean objects", () => {
  expect(report.clean).toBe(1);
  expect(report.drifted).toHaveLength(7);
});

describe("a Rollout is told with its Deployment, and a RunCheck only where it has put a revision back", () => {
  type State = NonNullable<Step["old"]>;
  const step = (kind: string, op: string, inputs: State["inputs"], over: Partial<State> = {}): Step => {
    const type = `agent-platform:index:${kind}`;
    const urn = `urn:pulumi:dev::desk::${type}::agent`;
    const none = { external: false, retainOnDelete: false, parent: "", provider: "" };
    const old = { ...none, urn, type, custom: true, id: "d-1", inputs, outputs: inputs, ...over };
    return { op, urn, type, keys: [], old, new: op === "delete" ? null : old };
  };
  const live = (of: Step, seen: Record<string, unknown>): Step => ({
    ...of,
    new: of.new && { ...of.new, inputs: { ...of.new.inputs, ...seen }, outputs: { ...of.new.outputs, ...seen } },
  });
  const deployment = step("Deployment", "same", { name: "agent" });
  const rollout = step("Rollout", "same", { deploymentId: "d-1" });
  const unread = (of: Step): Step => live(of, { [UNREAD]: "it did not answer" });
  const failed = live({ ...rollout, op: "update" }, { problem: "ended as BUILD_FAILED" });

  const [deleted, deletedRollout] = [
    step("Deployment", "delete", {}),
    step("Rollout", "delete", { deploymentId: "d-1" }),
  ];
  const others = live(step("Rollout", "update", { deploymentId: "d-2" }), { problem: "failed" });
  const check = step("RunCheck", "same", {});
  const rolledBack = step("RunCheck", "same", {}, { outputs: { problem: "revision r-2 was rolled back" } });
  test.each<[string, outcomes: Step[], clean: number, drifted?: string[], unread?: string[]]>([
    ["both are as declared", [deployment, rollout], 1],
    ["only the rollout drifted", [deployment, failed], 0, ["Deployment: update, rollout.problem"]],
    ["both are gone", [deleted, deletedRollout], 0, ["Deployment: delete, "]],
    ["neither was read", [unread(deployment), unread(rollout)], 0, [], ["Deployment"]],
    ["only the revisions were not read, which is not hidden", [deployment, unread(rollout)], 1, [], ["Rollout"]],
    [
      "the rollout of another program's deployment",
      [step("Deployment", "same", {}, { external: true }), failed],
      1,
      ["Rollout: update, problem"],
    ],
    ["the rollout of another deployment", [deployment, others], 1, ["Rollout: update, problem"]],
    ["a check", [deployment, check], 1],
    ["a check that has put a revision back", [deployment, rolledBack], 1, ["RunCheck: update, problem"]],
  ])("%s", (_what, outcomes, clean, drifted = [], notRead = []) => {
    const seen = reportOf("dev", { outcomes });
    const kind = (type: string): string => type.split(":").at(-1) ?? "";
    expect(seen.clean).toBe(clean);
    expect(
      seen.drifted.map(
        (each) => `${kind(each.type)}: ${each.operation}, ${each.fields.map(({ path }) => path).join()}`,
      ),
    ).toEqual(drifted);
    expect(seen.unread.map(({ type }) => kind(type))).toEqual(notRead);
  });

  test("a check that has gone back and its deployment have the same next step: not to roll out what has just failed", () => {
    const back = step("RunCheck", "same", { deploymentId: "d-1" }, { outputs: { problem: "r-2 was rolled back" } });
    const moved = live({ ...deployment, op: "update" }, { sourceRevisionConfig: { imageUri: "a:1" } });
    const [one, other] = reportOf("dev", { outcomes: [moved, back] }).drifted;
    expect(one?.next).toBe(other?.next);
    expect(one?.next).toMatch(/^declare another image.*`pulumi up`/);
    expect(reportOf("dev", { outcomes: [moved, check] }).drifted[0]?.next).toMatch(/^`pulumi up --refresh` restores/);
  });
});

describe("another agent server is told, and is no drift", () => {
  const type = (kind: string): string => `agent-platform:index:${kind}`;
  const state = (kind: string, inputs: Record<string, unknown>, outputs: Record<string, unknown>) => ({
    ...{ urn: `urn:pulumi:dev::desk::${type(kind)}::desk`, type: type(kind), custom: true, external: false, id: "d-1" },
    ...{ retainOnDelete: false, parent: "", provider: "", inputs, outputs },
  });
  const config = { repoRef: "main", langgraphConfigPath: "langgraph.json" };
  const built = (imageVersion: string | null, repoCommitSha: string | null = "c-1") => ({
    imageVersion,
    repoCommitSha,
  });
  const told = (
    before: Record<string, unknown>,
    after: Record<string, unknown>,
    sourceRevisionConfig: Record<string, unknown> = config,
  ) => {
    const step = (kind: string, inputs: Record<string, unknown>, old = {}, live = {}): Step => {
      const [from, to] = [state(kind, inputs, old), state(kind, inputs, live)];
      return { op: "same", urn: from.urn, type: from.type, keys: [], old: from, new: to };
    };
    const outcomes = [
      step("Deployment", { name: "desk", sourceRevisionConfig }),
      step("Rollout", { deploymentId: "d-1" }, before, after),
    ];
    const { clean, drifted, servers } = reportOf("dev", { outcomes });
    expect({ clean, drifted }).toEqual({ clean: 1, drifted: [] });
    return servers.map(({ sameCommit, serves, ...of }) =>
      [of.name, of.id, of.before, of.after, sameCommit ? "same commit" : "", serves ? "serves" : ""].join(" "),
    );
  };

  test.each<[why: string, servers: string[], expected: string[]]>([
    ["the same commit, again", told(built("0.9.1"), built("0.10.0")), ["desk d-1 0.9.1 0.10.0 same commit serves"]],
    ["another commit", told(built("0.9.1"), built("0.10.0", "c-2")), ["desk d-1 0.9.1 0.10.0  serves"]],
    ["an unknown commit", told(built("0.9.1", null), built("0.10.0", null)), ["desk d-1 0.9.1 0.10.0  serves"]],
    ["the same server", told(built("0.9.1"), built("0.9.1", "c-2")), []],
    ["a server that is not known any more", told(built("0.9.1"), built(null)), []],
    ["a state that does not know it yet", told({}, built("0.10.0")), []],
    [
      "the latest revision, while another one serves",
      told(built("0.9.1"), { ...built("0.9.1"), __latestBuiltFrom: built("0.10.0") }),
      ["desk d-1 0.9.1 0.10.0 same commit "],
    ],
    [
      "one after the other",
      told(built("0.9.1"), { ...built("0.10.0"), __latestBuiltFrom: built("0.10.1", "c-2") }),
      ["desk d-1 0.9.1 0.10.0 same commit serves", "desk d-1 0.10.0 0.10.1  "],
    ],
    ["a latest one not built yet", told(built("0.9.1"), { ...built("0.9.1"), __latestBuiltFrom: built(null) }), []],
    ["an own image with its own tag", told(built("1.0.0"), built("1.1.0"), { imageUri: "desk:1.0.0" }), []],
  ])("%s", (_why, servers, expected) => expect(servers).toEqual(expected));
});

test("an object that the platform did not answer about is unread: neither clean nor drifted", () => {
  const silent = reportOf("test", parseEvents(recorded("unread")));
  expect(silent).toMatchObject({ drifted: [], clean: 0 });
  const urn = "urn:pulumi:test::test::pulumi-nodejs:dynamic/agent-platform:";
  const template = { type: "pulumi-nodejs:dynamic/agent-platform:SandboxTemplate", id: id(1) };
  expect(silent.unread).toEqual([
    {
      urn: `${urn}OAuthProvider::github`,
      type: "pulumi-nodejs:dynamic/agent-platform:OAuthProvider",
      name: "github",
      id: "github",
    },
    { ...template, urn: `${urn}SandboxTemplate::code`, name: "code" },
    { ...template, urn: `${urn}SandboxTemplate::got`, name: "got" },
  ]);
  expect(outcomeOf(silent)).toBe("unread");
  expect(outcomeOf({ ...silent, drifted: report.drifted })).toBe("unread");
  expect(report.unread).toEqual([]);
});

const lines = recorded("drift").trimEnd().split("\n");
const without = (part: string): string => lines.filter((line) => !line.includes(part)).join("\n");

describe("only a complete run gives a report", () => {
  test.each<[string, string, boolean]>([
    ["the recorded one", recorded("drift"), true],
    ["the platform was down", recorded("platform-down"), false],
    ["the end is missing", without("summaryEvent"), false],
    ["the outcome of a resource is missing", without('"op":"delete"'), false],
    ["nothing was said", "", false],
  ])("%s", (_what, text, complete) => expect(parseEvents(text).complete).toBe(complete));

  test("output that is not a stream of events is refused, and not quoted", () => {
    expect(() => parseEvents('{\n  "steps": ["canary"]\n}')).toThrow(/3\.246\.0.*`pulumi version`/);
    expect(() => parseEvents("canary")).not.toThrow(/canary/);
  });
});

test("errors name their resource, each once, and leave out the plugin's stack lines", () => {
  const { errors } = parseEvents(recorded("platform-down"));
  expect(errors).toContainEqual(
    expect.stringMatching(/^OAuthProvider github: .*GET \/v2\/auth\/providers got no answer: connect ECONNREFUSED/),
  );
  expect(errors).toHaveLength(new Set(errors).size);
  expect(errors.filter((error) => error.includes("TransportError"))).toEqual([]);
});
