import { InvalidArgumentError } from "commander";
import { revisions, startEmulator } from "../../emulator";
import { deployed } from "../../tests/support/agent-under-test";
import { agentLines, missingAgents, oneMoreAgent } from "./agent-flag";

test.each<[what: string, text: string, agents: object]>([
  ["an address", "desk=http://127.0.0.1:2024", { desk: "http://127.0.0.1:2024" }],
  ["an address of this machine without its scheme", "desk=localhost:2024", { desk: "http://localhost:2024" }],
  ["the same in IPv6", "desk=[::1]:2024", { desk: "http://[::1]:2024" }],
  ["another machine, spelled out", "desk=https://agents.example.com/desk", { desk: "https://agents.example.com/desk" }],
  ["a command", "desk=npx langgraph dev --port {port}", { desk: { command: "npx langgraph dev --port {port}" } }],
  ["a command with an equals sign", "desk=LEVEL=debug npm start", { desk: { command: "LEVEL=debug npm start" } }],
])("%s", (_what, text, agents) => {
  expect(oneMoreAgent(text)).toEqual(agents);
});

test("repeated, each by its name", () => {
  expect(oneMoreAgent("two=npm start", oneMoreAgent("one=http://127.0.0.1:1"))).toEqual({
    one: "http://127.0.0.1:1",
    two: { command: "npm start" },
  });
});

test.each<[why: string, text: string, said: RegExp]>([
  ["no server", "desk", /^it has to be NAME=SERVER/],
  ["no name", "=http://127.0.0.1:1", /^it has to be NAME=SERVER/],
  ["an empty server, as from a variable that is not set", "desk=", /^it has to be NAME=SERVER/],
  [
    "another machine without its scheme, which would be a command",
    "desk=agents.example.com:2024",
    /^agents\.example\.com:2024 is not on this machine: write its whole address, such as https:\/\/agents\.example\.com:2024\. Requests then go there, without the emulator's key\.$/,
  ],
  ["a password in the address", "desk=http://a:b@127.0.0.1:1", /^The agent "desk" needs a whole address/],
])("refused: %s", (_why, text, said) => {
  expect(() => oneMoreAgent(text)).toThrow(InvalidArgumentError);
  expect(() => oneMoreAgent(text)).toThrow(said);
});

test("one name twice is refused", () => {
  expect(() => oneMoreAgent("desk=npm start", { desk: "http://127.0.0.1:1" })).toThrow(
    "the agent desk is given twice.",
  );
});

test("the start says which deployments have an agent of their own, and what leaves this machine", () => {
  const agents = { one: "http://127.0.0.1:2024", two: { command: "npm start" }, three: "https://agents.example.com" };
  expect(agentLines(agents)).toEqual([
    "Agent of deployment one: http://127.0.0.1:2024/",
    "Agent of deployment two: npm start",
    "Agent of deployment three: https://agents.example.com/ (not on this machine: requests go there, without the emulator's key)",
  ]);
});

test("a start without the agent of a deployment that a command has served names it", async () => {
  const emulator = await startEmulator();
  for (const name of ["desk", "night", "plain"]) await deployed(emulator, "image:1", name);
  const made = emulator.outOfBand(revisions);
  for (const { id } of made.list().slice(0, 2)) made.change(id, { by_command: true });
  const warningWith = (...names: string[]) =>
    missingAgents(Object.fromEntries(names.map((name) => [name, "http://127.0.0.1:1"])), emulator.store);
  expect(warningWith()).toBe(
    "warning: Before, a command served desk, night. To start it again: --agent 'NAME=COMMAND'.",
  );
  expect(warningWith("night")).toContain("served desk. ");
  expect(warningWith("desk", "night")).toBeUndefined();
  await emulator.close();
});
