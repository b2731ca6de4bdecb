import { z } from "zod";
import { SECRET_SIGNATURE, SIGNATURE } from "../../provider/base/engine-format";
import { UNKNOWN } from "../../provider/base/json";
import { secretData } from "../../provider/lifecycle/fields/secret-names";
import { originOf } from "../../provider/lifecycle/identity/origin";
import { parseEvents } from "../base/engine-events";
import { reviewOf } from "./report";
import type { ReviewedObject } from "./review";

// What no recorded preview shows (tests/review): rare operations, and one rule at a time.

const DYNAMIC = "pulumi-nodejs:dynamic/agent-platform";
const urnOf = (type: string, name = "it"): string => `urn:pulumi:prod::desk::${type}::${name}`;

type Values = Record<string, unknown>;
interface Given {
  readonly op?: string;
  readonly type?: string;
  readonly name?: string;
  readonly old?: Values;
  readonly new?: Values;
  readonly keys?: readonly string[];
  readonly detailedDiff?: Values;
  /** Of both states. */
  readonly state?: Values;
}

/** An event of one step. The inputs of an old state are its outputs, too. */
function step({
  op = "update",
  type = `${DYNAMIC}:Deployment`,
  name = "it",
  keys = [],
  state = {},
  detailedDiff,
  ...given
}: Given) {
  const urn = urnOf(type, name);
  const stateOf = (inputs: Values | undefined) =>
    inputs && { urn, type, custom: true, id: "id-1", inputs, outputs: inputs, ...state };
  return {
    resourcePreEvent: {
      metadata: { op, urn, type, keys, detailedDiff, old: stateOf(given.old), new: stateOf(given.new) },
    },
  };
}

interface More {
  readonly dependencies?: Record<string, Record<string, string[]>>;
  readonly deletedWith?: Record<string, string>;
}

function review(events: readonly object[], { dependencies = {}, deletedWith = {} }: More = {}) {
  const text = [...events, { summaryEvent: { result: "succeeded" } }].map((event) => JSON.stringify(event)).join("\n");
  const preview = { stack: "prod", events: parseEvents(text), dependencies, deletedWith, failure: [] };
  return reviewOf(preview, undefined);
}
const only = (...events: readonly object[]): ReviewedObject => {
  const { objects } = review(events);
  const object = objects.find(({ kind }) => kind !== "Platform") ?? objects[0];
  if (object === undefined) throw new Error("nothing is reviewed");
  return object;
};
const texts = ({ consequences }: ReviewedObject): string[] => consequences.map(({ text }) => text);

const BUCKET = "aws:s3/bucket:Bucket";
const desk = { name: "desk", source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } };

describe("a check that has put a revision back", () => {
  const check = { assistantId: "agent", rollBack: true };
  const problem = "Revision r-2 failed its check, and was rolled back: revision r-3 serves now, a copy of revision r-1";
  const old = { ...check, problem, failedRevisionId: "r-2", rollbackRevisionId: "r-3" };
  const of = (revisionId: string): string[] =>
    texts(only(step({ type: `${DYNAMIC}:RunCheck`, old, new: { ...check, revisionId } })));

  test("fails again at once, and the review says with what", () =>
    expect(of("r-2")).toEqual([`Fails at once, and asks nothing. ${problem}.`]));

  test("runs where the deployment gets another revision", () =>
    expect(of("r-4").join()).toContain("runs the assistant, and fails if it does not show what you expect"));
});

describe("a revision is made where a field needs one", () => {
  test.each<[why: string, change: Values, risk: string, text: string]>([
    ["the name for people", { displayName: "Desk" }, "none", "Changes without a new revision."],
    ["a field that this version does not know", { extra: { color: "red" } }, "none", "Changes without a new revision."],
    [
      "one that goes into the configuration of revisions",
      { extra: { source_revision_config: { x: 1 } } },
      "new revision",
      "Makes a new revision, but nothing waits for it.",
    ],
    ["a request for one", { redeployTrigger: 2 }, "new revision", "Makes a new revision, but nothing waits for it."],
  ])("%s", (_why, change, risk, text) => {
    const object = only(step({ old: desk, new: { ...desk, ...change } }));
    expect(object.risk).toBe(risk);
    expect(texts(object)).toContain(text);
  });

  test("its rollout waits as long as its program says", () => {
    const rollout = { deploymentId: "id-1", revisionId: "r", rolloutTimeout: "45m" };
    const events = (op: string, fresh = rollout) => [
      step({ old: desk, new: { ...desk, redeployTrigger: 1 } }),
      step({ op, type: `${DYNAMIC}:Rollout`, old: rollout, new: fresh }),
    ];
    const waits = only(...events("update", { ...rollout, revisionId: UNKNOWN }));
    expect(texts(waits)).toEqual(["Makes a new revision, for which pulumi up waits at most 45m."]);
    // With --target the engine leaves it out.
    expect(texts(only(...events("same")))).toEqual(["Makes a new revision, but nothing waits for it."]);
  });

  test("the wait for that of an import is named once", () => {
    const [changed, waits] = [
      { ...desk, redeployTrigger: 1 },
      { deploymentId: "id-1", revisionId: UNKNOWN },
    ];
    const object = only(
      step({ op: "import", new: changed }),
      step({ old: desk, new: changed }),
      step({ op: "create", type: `${DYNAMIC}:Rollout`, new: waits }),
    );
    expect(texts(object)).toEqual([
      "Taken over, and changed to match this program.",
      "Makes a new revision, for which pulumi up waits at most 30m.",
    ]);
  });
});

describe("a shared secret that is rotated", () => {
  const type = `${DYNAMIC}:WorkspaceSecret`;
  const told = (urn: string) => {
    const message = `${secretData([{ field: "value", how: "changed" }])}\n`;
    return { diagnosticEvent: { urn, message, severity: "debug" } };
  };
  const key = { key: "MODEL_KEY", value: "[secret]" };
  const events = [
    step({ type, name: "key", old: key, new: key }),
    step({ op: "same", name: "other", old: desk, new: desk }),
    step({ name: "desk", old: desk, new: { ...desk, redeployTrigger: UNKNOWN } }),
  ];
  const [secret, deployment, unchanged] = [
    urnOf(type, "key"),
    urnOf(`${DYNAMIC}:Deployment`, "desk"),
    urnOf(`${DYNAMIC}:Deployment`, "other"),
  ];
  const of = (dependencies: More["dependencies"], all: object[] = [told(secret), ...events]) => {
    const { objects } = review(all, { dependencies });
    return objects.filter(({ kind }) => kind === "WorkspaceSecret").flatMap(texts);
  };
  const lost = "The previous value of value is overwritten, here and on the platform: nothing brings it back.";

  test("names what uses it, changed or not, and not what only comes after it", () => {
    const uses: More["dependencies"] = {
      [deployment]: { redeployTrigger: [secret] },
      [unchanged]: { secretReferences: [secret] },
    };
    expect(of(uses)).toEqual(["Used by Deployment desk and Deployment other.", lost]);
    expect(of({ [deployment]: { "": [secret] } })).toEqual(["Nothing in this stack names it.", lost]);
  });

  test("names what has its key written down", () => {
    const template = `${DYNAMIC}:SandboxTemplate`;
    const header = { proxyConfig: { rules: [{ injectHeaders: { Authorization: "Bearer ${MODEL_KEY}" } }] } };
    const references = { ...desk, secretReferences: [{ name: "KEY", key: "MODEL_KEY" }] };
    const users = [
      step({ op: "same", type: template, name: "box", old: header, new: header }),
      step({ op: "same", name: "other", old: references, new: references }),
      step({ op: "same", name: "desk", old: desk, new: desk }),
    ];
    const secretStep = step({ type, name: "key", old: key, new: key });
    expect(of({}, [told(secret), secretStep, ...users])).toEqual([
      "Used by Deployment other and SandboxTemplate box.",
      lost,
    ]);
  });

  test("names nobody where the value stays", () => {
    const hosts = { ...key, allowedHosts: [{ hostPattern: "models.example" }] };
    const stays = step({ type, name: "key", old: key, new: hosts });
    expect(of({ [deployment]: { redeployTrigger: [secret] } }, [stays, ...events.slice(1)])).toEqual([]);
  });

  test("where an import could not read the value, which the program ignores, a change of the hosts is sent", () => {
    const imported = { key: "MODEL_KEY", allowedHosts: [] };
    const hosts = { ...imported, allowedHosts: [{ hostPattern: "models.example" }] };
    const { requests } = only(step({ type, name: "key", old: imported, new: hosts }));
    expect(requests).toMatchObject([{ method: "PUT", certain: true }]);
  });
});

describe("a wait for a revision of which the state records a problem", () => {
  const rollout = { deploymentId: "id-1", revisionId: "r-1", problem: "revision r-2 ended as DEPLOY_FAILED" };
  const of = (revisionId: string): string[] =>
    texts(only(step({ type: `${DYNAMIC}:Rollout`, old: rollout, new: { deploymentId: "id-1", revisionId } })));

  test("says that it fails at once, and why", () =>
    expect(of("r-2")).toEqual(["`pulumi up` fails at once if this is still so: revision r-2 ended as DEPLOY_FAILED."]));
  test("waits for one that is not made yet", () =>
    expect(of(UNKNOWN).join()).toContain("waits until the revision is DEPLOYED"));
});

test.each([
  ["SandboxVolume", { sizeBytes: 1, description: "" }, []],
  ["SandboxSnapshot", { dockerImage: "a:1", fsCapacityBytes: 1 }, []],
  ["SandboxVolume", { sizeBytes: 1, description: "Files" }, ["description"]],
])("what is still being built is waited for: %s %j", (kind, inputs, changed) => {
  const old = { name: "data", ...inputs, ...(changed.length > 0 && { description: "" }), problem: "is not ready yet" };
  const { consequences, fields, operation } = only(
    step({ type: `${DYNAMIC}:${kind}`, old, new: { name: "data", ...inputs } }),
  );
  expect(operation).toBe("update");
  expect(consequences.map(({ text }) => text)).toEqual(["`pulumi up` waits until it is ready."]);
  expect(fields.map(({ path }) => path)).toEqual([...changed, "problem"]);
});

test.each([
  [
    "what an agent keeps takes effect at once",
    "Cron",
    { schedule: "1 * * * *" },
    "takes effect at once, without a new revision: Cron it",
  ],
  ["what a deployment changes does not", "Deployment", { displayName: "Desk" }, "nothing that runs is at risk"],
])("headline: %s", (_what, kind, change, lead) => {
  const old =
    kind === "Cron"
      ? { deploymentId: "d", url: "https://a.example", assistantId: "a", schedule: "0 * * * *", input: {} }
      : desk;
  const { headline } = review([step({ type: `${DYNAMIC}:${kind}`, old, new: { ...old, ...change } })]);
  expect(headline).toBe(`Stack prod: ${lead}. 1 to update, 0 unchanged.`);
});

test("a check and a Platform count as unchanged as they count when they change; a rollout belongs to its deployment", () => {
  const same = (type: string) => step({ op: "same", type, old: desk, new: desk });
  const kinds = ["Deployment", "Rollout", "RunCheck"].map((kind) => same(`${DYNAMIC}:${kind}`));
  expect(review([...kinds, same("pulumi:providers:agent-platform")]).unchanged).toBe(3);
});

describe("a check of a revision that waits for the rollout of a deployment", () => {
  const [deployment, rollout, check] = ["Deployment", "Rollout", "RunCheck"].map((kind) => `${DYNAMIC}:${kind}`);
  const awaited = { deploymentId: "id-1", revisionId: "r" };
  const asked = { assistantId: "agent", revisionId: "r" };
  const dependencies = {
    [urnOf(rollout ?? "")]: { revisionId: [urnOf(deployment ?? "")] },
    [urnOf(check ?? "")]: { revisionId: [urnOf(rollout ?? "")] },
  };
  const of = (change: Values, more?: More) => {
    const events = [
      step({ old: desk, new: { ...desk, ...change } }),
      step({ type: rollout, old: awaited, new: { ...awaited, revisionId: UNKNOWN } }),
      step({ type: check, old: asked, new: { ...asked, revisionId: UNKNOWN } }),
    ];
    const { objects, headline } = review(events, more);
    const found = objects.find(({ kind }) => kind === "RunCheck");
    return { ...found, headline, text: found?.consequences.map(({ text }) => text).join() };
  };

  test("certainly runs if the revision certainly comes", () => {
    const seen = of({ redeployTrigger: 1 }, { dependencies });
    expect(seen).toMatchObject({ certain: true, fields: [{ path: "revisionId", change: "changes", unknown: true }] });
    expect(seen.text).toMatch(/^`pulumi up` runs the assistant/);
    expect(seen.headline).toContain("2 to update, 0 unchanged");
  });

  test.each<[why: string, change: Values, more: More]>([
    ["the revision may not come", { sourceRevisionConfig: { imageUri: UNKNOWN } }, { dependencies }],
    ["no revision comes", { displayName: "Desk" }, { dependencies }],
    ["nothing says where its revision comes from", { redeployTrigger: 1 }, {}],
  ])("may run if %s", (_why, change, more) => {
    const seen = of(change, more);
    expect(seen).toMatchObject({ certain: false, fields: [{ path: "revisionId", change: "may change" }] });
    expect(seen.text).toMatch(/^If a value that it depends on changes/);
  });
});

describe("what the program has made secret", () => {
  const secret = { [SIGNATURE]: SECRET_SIGNATURE, ciphertext: "[secret]" };
  const triage = { deploymentId: "d", url: "https://a.example", graphId: "agent", name: "a", context: secret };
  const changed = step({
    type: `${DYNAMIC}:Assistant`,
    old: { ...triage, config: secret },
    new: { ...triage, config: secret, name: "b" },
    detailedDiff: { "context.tone": { diffKind: "update" }, name: { diffKind: "update" } },
  });

  test("is a change where the plugin's diff names it, beside what is visible, and not where it does not", () => {
    expect(only(changed).fields).toMatchObject([
      { path: "context", change: "changes", secret: true },
      { path: "name", change: "changes", after: "b" },
    ]);
  });

  test("is no change for certain if it has values of what changes", () => {
    const template = step({ type: `${DYNAMIC}:SandboxTemplate`, name: "code", op: "create", new: { image: "a" } });
    const dependencies = {
      [urnOf(`${DYNAMIC}:Assistant`, "it")]: { context: [urnOf(`${DYNAMIC}:SandboxTemplate`, "code")] },
    };
    const { objects } = review([changed, template], { dependencies });
    expect(objects.find(({ kind }) => kind === "Assistant")?.fields).toMatchObject([
      { path: "context", change: "may change", secret: true, waitsFor: ["SandboxTemplate code"] },
      { path: "name" },
    ]);
  });
});

test("an assistant with two secrets in its arguments makes no revision: users meet its change at once", () => {
  const secret = { [SIGNATURE]: SECRET_SIGNATURE, ciphertext: "[secret]" };
  const triage = { deploymentId: "d", url: "https://a.example", graphId: "agent", name: "a", context: secret };
  const inputs = { ...triage, config: secret };
  const { objects, headline } = review([step({ type: `${DYNAMIC}:Assistant`, old: inputs, new: inputs })]);
  expect(objects).toMatchObject([
    { risk: "none", requests: [{ method: "PATCH", certain: false, mayHave: ["config", "context"] }] },
  ]);
  expect(headline).toBe(
    "Stack prod: takes effect at once, without a new revision: Assistant it. 1 to update, 0 unchanged.",
  );
});

describe("a resource that was renamed without an alias", () => {
  const say = (...events: readonly object[]): string[] =>
    review(events).objects.flatMap(({ consequences }) =>
      consequences.flatMap(({ code, text }) => (code === "renamed" ? [text] : [])),
    );
  const gone = step({ op: "delete", name: "a", old: desk });
  const come = (inputs: Values, more: Given = {}) => step({ op: "create", name: "b", new: inputs, ...more });
  const renamed = 'Renamed? Deployment b is new and equals it. With the option aliases: [{ name: "a" }]';

  test("is named, with the alias that keeps its object", () => {
    expect(say(gone, come(desk))).toEqual([`${renamed}, that one keeps this object.`]);
  });

  test("with the argument too, where its name came from the resource's", () => {
    const named = step({ op: "delete", name: "a", old: { ...desk, name: "a" } });
    expect(say(named, come({ ...desk, name: "b" }))).toEqual([
      `${renamed}, and the argument name: "a", that one keeps this object.`,
    ]);
  });

  test("through another Platform of the same address, with the adoption that keeps it: an alias would replace it", () => {
    const platformType = "pulumi:providers:agent-platform";
    const baseUrl = "https://us.example.com";
    const platform = step({ op: "create", type: platformType, name: "new", new: { baseUrl } });
    const at = (name: string) => ({ provider: `${urnOf(platformType, name)}::1` });
    const outputs = { ...desk, __origin: originOf(baseUrl, undefined) };
    const left = step({ op: "delete", name: "a", old: desk, state: { ...at("default"), outputs } });
    expect(say(platform, left, come(desk, { state: at("new") }))).toEqual([
      'Renamed? Deployment b is new and equals it. With the argument adopt: "id-1", that one keeps this object.',
    ]);
  });

  describe("as a part of a component, which takes no options", () => {
    const agent = "agent-platform:index:Agent";
    const deployment = `${agent}$${DYNAMIC}:Deployment`;
    /** The same event, of a resource below these. */
    const within = (parents: string, event: object): object =>
      z.looseObject({}).parse(JSON.parse(JSON.stringify(event).replaceAll(`::${DYNAMIC}`, `::${parents}$${DYNAMIC}`)));

    test("it adopts the object", () => {
      const of = { type: `${DYNAMIC}:Cron`, state: { parent: urnOf(deployment, "desk") } };
      const nightly = { deploymentId: "d", assistantId: "agent", schedule: "@daily" };
      const events = [
        step({ op: "delete", name: "desk-a", old: nightly, ...of }),
        step({ op: "create", name: "desk-b", new: nightly, ...of }),
      ];
      expect(say(...events.map((event) => within(deployment, event)))).toEqual([
        'Renamed? Cron desk-b is new and equals it. With the argument adopt: "id-1", that one keeps this object.',
      ]);
    });

    test("the component takes the alias, if that was renamed", () => {
      const of = (name: string) => ({ name, state: { parent: urnOf(agent, name) } });
      const events = [
        step({ op: "delete", old: { ...desk, name: "a" }, ...of("a") }),
        step({ op: "create", new: { ...desk, name: "b" }, ...of("b") }),
      ];
      expect(say(...events.map((event) => within(agent, event)))).toEqual([
        `${renamed} of Agent b, and the argument name: "a", that one keeps this object.`,
      ]);
    });
  });

  test.each<[why: string, events: readonly object[]]>([
    ["another image", [gone, come({ ...desk, sourceRevisionConfig: { imageUri: "a:2" } })]],
    ["another name of its own", [gone, come({ ...desk, name: "other" })]],
    ["another kind", [gone, come({ name: "desk" }, { type: `${DYNAMIC}:SandboxTemplate` })]],
    ["another platform", [gone, come(desk, { state: { provider: "urn:eu::id" } })]],
    ["two that equal it", [gone, come(desk), come(desk, { name: "c" })]],
    ["one that stays", [step({ op: "delete", name: "a", old: desk, state: { retainOnDelete: true } }), come(desk)]],
  ])("is not seen in %s", (_why, events) => expect(say(...events)).toEqual([]));
});

describe("of a new revision that the platform builds, the agent server of now is named", () => {
  const config = { repoRef: "main", langgraphConfigPath: "langgraph.json" };
  const built = { name: "desk", source: "github", sourceRevisionConfig: config };
  const rollout = { deploymentId: "id-1", revisionId: "r" };
  const unknown = { ...rollout, revisionId: UNKNOWN };
  const waiting = (imageVersion: string | null) =>
    step({ type: `${DYNAMIC}:Rollout`, old: { ...rollout, imageVersion }, new: unknown });
  const codes = (...events: readonly object[]) => only(...events).consequences.map(({ code }) => code);

  test("and what becomes of it", () => {
    const object = only(step({ old: built, new: { ...built, redeployTrigger: 1 } }), waiting("0.9.1"));
    expect(texts(object)).toEqual([
      "Makes a new revision, for which pulumi up waits at most 30m.",
      "Runs server 0.9.1 now: a new revision takes the newest one, unless langgraph.json pins api_version.",
    ]);
  });

  test("with --refresh, as the platform knows it", () => {
    const events = (op: string, imageVersion: string, fresh: Values) => [
      step({ op, old: built, new: fresh }),
      step({ op, type: `${DYNAMIC}:Rollout`, old: { ...rollout, imageVersion }, new: unknown }),
    ];
    const object = only(
      ...events("refresh", "0.9.1", built),
      ...events("update", "0.10.0", { ...built, redeployTrigger: 1 }),
    );
    expect(object.fields.map(({ path }) => path)).toEqual(["redeployTrigger"]);
    expect(texts(object)).toContainEqual(expect.stringMatching(/^Runs server 0\.10\.0 now: /));
  });

  test.each<[why: string, events: readonly object[]]>([
    ["the state does not know it", [step({ old: built, new: { ...built, redeployTrigger: 1 } }), waiting(null)]],
    ["nothing waits for the revision", [step({ old: built, new: { ...built, redeployTrigger: 1 } })]],
    ["the image comes from elsewhere", [step({ old: desk, new: { ...desk, redeployTrigger: 1 } }), waiting("1")]],
  ])("not where %s", (_why, events) => expect(codes(...events)).toEqual(["revision"]));

  test("nor where no revision comes", () => {
    const events = [step({ old: built, new: { ...built, displayName: "Desk" } }), waiting("0.9.1")];
    expect(codes(...events)).not.toContain("server");
  });
});

describe("what is equal by meaning is no change", () => {
  const box = { name: "box", image: "a:1", resources: { cpu: "1", memory: "1Gi" } };
  test.each<[why: string, type: string, old: Values, fresh: Values, fields: string[]]>([
    [
      "a quantity spelled differently",
      "SandboxTemplate",
      box,
      { ...box, image: "a:2", resources: { cpu: "1000m", memory: "1024Mi" } },
      ["image"],
    ],
    ["an argument to the provider", "Deployment", desk, { ...desk, adopt: true, displayName: "D" }, ["displayName"]],
    [
      "what keeps its value when it is no longer declared",
      "Deployment",
      { ...desk, extra: { a: 1 } },
      { ...desk, displayName: "D" },
      ["displayName"],
    ],
    [
      "the code of a dynamic resource",
      "Deployment",
      { ...desk, __provider: "a" },
      { ...desk, displayName: "D", __provider: "b" },
      ["displayName"],
    ],
  ])("%s", (_why, kind, old, fresh, fields) => {
    expect(only(step({ type: `${DYNAMIC}:${kind}`, old, new: fresh })).fields.map(({ path }) => path)).toEqual(fields);
  });
});

describe("what leaves the program", () => {
  const deletion = (more: Partial<Given> = {}, ...others: readonly object[]) =>
    only(step({ op: "delete", old: desk, ...more }), ...others);
  const documented = { "agent-platform:contract": "documented" };
  const whole = /^Deleted, and with it its address and all its revisions\.$/;
  const stays = /stays on the platform: this contract/;
  /** `new X` becomes `X.get`. */
  const readNow = (ops: readonly string[], id: string): ReviewedObject => {
    const events = ops.map((op) => step({ op, old: desk, new: op === "delete-replaced" ? undefined : {} }));
    for (const { resourcePreEvent } of events) {
      const { new: fresh } = resourcePreEvent.metadata;
      Object.assign(fresh ?? {}, { id, external: true });
    }
    return only(...events);
  };
  test.each<[why: string, object: ReviewedObject, operation: "leave" | "delete", text: RegExp]>([
    ["a deployment, with what belongs to it", deletion(), "delete", whole],
    ["one that the stack has only read", deletion({ state: { external: true } }), "leave", /only read/],
    ["where the contract cannot delete", deletion({}, { preludeEvent: { config: documented } }), "leave", stays],
    [
      "where the contract of its connection cannot delete",
      deletion(
        { state: { provider: `${urnOf("pulumi:providers:pulumi-nodejs", "there")}::p-1` } },
        step({ op: "same", type: "pulumi:providers:pulumi-nodejs", name: "there", new: documented }),
      ),
      "leave",
      stays,
    ],
    ["an object of another provider", deletion({ type: BUCKET, old: {} }), "delete", /^Deleted\.$/],
    [
      "one in whose place the program reads another one",
      readNow(["read-replacement", "replace", "delete-replaced"], "id-2"),
      "delete",
      whole,
    ],
    [
      "one that the program only reads from now on",
      readNow(["read"], "id-1"),
      "leave",
      /^It stays on the platform: from now on, the program only reads it\.$/,
    ],
    [
      "one that was only read, as the engine says it",
      deletion({ op: "discard", state: { external: true } }),
      "leave",
      /only read/,
    ],
    [
      "where the contract of a connection that leaves with it cannot delete",
      deletion(
        { state: { provider: `${urnOf("pulumi:providers:agent-platform", "there")}::p-1` } },
        step({ op: "delete", type: "pulumi:providers:agent-platform", name: "there", old: { contract: "documented" } }),
      ),
      "leave",
      stays,
    ],
  ])("%s", (_why, object, operation, text) => {
    expect(object).toMatchObject({ operation, risk: operation === "leave" ? "none" : "deletion" });
    expect(texts(object)).toEqual([expect.stringMatching(text)]);
  });
});

describe("what another resource adopts is not deleted", () => {
  const uuid = "0b3a2b8c-56a5-4fd1-9d7a-2f6a01a77c11";
  const pair = { agentId: "desk", environment: "production" };
  const gone = (id: string) =>
    step({
      op: "delete",
      name: "old",
      old: { ...desk, agent: pair },
      state: { id, provider: `${urnOf("p", "one")}::1` },
    });
  const comes = (adopt: unknown, connection = "one", more: Values = {}) =>
    step({
      op: "create",
      name: "new",
      new: { ...desk, adopt, ...more },
      state: { provider: `${urnOf("p", connection)}::2` },
    });
  const imports = (id: string, connection = "one") =>
    step({ op: "import", name: "new", new: desk, state: { id, provider: `${urnOf("p", connection)}::2` } });
  const sure = [{ method: "DELETE", certain: true, fields: [], mayHave: [] }];
  const perhaps = sure.map((request) => ({ ...request, certain: false }));
  test.each<[why: string, adopter: object, operation: string, requests: object[], id?: string]>([
    ["by its name", comes(true), "leave", []],
    ["by its id", comes("id-1"), "leave", []],
    ["by an import of its id", imports("id-1"), "leave", []],
    ["by an import of its name", imports("desk"), "leave", []],
    ["by its UUID, under any connection", comes(uuid, "two"), "leave", [], uuid],
    ["by an import of its UUID, under any connection", imports(uuid, "two"), "leave", [], uuid],
    ["by the pair of its agent", comes(true, "one", { name: undefined, agent: pair }), "leave", []],
    ["another pair", comes(true, "one", { name: undefined, agent: { ...pair, environment: "dev" } }), "delete", sure],
    ["but another name", comes(true, "one", { name: "other" }), "delete", sure],
    ["but another id", comes("id-2"), "delete", sure],
    ["but an import of another id", imports("id-2"), "delete", sure],
    ["but no adoption", comes(false), "delete", sure],
    ["perhaps, by its name under a connection that may be to another platform", comes(true, "two"), "delete", perhaps],
  ])("%s", (_why, adopter, operation, requests, id = "id-1") => {
    const old = review([gone(id), adopter]).objects.find(({ name }) => name === "old");
    expect([old?.operation, old?.requests]).toEqual([operation, requests]);
  });
});

describe("an adoption through another connection", () => {
  const uuid = "0b3a2b8c-56a5-4fd1-9d7a-2f6a01a77c11";
  const platformType = "pulumi:providers:agent-platform";
  const usUrl = "https://us.example.com";
  const platform = (name: string, baseUrl: string, more: Values = {}) =>
    step({ op: "same", type: platformType, name, old: { baseUrl }, new: { baseUrl, apiKey: "[secret]", ...more } });
  const gone = (tenantId?: string) =>
    step({
      op: "delete",
      name: "old",
      old: { ...desk, __origin: originOf(usUrl, tenantId), tenantId: "t-1" },
      state: { id: uuid, provider: `${urnOf(platformType, "default")}::1` },
    });
  const adopts = (name: string) =>
    step({ op: "create", name, new: { ...desk, adopt: true }, state: { provider: `${urnOf(platformType, name)}::2` } });
  const both = [platform("eu", "https://eu.example.com"), adopts("eu"), platform("us", usUrl), adopts("us")];
  test.each<[why: string, events: object[], operation: string, text: string]>([
    [
      "to the same tenant",
      [platform("us", usUrl, { tenantId: "t-1" }), adopts("us"), gone("t-1")],
      "leave",
      "It stays on the platform, as Deployment us, which adopts it.",
    ],
    ["to one address, of some tenant", [...both, gone()], "delete", "its revisions, unless Deployment us adopts it."],
    ["to another platform", [...both.slice(0, 2), gone()], "delete", "Deleted, and with it its"],
    ["tenant t-2", [platform("us", usUrl, { tenantId: "t-2" }), adopts("us"), gone("t-1")], "delete", "Deleted, and"],
    ["of a tenant of the key", [...both, gone("t-1")], "delete", "its revisions, unless Deployment us adopts it."],
  ])("%s", (_why, events, operation, text) => {
    const old = review(events).objects.find(({ name }) => name === "old");
    expect([old?.operation, old && texts(old)[0]]).toEqual([operation, expect.stringContaining(text)]);
  });
});

describe("what is imported by the option: the engine names its id only in the step that follows", () => {
  const type = "agent-platform:index:OAuthProvider";
  const urls = { authUrl: "https://a.example/auth", tokenUrl: "https://a.example/token" };
  const shown = { providerId: "github-1", name: "GitHub", clientId: "c", ...urls };
  const fresh = { ...shown, clientSecret: "[secret]" };
  const state = { provider: `${urnOf("p", "one")}::1` };
  const imported = step({ op: "import", type, name: "new", new: fresh, state: { ...state, id: "" } });
  const left = step({ op: "delete", type, name: "old", old: fresh, state: { ...state, id: "github-1" } });
  const follows = (op: string, values: Values) =>
    step({ op, type, name: "new", old: shown, new: values, state: { ...state, id: "github-1" } });
  const secret = {
    diagnosticEvent: {
      urn: urnOf(type, "new"),
      message: `${secretData([{ field: "clientSecret", how: "new" }])}\n`,
      severity: "debug",
    },
  };
  const shownOf = ({ objects }: ReturnType<typeof review>) =>
    objects.map((object) => [object.name, object.operation, object.requests, texts(object)[0]]);

  test.each(["same", "update"])(
    "a row of an earlier run that is %s has the object: the row of before sends no delete",
    (op) => {
      const { objects } = review([follows(op, fresh), left]);
      const [old] = objects.filter(({ name }) => name === "old");
      expect(old).toMatchObject({ operation: "leave", requests: [] });
      expect(old && texts(old)).toEqual(["It stays on the platform, as OAuthProvider new, which has it."]);
    },
  );

  const patch = { method: "PATCH", certain: true, fields: ["client_secret"], mayHave: [] };
  test.each<[why: string, rows: object[], requests: object[], text: string]>([
    ["a change is sent", [secret, follows("update", fresh)], [patch], "Taken over, and changed to match this program."],
    ["nothing where nothing differs", [follows("same", shown)], [], "Taken over as it is: nothing is sent."],
  ])("%s, and the row of before sends no delete", (_why, rows, requests, text) =>
    expect(shownOf(review([imported, ...rows, left]))).toEqual([
      ["new", "import", requests, text],
      ["old", "leave", [], "It stays on the platform, as OAuthProvider new, which adopts it."],
    ]),
  );

  test.each<[why: string, row: object[], requests: object[]]>([
    ["what differs is sent", [secret, follows("update", fresh)], [patch]],
    ["nothing where nothing differs", [], []],
  ])("a row of its own that it imports anew stays: %s", (_why, rows, requests) => {
    const anew = (op: string, sides: Given) =>
      step({ op, type, name: "new", ...sides, state: { ...state, id: "github-1" } });
    const again = step({ op: "import-replacement", type, name: "new", new: fresh, state: { ...state, id: "" } });
    const ends = [anew("replace", { old: shown, new: shown }), ...rows, anew("delete-replaced", { old: shown })];
    expect(only(again, ...ends)).toMatchObject({ operation: "import", requests });
  });

  test("another object than its row's, in whose place it comes: that one is deleted, and nothing is created", () => {
    const at = (id: string, sides: Given) => step({ type, name: "new", ...sides, state: { ...state, id } });
    const again = at("", { op: "import-replacement", new: fresh });
    const gone = at("github-1", { op: "delete-replaced", old: shown });
    const found = at("github-2", { op: "replace", new: shown });
    found.resourcePreEvent.metadata.old = gone.resourcePreEvent.metadata.old;
    const requests = [{ method: "DELETE", certain: true, fields: [], mayHave: [] }];
    expect(shownOf(review([again, found, gone]))).toEqual([
      ["new", "delete", requests, "Deleted, since another one is imported in its place."],
      ["new", "import", [], "Taken over as it is: nothing is sent."],
    ]);
  });

  test("a revision that comes with it is a risk", () => {
    const of = (op: string, more: Given) => step({ op, ...more, state: { id: more.old ? "id-1" : "" } });
    const next = { ...desk, sourceRevisionConfig: { imageUri: "a:2" } };
    const object = only(of("import", { new: next }), of("update", { old: desk, new: next }));
    expect(object).toMatchObject({
      operation: "import",
      risk: "new revision",
      requests: [{ method: "PATCH", certain: true, fields: ["source_revision_config"] }],
    });
    expect(object.fields.map(({ path }) => path)).toEqual(["sourceRevisionConfig.imageUri"]);
    expect(texts(object)).toContain("Makes a new revision, but nothing waits for it.");
  });
});

describe("what the state has deleted with another resource: the engine sends no delete for it", () => {
  const [deployment, assistant, cron] = ["Deployment", "Assistant", "Cron"].map((kind) => `${DYNAMIC}:${kind}`);
  const leaves = (type: string | undefined, state: Values = {}) =>
    step({ op: "delete", type: type ?? "", old: desk, state });
  const deletedWith = {
    [urnOf(assistant ?? "")]: urnOf(deployment ?? ""),
    [urnOf(cron ?? "")]: urnOf(assistant ?? ""),
  };
  test.each<[why: string, deployment: object, operation: string, requests: boolean[], text: RegExp]>([
    [
      "it goes with that",
      leaves(deployment),
      "delete",
      [],
      /^Deleted, together with Assistant it \(deletedWith\): nothing is sent for it/,
    ],
    [
      "it stays where that stays",
      leaves(deployment, { retainOnDelete: true }),
      "leave",
      [],
      /^The Cron stays, since .* \(deletedWith\).*: nothing is sent for it\. To delete it, run pulumi up first with the program as it was\.$/,
    ],
  ])("%s", (_why, of, operation, requests, text) => {
    const { objects } = review([leaves(cron), leaves(assistant), of], { deletedWith });
    const found = objects.find(({ kind }) => kind === "Cron");
    expect([found?.operation, found?.requests.map(({ certain }) => certain)]).toEqual([operation, requests]);
    expect(found && texts(found)).toEqual([expect.stringMatching(text)]);
  });

  test("by itself where that stays in the program", () => {
    const { objects } = review([leaves(cron)], { deletedWith });
    expect(objects.map(({ requests }) => requests.map(({ certain }) => certain))).toEqual([[true]]);
  });

  test("perhaps, where that is replaced", () => {
    const replaced = [assistant, deployment].flatMap((type) =>
      ["delete-replaced", "replace", "create-replacement"].map((op) =>
        step({ op, type: type ?? "", old: desk, new: desk, keys: ["url"] }),
      ),
    );
    const { objects } = review(replaced, { deletedWith });
    const found = objects.find(({ kind }) => kind === "Assistant");
    expect(found?.requests.map(({ method, certain }) => [method, certain])).toContainEqual(["DELETE", false]);
  });
});

test("what an earlier replacement has left behind is deleted, and the resource itself stays", () => {
  const left = step({ op: "delete-replaced", old: desk, state: { id: "id-0" } });
  const { objects, unchanged } = review([step({ op: "same", old: desk, new: desk }), left]);
  expect(objects.map(({ id, operation, requests }) => [id, operation, requests.map(({ method }) => method)])).toEqual([
    ["id-0", "delete", ["DELETE"]],
  ]);
  expect(objects.map(texts)).toEqual([
    ["Deleted, and with it its address and all its revisions, since an earlier replacement has left it behind."],
  ]);
  expect(unchanged).toBe(1);
});

describe("what is sent", () => {
  const maps = { environmentVariables: { A: "1" }, secrets: { K: "[secret]" } };
  test.each<[why: string, old: Values, fresh: Values, sent: object[], codes: string[]]>([
    ["nothing where both maps are given up", { ...desk, ...maps }, desk, [], ["in place"]],
    [
      "what changed in extra",
      { ...desk, extra: { a: 1, source_revision_config: { x: 1 } } },
      { ...desk, extra: { a: 2, source_revision_config: { x: 1 } } },
      [{ method: "PATCH", certain: true, fields: ["a"], mayHave: [] }],
      ["in place"],
    ],
    [
      "what may change, beside what does",
      { ...desk, displayName: "A", environmentVariables: { A: "1" } },
      { ...desk, displayName: "B", environmentVariables: { A: UNKNOWN } },
      [{ method: "PATCH", certain: true, fields: ["display_name"], mayHave: ["secrets", "source_revision_config"] }],
      ["revision", "wiped"],
    ],
    [
      "a plain variable whose value is a secret may change",
      { ...desk, displayName: "A", environmentVariables: { A: "[secret]" } },
      { ...desk, displayName: "B", environmentVariables: { A: "[secret]" } },
      [{ method: "PATCH", certain: true, fields: ["display_name"], mayHave: ["secrets", "source_revision_config"] }],
      ["revision", "wiped"],
    ],
    [
      "any field, where extra is not known",
      desk,
      { ...desk, extra: UNKNOWN },
      [{ method: "PATCH", certain: false, fields: [], mayHave: ["*", "source_revision_config"] }],
      ["revision"],
    ],
    [
      "what is restored with a revision, if somebody else made the one before it",
      { ...desk, ...maps, sourceConfig: { resourceSpec: { cpu: 1 } } },
      { ...desk, ...maps, sourceConfig: { resourceSpec: { cpu: 2 } } },
      [{ method: "PATCH", certain: true, fields: ["source_config"], mayHave: ["source_revision_config"] }],
      ["revision"],
    ],
    [
      "the environment with it, where this program has changed that before",
      { ...desk, ...maps, sourceRevisionConfig: { imageUri: "a:2" }, __changedVariables: ["B"] },
      { ...desk, ...maps },
      [{ method: "PATCH", certain: true, fields: ["source_revision_config"], mayHave: ["secrets"] }],
      ["revision", "wiped"],
    ],
    [
      "all of it, where a revision is asked for anew",
      { ...desk, ...maps },
      { ...desk, ...maps, redeployTrigger: 1 },
      [{ method: "PATCH", certain: true, fields: ["secrets", "source_revision_config"], mayHave: [] }],
      ["revision", "wiped"],
    ],
  ])("%s", (_why, old, fresh, sent, codes) => {
    const object = only(step({ old, new: fresh }));
    expect(object.requests).toEqual(sent);
    expect(object.consequences.map(({ code }) => code)).toEqual(codes);
  });
});

describe("a create that finds an object by its own key sends no POST: a run that was cut off may have made it", () => {
  const place = { deploymentId: "0b3a2b8c-56a5-4fd1-9d7a-2f6a01a77c11", url: "https://desk.example" };
  const ofType = {
    Assistant: { ...place, name: "it", graphId: "agent" },
    Cron: { ...place, assistantId: "agent", schedule: "0 6 * * *", input: {} },
    SandboxSnapshot: { name: "it", image: "a:1", dockerImage: "a:1", fsCapacityBytes: 1073741824 },
    Deployment: desk,
    SandboxTemplate: { name: "box", image: "a:1", resources: { cpu: "1", memory: "1Gi" } },
  };
  const posts = (kind: string, inputs: Values, ops: readonly string[]) =>
    only(
      ...ops.map((op) => {
        const old = op === "create" ? undefined : inputs;
        return step({ op, type: `${DYNAMIC}:${kind}`, keys: ["name"], ...(old && { old }), new: inputs });
      }),
    ).requests.filter(({ method }) => method === "POST");
  const runs = [["create"], ["delete-replaced", "replace", "create-replacement"]];

  test.each(["Assistant", "Cron", "SandboxSnapshot"] as const)("%s", (kind) => {
    for (const ops of runs) {
      const [post, ...others] = posts(kind, ofType[kind], ops);
      expect(others).toEqual([]);
      expect(post).toMatchObject({ certain: false });
      // Where it is sent, these are in it.
      expect(post?.fields).not.toEqual([]);
    }
  });

  test.each(["Deployment", "SandboxTemplate"] as const)("%s has none", (kind) => {
    for (const ops of runs) expect(posts(kind, ofType[kind], ops)).toMatchObject([{ certain: true }]);
  });
});

test.each<[why: string, old: Values, fresh: Values, text: string]>([
  [
    "with the rest, since it is one list",
    {},
    { environmentVariables: { A: "2" } },
    "Sends all of environmentVariables and secrets: what was",
  ],
  [
    "with an image, only if somebody else made the latest revision",
    { __changedVariables: ["K"] },
    { sourceRevisionConfig: { imageUri: "a:2" } },
    "May send all of environmentVariables and secrets along, if somebody else made the latest revision: what was",
  ],
])("an environment is overwritten %s", (_why, old, fresh, text) => {
  const before = { ...desk, environmentVariables: { A: "1" }, secrets: { K: "[secret]" } };
  const object = only(step({ old: { ...before, ...old }, new: { ...before, ...fresh } }));
  const wiped = object.consequences.find(({ code }) => code === "wiped")?.text ?? "";
  expect(wiped).toBe(`${text} set elsewhere and is not declared here is removed; other values may be overwritten.`);
});

test("what the stack has only read and now declares is created", () => {
  const ops = ["create-replacement", "replace", "discard-replaced"];
  const events = ops.map((op) => {
    const made = step({ op, old: desk, new: desk });
    Object.assign(made.resourcePreEvent.metadata.old ?? {}, { external: true });
    return made;
  });
  expect(only(...events)).toMatchObject({ operation: "create", risk: "none", requests: [{ method: "POST" }] });
});

describe("what is replaced", () => {
  const [first, second] = [
    ["delete-replaced", "replace", "create-replacement"],
    ["create-replacement", "replace", "delete-replaced"],
  ];
  const replaced = (ops: readonly string[], fresh: Values, keys: readonly string[] = []): ReviewedObject =>
    only(...ops.map((op) => step({ op, keys, old: desk, new: { ...desk, ...fresh } })));

  test.each<[why: string, object: ReviewedObject, seen: object, text: RegExp]>([
    [
      "because that was asked for, which no field shows",
      replaced(first, {}),
      { operation: "replace", risk: "replacement", fields: [] },
      /^Deleted first, then created again: that was asked for/,
    ],
    [
      "or because of an option of the program, if a field changes",
      replaced(["delete-replaced", "replace"], { displayName: "Desk" }),
      {},
      /that was asked for \(replaceOnChanges, replaceWith, replacementTrigger, --replace/,
    ],
    [
      "not at all, where another one's replacement asks for that and the new one would come first",
      replaced(second, {}, ["replaceWith"]),
      { requests: [{ method: "POST", certain: false }] },
      /^Stays, and pulumi up fails: that was asked for .* Set the option deleteBeforeReplace: true\.$/,
    ],
    [
      "the new one comes first where the engine says so",
      replaced(second, { name: "other" }, ["name"]),
      { requests: [{ method: "POST", certain: true }, { method: "DELETE" }] },
      /^Created again, then the old one is deleted/,
    ],
    [
      "not at all, where that was asked for and the new one would come first: it finds the old one in its place",
      replaced(second, {}, ["id"]),
      { requests: [{ method: "POST", certain: false }] },
      /^Stays, and pulumi up fails: that was asked for .* Set the option deleteBeforeReplace: true\.$/,
    ],
    [
      "nor where a field changes as well",
      replaced(second, { sourceRevisionConfig: { imageUri: "a:2" } }, ["id"]),
      { requests: [{ method: "POST", certain: false }] },
      /^Stays, and pulumi up fails: that was asked for .* Set the option deleteBeforeReplace: true\.$/,
    ],
  ])("%s", (_why, object, seen, text) => {
    expect(object).toMatchObject(seen);
    expect(texts(object)).toEqual([expect.stringMatching(text)]);
  });

  test.each<[why: string, fresh: Values, keys: string[]]>([
    ["the declaration is as before", {}, []],
    ["it is another one", { source: "github" }, ["source"]],
    ["it is not known", { source: UNKNOWN }, ["source"]],
  ])("the old one is gone where a run was cut off behind its delete (pendingReplacement): %s", (_why, more, keys) => {
    const object = replaced(["replace", "create-replacement"], more, keys);
    expect(object.certain).toBe(true);
    expect(object.requests.map(({ method, certain }) => [method, certain])).toEqual([["POST", true]]);
    expect(texts(object)).toEqual(["Created again: an earlier run has deleted the old one, and was cut off."]);
  });

  describe("the old object of retainOnDelete stays, and the stack no longer has it", () => {
    const retained = (type: string, inputs: Values, fresh: Values, ops: readonly string[] = first): ReviewedObject => {
      const keys = Object.keys(fresh);
      const state = { retainOnDelete: true };
      return only(...ops.map((op) => step({ op, type, keys, state, old: inputs, new: { ...inputs, ...fresh } })));
    };
    const box = { name: "box", image: "a:1", resources: { cpu: "1", memory: "1Gi" } };
    const python = { name: "python", image: "a:1", dockerImage: "a:1", fsCapacityBytes: 1073741824 };

    test.each<[why: string, object: ReviewedObject, text: string, requests: string[]]>([
      [
        "the new one finds it in its place where the name is the key",
        retained(`${DYNAMIC}:SandboxTemplate`, box, { image: "a:2" }),
        "Stays, and pulumi up fails: image cannot change in place. The new one finds the old one in its place. " +
          "It stays on the platform (retainOnDelete). Declare another name.",
        ["POST"],
      ],
      [
        "beside the new one of another name",
        retained(`${DYNAMIC}:Deployment`, desk, { name: "other" }, second),
        "Created again: name cannot change in place. The old one leaves the stack. It stays on the platform (retainOnDelete).",
        ["POST"],
      ],
      [
        "beside the new one where names repeat",
        retained(`${DYNAMIC}:SandboxSnapshot`, python, { dockerImage: "a:2" }, second),
        "Created again: dockerImage cannot change in place. The old one leaves the stack. It stays on the platform (retainOnDelete).",
        ["POST"],
      ],
    ])("%s", (_why, object, text, requests) => {
      expect(object).toMatchObject({ operation: "replace", risk: "replacement" });
      expect(texts(object)[0]).toBe(text);
      expect(object.requests.map(({ method }) => method)).toEqual(requests);
    });
  });

  test("if the value for which it is replaced is not known, it may stay", () => {
    const object = replaced(first, { source: UNKNOWN }, ["source"]);
    expect(object).toMatchObject({ certain: false, risk: "replacement" });
    expect(object.fields).toEqual([
      { path: "source", change: "may change", before: "external_docker", unknown: true, replaces: true },
    ]);
  });
});

describe("the engine calls a change of an object an update where its connection has values of up, without asking for a diff", () => {
  const type = "pulumi:providers:agent-platform";
  const provider = `${urnOf(type, "there")}::p-1`;
  const there = (domain: string, contract: string) =>
    step({ op: "update", type, name: "there", old: { agentDomain: "a" }, new: { agentDomain: domain, contract } });
  const listens = (namespace: string) => ({ computeId: "eu", computeConfig: { k8sNamespaces: [namespace] } });
  const box = { name: "box", image: "a:1", resources: { cpu: "1", memory: "1Gi" } };
  const of = (kind: string, old: Values, fresh: Values, domain = UNKNOWN, contract = "extended") => {
    const changed = step({ type: `agent-platform:index:${kind}`, old, new: fresh, state: { provider } });
    const found = review([there(domain, contract), changed]).objects.find((object) => object.kind === kind);
    if (found === undefined) throw new Error("nothing is reviewed");
    return found;
  };

  test.each<[why: string, object: ReviewedObject, text: string]>([
    [
      "a field that cannot change in place",
      of("SandboxTemplate", box, { ...box, image: "a:2" }),
      "Deleted first, then created again: image cannot change in place",
    ],
    [
      "a new object with another name",
      of("Deployment", desk, { ...desk, name: "other" }),
      "Created again, then the old one is deleted: name cannot change in place",
    ],
  ])("it may be replaced for %s", (_why, object, text) => {
    expect(object).toMatchObject({ operation: "replace", certain: false, risk: "replacement" });
    expect(texts(object)[0]).toContain(text);
  });

  test.each<[why: string, object: ReviewedObject]>([
    ["for a field that can change in place", of("Deployment", desk, { ...desk, displayName: "Desk" })],
    [
      "for one of a kind that the other contract does not have",
      of("Listener", listens("a"), listens("b"), UNKNOWN, UNKNOWN),
    ],
    ["where the connection is known, so the engine asked", of("SandboxTemplate", box, { ...box, image: "b" }, "b")],
  ])("but not %s", (_why, object) => expect(object).toMatchObject({ operation: "update", certain: true }));
});

test("a value that is only known at up names the changed objects from which it comes, and no others", () => {
  const box = urnOf(`${DYNAMIC}:SandboxTemplate`, "box");
  const old = urnOf(`${DYNAMIC}:SandboxTemplate`, "old");
  const events = [
    step({ old: desk, new: { ...desk, environmentVariables: { BOX: UNKNOWN } } }),
    step({ op: "create", type: `${DYNAMIC}:SandboxTemplate`, name: "box", new: { name: "box" } }),
    step({ op: "same", type: `${DYNAMIC}:SandboxTemplate`, name: "old", old: {}, new: {} }),
  ];
  const dependencies = { [urnOf(`${DYNAMIC}:Deployment`)]: { environmentVariables: [box, old] } };
  const { objects } = review(events, { dependencies });
  expect(objects[0]?.fields).toEqual([
    { path: "environmentVariables.BOX", change: "new", unknown: true, waitsFor: ["SandboxTemplate box"] },
  ]);
});

describe("secrets", () => {
  const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "[secret]" };
  const told = (field: string, severity = "debug") => ({
    diagnosticEvent: {
      urn: urnOf(`${DYNAMIC}:Deployment`),
      message: `${secretData([{ field, name: "A", how: "changed" }])}\n`,
      severity,
    },
  });
  const rotated = step({ old: { ...desk, secrets: mark }, new: { ...desk, secrets: mark } });

  test.each([
    ["a sentence of the program", told("secrets", "info")],
    ["a field that is not secret", told("name")],
  ])("%s names none, and the change is said all the same", (_why, line) => {
    const object = only(rotated, line);
    expect(object.fields).toEqual([]);
    expect(object.consequences.map(({ code }) => code)).toEqual(["unnamed", "revision", "wiped"]);
    expect(object.risk).toBe("new revision");
  });

  test("a plain value that becomes secret is not shown any more", () => {
    const object = only(
      step({ old: { ...desk, environmentVariables: { A: "canary" } }, new: { ...desk, environmentVariables: mark } }),
    );
    expect(JSON.stringify(object)).not.toContain("canary");
    expect(object.fields).toEqual([{ path: "environmentVariables", change: "changes", secret: true }]);
  });
});

test("a resource of another provider has its fields, and the engine's reasons", () => {
  const [old, fresh] = [
    { bucket: "a", __defaults: [] },
    { bucket: "b", tags: { a: "1" } },
  ];
  const object = only(step({ op: "replace", type: BUCKET, keys: ["bucket"], old, new: fresh }));
  expect(object).toMatchObject({ kind: "Bucket", operation: "replace", risk: "replacement" });
  expect(object.fields).toEqual([
    { path: "bucket", change: "changes", before: "a", after: "b", replaces: true },
    { path: "tags.a", change: "new", after: "1" },
  ]);
});

test("the stack, components and default providers are not objects; a read changes nothing", () => {
  const component = step({ op: "create", type: "example:index:Desk", new: {}, state: { custom: false } });
  const provider = step({ op: "create", type: "pulumi:providers:pulumi-nodejs", name: "default", new: {} });
  const read = step({ op: "read", new: desk, state: { external: true } });
  expect(review([component, provider, read])).toMatchObject({ result: "no changes", objects: [], unchanged: 0 });
});

test("a stack that moves to the other plugin changes nothing on the platform", () => {
  const type = "agent-platform:index:Deployment";
  const back = step({ old: desk, new: { ...desk, __provider: "a" } });
  expect(only(back)).toMatchObject({ risk: "none", fields: [] });
  expect(texts(only(back))).toEqual(["Becomes a dynamic resource again: nothing is sent."]);

  const { resourcePreEvent } = step({ op: "same", type, old: desk, new: desk });
  const old = { ...resourcePreEvent.metadata.old, urn: urnOf(`${DYNAMIC}:Deployment`) };
  const moved = review([{ resourcePreEvent: { metadata: { ...resourcePreEvent.metadata, old } } }]);
  expect(moved).toMatchObject({ result: "no changes", risk: "none", unchanged: 0 });
  expect(moved.headline).toMatch(/^No changes: the one object of stack \S+ stays as declared, 1 renamed\.$/);
  expect(moved.objects.flatMap(texts)).toEqual(["Has another parent or type in the program: nothing is sent."]);
});

test("a preview that ended early is not taken for one without changes", () => {
  const text = JSON.stringify(step({ old: desk, new: desk }));
  const { result, errors } = reviewOf(
    { stack: "s", events: parseEvents(text), dependencies: {}, deletedWith: {}, failure: [] },
    undefined,
  );
  expect([result, errors]).toEqual(["failed", ["the engine stopped before its preview was complete"]]);
});

test("a deployment that is renamed in the program with its rollout waits for nothing", () => {
  const rollout = { deploymentId: "id-1", revisionId: "r" };
  const renamed = (type: string, inputs: Values): object => {
    const { resourcePreEvent } = step({ op: "same", type, name: "new", old: inputs, new: inputs });
    const old = { ...resourcePreEvent.metadata.old, urn: urnOf(type, "old") };
    return { resourcePreEvent: { metadata: { ...resourcePreEvent.metadata, old } } };
  };
  const { objects } = review([renamed(`${DYNAMIC}:Deployment`, desk), renamed(`${DYNAMIC}:Rollout`, rollout)]);
  const [deployment] = objects.filter(({ kind }) => kind === "Deployment");
  expect(deployment && texts(deployment)).toEqual(["Was called old in the program before: nothing is sent."]);
});
