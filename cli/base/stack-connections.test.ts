import { SECRET_SIGNATURE, SIGNATURE } from "../../provider/base/engine-format";
import { type Setting, SETTINGS as ALL_SETTINGS } from "../../provider/base/settings";
import { dynamicToken, nativeToken } from "../../provider/resources/resource-types";
import { stateIn } from "./stack-state";
import { connectionsIn } from "./stack-connections";

const secret = (text: string) => ({ [SIGNATURE]: SECRET_SIGNATURE, plaintext: JSON.stringify(text) });
const DYNAMIC = "pulumi-nodejs";
const NATIVE = "agent-platform";
const urn = (type: string, name: string): string => `urn:pulumi:prod::shop::${type}::${name}`;
const provider = (front: string, name: string, inputs: object = {}, more: object = {}) => ({
  urn: urn(`pulumi:providers:${front}`, name),
  type: `pulumi:providers:${front}`,
  id: "1",
  inputs,
  ...more,
});
const object = (front: string, by: string) => {
  const type = front === NATIVE ? nativeToken("SandboxTemplate") : dynamicToken("SandboxTemplate");
  return { urn: urn(type, "code"), type, id: "t", provider: `${urn(`pulumi:providers:${front}`, by)}::1` };
};
const SETTINGS = { baseUrl: "https://a.example", apiKey: secret("k") };
const CONFIG = { "agent-platform:baseUrl": "https://a.example", "agent-platform:apiKey": secret("k") };
const settingsFrom = (given: (setting: Setting) => string | undefined) =>
  Object.fromEntries(ALL_SETTINGS.flatMap((name) => (given(name) === undefined ? [] : [[name, given(name)]])));
const KNOWN = { baseUrl: "https://a.example", apiKey: "k" };

test.each<[why: string, resources: object[], platforms: [string, object][], hasOwn: boolean]>([
  ["an empty state", [], [], true],
  ["dynamic: the stack's own", [provider(DYNAMIC, "default"), object(DYNAMIC, "default")], [], true],
  ["native: the stack's own", [provider(NATIVE, "default_0_1_0", SETTINGS), object(NATIVE, "default_0_1_0")], [], true],
  ["dynamic: a Platform", [provider(DYNAMIC, "eu", CONFIG), object(DYNAMIC, "eu")], [["eu", KNOWN]], false],
  ["native: a Platform", [provider(NATIVE, "eu", SETTINGS), object(NATIVE, "eu")], [["eu", KNOWN]], false],
  ["a Platform without an object", [provider(DYNAMIC, "eu", CONFIG)], [["eu", KNOWN]], false],
  ["a Platform with all from the environment", [provider(DYNAMIC, "eu"), object(DYNAMIC, "eu")], [["eu", {}]], false],
  ["another use of dynamic resources", [provider(DYNAMIC, "theirs")], [], true],
  ["a Platform that is being deleted", [provider(DYNAMIC, "eu", CONFIG, { delete: true })], [], true],
])("%s", (_why, resources, platforms, hasOwn) => {
  const found = connectionsIn(stateIn(JSON.stringify({ deployment: { resources } })), new Map(), {});
  const [own] = found.filter(({ platform }) => platform === undefined);
  const others = found.filter((each) => each !== own);
  expect(others.map(({ platform, source: [given] }) => [platform, settingsFrom(given)])).toEqual(platforms);
  expect(own !== undefined).toBe(hasOwn);
});

const SHOP = new Map([
  ["agent-platform:baseUrl", "https://own.example"],
  ["agent-platform:apiKey", "k"],
]);
const TWO = [provider(NATIVE, "default_0_1_0"), provider(NATIVE, "eu", SETTINGS), object(NATIVE, "eu")];

test("a stack whose configuration names a platform has that connection first, even if all objects use a Platform", () => {
  const found = connectionsIn(stateIn(JSON.stringify({ deployment: { resources: TWO } })), SHOP, {});
  expect(found.map(({ platform }) => platform)).toEqual([undefined, "eu"]);
});

test("each object has the connection that its state names", () => {
  const [own, eu] = connectionsIn(stateIn(JSON.stringify({ deployment: { resources: TWO } })), SHOP, {});
  const [theirs, other] = ["eu", "default_0_1_0"].map((by) => object(NATIVE, by).provider);
  expect([own?.isOf(theirs ?? ""), eu?.isOf(theirs ?? "")]).toEqual([false, true]);
  expect([own?.isOf(other ?? ""), eu?.isOf(other ?? "")]).toEqual([true, false]);
});
