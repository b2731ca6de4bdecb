import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { clientEnvironment } from "../../tools/official/environment";
import { plainEnvironment, testEnvironment } from "../../tools/official/surroundings";
import { playAgentStory } from "./agent-server-story";
import { deployed } from "./agent-under-test";
import { describeWithPython, python } from "./with-python";

const CHECKOUT = join(__dirname, "..", "..");
const RECORDED = join(__dirname, "captures", "agent-server.jsonl");
const GRAPHS = { agent: "./graph.py:graph", other: "./graph.py:graph" };

describeWithPython("the agent server for Python", () => {
  let folder: string;
  let emulator: Emulator;
  beforeAll(async () => {
    if (python === undefined) throw new Error("skipped without Python");
    folder = mkdtempSync(join(tmpdir(), "agent-platform-judge-"));
    cpSync(join(CHECKOUT, "tests", "official", "own_agent"), folder, { recursive: true });
    writeFileSync(join(folder, "langgraph.json"), JSON.stringify({ dependencies: ["."], graphs: GRAPHS }));
    const log = (line: string): void => void process.stderr.write(`${line}\n`);
    const clients = await clientEnvironment({ checkout: CHECKOUT, env: plainEnvironment(process.env), log }, python);
    // No way off this machine.
    const settings = Object.entries(testEnvironment({}, CHECKOUT)).map(([name, value]) => `${name}='${value ?? ""}'`);
    const server = `'${join(clients, "bin", "langgraph")}' dev --no-browser --no-reload --port {port}`;
    const command = `cd '${folder}' && ${settings.join(" ")} exec ${server}`;
    emulator = await startEmulator({ agents: { agent: { command } }, buildSeconds: 0 });
  });
  afterAll(async () => {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // AGENT_SERVER_RECORD=1 writes its answers down, for the test of the stand-in.
  test("answers the story as it was recorded", async () => {
    const url = `${emulator.url}/agents/${await deployed(emulator, "agent:1")}`;
    // It is DEPLOYED once its process answers.
    while ((await fetch(`${url}/ok`, { headers: { "x-api-key": emulator.apiKey } })).status !== 200);
    const answers = await playAgentStory(url, emulator.apiKey);
    if (process.env["AGENT_SERVER_RECORD"] !== undefined) writeFileSync(RECORDED, lines(answers));
    expect(lines(answers)).toBe(readFileSync(RECORDED, "utf8"));
  });
});

const lines = (answers: readonly unknown[]): string => answers.map((each) => `${JSON.stringify(each)}\n`).join("");
