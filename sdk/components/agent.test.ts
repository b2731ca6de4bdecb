import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { Agent, AgentEnvironment, type AgentArgs, Assistant, Deployment, Rollout, RunCheck, SandboxTemplate } from "..";
import { valueOf } from "../../tests/support/value-of";

const Inputs = z.record(z.string(), z.unknown());
beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }: { name: string; inputs: unknown }) => ({
      id: `${name}-id`,
      state: {
        ...Inputs.parse(inputs),
        url: `https://${name}.example`,
        activeRevisionId: "serves",
        latestRevisionId: "asked",
      },
    }),
    call: () => ({}),
  }),
);

const IMAGE = { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } };
const KEPT = { assistants: { triage: { graphId: "agent" } } };

test("its outputs are those of its parts", async () => {
  const desk = new Agent("desk", { ...IMAGE, ...KEPT, check: { assistant: "triage", input: {} } });
  const { url, deployed, revisionId, latestRevisionId, deploymentId, assistantIds } = desk;
  expect(
    await valueOf(pulumi.output({ url, deployed, revisionId, latestRevisionId, deploymentId, assistantIds })),
  ).toEqual({
    url: "https://desk.example",
    deployed: true,
    revisionId: "serves",
    latestRevisionId: "asked",
    deploymentId: "desk-id",
    assistantIds: { triage: "desk-triage-id" },
  });
});

test("without a rollout nothing serves, and nothing is waited for", async () => {
  const { url, deployed, revisionId } = new Agent("desk", { ...IMAGE, awaitRollout: false });
  expect(await valueOf(pulumi.output([url, deployed, revisionId]))).toEqual([null, false, null]);
});

test("protect is for what people use: its check and its wait can be taken out, or another asked", () => {
  const parts: unknown[] = [];
  const transformations = [({ resource }: pulumi.ResourceTransformationArgs) => void parts.push(resource)];
  new Agent("desk", { ...IMAGE, ...KEPT, check: { input: {} } }, { protect: true, transformations });
  const isProtected = (part: unknown): unknown => part instanceof pulumi.Resource && Reflect.get(part, "__protect");
  const of = (type: abstract new (...args: never[]) => unknown) => parts.filter((part) => part instanceof type);
  expect([Agent, Deployment, Assistant, Rollout, RunCheck].map((type) => of(type).map(isProtected))).toEqual([
    [true],
    [true],
    [true],
    [false],
    [false],
  ]);
});

test.each<[why: string, given: object, customTimeouts: pulumi.CustomTimeouts | undefined, limit: string | undefined]>([
  ["none", {}, undefined, undefined],
  ["that of the options", {}, { create: "1h" }, "1h"],
  ["the argument's goes before it", { rolloutTimeout: "45m" }, { create: "1h" }, "45m"],
  ["what the options do not limit", {}, { create: "", update: "5m" }, undefined],
])("how long its rollout waits: %s", async (_why, given, customTimeouts, limit) => {
  const { deployment } = new Agent("desk", { ...IMAGE, ...given }, { customTimeouts });
  expect(await valueOf(pulumi.output(deployment.rollout?.rolloutTimeout))).toBe(limit);
});

test("its parts take over what was at the top level under their names; what a program puts below it does not", async () => {
  const desk = new Agent("desk", { ...IMAGE, ...KEPT });
  const code = { image: "a", resources: { cpu: "1" } };
  const own = [desk, desk.deployment].map((parent) => new SandboxTemplate("code", code, { parent }));
  const aliases = z.array(z.custom<pulumi.Output<string>>((each) => pulumi.Output.isInstance(each)));
  const atTop = async (resource: pulumi.Resource | undefined) => {
    const urns = await Promise.all(aliases.parse(Reflect.get(resource ?? {}, "__aliases")).map(valueOf));
    return urns.filter((urn) => !urn.includes("$")).map((urn) => urn.replace(/^.*::(.*):(.*::)/, "$1 $2"));
  };
  const onEither = (part: string) =>
    ["agent-platform:index", "pulumi-nodejs:dynamic/agent-platform"].map((plugin) => `${plugin} ${part}`);
  const { deployment, assistants } = desk;
  expect(await Promise.all([deployment, deployment.rollout, assistants["triage"], ...own].map(atTop))).toEqual([
    onEither("Deployment::desk"),
    [...onEither("Rollout::desk"), ...onEither("Rollout::desk-rollout")],
    onEither("Assistant::desk-triage"),
    [],
    [],
  ]);
});

/** Arguments that no compiler has seen, as a program in JavaScript or another language gives them. */
const unseen = (given: object): AgentArgs => Object.assign({}, IMAGE, given);

test.each<[why: string, wrong: object, says: string]>([
  ["a property that is none", { asistants: {} }, 'has no property "asistants"; check the spelling'],
  ["no graph", { assistants: { triage: {} } }, "assistants.triage.graphId: is required (a string)"],
  ["no schedule", { crons: { digest: { assistantId: "agent" } } }, "crons.digest.schedule: is required (a string)"],
  ["another type", { check: { expect: { interrupt: 1 } } }, "check.expect.interrupt: must be a boolean, not a number"],
  ["no object", { check: true }, "check: must be an object, not a boolean"],
  ["another place's", { check: { revisionId: "r" } }, 'check: has no property "revisionId"'],
  [
    "an assistant of no such name",
    { crons: { c: { assistant: "x", schedule: "@daily" } } },
    'crons.c.assistant: the agent has no assistant "x"; it has none',
  ],
  [
    "an assistant of no such name, beside one",
    { ...KEPT, check: { assistant: "trage" } },
    'check.assistant: the agent has no assistant "trage"; it has "triage"',
  ],
  [
    "an assistant whose name every object inherits",
    { crons: { c: { assistant: "toString", schedule: "@daily" } } },
    "crons.c.assistant: the agent has no assistant",
  ],
  ["an output that decides what there is", { check: pulumi.output({}) }, "check: must be a value, not an output"],
  ["in a map", { assistants: { a: pulumi.output({ graphId: "g" }) } }, "assistants.a: must be a value, not an output"],
  ["in a part", { check: { assistant: pulumi.output("a") } }, "check.assistant: must be a value, not an output"],
])("wrong arguments are refused with their path: %s", (_why, wrong, says) => {
  expect(() => new Agent("desk", unseen(wrong))).toThrow(`Agent "desk": ${says}`);
  expect(() => new AgentEnvironment("team", { agents: { desk: unseen(wrong) } })).toThrow(
    `AgentEnvironment "team": agents.desk${says.startsWith("has") ? ": " : "."}${says}`,
  );
});

test.each<[why: string, given: object]>([
  ["another one's output", { displayName: pulumi.output("x"), environmentVariables: { A: pulumi.output("x") } }],
  ["one in a part", { ...KEPT, check: { input: pulumi.output({}), assistantId: "agent" } }],
  ["nothing", { check: undefined, assistants: null, displayName: null }],
  ["nothing under a name", { assistants: { a: undefined, b: null }, crons: { c: undefined } }],
])("what a part may take is taken: %s", (_why, given) => {
  expect(() => new Agent("desk", unseen(given))).not.toThrow();
});
