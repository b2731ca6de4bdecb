import { UNKNOWN, type JsonObject } from "../../base/json";
import { keepsAddress } from "./definition";

const customUrl = "https://desk.example";
const BEFORE: JsonObject = { sourceConfig: { customUrl } };

test.each<[why: string, declarations: readonly JsonObject[], isKept: boolean]>([
  ["the address stays where nothing of it is declared", [{}], true],
  ["and where another part changes", [BEFORE, { sourceConfig: { customUrl, buildOnPush: true } }], true],
  ["it moves with customUrl", [BEFORE, { sourceConfig: { customUrl: "https://other.example" } }], false],
  ["also when customUrl is taken away", [BEFORE, {}], false],
  ["it may move where customUrl is not known yet", [{ sourceConfig: { customUrl: UNKNOWN } }], false],
  ["or nothing of the configuration is", [{ sourceConfig: UNKNOWN }], false],
  ["or what is sent as it is given changes", [{ extra: { a: 1 } }, { extra: { a: 2 } }], false],
  ["nothing is known of a deployment of another program", [], false],
])("%s", (_why, declarations, isKept) => {
  expect(keepsAddress(declarations)).toBe(isKept);
});
