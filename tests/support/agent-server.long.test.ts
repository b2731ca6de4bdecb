import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startEmulator, type Emulator } from "../../emulator";
import { playAgentStory } from "./agent-server-story";
import { deployed } from "./agent-under-test";
import { newFolder } from "./new-folder";
import { officialAgent } from "./official-agent";
import { describeWithPython } from "./with-python";

const CHECKOUT = join(__dirname, "..", "..");
const RECORDED = join(__dirname, "captures", "agent-server.jsonl");
const GRAPHS = { agent: "./graph.py:graph", boom: "./graph.py:graph" };

describeWithPython("the agent server for Python", () => {
  let folder: string;
  let emulator: Emulator;
  beforeAll(async () => {
    folder = newFolder();
    cpSync(join(CHECKOUT, "tests", "official", "own_agent"), folder, { recursive: true });
    writeFileSync(join(folder, "langgraph.json"), JSON.stringify({ dependencies: ["."], graphs: GRAPHS }));
    const agentIn = await officialAgent();
    emulator = await startEmulator({ agents: { agent: agentIn(folder) }, buildSeconds: 0 });
  });
  afterAll(() => emulator.close());

  // AGENT_SERVER_RECORD=1 writes its answers down, for the test of the emulator's agents.
  test("answers the story as it was recorded", async () => {
    const url = `${emulator.url}/agents/${await deployed(emulator, "agent:1")}`;
    // It is DEPLOYED once its process answers.
    const answers = (): Promise<Response> => fetch(`${url}/ok`, { headers: { "x-api-key": emulator.apiKey } });
    while ((await answers()).status !== 200) await pause(200);
    const played = await playAgentStory(url, emulator.apiKey);
    if (process.env["AGENT_SERVER_RECORD"] !== undefined) writeFileSync(RECORDED, lines(played));
    expect(lines(played)).toBe(readFileSync(RECORDED, "utf8"));
  });
});

const lines = (answers: readonly unknown[]): string => answers.map((each) => `${JSON.stringify(each)}\n`).join("");
