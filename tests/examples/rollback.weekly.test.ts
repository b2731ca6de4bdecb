import { deployments, revisions, startEmulator, type Emulator } from "../../emulator";
import { cliCommand } from "../support/cli-command";
import { CHANGES, notOk, ok, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { Example } from "./example";

// What each command sends, and that none sends it twice: tests/engine/roll-back.native.test.ts.

const GOOD = "1.0.0";
const BAD = "1.1.0-emulator-fail-graph";
const NEXT = "1.2.0";

let emulator: Emulator;
let example: Example;
let stack: CliStack;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0.5 });
  example = await Example.copy("rollback", ["dev"]);
  stack = example.stack("dev");
  await stack.configure(
    { "agent-platform:baseUrl": emulator.url },
    { "agent-platform:apiKey": emulator.apiKey, modelApiKey: "model-key-canary" },
  );
});
afterAll(async () => {
  example.remove();
  await emulator.close();
});

/** The tags of all revisions, oldest first: the last one serves. */
const tags = (): string[] => {
  const all = emulator.outOfBand(revisions).list();
  return all.map(({ source_revision_config: source }) => String(source["image_uri"]).split(":").at(-1) ?? "");
};

describeWithEngine("the example rollback", () => {
  test("an image that fails its check: the one before comes back, and every command tells it", async () => {
    await stack.configure({ imageTag: GOOD });
    ok(await stack.up());
    ok(await stack.preview("--expect-no-changes"));
    await stack.configure({ imageTag: BAD });
    expect(notOk(await stack.up())).toMatch(
      /Revision \S+ was rolled back: revision \S+ serves now, a copy of revision \S+ \(\S+1\.0\.0\)/,
    );
    expect(tags()).toEqual([GOOD, BAD, GOOD]);

    const told = /Revision \S+ failed its check, and was rolled back: /;
    expect(ok(await cliCommand(stack, "revisions", "support-agent"))).toMatch(
      /^RunCheck answers: Revision \S+ failed/m,
    );
    const drift = await cliCommand(stack, "drift", "--format", "json");
    expect([drift.code, drift.output]).toEqual([CHANGES, expect.stringMatching(told)]);
    const review = await cliCommand(stack, "review");
    expect(review.output).toMatch(/\* Fails at once, and asks nothing\.\s+Revision\s+\S+\s+failed\s+its\s+check/);
  });

  test("the change reverted, up --refresh keeps what came back; another image goes on", async () => {
    await stack.configure({ imageTag: GOOD });
    ok(await stack.up("--refresh"));
    expect(tags()).toHaveLength(3);
    ok(await stack.preview("--expect-no-changes"));

    await stack.configure({ imageTag: BAD });
    notOk(await stack.up());
    await stack.configure({ imageTag: NEXT });
    ok(await stack.up());
    expect(tags()).toEqual([GOOD, BAD, GOOD, BAD, GOOD, NEXT]);
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.refresh("--expect-no-changes"));
    expect((await stack.succeed("stack", "export")).stdout).not.toContain("canary");
    ok(await stack.destroy());
    expect(emulator.outOfBand(deployments).list()).toEqual([]);
  });
});
