import { z } from "zod";
import { deployments, revisions, sandboxTemplates, startEmulator, type Emulator, type Layer } from "../../emulator";
import { realClock, type Clock } from "../../provider/base/clock";
import { isUnfinished } from "../../provider/base/errors";
import { isObject, UNKNOWN, type JsonObject } from "../../provider/base/json";
import { neededIn } from "../../provider/lifecycle/observe/shortest-declaration";
import { createSession } from "../../provider/lifecycle/session";
import { NativePlugin } from "../../provider/native/native-plugin";
import { PluginRun } from "../../provider/native/run";
import { marshal } from "../../provider/base/engine-format";
import { unmarshal } from "../../provider/native/values";
import { FUNCTIONS } from "../../provider/functions/functions";
import { problemsOf } from "../../provider/lifecycle/fields/schema";
import { object } from "../../provider/lifecycle/fields/types";
import { argumentRows, type Fields, type Shape } from "../../provider/lifecycle/fields/table";
import { RESOURCE_TYPES, MANAGED_TYPES, nativeToken, type ResourceType } from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";
import { FakeClock } from "../support/fake-clock";
import { ask, deploymentOf } from "../support/ask";
import { ofTest } from "../support/of-suite";
import { CASES, PLAYED } from "./cases";

// The front of the native plugin, without an engine: what it makes of the protocol's messages, for every kind.

let emulator: Emulator;
let plugin: NativePlugin;
let run: PluginRun;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0, githubIntegrations: [{ id: "i-1", name: "acme" }] });
});
/** A process of its own, which knows nothing of the one before. */
function startPlugin(
  settings: JsonObject = { baseUrl: emulator.url, apiKey: emulator.apiKey },
  clock: Clock = realClock,
  urn?: string,
): void {
  run = new PluginRun(realClock);
  plugin = new NativePlugin(createSession({ signal: run.signal, clock }), run);
  plugin.configure(settings, urn);
}
beforeEach(() => startPlugin());
afterEach(() => {
  emulator.reset();
  emulator.clearLog();
});
afterAll(() => emulator.close());

/** The front of a type in this process. */
const nativeOf = (kind: ResourceType) => plugin.resource(urnOf(kind));
const urnOf = (kind: ResourceType, name = "it") => `urn:pulumi:test::test::${nativeToken(kind)}::${name}`;
const changing = (kind: ResourceType, properties: JsonObject, preview = false) => ({
  urn: urnOf(kind),
  properties,
  timeout: 0,
  preview,
});
const textOf = (value: unknown): string => z.string().parse(value);
/** Earlier versions stored their own marks without the prefix. */
const inOldNames = (properties: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name.replace(/^__/, ""), value]));
/** As the engine gets it from a check, and passes it on. */
function checked(kind: ResourceType, given: JsonObject): JsonObject {
  const { inputs, reasons } = nativeOf(kind).check(urnOf(kind), undefined, given);
  expect(reasons).toEqual([]);
  return inputs;
}

/** Makes the deployment "agent" of this image, and gives the address of its agent. */
async function agentOf(imageUri: string): Promise<string> {
  const given = { name: "agent", source: "external_docker", sourceRevisionConfig: { imageUri } };
  const native = nativeOf("Deployment");
  const { id } = await native.create(changing("Deployment", checked("Deployment", given)));
  return `${emulator.url}/agents/${id}`;
}

/** A template has but one field that can be changed in place, its name, beside these. */
const extraOf = (kind: ResourceType): JsonObject => (kind === "SandboxTemplate" ? { extra: { note: "n" } } : {});

test("after a failure a check ends no run with --continue-on-error: what is wrong is refused when it would change something", async () => {
  const [urn, given] = [urnOf("Assistant"), { deploymentId: "d", graphId: "agent" }];
  const before = { ...given, url: "https://agent.example" };
  const wrong = /^url: is required \(a string\); if it comes from a Rollout that failed, mend that first$/;
  expect(nativeOf("Assistant").check(urn, before, given).reasons).toEqual([expect.stringMatching(wrong)]);
  startPlugin();
  await expect(run.track(Promise.reject(new Error("a Rollout failed")))).rejects.toThrow();
  const native = nativeOf("Assistant");
  const { inputs, reasons } = native.check(urn, before, given);
  expect(reasons).toEqual([]);
  expect(native.diff("a", urn, before, before, inputs)).toMatchObject({ isChanged: true, replaces: [] });
  const change = changing("Assistant", inputs);
  await expect(native.create(change)).rejects.toThrow(wrong);
  await expect(native.update("a", before, before, change)).rejects.toThrow(wrong);
  await expect(native.delete("a", urn, before, before, 0)).rejects.toThrow(wrong);
  expect(emulator.requests).toEqual([]);
});

describe.each(MANAGED_TYPES)("%s", (kind) => {
  const { program } = CASES[kind];
  const native = () => nativeOf(kind);

  test("preview sends nothing, and knows every input and no more", async () => {
    const inputs = checked(kind, program);
    const { id, outputs } = await native().create(changing(kind, inputs, true));
    expect(id).toBe("");
    const { values } = unmarshal(outputs);
    for (const [name, value] of Object.entries(program)) expect(values[name]).toEqual(value);
    const computed = Object.entries(values).filter(([name]) => !(name in program));
    expect(computed.every(([, value]) => value === UNKNOWN)).toBe(true);
    expect(emulator.requests).toEqual([]);
  });

  test("a state that has our own marks under the names of earlier versions is the same state", async () => {
    const inputs = checked(kind, program);
    const made = await native().create(changing(kind, inputs));
    const before = (properties: JsonObject | undefined) => marshal(inOldNames(unmarshal(properties).values), []);
    const [outputs, oldInputs] = [before(made.outputs), before(inputs)];
    expect(unmarshal(outputs).values).toHaveProperty("origin");
    expect(native().diff(made.id, urnOf(kind), outputs, oldInputs, checked(kind, program)).diffs).toEqual([]);
    // The address of another platform is still refused, which is known from such a mark.
    const elsewhere = marshal({ ...unmarshal(outputs).values, origin: "another" }, []);
    await expect(native().read(made.id, urnOf(kind), elsewhere, oldInputs)).rejects.toThrow(
      /another address or tenant/,
    );
  });

  test("what was created reads the same, and an import of it previews only what no answer shows, by id and by name", async () => {
    const unshown = neededIn(RESOURCES[kind].table, program);
    const inputs = checked(kind, program);
    const made = await native().create(changing(kind, inputs));
    const read = await native().read(made.id, urnOf(kind), made.outputs, inputs);
    expect(unmarshal(read?.inputs).values).toEqual(unmarshal(inputs).values);
    const { naturalKey = "" } = RESOURCES[kind].table;
    for (const key of [made.id, textOf(program[naturalKey])]) {
      startPlugin();
      const found = await native().read(key, urnOf(kind, "found"), undefined, undefined);
      expect(found?.id).toBe(made.id);
      const added = Object.fromEntries(unshown.map((name) => [name, program[name]]));
      const again = checked(kind, { ...found?.inputs, ...added });
      const { diffs } = native().diff(made.id, urnOf(kind), found?.outputs, found?.inputs, again);
      expect(diffs.map(({ path }) => path)).toEqual(unshown);
    }
  });

  test("what the engine replaces on its own account is deleted first, unless the new object has another name", async () => {
    const { updated, renamed } = CASES[kind];
    const inputs = checked(kind, program);
    const { id, outputs } = await native().create(changing(kind, inputs));
    const { naturalKey = "" } = RESOURCES[kind].table;
    const changed = { ...(updated ?? program), [naturalKey]: program[naturalKey] ?? null, ...extraOf(kind) };
    const orderOf = (news: JsonObject) =>
      native().diff(id, urnOf(kind), outputs, inputs, checked(kind, news)).deleteBeforeReplace;
    const isTaken = RESOURCES[kind].table.namesRepeat !== true;
    expect([changed, program].map(orderOf)).toEqual([isTaken, false]);
    if (renamed !== undefined) expect(orderOf(renamed)).toBe(false);
  });

  test("what does not exist is not found, by an id and by a name", async () => {
    for (const key of ["00000000-0000-4000-8000-000000000000", "nothing"]) {
      await expect(native().read(key, urnOf(kind), undefined, undefined)).resolves.toBeUndefined();
    }
  });

  test("an object that is only read keeps its outputs in a refresh, and gets no inputs", async () => {
    const made = await native().create(changing(kind, checked(kind, program)));
    const got = await native().read(made.id, urnOf(kind, "got"), undefined, undefined);
    const refreshed = await native().read(made.id, urnOf(kind, "got"), got?.outputs, {});
    expect(refreshed?.inputs).toBeUndefined();
    // The platform's times and statuses go on; what is ours does not.
    const names = (outputs: JsonObject | undefined) => Object.keys(unmarshal(outputs).values).sort();
    expect(names(refreshed?.outputs)).toEqual(names(got?.outputs));
    const marks = ["origin", "keyMark", "adoption"].map((name) => unmarshal(got?.outputs).values[name]);
    expect(["origin", "keyMark", "adoption"].map((name) => unmarshal(refreshed?.outputs).values[name])).toEqual(marks);
  });
});

describe("without a program (`pulumi do`), there is no state, and the provider has no name", () => {
  const startAlone = () =>
    startPlugin(undefined, undefined, "urn:pulumi:dev::default::pulumi:providers:agent-platform::");
  const urnAlone = (kind: ResourceType) => `urn:pulumi:dev::default::${nativeToken(kind)}::${kind}`;
  beforeEach(startAlone);

  test.each(MANAGED_TYPES)("a delete takes an id or a name, and one of nothing fails: %s", async (kind) => {
    const { naturalKey = "" } = RESOURCES[kind].table;
    const inputs = checked(kind, CASES[kind].program);
    const remove = (key: string) => nativeOf(kind).delete(key, urnAlone(kind), {}, {}, 0);
    for (const keyOf of [(id: string) => id, () => textOf(inputs[naturalKey])]) {
      const { id } = await nativeOf(kind).create({ ...changing(kind, inputs), urn: urnAlone(kind) });
      startAlone();
      await remove(keyOf(id));
      startAlone();
      await expect(remove(keyOf(id))).rejects.toThrow(`there is no ${kind} "${keyOf(id)}"`);
    }
  });

  test("a patch of what cannot change in place fails, instead of showing a change that was not made", async () => {
    const inputs = checked("SandboxTemplate", CASES.SandboxTemplate.program);
    await nativeOf("SandboxTemplate").create(changing("SandboxTemplate", inputs));
    startAlone();
    const native = nativeOf("SandboxTemplate");
    const id = textOf(inputs["name"]);
    const read = await native.read(id, urnAlone("SandboxTemplate"), {}, {});
    const patch = (part: JsonObject) => {
      const news = { ...read?.inputs, ...part };
      native.diff(id, urnOf("SandboxTemplate"), read?.outputs, read?.inputs, news);
      return native.update(id, read?.outputs, read?.inputs, changing("SandboxTemplate", news));
    };
    await expect(patch({ image: "b:2" })).rejects.toThrow("image: cannot change in place");
    await expect(patch({ name: "other" })).resolves.toMatchObject({ name: "other" });
  });

  test("what would replace one resource holds no other of the same object back", async () => {
    const { program } = CASES.SandboxTemplate;
    const inputs = checked("SandboxTemplate", program);
    const native = nativeOf("SandboxTemplate");
    const { id, outputs } = await native.create(changing("SandboxTemplate", inputs));
    const replaced = checked("SandboxTemplate", { ...program, image: "b:2" });
    expect(native.diff(id, urnOf("SandboxTemplate", "another"), outputs, inputs, replaced).replaces).toEqual(["image"]);
    const news = changing("SandboxTemplate", checked("SandboxTemplate", { ...program, name: "other" }));
    await expect(native.update(id, outputs, inputs, news)).resolves.toMatchObject({ name: "other" });
  });

  test("a second create takes nothing over: no run of the first one was cut off", async () => {
    const inputs = checked("SandboxSnapshot", CASES.SandboxSnapshot.program);
    const create = () =>
      nativeOf("SandboxSnapshot").create({ ...changing("SandboxSnapshot", inputs), urn: urnAlone("SandboxSnapshot") });
    await create();
    startAlone();
    await expect(create()).rejects.toThrow(/already exists/);
  });

  test("nothing asks for a Rollout, which only a program can declare", async () => {
    await nativeOf("Deployment").create(changing("Deployment", checked("Deployment", CASES.Deployment.program)));
    expect(run.registered()).toBeUndefined();
  });
});

describe("null, an empty value in YAML, is an optional argument that is not given", () => {
  const place = { url: "https://a.example", customUrl: "https://a.example" };
  const programs: Readonly<Record<string, JsonObject>> = {
    ...Object.fromEntries(MANAGED_TYPES.map((managedType) => [managedType, CASES[managedType].program])),
    SandboxTemplate: {
      ...CASES.SandboxTemplate.program,
      volumeMounts: [{ volumeName: "v", mountPath: "/v" }],
      proxyConfig: { rules: [{ name: "r", matchHosts: ["a.example"] }] },
    },
    Deployment: { ...CASES.Deployment.program, sourceConfig: { resourceSpec: { cpu: 1 } } },
    Rollout: { deploymentId: "d" },
    Assistant: { ...place, ...PLAYED.Assistant.program, deploymentId: "d" },
    Cron: { ...place, ...PLAYED.Cron.program, deploymentId: "d" },
    RunCheck: { ...place, assistantId: "a", expect: { modes: ["values"] } },
  };
  /** The values, with null for every field at every depth that they leave out. */
  function filled(fields: Fields, values: JsonObject): JsonObject {
    const lacking = argumentRows(fields).filter(
      ([name, { required, type }]) =>
        values[name] === undefined && required !== true && !["nullable", "json"].includes(type.kind),
    );
    const given = Object.entries(values).map(([name, value]) => [name, within(fields[name]?.type, value)] as const);
    return { ...Object.fromEntries(lacking.map(([name]) => [name, null])), ...Object.fromEntries(given) };
  }
  function within(shape: Shape | undefined, value: JsonObject[string]): JsonObject[string] {
    if (shape?.kind === "object" && isObject(value)) return filled(shape.fields, value);
    if (shape?.kind === "list" && Array.isArray(value)) return value.map((each) => within(shape.of, each) ?? null);
    return value;
  }

  test.each(RESOURCE_TYPES)("%s", (kind) => {
    const { table } = RESOURCES[kind];
    const program = programs[kind] ?? {};
    const nulls = filled(table.fields, program);
    expect(JSON.stringify(nulls)).toContain("null");
    expect(checked(kind, nulls)).toEqual(checked(kind, program));
  });

  test.each([
    ["null", { name: null }],
    ["left out", {}],
  ])("a name that is %s is the Pulumi name", (_how, given) => {
    const { name: _, ...unnamed } = CASES.SandboxTemplate.program;
    expect(checked("SandboxTemplate", { ...unnamed, ...given })["name"]).toBe("it");
  });

  test.each<[why: string, given: JsonObject, reason: string]>([
    ["a required argument is refused", { image: null }, "image: must be a string, not null"],
    [
      "a required field of a nested object, too",
      { proxyConfig: { rules: [{ name: null, matchHosts: ["a.example"] }] } },
      "proxyConfig.rules[0].name: must be a string, not null",
    ],
  ])("%s", (_why, given, reason) => {
    const all = { ...CASES.SandboxTemplate.program, ...given };
    const urn = urnOf("SandboxTemplate");
    expect(plugin.resource(urn).check(urn, undefined, all).reasons).toEqual([reason]);
  });

  test("what may be null stays null: an entry of `extra`", () => {
    const given = { ...CASES.SandboxTemplate.program, extra: { field: null } };
    expect(checked("SandboxTemplate", given)["extra"]).toEqual({ field: null });
  });
});

test("of a deployment of an agent the platform gives the name: an import has none, and the Pulumi name is none", async () => {
  const { name: _, ...unnamed } = CASES.Deployment.program;
  const agent = { agentId: "desk", environment: "production" };
  const urn = urnOf("Deployment");
  for (const given of [agent, UNKNOWN])
    expect(nativeOf("Deployment").check(urn, {}, { ...unnamed, agent: given }).inputs).not.toHaveProperty("name");
  await ask(emulator, "POST", "/v1/agents", { id: "desk" });
  const { id } = await nativeOf("Deployment").create(
    changing("Deployment", checked("Deployment", { ...unnamed, agent })),
  );
  startPlugin();
  const read = await nativeOf("Deployment").read("desk/production", urn, {}, undefined);
  expect(read).toMatchObject({ id, inputs: { agent } });
  expect(read?.inputs).not.toHaveProperty("name");
});

test("an agent that has no name of its own is imported without one", async () => {
  await ask(emulator, "POST", "/v1/agents", { id: "desk" });
  const urn = urnOf("PlatformAgent");
  const read = await nativeOf("PlatformAgent").read("desk", urn, undefined, undefined);
  const again = checked("PlatformAgent", { agentId: "desk" });
  expect(nativeOf("PlatformAgent").diff("desk", urn, read?.outputs, read?.inputs, again).diffs).toEqual([]);
});

test("an assistant that is imported by its deployment's id in upper case has that of the platform", async () => {
  const upper: Layer = {
    async beforeRoute({ request, url }) {
      const path = url.pathname.toLowerCase();
      return path === url.pathname ? undefined : Response.json(await ask(on, request.method, path));
    },
  };
  const on = ofTest(await startEmulator({ buildSeconds: 0, layers: [upper] }));
  startPlugin({ baseUrl: on.url, apiKey: on.apiKey });
  const made = z.object({ id: z.string() }).parse(await ask(on, "POST", "/v2/deployments", deploymentOf("desk")));
  const own = await ask(on, "POST", `/agents/${made.id}/assistants`, { graph_id: "agent" });
  const key = `${made.id.toUpperCase()}/${z.object({ assistant_id: z.string() }).parse(own).assistant_id}`;
  const read = await nativeOf("Assistant").read(key, urnOf("Assistant"), undefined, undefined);
  expect(read?.inputs).toMatchObject({ deploymentId: made.id });
});

test("a preview leaves nothing open of what the other way to say it replaces: a registry by role has no password", async () => {
  const role = { authType: "AWS_ROLE", awsRoleArn: "arn:aws:iam::123456789012:role/pull" };
  const byRole = { name: "images", url: "registry.example", ...role };
  const inputs = checked("SandboxRegistry", byRole);
  const { outputs } = await nativeOf("SandboxRegistry").create(changing("SandboxRegistry", inputs, true));
  expect(Object.keys(unmarshal(outputs).values).sort()).toEqual(
    [...Object.keys(byRole), "createdAt", "updatedAt"].sort(),
  );
});

test.each([
  ["SandboxTemplate", { name: "a", image: "a" }, { resources: {} }],
  ["Listener", { computeId: "a" }, { computeConfig: {} }],
] as const)("%s: an object that may be empty may be left out, or null, and is then empty", (kind, given, filled) => {
  const urn = urnOf(kind);
  const [name = ""] = Object.keys(filled);
  for (const left of [given, { ...given, [name]: null }]) {
    const { inputs, reasons } = plugin.resource(urn).check(urn, undefined, left);
    expect(reasons).toEqual([]);
    expect(inputs).toEqual({ ...given, ...filled });
  }
});

test("a secret input is secret in inputs and outputs, and so is every field that always is", async () => {
  const given = { ...CASES.Deployment.program, secrets: { TOKEN: "s3cret" } };
  const inputs = checked("Deployment", marshal(given, ["environmentVariables"]));
  expect(unmarshal(inputs).secrets).toContain("secrets");
  const { outputs } = await nativeOf("Deployment").create(changing("Deployment", inputs));
  expect(unmarshal(outputs).secrets).toContain("secrets");
});

test.each<[ResourceType, hidden: readonly string[]]>([
  ["SandboxRegistry", ["username", "password"]],
  ["WorkspaceSecret", ["value"]],
])(
  "%s: an import passes without %j, which no answer shows, and the program not, unless it ignores them",
  async (kind, hidden) => {
    const { program } = CASES[kind === "SandboxRegistry" ? "SandboxRegistry" : "WorkspaceSecret"];
    const { id } = await nativeOf(kind).create(changing(kind, checked(kind, program)));
    startPlugin();
    const read = await nativeOf(kind).read(id, urnOf(kind), undefined, undefined);
    const [outputs, inputs] = [read?.outputs, read?.inputs];
    /** As the engine does after the read of an import, and then at each `up`. */
    const up = (news = inputs, ignored: readonly string[] = []) => {
      expect(nativeOf(kind).check(urnOf(kind), inputs, news).reasons).toEqual([]);
      return nativeOf(kind).diff(id, urnOf(kind), outputs, inputs, news, ignored);
    };
    expect(up().isChanged).toBe(false);
    startPlugin();
    expect(() => up()).toThrow(hidden.map((name) => `${name}: is required (a string)`).join("\n"));
    for (const ignored of [hidden, ["*"]]) expect(up(inputs, ignored).isChanged).toBe(false);
    startPlugin();
    expect(nativeOf(kind).diff(id, urnOf(kind), outputs, inputs, inputs).isChanged).toBe(false);
    // Another field can change, and they stay.
    const [name, value] = kind === "SandboxRegistry" ? ["url", "mirror.example"] : ["allowedHosts", []];
    const changed = { ...inputs, [name]: value };
    expect(up(changed, hidden).isChanged).toBe(true);
    emulator.clearLog();
    await nativeOf(kind).update(id, outputs, inputs, changing(kind, changed));
    const sent = emulator.requests.map(({ requestBody }) => JSON.stringify(requestBody)).join();
    for (const each of hidden) expect(sent).not.toContain(each);
    // A new object needs them.
    await expect(nativeOf(kind).create(changing(kind, changed))).rejects.toThrow(/is required/);
  },
);

test.each<[how: string, JsonObject]>([
  ["as declared", { enabled: true }],
  ["where nothing is declared", {}],
])(
  "Cron: a stop that the program ignores (`ignoreChanges`) stays with a change of another field, %s",
  async (_how, given) => {
    const url = await agentOf("a:1");
    const deploymentId = textOf(emulator.outOfBand(deployments).list()[0]?.id);
    const program = { ...PLAYED.Cron.program, ...given, deploymentId, url, customUrl: url };
    const native = nativeOf("Cron");
    const inputs = checked("Cron", program);
    const { id, outputs } = await native.create(changing("Cron", inputs));
    const headers = { "content-type": "application/json", "x-api-key": emulator.apiKey };
    const at = `${url}/runs/crons/${id}`;
    await fetch(at, { method: "PATCH", headers, body: '{"enabled":false}' });
    const stopped = async () => z.looseObject({}).parse(await (await fetch(at, { headers })).json());
    const up = async (schedule: string, ignored: readonly string[]) => {
      const news = checked("Cron", { ...program, schedule });
      native.diff(id, urnOf("Cron"), outputs, inputs, news, ignored);
      await native.update(id, outputs, inputs, changing("Cron", news));
    };
    await up("@hourly", ["enabled"]);
    expect(await stopped()).toMatchObject({ schedule: "@hourly", enabled: false });
    await up("@weekly", []);
    expect(await stopped()).toMatchObject({ schedule: "@weekly", enabled: true });
  },
);

test("an imported Rollout does not declare the address that the platform gave, as a Deployment does not", async () => {
  const url = await agentOf("a:1");
  const deploymentId = textOf(emulator.outOfBand(deployments).list()[0]?.id);
  const read = async () =>
    (await nativeOf("Rollout").read(deploymentId, urnOf("Rollout"), undefined, undefined))?.inputs;
  const inputs = await read();
  expect(Object.keys(inputs ?? {}).sort()).toEqual(["deploymentId", "revisionId"]);
  expect(url).toContain(deploymentId);
  startPlugin();
  const customUrl = "https://desk.example";
  emulator.outOfBand(deployments).change(deploymentId, { source_config: { custom_url: customUrl } });
  expect(await read()).toEqual({ ...inputs, customUrl });
});

test.each<[ResourceType, output: string, JsonObject, secret: string]>([
  ["Rollout", "url", { deploymentId: "d", customUrl: "https://desk.example" }, "customUrl"],
  ["SandboxVolume", "sourceVolumeId", { sourceVolume: "v" }, "sourceVolume"],
  ["Deployment", "name", { agent: { agentId: "a", environment: "production" } }, "agent"],
])("%s: %s, which repeats a secret input, is secret as well", async (kind, output, given, secret) => {
  const base = kind === "Deployment" ? CASES.Deployment.program : {};
  const { name: _, ...program } = { ...base, ...given };
  const outputsOf = async (secrets: readonly string[]) =>
    (await nativeOf(kind).create(changing(kind, checked(kind, marshal(program, secrets)), true))).outputs;
  expect(unmarshal(await outputsOf([secret])).secrets).toContain(output);
  expect(unmarshal(await outputsOf([])).secrets).not.toContain(output);
});

test("what repeats a secret input is secret in what is created and read", async () => {
  await agentOf("a:1");
  const id = emulator.outOfBand(deployments).list()[0]?.id ?? "";
  const customUrl = "https://desk.example";
  emulator.outOfBand(deployments).change(id, { source_config: { custom_url: customUrl } });
  const inputs = checked("Rollout", marshal({ deploymentId: id, customUrl }, ["customUrl"]));
  const made = await nativeOf("Rollout").create(changing("Rollout", inputs));
  const read = await nativeOf("Rollout").read(made.id, urnOf("Rollout"), made.outputs, inputs);
  for (const outputs of [made.outputs, read?.outputs]) {
    const hidden = unmarshal(outputs).secrets;
    const open = Object.entries(unmarshal(outputs).values).filter(([name]) => !hidden.includes(name));
    expect(JSON.stringify(open)).not.toContain("desk.example");
    expect(hidden).toContain("url");
  }
});

test("what the program marks as secret is secret in an unfinished create, too", async () => {
  const given = { ...CASES.Deployment.program, displayName: "Desk" };
  const inputs = checked("Deployment", marshal(given, ["environmentVariables"]));
  emulator.faults.add({ kind: "status", status: 400, method: "PATCH" });
  const error: unknown = await nativeOf("Deployment")
    .create(changing("Deployment", inputs))
    .catch((reason: unknown) => reason);
  emulator.faults.clear();
  if (!isUnfinished(error)) throw error;
  expect(unmarshal(error.properties).secrets).toContain("environmentVariables");
});

test("what was secret and no longer is stays secret in an update whose end is not known", async () => {
  startPlugin(undefined, new FakeClock());
  const program = { ...CASES.Deployment.program, environmentVariables: { MOVED: "s3cret", TONE: "brief" } };
  const before = checked("Deployment", marshal(program, ["environmentVariables"]));
  const { id, outputs } = await nativeOf("Deployment").create(changing("Deployment", before));
  const after = checked("Deployment", {
    ...program,
    environmentVariables: { TONE: "brief" },
    secrets: { MOVED: "s3cret" },
  });
  emulator.faults.add({ kind: "status", status: 503, method: "PATCH" });
  const error: unknown = await nativeOf("Deployment")
    .update(id, outputs, before, changing("Deployment", after))
    .catch((reason: unknown) => reason);
  emulator.faults.clear();
  if (!isUnfinished(error)) throw error;
  expect(unmarshal(error.properties).secrets).toContain("environmentVariables");
});

test("what an update of unknown end has added is drift in a refresh, though the program has reverted it", async () => {
  startPlugin(undefined, new FakeClock());
  const native = nativeOf("OAuthProvider");
  const [before, after] = [{}, { usesPkce: true }].map((part) =>
    checked("OAuthProvider", { ...CASES.OAuthProvider.program, usesPkce: undefined, ...part }),
  );
  const { id, outputs } = await native.create(changing("OAuthProvider", before ?? {}));
  emulator.faults.add({ kind: "reset-after-commit", method: "PATCH" });
  const error: unknown = await native
    .update(id, outputs, before, changing("OAuthProvider", after ?? {}))
    .catch((reason: unknown) => reason);
  emulator.faults.clear();
  if (!isUnfinished(error)) throw error;
  // Without an answer to the refresh the doubt stays, which alone is a change.
  const doubted = native.diff(id, urnOf("OAuthProvider"), error.properties, before, before ?? {});
  expect(doubted).toMatchObject({ isChanged: true, diffs: [] });
  const read = await native.read(id, urnOf("OAuthProvider"), error.properties, before);
  const { diffs } = native.diff(id, urnOf("OAuthProvider"), read?.outputs, read?.inputs, before);
  expect(diffs).toContainEqual({ path: "usesPkce", kind: "DELETE", replaces: false });
});

test.each([
  ["its display name alone makes no revision", { displayName: "Desk" }, {}, true],
  ["an image does", { displayName: "Desk", sourceRevisionConfig: { imageUri: "registry.example/agent:9" } }, {}, false],
  ["what is in extra may", { extra: { source_revision_config: { tracked_packages: ["a"] } } }, {}, false],
  ["a value that is not known yet may", { displayName: "Desk", environmentVariables: UNKNOWN }, {}, false],
  ["the next look names the revision", { displayName: "Desk" }, { latestRevisionId: "after r-1" }, false],
  ["an update before it may have been made", { displayName: "Desk" }, { __doubted: true }, false],
])("a preview of a change of a deployment: %s", async (_what, change, state, isKept) => {
  const native = nativeOf("Deployment");
  const { program } = CASES.Deployment;
  const [before, after] = [program, { ...program, ...change }].map((given) => checked("Deployment", given));
  const made = await native.create(changing("Deployment", before ?? {}));
  const outputs = { ...made.outputs, ...state };
  const seen = await native.update(made.id, outputs, before ?? {}, changing("Deployment", after ?? {}, true));
  const { latestRevisionId, secretsRevisionId } = unmarshal(outputs).values;
  const kept = { latestRevisionId, secretsRevisionId };
  expect(unmarshal(seen).values).toMatchObject(
    isKept ? kept : { latestRevisionId: UNKNOWN, secretsRevisionId: UNKNOWN },
  );
});

test.each([
  ["another value: it is sent anew", { value: "another-secret" }, true],
  ["another host: the value is not sent", { allowedHosts: [] }, false],
])("a preview of a shared secret with %s", async (_what, change, isSent) => {
  const native = nativeOf("WorkspaceSecret");
  const { program } = CASES.WorkspaceSecret;
  const [before, after] = [program, { ...program, ...change }].map((given) => checked("WorkspaceSecret", given));
  const { id, outputs } = await native.create(changing("WorkspaceSecret", before ?? {}));
  const seen = await native.update(id, outputs, before ?? {}, changing("WorkspaceSecret", after ?? {}, true));
  expect(unmarshal(seen).values["rotatedAt"]).toBe(isSent ? UNKNOWN : unmarshal(outputs).values["rotatedAt"]);
});

test("what a run has imported is not deleted by it with an older row of the same object", async () => {
  const inputs = checked("SandboxTemplate", CASES.SandboxTemplate.program);
  const { id, outputs } = await nativeOf("SandboxTemplate").create(changing("SandboxTemplate", inputs));
  startPlugin();
  const native = nativeOf("SandboxTemplate");
  await native.read(id, urnOf("SandboxTemplate", "imported"), undefined, undefined);
  await native.delete(id, urnOf("SandboxTemplate"), outputs, inputs, 0).catch(() => undefined);
  expect(emulator.outOfBand(sandboxTemplates).list()).toHaveLength(1);
});

test("a request that waits to be sent again is not, once the run is cancelled", async () => {
  const clock: Clock = { now: () => realClock.now(), sleep: () => Promise.resolve().then(() => run.cancel()) };
  startPlugin(undefined, clock);
  const native = nativeOf("SandboxTemplate");
  const { program, updated = {} } = CASES.SandboxTemplate;
  const [before, after] = [checked("SandboxTemplate", program), checked("SandboxTemplate", updated)];
  const { id, outputs } = await native.create(changing("SandboxTemplate", before));
  emulator.clearLog();
  const fault = emulator.faults.add({ kind: "status", status: 503, method: "PATCH" });
  await expect(native.update(id, outputs, before, changing("SandboxTemplate", after))).rejects.toThrow();
  fault.remove();
  expect(emulator.requests.filter(({ method }) => method === "PATCH")).toHaveLength(1);
});

test("a change is shown by its path, with its kind and whether it replaces", async () => {
  const before = { ...CASES.SandboxTemplate.program, proxyConfig: { rules: [] } };
  const inputs = checked("SandboxTemplate", before);
  const native = nativeOf("SandboxTemplate");
  const { id, outputs } = await native.create(changing("SandboxTemplate", inputs));
  const { proxyConfig: _, ...rest } = before;
  const news = checked("SandboxTemplate", { ...rest, name: "other", image: "b:2" });
  const { diffs, replaces } = native.diff(id, urnOf("SandboxTemplate"), outputs, inputs, news);
  expect(diffs).toEqual(
    expect.arrayContaining([
      { path: "name", kind: "UPDATE", replaces: false },
      { path: "image", kind: "UPDATE", replaces: true },
    ]),
  );
  expect(replaces).toContain("image");
});

test("a changed secret is shown by its name", () => {
  const checkedWith = (token: string) =>
    checked("Deployment", { ...CASES.Deployment.program, secrets: { TOKEN: token, OTHER: "o" } });
  const [before, after] = [checkedWith("literal"), checkedWith("rotated")];
  const { diffs } = nativeOf("Deployment").diff("id", urnOf("Deployment"), before, before, after);
  expect(diffs).toEqual([{ path: "secrets.TOKEN", kind: "UPDATE", replaces: false }]);
});

test("what an agent answers is secret, even if nothing of the question is", async () => {
  const url = await agentOf("a:1");
  const given = {
    url,
    assistantId: "agent",
    input: { topic: "cats" },
    expect: { modes: ["values"] },
    keepOutput: true,
  };
  const native = nativeOf("RunCheck");
  const { outputs } = await native.create(changing("RunCheck", checked("RunCheck", given)));
  expect(unmarshal(outputs).values["digest"]).toEqual(expect.any(String));
  expect(unmarshal(outputs).secrets).toEqual(expect.arrayContaining(["output", "digest"]));
});

test("customTimeouts end a wait, of a create and of an update", async () => {
  await agentOf("emulator-stuck");
  const { id } = emulator.outOfBand(deployments).get("agent");
  const [revision] = emulator.outOfBand(revisions).list();
  const inputs = checked("Rollout", { deploymentId: id, revisionId: revision?.id ?? "" });
  const native = nativeOf("Rollout");
  const limited = { ...changing("Rollout", inputs), timeout: 0.2 };
  await expect(native.create(limited)).rejects.toThrow(/is still \w+ after/);
  const before = { ...inputs, revisionId: "the one before" };
  await expect(native.update(id, before, before, limited)).rejects.toThrow(/is still \w+ after/);
});

test("while the connection is not known, arguments are checked all the same, and the configuration is not", () => {
  startPlugin({ baseUrl: UNKNOWN });
  const native = nativeOf("SandboxTemplate");
  const reasonsOf = (image: string | number) =>
    native.check(urnOf("SandboxTemplate"), undefined, { image, resources: {} }).reasons;
  expect(reasonsOf("a")).toEqual([]);
  expect(reasonsOf(1)).toEqual([expect.stringContaining("image: must be a string")]);
});

test("a run check of a language without our class shows its data only if nothing of it is secret", () => {
  const given = { url: "https://a.example", assistantId: "agent", input: { topic: "x" } };
  const shows = (properties: JsonObject) =>
    nativeOf("RunCheck").check(urnOf("RunCheck"), undefined, properties).inputs["showData"];
  expect(shows(given)).toBe(true);
  expect(shows(marshal(given, ["input"]))).toBe(false);
  // The class has said so before a transformation made the input secret.
  expect(shows(marshal({ ...given, showData: true }, ["input"]))).toBe(false);
  expect(shows({ ...given, showData: false })).toBe(false);
});

test("functions and lists read the platform", async () => {
  const made = await nativeOf("SandboxTemplate").create(
    changing("SandboxTemplate", checked("SandboxTemplate", CASES.SandboxTemplate.program)),
  );
  const name = textOf(CASES.SandboxTemplate.program["name"]);
  const shown = await plugin.invoke("agent-platform:index:getSandboxTemplate", { name });
  expect(shown).toMatchObject({ id: made.id, name });
  const { items } = (await plugin.invoke("agent-platform:index:listSandboxTemplates", {})) ?? {};
  expect(items).toEqual([shown]);
  const listed = [];
  for await (const each of plugin.list(nativeToken("SandboxTemplate"), undefined)) listed.push(each);
  expect(listed).toEqual([{ id: made.id, name }]);
  await expect(plugin.invoke("agent-platform:index:getSandboxTemplate", { name, id: "x" })).rejects.toThrow(
    "give one of them",
  );
});

test("what a function answers has the types of its schema", async () => {
  await nativeOf("Deployment").create(changing("Deployment", checked("Deployment", CASES.Deployment.program)));
  const [deployment] = emulator.outOfBand(deployments).list();
  for (const [name, args] of [
    ["getDeployment", { id: deployment?.id ?? "" }],
    ["listDeployments", {}],
    ["getRevision", { deploymentId: deployment?.id ?? "" }],
    ["listRevisions", { deploymentId: deployment?.id ?? "" }],
    ["getGithubIntegration", { name: "acme" }],
  ] as const) {
    const fields = FUNCTIONS.get(name)?.result ?? {};
    const answer = await plugin.invoke(`agent-platform:index:${name}`, args);
    // An empty text is one.
    const problems = problemsOf(object(fields), answer).filter(({ reason }) => reason !== "must not be empty");
    expect([name, problems]).toEqual([name, []]);
  }
});

test("a check has no object on the platform to read or to import", async () => {
  const read = plugin.resource(urnOf("RunCheck")).read("x", urnOf("RunCheck"), undefined, undefined);
  await expect(read).rejects.toThrow(
    'RunCheck "x" cannot be read: a RunCheck has no object on the platform; declare it, without a get or an import',
  );
});
