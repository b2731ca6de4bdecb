import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { startAgentServer } from "./agent-server";
import { playAgentStory } from "./agent-server-story";

const Recorded = z.object({ request: z.string() }).loose();
const lines = readFileSync(join(__dirname, "captures", "agent-server.jsonl"), "utf8")
  .trimEnd()
  .split("\n");
const recorded = lines.map((line) => Recorded.parse(JSON.parse(line)));

describe("the stand-in for an agent server answers as the official server did", () => {
  let answers: readonly unknown[];
  beforeAll(async () => {
    const server = await startAgentServer({ apiKey: "own-key" });
    try {
      answers = await playAgentStory(server.url, "own-key");
    } finally {
      await server.close();
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
