import { sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { openPlatform, type ManagedType } from "./reading";
import { deployed } from "../../tests/support/agent-under-test";
import { ask, providerOf } from "../../tests/support/ask";

const template = (name: string) => ({ name, image: "python:3.12", resources: { cpu: "1" } });

const cluster = { compute_type: "k8s", compute_id: "prod", compute_config: { k8s_namespaces: ["agents"] } };

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0, secrets: "values" });
  await post("/v2/sandboxes/templates", template("code"));
  await post("/v2/auth/providers", providerOf("github", "the-secret"));
  await post("/v2/listeners", cluster);
  await deployed(emulator, "registry.example/agent:1", "agent", { TOKEN: "the-secret" });
});
afterAll(() => emulator.close());

const post = (path: string, body: unknown): Promise<unknown> => ask(emulator, "POST", path, body);

const open = (settings: Record<string, string> = {}) => {
  const all: Record<string, string> = { baseUrl: emulator.url, apiKey: emulator.apiKey, ...settings };
  return openPlatform([(setting) => all[setting], {}]);
};
const idOf = async (kind: ManagedType) => {
  for await (const { id } of open().reader(kind).list()) return id;
  throw new Error(`there is no ${kind}`);
};

test.each<[kind: ManagedType, name: string, input: [string, string], computed: string]>([
  ["SandboxTemplate", "code", ["image", "python:3.12"], "createdAt"],
  ["OAuthProvider", "github", ["clientId", "c"], "uuid"],
  ["Listener", "prod", ["computeId", "prod"], "createdAt"],
  ["Deployment", "agent", ["source", "external_docker"], "latestRevisionId"],
])(
  "%s is read by its name, by its id, and in a list, each time the same",
  async (kind, name, [input, value], computed) => {
    const reader = open().reader(kind);
    const byName = await reader.get({ name });
    expect(byName.inputs[input]).toBe(value);
    expect(byName.outputs[input]).toBe(value);
    expect(typeof byName.outputs[computed]).toBe("string");
    expect(await reader.get({ id: byName.id })).toEqual(byName);
    const listed = [];
    for await (const each of reader.list()) listed.push(each);
    expect(listed).toEqual([byName]);
    expect(JSON.stringify(listed)).not.toContain("the-secret");
  },
);

test.each<[kind: ManagedType]>([["SandboxTemplate"], ["OAuthProvider"], ["Listener"], ["Deployment"]])(
  "%s that does not exist: an error that says where it was looked for; find gives undefined",
  async (kind) => {
    const reader = open().reader(kind);
    const where = `does not exist at ${emulator.url} for this key and tenant`;
    await expect(reader.get({ name: "none" })).rejects.toThrow(`${kind} "none" ${where}`);
    await expect(reader.get({ id: "none" })).rejects.toThrow(`${kind} "none" ${where}`);
    expect(await reader.find({ name: "none" })).toBeUndefined();
  },
);

test.each<[kind: ManagedType, what: string]>([
  ["OAuthProvider", 'OAuthProviders cannot be listed: contract "documented" has no endpoint for a list of them'],
  ["Deployment", 'Deployments cannot be listed: contract "documented" has no endpoint for a list of them'],
  ["Listener", 'Listeners cannot be listed: contract "documented" has no endpoint for a list of them'],
])("contract documented has no list of %s, and says so before any request", async (kind, message) => {
  emulator.clearLog();
  await expect(open({ contract: "documented" }).reader(kind).list().next()).rejects.toThrow(message);
  expect(emulator.requests).toEqual([]);
});

test("a list is read lazily: no page before the first item is requested, the next one when the first is used up", async () => {
  emulator.clearLog();
  const list = open().reader("SandboxTemplate").list();
  expect(emulator.requests).toHaveLength(0);
  await list.next();
  expect(emulator.requests).toHaveLength(1);
});

test("a read by name sees what is there now", async () => {
  const reader = open().reader("SandboxTemplate");
  await reader.get({ name: "code" });
  emulator.outOfBand(sandboxTemplates).change("code", { image: "other" });
  expect((await reader.get({ name: "code" })).inputs["image"]).toBe("other");
  emulator.outOfBand(sandboxTemplates).change("code", { image: "python:3.12" });
});

test("a caller who asks for them sees the names of a deployment's variables, but never their values", async () => {
  for await (const { inputs } of open().reader("Deployment").list({ secrets: {} })) {
    expect(inputs["secrets"]).toEqual({ TOKEN: "(set outside of this program)" });
  }
});

describe("a revision", () => {
  test("the latest, or a given one", async () => {
    const id = await idOf("Deployment");
    const latest = await open().revision(id);
    expect(latest).toMatchObject({ deploymentId: id, status: "DEPLOYED" });
    expect(await open().revision(id, typeof latest["id"] === "string" ? latest["id"] : "")).toEqual(latest);
  });

  test("that does not exist: named with its deployment", async () => {
    const id = await idOf("Deployment");
    await expect(open().revision(id, "none")).rejects.toThrow(
      `Revision "none" of deployment "${id}" does not exist at`,
    );
    await expect(open().revision("none")).rejects.toThrow('Deployment "none" does not exist at');
  });
});

test("a wrong configuration: every problem at once, before any request", () => {
  expect(() => openPlatform([() => undefined, {}])).toThrow(
    /No platform key[\s\S]*No platform URL|No platform URL[\s\S]*No platform key/,
  );
});
