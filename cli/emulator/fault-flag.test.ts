import { Command } from "commander";
import { defineCommand, parseFault } from "./command";

test("--fault is a fault as in a test, with every default filled in", () => {
  expect(parseFault('{ "kind": "status", "status": 503, "method": "GET", "nth": 3 }')).toEqual({
    ...{ kind: "status", status: 503, method: "GET", nth: 3 },
    ...{ path: "*", probability: 1, phase: "before-route", echo: false, body: "platform" },
  });
});

test.each<[string, string]>([
  ["GET * 503", "is not valid JSON"],
  ["{}", "This fault is not valid: kind: "],
  ['{ "kind": "status", "status": 200 }', "This fault is not valid: status: "],
  ['{ "kind": "html", "often": true }', 'This fault is not valid: Unrecognized key: "often".'],
  ['{ "kind": "nope" }', "| 'reset-after-commit' | 'hold' | 'truncated-json' |"],
])("--fault %s is refused: %s", (text, reason) => {
  expect(() => parseFault(text)).toThrow(reason);
});

test("the command refuses a wrong fault by name", () => {
  const said: string[] = [];
  const command = new Command("emulator").exitOverride().configureOutput({
    writeErr: (text) => void said.push(text),
  });
  defineCommand(command);
  expect(() => command.parse(["--fault", '{ "kind": "often" }'], { from: "user" })).toThrow();
  expect(said.join("")).toMatch(/--fault .*often.* is invalid\. This fault is not valid: .*See --help\./);
});
