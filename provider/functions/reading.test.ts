import { sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { openPlatform, type ManagedType } from "./reading";
import { deployed } from "../../tests/support/agent-under-test";
import { ask } from "../../tests/support/ask";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0, secrets: "values" });
  const template = { name: "code", image: "python:3.12", resources: { cpu: "1" } };
  await ask(emulator, "POST", "/v2/sandboxes/templates", template);
  await deployed(emulator, "registry.example/agent:1", "agent", { TOKEN: "the-secret" });
});
afterAll(() => emulator.close());

const open = (settings: Record<string, string> = {}) => {
  const all: Record<string, string> = { baseUrl: emulator.url, apiKey: emulator.apiKey, ...settings };
  return openPlatform([(setting) => all[setting], {}]);
};

test.each<[kind: ManagedType, what: string]>([
  ["OAuthProvider", 'OAuthProviders cannot be listed: contract "documented" has no endpoint for a list of them'],
  ["Deployment", 'Deployments cannot be listed: contract "documented" has no endpoint for a list of them'],
  ["Listener", 'Listeners cannot be listed: contract "documented" has no endpoint for a list of them'],
])("contract documented has no list of %s, and says so before any request", async (kind, message) => {
  emulator.clearLog();
  await expect(open({ contract: "documented" }).reader(kind).list().next()).rejects.toThrow(message);
  expect(emulator.requests).toEqual([]);
});

test("a read by name sees what is there now", async () => {
  const reader = open().reader("SandboxTemplate");
  await reader.get({ name: "code" });
  emulator.outOfBand(sandboxTemplates).change("code", { image: "other" });
  expect((await reader.get({ name: "code" })).inputs["image"]).toBe("other");
});

test("a caller who asks for them sees the names of a deployment's variables, but never their values", async () => {
  for await (const { inputs } of open().reader("Deployment").list({ secrets: {} })) {
    expect(inputs["secrets"]).toEqual({ TOKEN: "(set outside of this program)" });
  }
});
