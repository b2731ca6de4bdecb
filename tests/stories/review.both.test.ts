import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { onEmulator } from "../engine/on-emulator";
import { reviewOfStory } from "../review/goldens";
import { CANARY, STORIES } from "../review/stories";
import { cliCommand } from "../support/cli-command";
import { FRONT } from "../support/cli-stack";
import { newFolder } from "../support/new-folder";
import { describeWithEngine } from "../support/with-engine";

// The recorded previews are checked in tests/review; here the engine is there.

const platform = onEmulator({ buildSeconds: 0 });
let elsewhere: string;
beforeAll(() => {
  elsewhere = newFolder();
});

const Reviewed = z.object({
  objects: z.array(z.object({ kind: z.string(), name: z.string(), consequences: z.unknown(), fields: z.unknown() })),
});
/** What of a review is the same in every run: no ids. */
const steady = (review: unknown): unknown => Reviewed.parse(review).objects.filter(({ kind }) => kind !== "Rollout");

const story = (name: string) => {
  const found = STORIES[name];
  if (found === undefined) throw new Error(`there is no story ${name}`);
  return found;
};

describeWithEngine("pulumi-agent-platform review", () => {
  test("secrets that change are named by a plain preview, and in a review; the exit code says what is to come; nothing is sent", async () => {
    const { before = "", after } = story("rotation");
    const stack = await platform.upOf(before);
    stack.write(after);
    const preview = await stack.succeed("preview");
    // A plugin of dynamic resources does not learn of its end, so it says it of the first.
    const [agent, github] = ["agent", "github"].map((name) => (FRONT === "native" ? name : `first in ${name}`));
    for (const line of [
      `changed secrets: MODEL_API_KEY; new: SLACK_TOKEN; removed: OLD_TOKEN (${agent})`,
      `clientSecret: changed (${github})`,
    ])
      expect(preview.output).toContain(`    ${line}\n`);

    const file = join(elsewhere, "review.md");
    const saved = join(elsewhere, "preview.ndjson");
    const page = await cliCommand(stack, "review", "--format", "markdown", "--output", file, "--save", saved);
    expect([page.code, page.stdout]).toEqual([8, ""]);
    const again = await cliCommand(stack, "review", "--events", saved, "--format", "json");
    expect(again.code).toBe(8);
    expect(steady(JSON.parse(again.stdout))).toEqual(steady(reviewOfStory("rotation")));
    const texts = [preview.output, page.output, readFileSync(file, "utf8"), readFileSync(saved, "utf8"), again.output];
    for (const text of texts) expect(text).not.toContain(CANARY);

    stack.write(before);
    expect(await cliCommand(stack, "review")).toMatchObject({
      code: 0,
      stdout: "No changes: all 2 objects of stack test stay as declared.\n",
    });
    stack.write("");
    const refused = await cliCommand(stack, "review", "--fail-on", "replacement", "--format", "markdown");
    expect(refused).toMatchObject({ code: 9, stderr: "refused: --fail-on replacement: there is a deletion\n" });
    expect(platform.emulator.requests).toEqual([]);
  });
});
