import { styleFor } from "../base/style";
import { REVIEW_FORMATS } from "./command";
import type { Review, ReviewedField, ReviewedObject, ReviewedPolicy } from "./review";
import { stanzasOf, violatedPolicies } from "./stanzas";

const urnOf = (kind: string, name: string): string => `urn:pulumi:prod::shop::agent-platform:index:${kind}::${name}`;
const object = (kind: string, name: string, over: Partial<ReviewedObject> = {}): ReviewedObject => ({
  urn: urnOf(kind, name),
  type: `agent-platform:index:${kind}`,
  kind,
  name,
  operation: "update",
  certain: true,
  risk: "new revision",
  consequences: [{ code: "revision", text: "Makes a new revision, for which pulumi up waits at most 30m." }],
  requests: [],
  fields: [],
  ...over,
});
const key: ReviewedField = { path: "secrets.MODEL_KEY", change: "changes", secret: true };
const image = (tag: string): ReviewedField => ({
  path: "sourceRevisionConfig.imageUri",
  change: "changes",
  before: "a:1",
  after: tag,
});
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `agent-${index}`);
const review = (objects: ReviewedObject[], over: Partial<Review> = {}): Review => ({
  ...{ version: 1, stack: "prod", result: "changes", risk: "new revision", headline: "Stack prod: the headline." },
  ...{ refusals: [], errors: [], policies: [], objects, unchanged: 0, warnings: [] },
  ...over,
});
const text = (of: Review): string => REVIEW_FORMATS.text(of, styleFor(false, {}));

test("ten agents whose shared key rotates are one stanza with all names, and their rollouts are told with them", () => {
  const agents = names(10).map((name) => object("Deployment", name, { fields: [key] }));
  const rollouts = agents.map(({ name, urn }) =>
    object("Rollout", name, {
      partOf: urn,
      certain: false,
      risk: "none",
      consequences: [{ code: "wait", text: "Waits." }],
    }),
  );
  expect(text(review([...agents, ...rollouts]))).toBe(`Stack prod: the headline.

10 Deployments will be updated
  ${names(8).join(", ")},
  agent-8, agent-9
  * Makes a new revision, for which pulumi up waits at most 30m.
  secrets.MODEL_KEY  [secret]  -> changes
`);
});

test("thousands that change alike take time that grows with their number, not with its square", () => {
  const fields = [key, image("a:2"), { ...key, path: "secrets.SEARCH_KEY" }];
  const agents = names(4_000).map((name) => object("Deployment", name, { fields }));
  const before = process.cpuUsage().user;
  expect(stanzasOf(review(agents))).toHaveLength(1);
  expect(process.cpuUsage().user - before).toBeLessThan(10_000_000);
});

test("agents that are imported are one stanza, and each name has the id of its object", () => {
  const imported = ["a", "b"].map((name) => object("Deployment", name, { operation: "import", id: `id-${name}` }));
  expect(text(review(imported))).toContain(
    "2 Deployments will be imported\n  a (id-a), b (id-b)\n  * Makes a new revision",
  );
});

test("what differs between them is told once for each, behind everything else", () => {
  const agents = ["a", "b"].map((name) => object("Deployment", name, { fields: [key, image(`${name}:2`)] }));
  expect(text(review(agents, { warnings: ["mind the gap", "mind the gap"] }))).toBe(`Stack prod: the headline.

2 Deployments will be updated
  a, b
  * Makes a new revision, for which pulumi up waits at most 30m.
  secrets.MODEL_KEY  [secret]  -> changes
  2 fields of their own, in detail below

warning: mind the gap

In detail:

2 Deployments
  a  sourceRevisionConfig.imageUri  "a:1"  -> "a:2"
  b  sourceRevisionConfig.imageUri  "a:1"  -> "b:2"
`);
});

test("a value that only `up` makes known is told once, whatever it was and waits for; alone, with both", () => {
  const unknown = (name: string): ReviewedField => ({
    ...{ path: "url", change: "may change", before: `http://${name}`, unknown: true, waitsFor: [`Rollout ${name}`] },
  });
  const assistants = ["a", "b"].map((name) => object("Assistant", name, { fields: [unknown(name)] }));
  expect(text(review(assistants))).toMatch(/\n {2}url {2}may change: known at up\n$/);
  expect(text(review(assistants.slice(0, 1)))).toMatch(/ {2}-> may change: known at up, from Rollout a\n$/);
});

test("of new objects, the image and what else differs is a line each, without the names that they are listed with", () => {
  const added = (field: Partial<ReviewedField>): ReviewedField => ({ path: "name", change: "new", ...field });
  const agents = ["a", "b"].map((name) =>
    object("Deployment", name, {
      operation: "create",
      consequences: [],
      fields: [
        added({ after: name }),
        added({ path: "secrets.MODEL_KEY", secret: true }),
        added({ path: "sourceRevisionConfig.imageUri", after: `${name}:1` }),
      ],
    }),
  );
  expect(text(review(agents))).toBe(`Stack prod: the headline.

2 Deployments will be created
  a, b
  secrets.MODEL_KEY  is new
  2 fields of their own, in detail below

In detail:

2 Deployments
  a  sourceRevisionConfig.imageUri  "a:1"
  b  sourceRevisionConfig.imageUri  "b:1"
`);
});

test.each<[what: string, other: Partial<ReviewedObject>]>([
  ["another operation", { operation: "delete" }],
  ["another risk", { risk: "none" }],
  ["another consequence", { consequences: [] }],
  ["one that may stay as it is", { certain: false }],
])("%s is told apart", (_what, other) => {
  const objects = [object("Deployment", "a"), object("Deployment", "b", other)];
  expect(stanzasOf({ objects }).map((stanza) => stanza.objects.map(({ name }) => name))).toEqual([["a"], ["b"]]);
});

test("the riskiest comes first, as in the review, and what belongs to nothing that changes stands alone", () => {
  const rollout = object("Rollout", "gone", { partOf: urnOf("Deployment", "not-here") });
  const objects = [object("SandboxTemplate", "lost", { operation: "delete" }), object("Deployment", "a"), rollout];
  expect(stanzasOf({ objects }).map(({ objects: [first] }) => first?.name)).toEqual(["lost", "a", "gone"]);
});

describe("a rule that fourteen templates break", () => {
  const broken = (message: string, at: number): ReviewedPolicy => ({
    ...{
      pack: "agent-environment",
      policy: "pinned-image",
      level: "advisory",
      object: `SandboxTemplate box-${at}`,
      message,
    },
  });

  test("is one entry with all of them", () => {
    const policies = Array.from({ length: 14 }, (_, index) => broken("Pin it.", index));
    expect(violatedPolicies({ policies })).toHaveLength(1);
    const shown = text(review([], { policies }));
    expect(shown.match(/policy pinned-image/g)).toHaveLength(1);
    for (const { object: name = "" } of policies) expect(shown).toContain(name);
  });

  test("with a message for each, says which is whose", () => {
    const policies = [broken("Tag latest.", 0), broken("No tag.", 1), broken("Tag latest.", 2)];
    expect(violatedPolicies({ policies })[0]?.messages).toEqual([
      { message: "Tag latest.", objects: ["SandboxTemplate box-0", "SandboxTemplate box-2"] },
      { message: "No tag.", objects: ["SandboxTemplate box-1"] },
    ]);
  });
});

describe("a review of 100 changes", () => {
  const objects = names(100).map((name, index) =>
    index < 50
      ? object("Deployment", name, { fields: [key, image(`registry.example/${name}:2`)] })
      : object("SandboxTemplate", name, {
          ...{ operation: "create", risk: "none", consequences: [] },
          fields: [{ path: "image", change: "new", after: `${name}:1` }],
        }),
  );
  const whole = review(objects);

  test("fits one screen, before the details", () => {
    const [screen = "", details = ""] = text(whole).split("In detail:");
    expect(screen.split("\n").length).toBeLessThan(40);
    expect(Math.max(...screen.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(details.match(/^ {2}agent-\d+ {2}sourceRevisionConfig.imageUri\s+"a:1"\s+-> "registry/gm)).toHaveLength(50);
    expect(Math.max(...details.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    const [, created = ""] = details.split("50 SandboxTemplates\n");
    expect(created.trimEnd().split("\n")).toEqual([
      ...objects.slice(50, 90).map(({ name }) => `  ${name}  image  "${name}:1"`),
      "  10 more: --format json shows them",
    ]);
  });

  test.each(["text", "markdown", "json"] as const)("%s names every object", (format) => {
    const shown = REVIEW_FORMATS[format](whole, styleFor(false, {}));
    for (const { name } of objects) expect(shown).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
