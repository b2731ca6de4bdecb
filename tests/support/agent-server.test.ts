import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { z } from "zod";
import { startAgentServer, type AgentServer } from "./agent-server";
import { playAgentStory } from "./agent-server-story";
import { agentUnderTest } from "./agent-under-test";

const Recorded = z.object({ request: z.string() }).loose();
const lines = readFileSync(join(__dirname, "captures", "agent-server.jsonl"), "utf8")
  .trimEnd()
  .split("\n");
const recorded = lines.map((line) => Recorded.parse(JSON.parse(line)));

describe("the stand-in for an agent server", () => {
  let server: AgentServer;
  beforeAll(async () => {
    server = await startAgentServer();
  });
  afterEach(() => server.reset());
  afterAll(() => server.close());

  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(server.url + path, { method: "POST", headers: { "x-api-key": "k" }, body: JSON.stringify(body) });
  const newAssistant = (name: string): Promise<Response> => post("/assistants", { graph_id: "agent", name });
  const names = (): string[] => [...server.assistants.values()].map(({ name }) => name);

  describe("answers as the official server did", () => {
    let answers: readonly unknown[];
    beforeAll(async () => {
      const own = await startAgentServer({ apiKey: "own-key" });
      try {
        answers = await playAgentStory(own.url, "own-key");
      } finally {
        await own.close();
      }
    });

    test.each(recorded.map((answer, index) => [`${index} ${answer.request}`, answer, index] as const))(
      "%s",
      (_, answer, index) => expect(answers[index]).toEqual(answer),
    );

    test("to each request", () => {
      expect(recorded.length).toBeGreaterThan(100);
      expect(answers.length).toBe(recorded.length);
    });
  });

  test("keeps a log, and shows what it keeps", async () => {
    await newAssistant("a");
    expect(server.requests).toEqual([
      { method: "POST", path: "/assistants", body: { graph_id: "agent", name: "a" }, key: "k" },
    ]);
    expect(names()).toEqual(["agent", "other", "a"]);
  });

  test("loses the answer to a request that was carried out", async () => {
    server.lose({ method: "POST", path: "/assistants" });
    await expect(newAssistant("a")).rejects.toThrow();
    expect(names()).toContain("a");
    expect((await newAssistant("b")).status).toBe(200);
  });

  test("refuses requests, as often as it is told and no other ones", async () => {
    server.refuse({ path: "/assistants" }, 2);
    expect((await post("/runs/crons/count", {})).status).toBe(200);
    expect([(await newAssistant("a")).status, (await newAssistant("a")).status]).toEqual([503, 503]);
    expect(names()).not.toContain("a");
    expect((await newAssistant("a")).status).toBe(200);
  });

  test("holds a request back until it is told to go on", async () => {
    const held = server.hold({ path: "/assistants" });
    const answer = newAssistant("a");
    await held.arrived;
    await turn();
    expect(names()).not.toContain("a");
    held.release();
    expect((await answer).status).toBe(200);
  });

  test("is down and up again, with the same address and the same objects", async () => {
    await newAssistant("a");
    await server.stop();
    await expect(newAssistant("b")).rejects.toThrow();
    await server.start();
    expect((await newAssistant("c")).status).toBe(200);
    expect(names()).toEqual(["agent", "other", "a", "c"]);
  });

  test("without crons, its flag says so, and their paths are unknown", async () => {
    const without = await startAgentServer({ crons: false, graphs: ["agent"] });
    const info: unknown = await (await fetch(`${without.url}/info`)).json();
    expect(info).toMatchObject({ flags: { assistants: true, crons: false } });
    expect((await fetch(`${without.url}/runs/crons/count`, { method: "POST", body: "{}" })).status).toBe(404);
    await without.close();
  });

  test("stands behind an emulator, which keeps its own key to itself", async () => {
    const agent = await agentUnderTest({ agents: { agent: server.url } });
    const answer = await agent.post("/assistants", { graph_id: "agent", name: "a" });
    expect([answer.status, names()]).toEqual([200, ["agent", "other", "a"]]);
    expect(server.requests.map(({ path, key }) => [path, key])).toEqual([["/assistants", undefined]]);
  });

  test("takes its times from the clock that it is given", async () => {
    const onClock = await startAgentServer({ clock: { now: () => Date.UTC(2030, 0, 1) } });
    expect([...onClock.assistants.values()][0]?.created_at).toBe("2030-01-01T00:00:00.000000+00:00");
    await onClock.close();
  });
});
