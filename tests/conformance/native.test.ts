import { z } from "zod";
import { startEmulator, type Emulator } from "../../emulator";
import { realClock } from "../../provider/base/clock";
import { UNKNOWN, type JsonObject } from "../../provider/base/json";
import { createSession } from "../../provider/lifecycle/session";
import { NativePlugin } from "../../provider/native/native-plugin";
import { Run } from "../../provider/native/run";
import { open, seal } from "../../provider/native/values";
import { OFFER } from "../../provider/plugin";
import { NOUNS, nativeToken, type Kind } from "../../provider/resources/kinds";
import { CASES } from "./cases";

// The front of the native plugin, without an engine: what it makes of the protocol's messages, for every kind.

let emulator: Emulator;
let plugin: NativePlugin;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0 });
});
/** A process of its own, which knows nothing of the one before. */
function startPlugin(settings: JsonObject = { baseUrl: emulator.url, apiKey: emulator.apiKey }): void {
  const run = new Run(realClock);
  plugin = new NativePlugin(OFFER, createSession({ signal: run.signal }), run);
  plugin.configure(settings);
}
beforeEach(() => startPlugin());
afterEach(() => {
  emulator.reset();
  emulator.clearLog();
});
afterAll(() => emulator.close());

const urnOf = (kind: Kind, name = "it") => `urn:pulumi:test::test::${nativeToken(kind)}::${name}`;
const changing = (kind: Kind, properties: JsonObject, preview = false) => ({
  urn: urnOf(kind),
  properties,
  timeout: 0,
  preview,
});
const textOf = (value: unknown): string => z.string().parse(value);
/** As the engine gets it from a check, and passes it on. */
function checked(kind: Kind, given: JsonObject): JsonObject {
  const { inputs, reasons } = plugin.resource(urnOf(kind)).check(urnOf(kind), undefined, given, true);
  expect(reasons).toEqual([]);
  return inputs;
}

describe.each(NOUNS)("%s", (kind) => {
  const { program } = CASES[kind];
  const it = () => plugin.resource(urnOf(kind));

  test("preview sends nothing, and knows every input and no more", async () => {
    const inputs = checked(kind, program);
    const { id, outputs } = await it().create(changing(kind, inputs, true));
    expect(id).toBe("");
    const { values } = open(outputs);
    for (const [name, value] of Object.entries(program)) expect(values[name]).toEqual(value);
    const computed = Object.entries(values).filter(([name]) => !(name in program));
    expect(computed.every(([, value]) => value === UNKNOWN)).toBe(true);
    expect(emulator.requests).toEqual([]);
  });

  test("what was created reads the same, and an import of it previews without changes, by id and by name", async () => {
    const inputs = checked(kind, program);
    const made = await it().create(changing(kind, inputs));
    const read = await it().read(made.id, urnOf(kind), made.outputs, inputs);
    expect(open(read?.inputs).values).toEqual(open(inputs).values);
    const { naturalKey = "" } = OFFER.kinds.get(kind) ?? {};
    for (const key of [made.id, textOf(program[naturalKey])]) {
      startPlugin();
      const found = await it().read(key, urnOf(kind, "found"), undefined, undefined);
      expect(found?.id).toBe(made.id);
      const again = checked(kind, found?.inputs ?? {});
      expect(it().diff(made.id, found?.outputs, found?.inputs, again).diffs).toEqual([]);
    }
  });

  test("what does not exist is not found, by an id and by a name", async () => {
    for (const key of ["00000000-0000-4000-8000-000000000000", "nothing"]) {
      await expect(it().read(key, urnOf(kind), undefined, undefined)).resolves.toBeUndefined();
    }
  });

  test("an object that is only read keeps its outputs in a refresh, and gets no inputs", async () => {
    const made = await it().create(changing(kind, checked(kind, program)));
    const got = await it().read(made.id, urnOf(kind, "got"), undefined, undefined);
    const refreshed = await it().read(made.id, urnOf(kind, "got"), got?.outputs, {});
    expect(refreshed?.inputs).toBeUndefined();
    // The platform's times and statuses go on; what is ours does not.
    const names = (outputs: JsonObject | undefined) => Object.keys(open(outputs).values).sort();
    expect(names(refreshed?.outputs)).toEqual(names(got?.outputs));
    const marks = ["origin", "keyMark", "adoption"].map((name) => open(got?.outputs).values[name]);
    expect(["origin", "keyMark", "adoption"].map((name) => open(refreshed?.outputs).values[name])).toEqual(marks);
  });
});

test("a name that is left out is the Pulumi name, where the table says so", () => {
  const { inputs } = plugin
    .resource(urnOf("SandboxTemplate"))
    .check(urnOf("SandboxTemplate", "mine"), undefined, { image: "a", resources: {} }, true);
  expect(inputs["name"]).toBe("mine");
});

test("a secret input is secret in inputs and outputs, and so is every field that always is", async () => {
  const given = { ...CASES.Deployment.program, secrets: { TOKEN: "s3cret" } };
  const inputs = checked("Deployment", seal(given, ["environmentVariables"]));
  expect(open(inputs).secrets).toContain("secrets");
  const { outputs } = await plugin.resource(urnOf("Deployment")).create(changing("Deployment", inputs));
  expect(open(outputs).secrets).toContain("secrets");
});

test("a change is shown by its path, with its kind and whether it replaces", async () => {
  const before = { ...CASES.SandboxTemplate.program, proxyConfig: { rules: [] } };
  const inputs = checked("SandboxTemplate", before);
  const it = plugin.resource(urnOf("SandboxTemplate"));
  const { id, outputs } = await it.create(changing("SandboxTemplate", inputs));
  const { proxyConfig: _, ...rest } = before;
  const news = checked("SandboxTemplate", { ...rest, name: "other", image: "b:2" });
  const { diffs, replaces } = it.diff(id, outputs, inputs, news);
  expect(diffs).toEqual(
    expect.arrayContaining([
      { path: "name", kind: "UPDATE", replaces: false },
      { path: "image", kind: "UPDATE", replaces: true },
    ]),
  );
  expect(replaces).toContain("image");
});

test("while the connection is not known, arguments are checked all the same, and the configuration is not", () => {
  startPlugin({ baseUrl: UNKNOWN });
  const it = plugin.resource(urnOf("SandboxTemplate"));
  expect(
    it.check(urnOf("SandboxTemplate"), undefined, { image: "a", resources: {} }, plugin.isConfigured).reasons,
  ).toEqual([]);
  expect(
    it.check(urnOf("SandboxTemplate"), undefined, { image: 1, resources: {} }, plugin.isConfigured).reasons,
  ).toEqual([expect.stringContaining("image: must be a string")]);
});

test("a run check of a language without our class shows its data only if nothing of it is secret", () => {
  const given = { url: "https://a.example", assistantId: "agent", input: { topic: "x" } };
  const shows = (properties: JsonObject) =>
    plugin.resource(urnOf("RunCheck")).check(urnOf("RunCheck"), undefined, properties, true).inputs["showData"];
  expect(shows(given)).toBe(true);
  expect(shows(seal(given, ["input"]))).toBe(false);
});

test("functions and lists read the platform", async () => {
  const made = await plugin
    .resource(urnOf("SandboxTemplate"))
    .create(changing("SandboxTemplate", checked("SandboxTemplate", CASES.SandboxTemplate.program)));
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
