import { startEmulator, type Emulator } from "../../emulator";
import type { Setting } from "../../provider/base/settings";
import type { ConnectionSource } from "../../provider/functions/platform-client";
import { openPlatform } from "../../provider/functions/reading";
import { nativeToken } from "../../provider/resources/resource-types";
import type { Connections } from "./connection";
import { findDeployment } from "./deployment";
import type { StackConnection } from "./stack-connections";
import { objectsIn } from "./stack-objects";
import { stateIn } from "./stack-state";
import { deployed } from "../../tests/support/agent-under-test";

let us: Emulator;
let eu: Emulator;
beforeAll(async () => {
  [us, eu] = await Promise.all([startEmulator({ buildSeconds: 0 }), startEmulator({ buildSeconds: 0 })]);
});
afterEach(() => [us, eu].forEach((emulator) => emulator.reset()));
afterAll(() => Promise.all([us.close(), eu.close()]));

const made = (emulator: Emulator, name: string): Promise<string> => deployed(emulator, "a:1", name);

const connection = (platform: string | undefined, { url, apiKey }: Emulator): StackConnection => {
  const given: Partial<Record<Setting, string>> = { baseUrl: url, apiKey };
  const source: ConnectionSource = [(setting) => given[setting], {}];
  return { platform, source, isOf: (provider) => provider === (platform ?? "") };
};

/** A deployment in the state of the stack: its name in the program, its name and its id there, and whose connection is its own. */
type InState = readonly [name: string, shown: string, id: string, platform: string];
const stack = (held: readonly InState[]): Connections => {
  const resources = held.map(([name, shown, id, provider]) => ({
    urn: `urn:pulumi:prod::shop::${nativeToken("Deployment")}::${name}`,
    type: nativeToken("Deployment"),
    id,
    provider,
    outputs: { name: shown },
  }));
  const objects = objectsIn("prod", stateIn(JSON.stringify({ deployment: { resources } })));
  return { where: "the selected stack", all: [connection("us", us), connection("eu", eu)], objects, rolledBack: [] };
};
const found = async (connections: Connections, given?: string): Promise<readonly [url: string, name: string]> => {
  const { platform, deployment } = await findDeployment(connections, given, openPlatform);
  return [platform.connection.baseUrl, deployment.name];
};

describe("a deployment of the stack, at its own connection", () => {
  test.each<[how: string, given: (id: string) => string | undefined]>([
    ["by its name in the program", () => "agent"],
    ["by its name on the platform", () => "agent-7"],
    ["by its id", (id) => id],
    ["as the only one, without a name", () => undefined],
  ])("%s", async (_how, given) => {
    // The same name at the other connection, and first in the order.
    await made(us, "agent-7");
    const id = await made(eu, "agent-7");
    expect(await found(stack([["agent", "agent-7", id, "eu"]]), given(id))).toEqual([eu.url, "agent-7"]);
    expect(us.requests).toHaveLength(1);
  });

  test("what is called so in the program goes before what is called so on the platform", async () => {
    const [one, other] = [await made(us, "one"), await made(eu, "desk")];
    const held = stack([
      ["desk", "one", one, "us"],
      ["other", "desk", other, "eu"],
    ]);
    expect(await found(held, "desk")).toEqual([us.url, "one"]);
  });

  test("two of one name: an error with their names in the program", async () => {
    const [one, other] = [await made(us, "desk"), await made(eu, "desk")];
    const held = stack([
      ["us-desk", "desk", one, "us"],
      ["eu-desk", "desk", other, "eu"],
    ]);
    await expect(found(held, "desk")).rejects.toThrow(
      '"desk" is the name of several deployments: give the name of one (eu-desk, us-desk)',
    );
    expect(await found(held, "eu-desk")).toEqual([eu.url, "desk"]);
    await expect(found(held)).rejects.toThrow("there are several deployments: name one (eu-desk, us-desk)");
  });

  test("that somebody has deleted: an error that says what to do", async () => {
    const held = stack([["agent", "agent", "00000000-0000-4000-8000-000000000000", "us"]]);
    await expect(found(held, "agent")).rejects.toThrow(
      /^deployment agent of the stack \(0+-.*\) does not exist at http:\S+ for this key and tenant: `pulumi refresh` tells the stack/,
    );
  });
});

describe("a deployment of no stack", () => {
  const atUs = (): Connections => ({ ...stack([]), all: [connection("us", us)] });

  test("is found on whichever platform has it", async () => {
    await made(eu, "by-hand");
    expect(await found(stack([]), "by-hand")).toEqual([eu.url, "by-hand"]);
  });

  test("that two connections of one workspace show is one", async () => {
    const twice = { ...stack([]), all: [connection("us", us), connection("admin", us)] };
    const id = await made(us, "by-hand");
    for (const given of ["by-hand", id, undefined]) expect(await found(twice, given)).toEqual([us.url, "by-hand"]);
  });

  test("that two platforms have is not clear", async () => {
    await made(us, "by-hand");
    await made(eu, "by-hand");
    await expect(found(stack([]), "by-hand")).rejects.toThrow(/^"by-hand" is the name of several deployments/);
  });

  test("is found by its name and by its id among others, also if the name has the form of an id", async () => {
    const name = "00000000-0000-4000-8000-000000000000";
    const id = await made(us, name);
    await made(us, "two");
    for (const given of [name, id]) expect(await found(atUs(), given)).toEqual([us.url, name]);
  });

  const several = Array.from({ length: 12 }, (_, index) => `agent-${index}`);
  test.each<[why: string, there: readonly string[], given: string | undefined, error: RegExp]>([
    ["no name, of several", ["one", "two"], undefined, /^there are several deployments: name one \(one, two\)$/],
    ["no name, where there are very many", several, undefined, /\(agent-0, agent-1, agent-10, .*agent-8, \.\.\.\)$/],
    ["no name, where there is none", [], undefined, /^there are no deployments at http:\S+ for this key and tenant$/],
    ["a name that none has", ["desk"], "other", /^no deployment has the name or id "other" at .*: it is none of desk$/],
    ["a name near to one", ["support-agent", "billing-agent"], "suport-agent", /: did you mean support-agent\?$/],
  ])("%s: an error that says so", async (_why, there, given, error) => {
    for (const name of there) await made(us, name);
    await expect(found(atUs(), given)).rejects.toThrow(error);
  });

  test("that no platform has: an error with what is near in the stack, and the places", async () => {
    const id = await made(us, "us-agent-0");
    await expect(found(stack([["us-agent-0", "us-agent-0", id, "us"]]), "us-agnet-0")).rejects.toThrow(
      `no deployment has the name or id "us-agnet-0" in the selected stack, or at ${us.url} for this key and tenant, or ` +
        `at ${eu.url} for this key and tenant: did you mean us-agent-0?`,
    );
  });
});
