import { FakeClock } from "../../tests/support/fake-clock";
import { UNKNOWN, type JsonObject } from "../base/json";
import { createSession } from "../lifecycle/session";
import { CHECKED } from "../base/settings";
import { NativePlugin, STACK_KEY } from "./native-plugin";
import { PluginRun } from "./run";
import { unmarshal } from "./values";

const plugin = () => new NativePlugin(createSession(), new PluginRun(new FakeClock()));
const reasonsOf = (news: JsonObject) => plugin().checkConfig(undefined, news).reasons;

describe("the provider's inputs", () => {
  test.each<[reason: string, news: JsonObject, said: RegExp | undefined]>([
    ["settings of this provider", { baseUrl: "https://a.example", apiKey: "k" }, undefined],
    ["what the engine adds", { version: "0.1.3", pluginDownloadURL: "x" }, undefined],
    ["the stack's choice of this plugin", { plugin: "native" }, undefined],
    ["a mistyped setting", { baseURL: "x" }, /agent-platform:baseURL is not a setting .*did you mean baseUrl\?/],
    ["an unknown one like none of them", { colour: "red" }, /agent-platform:colour is not a setting of this provider$/],
    ["an SDK of another major", { version: "2.0.0" }, /SDK .* is version 2\.0\.0, but this plugin is version 0\./],
  ])("%s", (_reason, news, said) => {
    expect(reasonsOf(news)).toEqual(said === undefined ? [] : [expect.stringMatching(said)]);
  });

  test("keys are secret, however the program gives them", () => {
    const { inputs } = plugin().checkConfig(undefined, { baseUrl: "https://a.example", apiKey: "k", bearerToken: "t" });
    expect([...unmarshal(inputs).secrets].sort()).toEqual(["apiKey", "bearerToken"]);
  });

  const other = { baseUrl: "https://b.example" };
  test.each<[reason: string, name: string, news: JsonObject, said: RegExp | undefined]>([
    ["an address alone would get the environment's key", "eu", other, /^apiKey is missing beside baseUrl: /],
    ["a region, too", "eu", { region: "eu" }, /^apiKey is missing beside region: /],
    ["and half an address others'", "eu", { sandboxBaseUrl: "https://b.example" }, /set without baseUrl or region/],
    ["an empty key is none", "eu", { ...other, apiKey: "" }, /^apiKey is missing beside baseUrl: /],
    ["an address with its key", "eu", { ...other, apiKey: "k" }, undefined],
    ["one that is not known yet", "eu", { ...other, apiKey: UNKNOWN }, undefined],
    ["neither", "eu", { contract: "documented" }, undefined],
    ["the class has asked, and knows the stack's address", "eu", { ...other, [CHECKED]: true }, undefined],
    ["a refresh and a destroy give the inputs in state", "eu", { ...other, [STACK_KEY]: "of-this-stack" }, undefined],
    ["the stack's own address", "default", other, undefined],
    ["the same of an SDK with a version", "default_0_3_0", other, undefined],
    ["without a program", "", other, undefined],
  ])("a provider of its own needs its own key: %s", (_reason, name, news, said) => {
    const urn = `urn:pulumi:dev::shop::pulumi:providers:agent-platform::${name}`;
    const { reasons, inputs } = plugin().checkConfig(undefined, news, urn);
    expect(reasons).toEqual(said === undefined ? [] : [expect.stringMatching(said)]);
    expect(inputs).not.toHaveProperty(CHECKED);
  });

  test("a stack gets a key of its own, which its provider keeps", () => {
    const keyOf = (olds: JsonObject | undefined): unknown =>
      plugin().checkConfig(olds, { apiKey: "k" }).inputs[STACK_KEY];
    const first = keyOf(undefined);
    expect(first).toMatch(/^[0-9a-f]{24}$/);
    expect(keyOf(undefined)).not.toBe(first);
    expect(keyOf({ apiKey: "k", [STACK_KEY]: "of-this-stack" })).toBe("of-this-stack");
    // A refresh and a destroy give the inputs in state.
    expect(plugin().checkConfig(undefined, { apiKey: "k", [STACK_KEY]: "of-this-stack" })).toMatchObject({
      inputs: { [STACK_KEY]: "of-this-stack" },
      reasons: [],
    });
  });

  test("while one is not known, a function has no answer, and all may still come", async () => {
    const it = plugin();
    it.configure({ baseUrl: UNKNOWN, apiKey: "k" });
    expect(await it.invoke("getDeployment", { id: "1" })).toBeUndefined();
    expect(() => it.configure({ baseUrl: "https://a.example", apiKey: "k" })).not.toThrow();
  });
});

describe("a second Configure", () => {
  const settings = { baseUrl: "https://a.example", apiKey: "k" };
  const again = (other: JsonObject) => () => {
    const it = plugin();
    it.configure(settings);
    it.configure(other);
  };
  test("with the same settings changes nothing", () => expect(again({ ...settings })).not.toThrow());
  test.each<[reason: string, other: JsonObject]>([
    ["another key", { ...settings, apiKey: "other" }],
    ["another address", { ...settings, baseUrl: "https://b.example" }],
    ["one setting more", { ...settings, tenantId: "t" }],
    ["one that is not known", { ...settings, apiKey: UNKNOWN }],
  ])("with other ones is refused: %s", (_reason, other) => {
    expect(again(other)).toThrow(/configured already, with other settings: each Platform needs a process of its own/);
  });
});

describe("functions", () => {
  test("refuse other arguments by name", async () => {
    const it = plugin();
    it.configure({});
    await expect(it.invoke("agent-platform:index:getDeployment", { nam: "1" })).rejects.toThrow(
      "getDeployment: nam is not known; it takes id, name",
    );
  });

  test("an unknown one names those that there are", async () => {
    await expect(plugin().invoke("agent-platform:index:getThat", {})).rejects.toThrow(
      /there is no function .* It has: getDeployment, /,
    );
  });
});

test.each(["Nothing", "constructor"])("an unknown resource type (%s) names those that there are", (kind) =>
  expect(() => plugin().resource(`urn:pulumi:dev::shop::agent-platform:index:${kind}::desk`)).toThrow(
    /there is no resource type .* It has: Deployment, /,
  ),
);
