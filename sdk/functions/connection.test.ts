import * as pulumi from "@pulumi/pulumi";
import { getDeployment, getSandboxTemplate, getSandboxTemplateOutput, Platform } from "..";
import { startEmulator, type Emulator } from "../../emulator";
import { ask } from "../../tests/support/ask";
import { valueOf } from "../../tests/support/value-of";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0 });
  const template = { name: "code", image: "python:3.12", resources: { cpu: "1" } };
  await ask(emulator, "POST", "/v2/sandboxes/templates", template);
});
beforeEach(() => emulator.clearLog());
afterAll(() => emulator.close());

describe("the connection", () => {
  const before = process.env;
  beforeEach(() => {
    process.env = { ...before };
  });
  afterEach(() => {
    process.env = before;
    pulumi.runtime.setAllConfig({});
  });

  test("both ways at once are refused", async () => {
    await pulumi.runtime.setMocks({ newResource: ({ name }) => ({ id: name, state: {} }), call: () => ({}) });
    const connection = { baseUrl: emulator.url, apiKey: emulator.apiKey };
    const both = { platform: new Platform("p", connection), connection };
    await expect(getDeployment({ id: "a" }, both)).rejects.toThrow("platform and connection are both given");
  });

  test("a wrong one fails before any request, with everything that is wrong and no key", async () => {
    const connection = { baseUrl: "ftp://a.example", apiKey: "canary of a key" };
    const error: unknown = await getDeployment({ id: "a" }, { connection }).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/baseUrl .*\n.*apiKey must be visible ASCII|apiKey must be .*\n.*baseUrl /);
    expect(String(error)).not.toContain("canary");
  });

  test("an address of its own without a key of its own is refused before any request, and so is an empty key", async () => {
    process.env["AGENT_PLATFORM_API_KEY"] = emulator.apiKey;
    const read = (apiKey?: string) =>
      getSandboxTemplate({ name: "code" }, { connection: { baseUrl: emulator.url, apiKey } });
    await expect(read()).rejects.toThrow("getSandboxTemplate, connection: apiKey is missing beside baseUrl");
    await expect(read("")).rejects.toThrow("getSandboxTemplate, connection: apiKey must not be empty");
    expect(emulator.requests).toEqual([]);
  });

  test("without options: the stack's configuration, its secrets too, key by key, else the environment", async () => {
    pulumi.runtime.setAllConfig({ "agent-platform:apiKey": emulator.apiKey }, ["agent-platform:apiKey"]);
    process.env["AGENT_PLATFORM_BASE_URL"] = emulator.url;
    process.env["AGENT_PLATFORM_API_KEY"] = "beaten";
    expect((await getSandboxTemplate({ name: "code" })).name).toBe("code");
  });

  test("a Platform: its own settings, secret ones too, and the stack's for those it leaves out", async () => {
    await pulumi.runtime.setMocks({ newResource: ({ name }) => ({ id: name, state: {} }), call: () => ({}) });
    pulumi.runtime.setAllConfig({ "agent-platform:baseUrl": emulator.url, "agent-platform:apiKey": "beaten" });
    const platform = new Platform("p", { apiKey: pulumi.secret(emulator.apiKey) });
    expect((await getSandboxTemplate({ name: "code" }, { platform })).name).toBe("code");
    expect(await valueOf(getSandboxTemplateOutput({ name: "code" }, { platform }))).toMatchObject({ name: "code" });
    expect(JSON.stringify(Object.entries(platform))).not.toContain(emulator.apiKey);
  });
});
