import { z } from "zod";
import { deployments, revisions, startEmulator, type Emulator } from "../../emulator";
import { cliCommand } from "../support/cli-command";
import { CHANGES, ok, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { Example } from "./example";
import { ask } from "../support/ask";

const GOOD = "1.0.0";
const BAD = "1.1.0-emulator-fail-graph";
const NEXT = "1.2.0";
const imageOf = (tag: string): string => `registry.example.com/support-agent:${tag}`;

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

const images = (): unknown[] =>
  emulator
    .outOfBand(revisions)
    .list()
    .map(({ source_revision_config: source }) => source["image_uri"]);

const Revision = z.object({ source_revision_config: z.object({ image_uri: z.string() }) });
const Deployments = z.object({ resources: z.array(z.object({ id: z.string(), active_revision_id: z.string() })) });

/** The image of the revision that serves. */
async function serving(): Promise<string | undefined> {
  const [agent] = Deployments.parse(await ask(emulator, "GET", "/v2/deployments")).resources;
  if (agent === undefined) return undefined;
  const revision = await ask(emulator, "GET", `/v2/deployments/${agent.id}/revisions/${agent.active_revision_id}`);
  return Revision.parse(revision).source_revision_config.image_uri;
}

interface Sent {
  readonly code: number | null;
  readonly output: string;
  readonly redeploys: number;
  /** All requests to the platform that change something. */
  readonly changes: number;
  /** Runs that were asked for. */
  readonly runs: number;
}

/** `up`, and what it sent. */
async function up(...args: string[]): Promise<Sent> {
  emulator.clearLog();
  const { code, output } = await stack.up(...args);
  const writes = emulator.requests.filter(({ method }) => method !== "GET").map(({ path }) => path);
  const isRun = (path: string): boolean => path.endsWith("/runs/stream");
  return {
    code,
    output,
    redeploys: writes.filter((path) => path.endsWith("/redeploy")).length,
    changes: writes.filter((path) => !isRun(path)).length,
    runs: writes.filter(isRun).length,
  };
}

describeWithEngine("the example rollback", () => {
  test("1.0.0 goes up", async () => {
    await stack.configure({ imageTag: GOOD });
    expect(await up()).toMatchObject({ code: 0, redeploys: 0, runs: 1 });
    ok(await stack.preview("--expect-no-changes"));
  });

  test("1.1.0 fails its check: 1.0.0 comes back by one redeploy, and up fails", async () => {
    await stack.configure({ imageTag: BAD });
    const sent = await up();
    expect(sent).toMatchObject({ redeploys: 1, changes: 2, runs: 1 });
    expect(sent.code).not.toBe(0);
    expect(sent.output).toMatch(
      /Revision \S+ was rolled back: revision \S+ serves now, a copy of revision \S+ \(\S+1\.0\.0\)/,
    );
    expect(images()).toEqual([GOOD, BAD, GOOD].map(imageOf));
    expect(await serving()).toBe(imageOf(GOOD));
  });

  test("up again fails at once: it changes nothing and asks nothing", async () => {
    const sent = await up();
    expect(sent).toMatchObject({ redeploys: 0, changes: 0, runs: 0 });
    expect(sent.code).not.toBe(0);
    expect(sent.output).toMatch(/which the program declares, does not serve: .*Nothing was asked\./);
    expect(await serving()).toBe(imageOf(GOOD));
  });

  test("revisions, drift and review tell it", async () => {
    const told = /Revision \S+ failed its check, and was rolled back: /;
    expect(ok(await cliCommand(stack, "revisions", "support-agent"))).toMatch(
      /^RunCheck answers: Revision \S+ failed/m,
    );
    const drift = await cliCommand(stack, "drift", "--json");
    expect([drift.code, drift.output]).toEqual([CHANGES, expect.stringMatching(told)]);
    const review = await cliCommand(stack, "review");
    expect(review.output).toMatch(/\* Fails at once, and asks nothing\. Revision \S+ failed its check/);
  });

  test("up --refresh makes the declared revision once more, and goes back once more", async () => {
    const sent = await up("--refresh");
    expect(sent).toMatchObject({ redeploys: 1, changes: 2, runs: 1 });
    expect(sent.code).not.toBe(0);
    expect(images()).toEqual([GOOD, BAD, GOOD, BAD, GOOD].map(imageOf));
    expect(await serving()).toBe(imageOf(GOOD));
  });

  test("the change reverted, up --refresh keeps what came back, and asks it", async () => {
    await stack.configure({ imageTag: GOOD });
    expect(await up("--refresh")).toMatchObject({ code: 0, redeploys: 0, changes: 0, runs: 1 });
    expect(images()).toHaveLength(5);
    ok(await stack.preview("--expect-no-changes"));
  });

  test("1.2.0 goes on", async () => {
    await stack.configure({ imageTag: BAD });
    expect((await up()).redeploys).toBe(1);
    await stack.configure({ imageTag: NEXT });
    expect(await up()).toMatchObject({ code: 0, redeploys: 0, changes: 1, runs: 1 });
    expect(await serving()).toBe(imageOf(NEXT));
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.refresh("--expect-no-changes"));
    expect((await stack.succeed("stack", "export")).stdout).not.toContain("canary");
    ok(await stack.destroy());
    expect(emulator.outOfBand(deployments).list()).toEqual([]);
  });
});
