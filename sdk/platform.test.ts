import * as pulumi from "@pulumi/pulumi";
import { resolveConnection } from "../provider/base/connection";
import { environmentName, NAMESPACE, SETTINGS, type Setting } from "../provider/base/settings";
import { settingsOf } from "./platform";
import type { PlatformArgs } from "./platform.generated";
import { valueOf } from "../tests/support/value-of";

type Settings = Partial<Record<Setting, string>>;
afterEach(() => {
  pulumi.runtime.setAllConfig({});
});

function configureStack(stack: Settings): void {
  const entries = Object.entries(stack).map(([name, value]) => [`${NAMESPACE}:${name}`, value] as const);
  pulumi.runtime.setAllConfig(Object.fromEntries(entries));
}

/** The settings that reach the provider's process: a Platform's inputs if there is one, else the stack's configuration. */
async function configuredBy(platform: PlatformArgs | undefined, stack: Settings): Promise<(name: string) => string> {
  configureStack(stack);
  if (platform === undefined) return (name) => Object.entries(stack).find(([key]) => key === name)?.[1] ?? "";
  const settings: Readonly<Record<string, string | undefined>> = await valueOf(
    pulumi.output(settingsOf('Platform "eu"', platform)),
  );
  return (name) => settings[`${NAMESPACE}:${name}`] ?? "";
}

/** The settings of an environment, under the names of its variables. */
const variables = (environment: Settings): NodeJS.ProcessEnv =>
  Object.fromEntries(
    SETTINGS.flatMap((name) => (environment[name] ? [[environmentName(name), environment[name]] as const] : [])),
  );

/** Where requests go, and with which credentials: "host key", with the sandbox API's host, the token and the tenant where they are others. */
async function reached(places: Places): Promise<string> {
  const configured = await configuredBy(places.own, places.stack ?? {});
  const resolved = resolveConnection((name) => configured(name), variables(places.env ?? {}));
  if ("problems" in resolved) throw new Error(resolved.problems.map(({ reason }) => reason).join("\n"));
  const { baseUrl, sandboxBaseUrl, apiKey, bearerToken, tenantId, organizationId } = resolved.connection;
  const name = (url: string): string => new URL(url).hostname.replace(".example", "");
  return [
    name(baseUrl),
    ...(sandboxBaseUrl === baseUrl ? [] : [name(sandboxBaseUrl)]),
    ...[apiKey, bearerToken, tenantId, organizationId].filter((each) => each !== undefined),
  ].join(" ");
}

interface Places {
  readonly own?: PlatformArgs;
  readonly stack?: Settings;
  readonly env?: Settings;
}

const at = (name: string): string => `https://${name}.example`;
const table = { baseUrlUs: at("us"), baseUrlEu: at("eu") };
const stack = { baseUrl: at("stack"), apiKey: "stack-key" };
const whole: Settings = {
  ...stack,
  sandboxBaseUrl: at("stack-sandbox"),
  bearerToken: "stack-token",
  tenantId: "stack-tenant",
  organizationId: "stack-org",
};
const wholeReached = "stack stack-sandbox stack-key stack-token stack-tenant stack-org";
const env = {
  baseUrl: at("env"),
  sandboxBaseUrl: at("env-sandbox"),
  apiKey: "env-key",
  bearerToken: "env-token",
  tenantId: "env-tenant",
  organizationId: "env-org",
};
const envReached = "env env-sandbox env-key env-token env-tenant env-org";
const own = { baseUrl: at("own"), apiKey: "own-key" };

type Row = readonly [reason: string, places: Places, expected: string];

test("what the stack keeps secret, and what a program gives as a secret, stays secret", async () => {
  const names = ["baseUrl", "organizationId"] as const;
  const entries = names.map((name) => [`${NAMESPACE}:${name}`, at(name)] as const);
  pulumi.runtime.setAllConfig(Object.fromEntries(entries), [`${NAMESPACE}:organizationId`]);
  const settings = settingsOf('Platform "eu"', { logFile: pulumi.secret("/tmp/log") });
  const isSecret = (name: string) => pulumi.isSecret(pulumi.output(settings[`${NAMESPACE}:${name}`]));
  expect(await Promise.all([...names, "logFile"].map(isSecret))).toEqual([false, true, true]);
});

describe("where requests go, and with whose key", () => {
  test.each<Row>([
    ["one place alone is taken as it is", { stack: whole }, wholeReached],
    ["the environment too", { env }, envReached],
    ["a whole place hides a whole one behind it", { stack: whole, env }, wholeReached],
    ["a Platform that says nothing is the stack's connection", { own: {}, stack: whole }, wholeReached],
    ["or the environment's", { own: {}, env }, envReached],
    [
      "a Platform of another region takes neither the stack's sandbox host, nor its token, nor its tenant",
      { own, stack: whole, env },
      "own own-key",
    ],
    [
      "a Platform's own parts, all of them",
      { own: { ...own, sandboxBaseUrl: at("own-sandbox"), tenantId: "own-tenant" }, stack: whole, env },
      "own own-sandbox own-key own-tenant",
    ],
    ["a token of its own hides the stack's key", { own: { bearerToken: "t" }, stack }, "stack t"],
    ["its own key, sandbox host included", { own: { apiKey: "own-key" }, stack: whole }, "stack stack-sandbox own-key"],
    [
      "a tenant alone is one that the stack's key opens",
      { own: { tenantId: "own-tenant" }, stack: whole },
      "stack stack-sandbox stack-key stack-token own-tenant stack-org",
    ],
    [
      "a region is looked up in the stack's table, and nothing else of the stack's address counts",
      { own: { region: "eu", apiKey: "eu-key" }, stack: { ...whole, ...table } },
      "eu eu-key",
    ],
    [
      "in its own table first",
      { own: { region: "eu", baseUrlEu: at("own-eu"), apiKey: "k" }, stack: { ...stack, ...table } },
      "own-eu k",
    ],
    [
      "in the environment's at last",
      { own: { region: "us", apiKey: "k" }, stack: { region: "eu" }, env: table },
      "us k",
    ],
    [
      "a region of the stack hides a base URL behind it",
      { stack: { region: "eu", apiKey: "k", ...table }, env },
      "eu k",
    ],
    [
      "a region of the environment picks from the stack's table",
      { stack: { ...table, apiKey: "k" }, env: { region: "us" } },
      "us k",
    ],
    ["a key of the stack for the environment's address", { stack: { apiKey: "k" }, env }, "env env-sandbox k"],
    [
      "a key of the environment that names no address is for the stack's",
      { stack: { baseUrl: at("stack"), tenantId: "t" }, env: { apiKey: "env-key", organizationId: "o" } },
      "stack env-key t o",
    ],
    [
      "a key of the environment beside the same address",
      { stack: { baseUrl: at("env") }, env: { apiKey: "env-key", baseUrl: `${at("env")}/` } },
      "env env-key",
    ],
    [
      "a key of the environment beside the same region",
      { stack: { region: "eu", ...table }, env: { apiKey: "env-key", region: "eu" } },
      "eu env-key",
    ],
    ["an empty setting is not set", { stack: { ...stack, sandboxBaseUrl: "", tenantId: "" } }, "stack stack-key"],
  ])("%s", async (_reason, places, expected) => expect(await reached(places)).toBe(expected));

  test.each<readonly [reason: string, places: Places, expected: RegExp]>([
    [
      "an address of its own without a key of its own, which would get the stack's",
      { own: { baseUrl: at("own") }, stack },
      /^Platform "eu": apiKey is missing beside baseUrl: a Platform with its own address needs its own key/,
    ],
    [
      "or the environment's",
      { own: { region: "eu" }, stack: table, env: { apiKey: "k" } },
      /^Platform "eu": apiKey is missing beside region/,
    ],
    [
      "a sandbox host alone, which would get the stack's key",
      { own: { sandboxBaseUrl: at("own") }, stack },
      /^Platform "eu": sandboxBaseUrl is set without baseUrl or region/,
    ],
    [
      "and alone with a key, which the stack's control plane would get",
      { own: { sandboxBaseUrl: at("own"), apiKey: "k" }, stack },
      /^Platform "eu": sandboxBaseUrl is set without baseUrl or region/,
    ],
    [
      "an entry of the table alone, which would move the stack's region and its key",
      { own: { baseUrlEu: at("own") }, stack: { region: "eu", apiKey: "k", ...table } },
      /^Platform "eu": baseUrlEu is set without baseUrl or region: only region selects it/,
    ],
    [
      "a tenant of the stack that goes with no key of the stack: dropped in silence, another one would be filled",
      { own: { apiKey: "k" }, stack: { baseUrl: at("stack"), tenantId: "t" }, env: { apiKey: "e" } },
      /^Platform "eu": tenantId is missing: the stack's value belongs to a key that is not used here/,
    ],
    [
      "a sandbox host of the stack that goes with no address of the stack",
      { own, stack: { sandboxBaseUrl: at("s") }, env },
      /^Platform "eu": sandboxBaseUrl is missing: the stack's value belongs to an address/,
    ],
    [
      "a stack's sandbox host beside the environment's address",
      { stack: { sandboxBaseUrl: at("stack"), apiKey: "k" }, env },
      /^sandboxBaseUrl is set, but neither baseUrl nor region is set in the same place/,
    ],
    [
      "an environment's sandbox host beside the stack's region",
      { stack: { region: "eu", apiKey: "k", ...table }, env: { sandboxBaseUrl: at("env") } },
      /^AGENT_PLATFORM_SANDBOX_BASE_URL is set, but the address it belongs to does not come from the environment/,
    ],
    [
      "an environment's tenant beside the stack's key",
      { stack, env: { tenantId: "t" } },
      /^AGENT_PLATFORM_TENANT_ID is set, but the key it belongs to does not come from the environment/,
    ],
    [
      "an environment's key that is meant for the environment's address",
      { stack: { baseUrl: at("stack") }, env },
      /^apiKey comes from the environment .*AGENT_PLATFORM_BASE_URL\) and is not sent to https:\/\/stack\.example/,
    ],
    [
      "and its token, meant for another region",
      { stack: { region: "us", ...table }, env: { region: "eu", bearerToken: "t" } },
      /^bearerToken comes from the environment .*AGENT_PLATFORM_REGION\) and is not sent to https:\/\/us\.example/,
    ],
    [
      "a stack's sandbox host that the environment's key is not meant for",
      { stack: { baseUrl: at("env"), sandboxBaseUrl: at("s") }, env: { baseUrl: at("env"), apiKey: "k" } },
      /^apiKey comes from the environment .* is not sent to https:\/\/s\.example/,
    ],
    [
      "a region of the environment that the stack's table sends elsewhere than the environment's",
      { stack: table, env: { region: "eu", baseUrlEu: at("env"), apiKey: "k" } },
      /^apiKey comes from the environment .* is not sent to https:\/\/eu\.example/,
    ],
    [
      "a misspelled tenant, which the stack's key would fill in",
      { own: Object.assign({ apiKey: "k" }, { tenantID: "t" }), stack },
      /^Platform "eu": agent-platform:tenantID is not a setting of this provider; did you mean tenantId\?/,
    ],
    [
      "an empty key of a Platform, which another place would fill in",
      { own: { ...own, apiKey: "" }, env },
      /^Platform "eu": apiKey must not be empty/,
    ],
  ])("refused: %s", async (_reason, places, expected) => {
    await expect(reached(places)).rejects.toThrow(expected);
    await expect(reached(places)).rejects.not.toThrow(/-key/);
  });
});
