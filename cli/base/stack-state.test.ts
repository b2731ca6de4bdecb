import { safeText } from "../../provider/base/masker";
import { stateIn } from "./stack-state";

const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(value),
});

test("the open secrets of a state are in no message of this process", () => {
  const resource = {
    urn: "urn:pulumi:dev::shop::agent-platform:index:Deployment::desk",
    type: "agent-platform:index:Deployment",
    inputs: { secrets: secret({ MODEL_KEY: "sk-of-state-1" }) },
    outputs: { list: [{ password: secret("pw-of-state-2") }], sealed: { ...secret(""), plaintext: undefined } },
  };
  expect(safeText("sk-of-state-1")).toBe("sk-of-state-1");
  expect(stateIn(JSON.stringify({ deployment: { resources: [resource] } })).resources).toHaveLength(1);
  expect(safeText("got sk-of-state-1 and pw-of-state-2")).toBe("got [secret] and [secret]");
});
