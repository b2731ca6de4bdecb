import { dynamicToken, nativeToken, SECRET_SIGNATURE, SIGNATURE } from "../../provider/tools";
import { stateIn } from "../base/stack-state";
import { connectionsIn } from "./connections";

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
const KNOWN = { baseUrl: "https://a.example", apiKey: "k" };

test.each<[why: string, resources: object[], platforms: [string, object][], usesStack: boolean]>([
  ["an empty state", [], [], false],
  ["dynamic: the stack's own", [provider(DYNAMIC, "default"), object(DYNAMIC, "default")], [], true],
  ["native: the stack's own", [provider(NATIVE, "default_0_1_0", SETTINGS), object(NATIVE, "default_0_1_0")], [], true],
  ["dynamic: a Platform", [provider(DYNAMIC, "eu", CONFIG), object(DYNAMIC, "eu")], [["eu", KNOWN]], false],
  ["native: a Platform", [provider(NATIVE, "eu", SETTINGS), object(NATIVE, "eu")], [["eu", KNOWN]], false],
  ["a Platform without an object", [provider(DYNAMIC, "eu", CONFIG)], [["eu", KNOWN]], false],
  [
    "a Platform that has all from the environment",
    [provider(DYNAMIC, "eu"), object(DYNAMIC, "eu")],
    [["eu", {}]],
    false,
  ],
  ["another use of dynamic resources", [provider(DYNAMIC, "theirs")], [], false],
  ["a Platform that is being deleted", [provider(DYNAMIC, "eu", CONFIG, { delete: true })], [], false],
])("%s", (_why, resources, platforms, usesStack) => {
  const found = connectionsIn(stateIn(JSON.stringify({ deployment: { resources } })));
  expect(found.platforms.map(({ name, settings }) => [name, Object.fromEntries(settings)])).toEqual(platforms);
  expect(found.usesStack).toBe(usesStack);
});
