import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { reviewOfStory } from "../review/goldens";
import { reviewCommand } from "../review/review-command";
import { CANARY, STORIES } from "../review/stories";
import { onEmulator } from "./on-emulator";

// The recorded previews are checked in tests/review; here the engine is there.

jest.setTimeout(180_000);

const platform = onEmulator({ buildSeconds: 0 });
let elsewhere: string;
beforeAll(() => {
  elsewhere = mkdtempSync(join(tmpdir(), "agent-platform-review-test-"));
});
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

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

describeWithEngine("agent-platform review", () => {
  test("secrets that change are named on their rows of a plain preview, and in a review; the exit code says what is to come; nothing is sent", async () => {
    const { before = "", after } = story("rotation");
    const stack = await platform.upOf(before);
    stack.write(after);
    const preview = await stack.succeed("preview");
    expect(preview.output).toMatch(
      /Deployment\S* \(agent\):\n\s+secrets: MODEL_API_KEY changes, OLD_TOKEN is removed, SLACK_TOKEN is new\n/,
    );
    expect(preview.output).toMatch(/OAuthProvider\S* \(github\):\n\s+clientSecret: changes\n/);

    const file = join(elsewhere, "review.html");
    const saved = join(elsewhere, "preview.ndjson");
    const page = await reviewCommand(stack, "--format", "html", "--output", file, "--save", saved);
    expect([page.code, page.stdout]).toEqual([8, ""]);
    const again = await reviewCommand(stack, "--events", saved, "--format", "json");
    expect(again.code).toBe(8);
    expect(steady(JSON.parse(again.stdout))).toEqual(steady(reviewOfStory("rotation")));
    const texts = [preview.output, page.output, readFileSync(file, "utf8"), readFileSync(saved, "utf8"), again.output];
    for (const text of texts) expect(text).not.toContain(CANARY);

    stack.write(before);
    expect(await reviewCommand(stack)).toMatchObject({
      code: 0,
      stdout: "No changes: all 3 objects of stack test stay as declared.\n",
    });
    stack.write("");
    const refused = await reviewCommand(stack, "--fail-on", "replacement", "--format", "markdown");
    expect(refused).toMatchObject({ code: 9, stderr: "refused: --fail-on replacement: there is a deletion\n" });
    expect(platform.emulator.requests).toEqual([]);
  });

  test("what cannot be reviewed is one sentence with the way out, exit code 1", async () => {
    const stack = await platform.stackOf(`new platform.SandboxTemplate("box", { resources: {} });`);
    const { environment, folder } = stack;
    // An engine that does not know streamed events prints something else.
    const old = join(elsewhere, "old");
    mkdirSync(old);
    writeFileSync(join(old, "pulumi"), "#!/bin/sh\necho '{'\n", { mode: 0o755 });
    writeFileSync(join(elsewhere, "empty.ndjson"), "");
    const failures: [string, Pick<CliStack, "folder" | "environment">, string[], RegExp][] = [
      [
        "no such stack",
        stack,
        ["--stack", "nobody"],
        /stack "nobody" could not be previewed.*no stack named 'nobody'.*Fix that/s,
      ],
      ["no project", { folder: elsewhere, environment }, [], /which stack is selected\..*Choose one with --stack/s],
      [
        "an old engine",
        { folder, environment: { ...environment, PATH: old } },
        ["--stack", "test"],
        /not the stream of events.*`pulumi version`/,
      ],
      [
        "no events",
        stack,
        ["--events", join(elsewhere, "empty.ndjson")],
        /there are no events of a preview: save them with --save/,
      ],
      ["no such file", stack, ["--events", "nowhere"], /--events: nowhere cannot be read/],
    ];
    for (const [what, where, args, reason] of failures) {
      const { code, stdout, stderr } = await reviewCommand(where, "--format", "markdown", ...args);
      expect([what, code, stdout]).toEqual([what, 1, ""]);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toMatch(/\n {4}at /);
    }
    const unknown = await reviewCommand(stack, "--fail-on", "creation");
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toMatch(/replacement, deletion/);
    const failed = await reviewCommand(stack, "--output", join(elsewhere, "failed.txt"));
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/^error: SandboxTemplate box: .*image: is required/);
    expect(readFileSync(join(elsewhere, "failed.txt"), "utf8")).toMatch(
      /^error: .*image: is required[^]*The preview of stack test failed/,
    );
    expect(existsSync(join(elsewhere, "nowhere"))).toBe(false);
  });
});
