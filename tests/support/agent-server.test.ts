import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { agentUnderTest } from "./agent-under-test";
import { playAgentStory } from "./agent-server-story";

const Recorded = z.object({ request: z.string() }).loose();
const lines = readFileSync(join(__dirname, "captures", "agent-server.jsonl"), "utf8")
  .trimEnd()
  .split("\n");
const recorded = lines.map((line) => Recorded.parse(JSON.parse(line)));

/** What the emulator says of itself, and what it does not have, is its own (docs/emulator.md, The agents). */
const OWN = ["GET /info", "GET /nope", "GET /assistants", /^PUT \/runs\/crons/];
const isOwn = ({ request }: z.infer<typeof Recorded>): boolean =>
  OWN.some((each) => (typeof each === "string" ? each === request : each.test(request)));

describe("the emulator's agents answer as the official server did", () => {
  let answers: readonly unknown[];
  beforeAll(async () => {
    const { url, emulator } = await agentUnderTest({ apiKey: "own-key" });
    answers = await playAgentStory(url, emulator.apiKey);
  });

  test.each(
    recorded.flatMap((answer, index) =>
      isOwn(answer) ? [] : [[`${index} ${answer.request}`, answer, index] as const],
    ),
  )("%s", (_, answer, index) => expect(answers[index]).toEqual(answer));

  test("to each request", () => {
    expect(recorded.filter((answer) => !isOwn(answer)).length).toBeGreaterThan(100);
    expect(answers.length).toBe(recorded.length);
  });
});
