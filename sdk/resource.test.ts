import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import * as sdk from ".";
import { MANAGED_TYPES, objectPlaceOf, RESOURCE_TYPES, type ResourceType } from "../provider/resources/resource-types";
import { CASES } from "../tests/conformance/cases";

const { Deployment, OAuthProvider, Rollout, RunCheck, SandboxTemplate } = sdk;

const warnings: string[] = [];
beforeEach(async () => {
  warnings.length = 0;
  jest.spyOn(pulumi.log, "warn").mockImplementation((message) => {
    warnings.push(message);
    return Promise.resolve();
  });
  await pulumi.runtime.setMocks({ newResource: ({ name }) => ({ id: name, state: {} }), call: () => ({}) });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const AGENT = { deploymentId: "d", url: "https://a.example" };
const OWN: Readonly<Partial<Record<ResourceType, (options?: pulumi.CustomResourceOptions) => pulumi.CustomResource>>> =
  {
    SandboxTemplate: (options) => new SandboxTemplate("it", { image: "a", resources: {} }, options),
    OAuthProvider: (options) =>
      new OAuthProvider("it", { providerId: "p", name: "P", clientId: "c", authUrl: "a", tokenUrl: "t" }, options),
    Deployment: (options) =>
      new Deployment("it", { source: "external_docker", sourceRevisionConfig: { imageUri: "a" } }, options),
    Rollout: (options) => new Rollout("it", { deploymentId: "d" }, options),
    RunCheck: (options) => new RunCheck("it", { url: "https://a.example", assistantId: "a" }, options),
    Assistant: (options) => new sdk.Assistant("it", { ...AGENT, graphId: "a" }, options),
    Cron: (options) => new sdk.Cron("it", { ...AGENT, assistantId: "a", schedule: "@daily" }, options),
  };
/** A resource of the kind; one without a line above has the program of its conformance case. */
function make(kind: ResourceType, options?: pulumi.CustomResourceOptions): void {
  const own = OWN[kind];
  if (own !== undefined) return void own(options);
  const made = new Map<string, unknown>(Object.entries(sdk)).get(kind);
  const managedType = MANAGED_TYPES.find((each) => each === kind);
  if (typeof made !== "function" || managedType === undefined)
    throw new Error(`${kind} needs a line in sdk/resource.test.ts`);
  Reflect.construct(made, ["it", CASES[managedType].program, options]);
}

test.each(
  RESOURCE_TYPES.map((kind) => {
    const wayOut = {
      platform: 'set adopt: true (found by its name) or adopt: "<its id>"',
      agent: 'set adopt: "<its id>" instead',
      none: `a ${kind} has no object on the platform to import; leave the option out`,
    };
    return [kind, wayOut[objectPlaceOf(kind)]] as const;
  }),
)("%s: the option import is refused where it stands, with the way out", (kind, wayOut) => {
  const message = `${kind} "it": the option import does not work with dynamic resources: `;
  expect(() => make(kind, { import: "id" })).toThrow(message);
  expect(() => make(kind, { import: "id" })).toThrow(wayOut);
});

test.each(RESOURCE_TYPES)("%s without arguments, as JavaScript allows, is left to the check", (kind) => {
  const made: unknown = Reflect.get(sdk, kind);
  if (typeof made !== "function") throw new Error(`${kind} is no class`);
  for (const none of [undefined, null]) expect(() => void Reflect.construct(made, ["it", none])).not.toThrow();
});

test.each(["RunCheck", "Assistant", "Cron"] as const)("%s: an id in the place of a deployment is refused", (kind) => {
  const made = () => void Reflect.construct(sdk[kind], ["it", { deployment: "an id", rollBack: true }]);
  expect(made).toThrow(`${kind}: deployment and assistant must be resources; to name one by its id, give deploymentId`);
});

test("get without an id, as from a variable that is not set, is refused as that", () => {
  for (const id of [undefined, ""])
    expect(() => new sdk.Deployment("it", undefined, { id })).toThrow(
      'Deployment "it": to read an existing one, Deployment.get needs its id, which has no value',
    );
});

test.each<[what: string, value: unknown, message: RegExp]>([
  [
    "a date",
    new Date(0),
    /^Assistant "it": metadata\.a\[1\]: .* not a Date, .*: write it as text, with toISOString\(\)$/,
  ],
  ["a map", new Map(), /not a Map, .*: write it as an object, with Object\.fromEntries/],
  ["a set", new Set(["a"]), /not a Set, .*: write it as an array, with Array\.from/],
  ["a pattern", /a/, /not a RegExp, /],
  ["an address", new URL("https://a.example"), /not a URL, /],
  ["a function", () => "a", /not a function, /],
  ["a symbol", Symbol("a"), /not a symbol, /],
  ["a big integer", 1n, /not a bigint, .*: write it as text/],
])("%s, which the SDK would send as an empty one or leave out, is refused with its path", (_what, value, message) => {
  const args = { ...AGENT, graphId: "a", metadata: { a: [1, value] } };
  expect(() => void Reflect.construct(sdk.Assistant, ["it", args])).toThrow(message);
});

test("what has its JSON later, or is an object with keys, is not refused", () => {
  class Settings {
    readonly depth = 1;
  }
  const bare: unknown = Object.create(null);
  const later = [Promise.resolve("a"), pulumi.output("a"), pulumi.secret({ a: "b" })];
  const metadata = { a: [...later, bare, new Settings(), null, undefined, {}, []] };
  expect(() => void Reflect.construct(sdk.Assistant, ["it", { ...AGENT, graphId: "a", metadata }])).not.toThrow();
});

test("an output that is secret, or repeats a secret input, is encrypted, and no other", async () => {
  const requested: [string, string[]][] = [];
  const monitor: unknown = pulumi.runtime.getMonitor();
  const { registerResource: register } = z.object({ registerResource: z.function() }).parse(monitor);
  Object.assign(monitor ?? {}, {
    registerResource: (
      request: { getName(): string; getAdditionalsecretoutputsList(): string[] },
      ...rest: unknown[]
    ) => {
      requested.push([request.getName(), request.getAdditionalsecretoutputsList()]);
      const done: unknown = Reflect.apply(register, monitor, [request, ...rest]);
      return done;
    },
  });
  const customUrl = pulumi.secret("https://desk.example");
  new Rollout("hidden", { deploymentId: "d", customUrl });
  new Rollout("open", { deploymentId: "d", customUrl: "https://desk.example" });
  new RunCheck("answers", { url: "https://a.example", assistantId: "a", input: {} });
  await pulumi.runtime.disconnect();
  expect(Object.fromEntries(requested)).toEqual({
    hidden: ["url", "__customUrl"],
    open: [],
    answers: ["digest", "output"],
  });
});

test("an object that may be empty may be left out, and is then empty", async () => {
  const newResource = ({ inputs }: { readonly inputs: object }) => ({ id: "it", state: inputs });
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) });
  const { resources } = new SandboxTemplate("it", { image: "a" });
  const { computeConfig } = new sdk.Listener("it", { computeId: "a" });
  const shown = await new Promise((resolve) => pulumi.all([resources, computeConfig]).apply(resolve));
  expect(shown).toEqual([{}, {}]);
});

test.each<[kind: ResourceType, isFirst: boolean, why: string]>([
  ["SandboxTemplate", true, "its name has to be free"],
  ["SandboxSnapshot", false, "names repeat"],
  ["SandboxVolume", false, "its data would be lost where the new one cannot be made, or is a clone of it"],
])("%s: that the old object of a replacement is deleted first is %p, because %s", (kind, isFirst) => {
  let given: pulumi.CustomResourceOptions = {};
  const transformations = [({ opts }: pulumi.ResourceTransformationArgs) => void (given = opts)];
  make(kind, { transformations });
  expect(given.deleteBeforeReplace === true).toBe(isFirst);
});

const timeouts = { create: "1m", update: "1m", delete: "1m" };
test.each<[kind: ResourceType, ignored: string]>([
  ["SandboxTemplate", "customTimeouts.create and customTimeouts.update and customTimeouts.delete have no effect"],
  ["OAuthProvider", "customTimeouts.create and customTimeouts.update and customTimeouts.delete have no effect"],
  ["Deployment", "customTimeouts.update and customTimeouts.delete have no effect"],
  ["Rollout", "customTimeouts.update and customTimeouts.delete have no effect"],
  ["RunCheck", "customTimeouts.update and customTimeouts.delete have no effect"],
])("%s: warns once of each option that has no effect", (kind, ignored) => {
  make(kind, { replaceOnChanges: ["*"], customTimeouts: timeouts });
  expect(warnings).toEqual([
    expect.stringContaining(`${kind} "it": the option replaceOnChanges has no effect on dynamic resources`),
    expect.stringContaining(`${kind} "it": ${ignored}`),
  ]);
});

test.each(RESOURCE_TYPES)("%s: warns of nothing that works", (kind) => {
  make(kind, { protect: true, ignoreChanges: ["name"], replaceOnChanges: [] });
  expect(warnings).toEqual([]);
});

test("under mocks nothing is said of a rollout that a run leaves out, whatever they answer", async () => {
  const state = { latestRevisionId: "r-1" };
  await pulumi.runtime.setMocks({
    newResource: ({ name, type }) => ({ id: name, state: type.endsWith(":Deployment") ? state : {} }),
    call: () => ({}),
  });
  const { rollout } = new Deployment("it", { source: "external_docker", sourceRevisionConfig: { imageUri: "a" } });
  await new Promise((resolve) => rollout?.activeRevisionId.apply(resolve));
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
});
