import { startEmulator, type Emulator } from "../../emulator";
import { sandboxTemplates } from "../../emulator";
import { SECRET_SIGNATURE, SIGNATURE } from "../../provider/base/engine-format";
import type { JsonObject } from "../../provider/base/json";
import { keyMarkOf, originOf } from "../../provider/lifecycle/identity/origin";
import { createSession } from "../../provider/lifecycle/session";
import { stateIn, type StackState } from "../base/stack-state";
import { CliError } from "../base/cli-error";
import { readableIn, readStack } from "./read";
import { reportOf } from "./report";

const ADDRESS = "https://platform.example";
const closed = { [SIGNATURE]: SECRET_SIGNATURE, ciphertext: "v1:abc:def" };
const urnOf = (type: string, name: string): string => `urn:pulumi:dev::desk::${type}::${name}`;
const PROVIDER = "pulumi:providers:agent-platform";
const CONNECTION = `${urnOf(PROVIDER, "default")}::id`;
const connection = (inputs: JsonObject) => ({
  urn: urnOf(PROVIDER, "default"),
  type: PROVIDER,
  id: "id",
  custom: true,
  inputs,
});
const object = (kind: string, name: string, inputs: JsonObject, outputs: JsonObject = {}, more: JsonObject = {}) => {
  const type = kind.includes(":") ? kind : `agent-platform:index:${kind}`;
  return {
    urn: urnOf(type, name),
    type,
    id: name,
    custom: true,
    provider: CONNECTION,
    inputs,
    outputs: { ...inputs, ...outputs },
    ...more,
  };
};
const stateWith = (resources: readonly object[], pending: readonly object[] = []): StackState =>
  stateIn(JSON.stringify({ deployment: { resources, pending_operations: pending } }));

/** As a read with this key has left it. */
const seenWith = (apiKey: string, at = ADDRESS): JsonObject => {
  const origin = originOf(at, undefined);
  return { __origin: origin, __keyMark: keyMarkOf(origin, apiKey) };
};
const AT = { baseUrl: ADDRESS };
const PLACE = { deploymentId: "d", url: "https://a.example" };
const template = (outputs: JsonObject = {}, more: JsonObject = {}) =>
  object("SandboxTemplate", "code", { name: "code", image: "a" }, outputs, more);

describe("who can be compared without an engine", () => {
  const closedKey = [connection({ ...AT, apiKey: closed }), template(seenWith("k"))];
  const encryptedKey = "its key is encrypted, and AGENT_PLATFORM_API_KEY is not that key";
  test.each<
    [why: string, resources: readonly object[], environment: Record<string, string>, engine: string | undefined]
  >([
    ["the environment has the key", [connection(AT), template()], { API_KEY: "k" }, undefined],
    ["the state has it as plain text", [connection({ ...AT, apiKey: "k" }), template()], {}, undefined],
    ["nothing has it", [connection(AT), template()], {}, "its connection is incomplete"],
    ["an encrypted key, and none beside it", closedKey, {}, encryptedKey],
    ["an encrypted key: the environment's is the one that saw the objects", closedKey, { API_KEY: "k" }, undefined],
    ["an encrypted key: the environment's is another one", closedKey, { API_KEY: "other" }, encryptedKey],
    ["an encrypted key: another one for this address", closedKey, { API_KEY: "other", BASE_URL: ADDRESS }, undefined],
    [
      "an encrypted key: the environment's is that of another workspace, which has objects in this stack too",
      [
        connection({ ...AT, apiKey: closed }),
        template(seenWith("k")),
        { ...connection({ ...AT, apiKey: closed }), urn: urnOf(PROVIDER, "eu") },
        template(seenWith("other"), { urn: "of-eu", provider: `${urnOf(PROVIDER, "eu")}::id` }),
      ],
      { API_KEY: "k", BASE_URL: ADDRESS },
      encryptedKey,
    ],
    [
      "an encrypted key: the environment's is for another address",
      closedKey,
      { API_KEY: "k", BASE_URL: "https://b.example" },
      encryptedKey,
    ],
    [
      "an encrypted key: the environment's saw the objects, but at another address than the state now has",
      [connection({ baseUrl: "https://b.example", apiKey: closed }), template(seenWith("k"))],
      { API_KEY: "k" },
      encryptedKey,
    ],
    [
      "an encrypted token: no object shows whether the environment's saw it",
      [connection({ ...AT, bearerToken: closed }), template({ __origin: originOf(ADDRESS, undefined) })],
      { BEARER_TOKEN: "t" },
      encryptedKey,
    ],
    [
      "an encrypted address",
      [connection({ baseUrl: closed }), template()],
      { API_KEY: "k" },
      "baseUrl is encrypted in its state",
    ],
    [
      "a key of its agent's own, which is sent and never compared",
      [connection({ ...AT, apiKey: "k" }), object("Assistant", "triage", { ...PLACE, apiKey: closed })],
      {},
      "the key or the address of an agent is encrypted in its state",
    ],
    [
      "an encrypted address of an agent",
      [connection({ ...AT, apiKey: "k" }), object("Cron", "digest", { ...PLACE, url: closed })],
      {},
      "the key or the address of an agent is encrypted in its state",
    ],
    [
      "what else is encrypted of what an agent keeps",
      [connection({ ...AT, apiKey: "k" }), object("Assistant", "triage", { ...PLACE, context: closed })],
      {},
      undefined,
    ],
    [
      "a resource of another provider",
      [connection(AT), template(), object("random:index:Id", "id", {})],
      { API_KEY: "k" },
      "it has resources of other providers",
    ],
    [
      "what a replacement has left",
      [connection(AT), template({}, { delete: true })],
      { API_KEY: "k" },
      "a run was cut off in a replacement",
    ],
    [
      "a component, and the stack",
      [connection(AT), { urn: "u", type: "my:index:Desk" }, { urn: "v", type: "pulumi:pulumi:Stack", custom: false }],
      {},
      undefined,
    ],
  ])("%s", (_why, resources, environment, engine) => {
    const variables: NodeJS.ProcessEnv = {};
    for (const [name, value] of Object.entries(environment)) variables[`AGENT_PLATFORM_${name}`] = value;
    const found = readableIn(stateWith(resources), variables);
    expect(typeof found === "string" ? found : undefined).toBe(engine);
  });

  test.each(["creating", "importing"])("what a run that was cut off was %s", (type) =>
    expect(readableIn(stateWith([], [{ type, resource: template() }]), {})).toBe(
      "a run was cut off while it created or imported something",
    ),
  );
});

test("what is encrypted, and what travels with it, is left out; what no answer shows counts as declared", () => {
  const desk = object("Deployment", "desk", {
    name: "desk",
    environmentVariables: { A: "1" },
    secrets: closed,
    secretReferences: [],
  });
  const github = object("OAuthProvider", "github", { providerId: "github", clientSecret: closed });
  const found = readableIn(stateWith([connection({ ...AT, apiKey: "k" }), desk, github]), {});
  if (typeof found === "string") throw new Error(found);
  expect(found.map(({ inputs, encrypted }) => [Object.keys(inputs), encrypted])).toEqual([
    [
      ["name", "secretReferences"],
      ["environmentVariables", "secrets"],
    ],
    [["providerId", "clientSecret"], []],
  ]);
  const plain = object("OAuthProvider", "github", { providerId: "github", clientSecret: "canary" });
  const shown = readableIn(stateWith([connection({ ...AT, apiKey: "k" }), plain]), {});
  expect(
    JSON.stringify(typeof shown === "string" ? shown : shown.map(({ inputs, outputs }) => [inputs, outputs])),
  ).not.toContain("canary");
  expect(JSON.stringify(found.map(({ inputs, outputs }) => [inputs, outputs]))).not.toContain("v1:abc");
});

describe("a platform", () => {
  let emulator: Emulator;
  beforeEach(async () => void (emulator = await startEmulator()));
  afterEach(() => emulator.close());

  const read = (state: StackState, environment: NodeJS.ProcessEnv = {}) => {
    const objects = readableIn(state, environment);
    if (typeof objects === "string") throw new Error(objects);
    return readStack(objects, shared);
  };
  let shared: Parameters<typeof readStack>[1];
  beforeEach(() => void (shared = { session: createSession(), silent: new Map() }));

  const here = () => connection({ baseUrl: emulator.url, apiKey: emulator.apiKey });
  const named = (name: string, image: string) => {
    const made = emulator
      .outOfBand(sandboxTemplates)
      .list()
      .find((each) => each.name === name);
    return object(
      "SandboxTemplate",
      name,
      { name, image },
      { ...seenWith(emulator.apiKey, emulator.url), templateId: made?.id ?? "gone" },
      { id: made?.id ?? "gone" },
    );
  };
  const make = (name: string) =>
    fetch(`${emulator.url}/v2/sandboxes/templates`, {
      method: "POST",
      headers: { "x-api-key": emulator.apiKey, "content-type": "application/json" },
      body: JSON.stringify({ name, image: "a", resources: { cpu: "1" } }),
    });

  test("many stacks are answered by the same lists", async () => {
    for (const name of ["one", "two", "three"]) await make(name);
    emulator.clearLog();
    const reports = [];
    for (const name of ["one", "two", "three"])
      reports.push(reportOf(name, await read(stateWith([here(), named(name, name === "two" ? "b" : "a")]))));
    expect(reports.map(({ drifted, clean }) => [drifted.length, clean])).toEqual([[0, 1], [1, 0], [0, 1]]); // prettier-ignore
    expect(emulator.requests).toHaveLength(1);
  });

  test("whose sandboxes are elsewhere, and do not answer: everything else is compared", async () => {
    const elsewhere = await startEmulator();
    elsewhere.faults.add({ kind: "status", status: 503 });
    const inputs = { ...here().inputs, sandboxBaseUrl: elsewhere.url, requestAttempts: "1" };
    const provider = object("OAuthProvider", "p", { providerId: "github" }, seenWith(emulator.apiKey, emulator.url));
    const box = object("SandboxTemplate", "one", { name: "one" }, seenWith(emulator.apiKey, elsewhere.url));
    const { outcomes, errors } = await read(stateWith([{ ...here(), inputs }, box, provider]));
    await elsewhere.close();
    expect(errors).toEqual([expect.stringContaining(`${elsewhere.url}: it answers 503`)]);
    expect(outcomes.map(({ op }) => op)).toEqual(["same", "delete"]);
  });

  test("one that refuses the key is asked once with that key, and the reason has no name of an object", async () => {
    for (const name of ["one", "two"]) await make(name);
    emulator.clearLog();
    const refused = connection({ baseUrl: emulator.url, apiKey: "old" });
    for (let stack = 0; stack < 3; stack++)
      await expect(read(stateWith([refused, named("one", "a"), named("two", "a")]))).rejects.toThrow(
        new CliError(
          `nothing is known about drift:\n  ${emulator.url}: it answers 401: Invalid API key. \`npx pulumi-agent-platform doctor --stack <name>\` says how to set the key`,
        ),
      );
    expect(emulator.requests).toHaveLength(1);
    expect((await read(stateWith([here(), named("one", "a")]))).errors).toEqual([]);
  });

  test("what several objects have as their reason is said once, with their names", async () => {
    for (const name of ["one", "two"]) await make(name);
    emulator.faults.add({ kind: "status", status: 403 });
    await expect(read(stateWith([here(), named("one", "a"), named("two", "a")]))).rejects.toThrow(
      /^nothing is known about drift:\n {2}SandboxTemplate one: .* answered 403.* \(the same of two\)$/,
    );
  });

  test("one that does not answer is asked once, and says nothing of any stack", async () => {
    const state = stateWith([{ ...here(), inputs: { ...here().inputs, requestAttempts: "1" } }, named("one", "a")]);
    emulator.faults.add({ kind: "status", status: 503 });
    for (let stack = 0; stack < 3; stack++)
      await expect(read(state)).rejects.toThrow(`nothing is known about drift:\n  ${emulator.url}: it answers 503`);
    expect(emulator.requests).toHaveLength(1);
  });
});
