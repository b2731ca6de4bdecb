import type { Command } from "commander";
import { z } from "zod";
import { defineCommand } from "../../cli/redeploy/command";
import { deployments, type Layer, revisions } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import { ask } from "../support/ask";
import { runDefined } from "../support/defined-command";
import { FakeClock } from "../support/fake-clock";
import type { EngineModel } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite, ofTest } from "../support/of-suite";
import { servingRead } from "../support/serving";

// A check that fails and is to put a revision back: when it does, what comes back, and what it says. What happens around it is in tests/player/roll-back.

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ buildSeconds: 1 }));

const GOOD = "registry.example/desk:1.0.0";
const BAD = "registry.example/desk:1.1.0-emulator-fail-graph";
const BETTER = "registry.example/desk:1.2.0";
const redeploy = { method: "POST", path: "**/redeploy", count: 1 };

const Config = z.object({ customUrl: z.string().optional() }).default({});

/** A deployment, its wait and a check of it, as a program declares them. */
class Stack {
  private constructor(
    readonly deployment: EngineModel,
    readonly rollout: EngineModel,
    readonly check: EngineModel,
  ) {}

  static async make(on = platform, settings: Record<string, string> = {}): Promise<Stack> {
    const [deployment, rollout] = [await on.resource("Deployment"), await on.resource("Rollout")];
    return new Stack(deployment, rollout, await on.resource("RunCheck", settings));
  }

  /** Without the check. */
  async roll(imageUri: string, deployment: JsonObject = {}): Promise<void> {
    const source = {
      source: "external_docker",
      sourceConfig: { resourceSpec: {} },
      sourceRevisionConfig: { imageUri },
    };
    await this.deployment.up({ name: "desk", secrets: { TOKEN: "t-1" }, ...source, ...deployment });
    const { id: deploymentId, outputs } = this.deployment.current;
    const { latestRevisionId: revisionId } = outputs;
    const { customUrl } = Config.parse(deployment["sourceConfig"]);
    await this.rollout.up({ deploymentId, revisionId, followsPushes: false, deploymentName: "desk", customUrl });
  }

  async up(imageUri: string, check: JsonObject = {}, deployment: JsonObject = {}): Promise<void> {
    await this.roll(imageUri, deployment);
    await this.judge(check);
  }

  /** Runs the check alone. */
  async judge(check: JsonObject = {}): Promise<void> {
    const { id: deploymentId, outputs } = this.deployment.current;
    const { secretsRevisionId } = outputs;
    const { url, activeRevisionId } = this.rollout.current.outputs;
    const given = { url, assistantId: "agent", input: { topic: "cats" }, rollBack: true, deploymentId };
    await this.check.up({ ...given, revisionId: activeRevisionId, secretsRevisionId, ...check });
  }

  /** The same, with another check. */
  async beside(): Promise<Stack> {
    return new Stack(this.deployment, this.rollout, await platform.resource("RunCheck"));
  }

  async refresh(): Promise<void> {
    for (const model of [this.deployment, this.rollout, this.check]) await model.refresh();
  }
}

const all = () => platform.emulator.outOfBand(revisions).list();
const live = () => platform.emulator.outOfBand(deployments).get("desk");
const serves = (): unknown => live().source_revision_config["image_uri"];
const redeploys = () => platform.emulator.requests.filter(({ path }) => path.endsWith("/redeploy")).length;

/** A platform that shows no value of a variable. */
const hiding = async () => ofTest(await PlatformUnderTest.start({ buildSeconds: 1, secrets: "names" }));

/** An agent of our own, each run of which shows one event. */
function agentThatStreams(name: string, data: unknown): Promise<string> {
  const metadata = { run_id: "r-1" };
  const body = Object.entries({ metadata, [name]: data }).map(
    ([event, each]) => `event: ${event}\ndata: ${JSON.stringify(each)}\n\n`,
  );
  return servingRead((response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(body.join("")));
}

/** A stack of which the first revision serves. */
async function made(check: JsonObject = {}): Promise<Stack> {
  const stack = await Stack.make();
  await stack.up(GOOD, check);
  return stack;
}

/** The same, after the check of the second one has put it back. */
async function rolledBack(): Promise<Stack> {
  const stack = await made();
  expect(await failureOf(stack.up(BAD))).toContain("was rolled back");
  return stack;
}

test("a check that fails puts the revision back that served before; up fails, and says what was expected, what serves and what comes next", async () => {
  const stack = await made();
  const [first] = all();
  const said = await failureOf(stack.up(BAD));
  const [, second, third] = all();
  expect(all()).toHaveLength(3);
  expect(said).toMatch(/^run .* did not pass after .*RuntimeError: told to fail/);
  expect(said).toContain(
    `Revision ${second?.id} was rolled back: revision ${third?.id} serves now, a copy of revision ${first?.id} (${GOOD}).\n` +
      `The program still declares revision ${second?.id}. To go on, give the deployment another image or commit`,
  );
  expect(serves()).toBe(GOOD);
  // State says what is wished and what serves.
  const { outputs } = stack.check.current;
  expect(outputs).toMatchObject({ failedRevisionId: second?.id, rollbackRevisionId: third?.id });
  expect(outputs["revisionId"]).toBeUndefined();
});

test("two checks of one deployment that fail on a revision ask for the one before once", async () => {
  const stack = await made();
  await stack.roll(BAD);
  const both = [stack, await stack.beside()];
  for (const said of await Promise.all(both.map((each) => failureOf(each.judge()))))
    expect(said).toContain("was rolled back");
  expect([redeploys(), serves()]).toEqual([1, GOOD]);
});

test("an agent that is to wait for a person, and does not, is wrong", async () => {
  const stack = await made();
  expect(await failureOf(stack.up(BETTER, { expect: { interrupt: true } }))).toMatch(
    /did not wait for a person[^]*was rolled back: revision/,
  );
  expect(serves()).toBe(GOOD);
});

test("what it says, and the state keeps of it, shows no secret that the agent repeats", async () => {
  const stack = await made();
  const secret = { secrets: { TOKEN: "canary-4711" } };
  await stack.up(BETTER, {}, secret);
  const said = await failureOf(stack.up(BAD, { input: { topic: "canary-4711" }, showData: true }, secret));
  expect(said).toContain("was rolled back");
  // They are shown, and are in no state: the engine keeps the error.
  const shown = platform.told.map(({ message }) => message).join("\n");
  expect(shown).toMatch(/^Its last events:/m);
  expect(shown).not.toContain("canary-4711");
  expect(said).not.toContain("canary-4711");
  expect(stack.check.current.outputs["problem"]).toMatch(/^Revision .* failed its check/);
});

describe("after it", () => {
  test("an up of the unchanged program fails at once with that story: it changes nothing, and runs nothing", async () => {
    const stack = await rolledBack();
    const known = structuredClone(stack.check.current.outputs);
    platform.emulator.clearLog();
    const said = await failureOf(stack.up(BAD));
    expect(said).toMatch(/which the program declares, does not serve: revision .* does\. Nothing was asked\./);
    expect(said).toContain(`${JSON.stringify(known["problem"]).slice(1, -1)}.`);
    expect(platform.emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /v2/deployments/${stack.deployment.current.id}`,
    ]);
    expect(stack.check.current.outputs).toEqual(known);
  });

  test("a refresh, and then an up, tries the declared revision once more, and goes back once more", async () => {
    const stack = await rolledBack();
    await stack.refresh();
    expect(await failureOf(stack.up(BAD))).toContain("was rolled back");
    expect([redeploys(), all().length]).toEqual([2, 5]);
    expect(serves()).toBe(GOOD);
  });

  test.each<[what: string, deployment: JsonObject]>([
    ["a changed displayName", { displayName: "The desk" }],
    ["a changed field of extra", { extra: { label: "a" } }],
    ["a changed deleteTracingProject", { deleteTracingProject: true }],
    ["a changed customUrl", { sourceConfig: { resourceSpec: {}, customUrl: "desk.example" } }],
  ])("%s makes no revision, so that up stays red: what is declared does not serve", async (_what, deployment) => {
    const stack = await rolledBack();
    expect(await failureOf(stack.up(BAD, {}, deployment))).toMatch(/does not serve|somebody else made it/);
    expect(await failureOf(stack.up(BAD, {}, deployment))).toMatch(/does not serve|somebody else made it/);
    expect([serves(), all().length]).toEqual([GOOD, 3]);
  });

  test.each<[what: string, image: string, deployment: JsonObject]>([
    ["another image", BETTER, {}],
    ["the image before", GOOD, {}],
    ["another secret, with another image", BETTER, { secrets: { TOKEN: "t-2" } }],
  ])("%s goes on from there", async (_what, image, deployment) => {
    const stack = await rolledBack();
    await stack.up(image, {}, deployment);
    expect(serves()).toBe(image);
    expect(stack.check.current.outputs).not.toHaveProperty("problem");
    platform.emulator.clearLog();
    await stack.up(image, {}, deployment);
    expect(platform.emulator.requests).toEqual([]);
  });

  test.each<[what: string, deployment: JsonObject]>([
    ["a changed redeployTrigger", { redeployTrigger: 2 }],
    ["another secret", { secrets: { TOKEN: "t-2" } }],
  ])("%s makes the declared revision, and not one of what came back", async (_what, deployment) => {
    const stack = await rolledBack();
    const said = await failureOf(stack.up(BAD, {}, deployment));
    expect(all()[3]?.source_revision_config["image_uri"]).toBe(BAD);
    expect(said).toMatch(/did not pass/);
  });
});

describe("a check that leaves the program, while the revision that it put back serves,", () => {
  const notServing = "what the program declares does not serve";

  test("fails to be deleted, without a refresh, until the program goes on", async () => {
    const stack = await rolledBack();
    const { problem } = stack.check.current.outputs;
    for (const time of [1, 2]) {
      await stack.roll(BAD);
      expect(`${time} ${await failureOf(stack.check.destroy())}`).toMatch(
        new RegExp(
          `${notServing}\\.\\n.*failed its check, and was rolled back.*\\nTo go on, give the deployment another`,
        ),
      );
    }
    expect(stack.check.current.outputs["problem"]).toBe(problem);
    await stack.roll(BETTER);
    await stack.check.destroy();
    expect([stack.check.state, platform.warnings]).toEqual([undefined, []]);
  });

  test.each<[what: string, image: string, serves: string]>([
    ["makes the declared one once more", BAD, BAD],
    ["finds what is declared, where that was reverted", GOOD, GOOD],
  ])("is deleted after a refresh and an up, which %s", async (_what, image, wanted) => {
    const stack = await rolledBack();
    await stack.refresh();
    expect(await failureOf(stack.check.destroy())).toContain(notServing);
    await stack.roll(image);
    await stack.check.destroy();
    expect([stack.check.state, serves()]).toEqual([undefined, wanted]);
  });

  test("fails to be deleted after a refresh, too, where the platform hides what differs", async () => {
    const older = await hiding();

    const stack = await Stack.make(older);
    await stack.up(GOOD, {}, { environmentVariables: { MODE: "one" } });
    const hidden = { environmentVariables: { MODE: "two" } };
    expect(await failureOf(stack.up(GOOD, { expect: { nodes: ["nowhere"] } }, hidden))).toContain("was rolled back");
    await stack.refresh();
    expect(await failureOf(stack.check.destroy())).toMatch(
      /what the program declares does not serve[^]*The platform does not show the difference/,
    );
    await stack.roll(GOOD, { ...hidden, redeployTrigger: 1 });
    await stack.check.destroy();
  });

  test.each<[what: string, check: JsonObject]>([
    ["deployment", { deploymentId: undefined, revisionId: undefined, secretsRevisionId: undefined, rollBack: false }],
    ["its revision, since nothing waits for one", { revisionId: undefined, rollBack: false }],
    ["its deployment for another one", { deploymentId: "another", revisionId: "r-1", rollBack: false }],
  ])("fails where it only loses %s", async (_what, check) => {
    const stack = await rolledBack();
    expect(await failureOf(stack.up(BAD, check))).toContain(notServing);
    expect(stack.check.current.outputs["problem"]).toBeDefined();
  });

  test("is deleted where the copy failed, so that the declared one still serves", async () => {
    const stack = await made();
    platform.emulator.nextRevision("DEPLOYED");
    platform.emulator.nextRevision("BUILD_FAILED");
    await failureOf(stack.up(BAD));
    await stack.roll(BAD);
    await stack.check.destroy();
    expect([stack.check.state, platform.warnings]).toEqual([undefined, []]);
  });

  test("is deleted with a warning by a command that does not read the program, such as a destroy", async () => {
    const stack = await rolledBack();
    platform.newProcess();
    const check = await platform.resource("RunCheck");
    check.state = stack.check.state;
    await check.destroy();
    expect(platform.warnings).toEqual([
      expect.stringMatching(/failed its check, and was rolled back.*`pulumi up --refresh` makes/),
    ]);
  });

  test("is deleted with its deployment", async () => {
    const stack = await rolledBack();
    await stack.deployment.destroy();
    await stack.check.destroy();
    expect([stack.check.state, platform.warnings]).toEqual([undefined, []]);
  });
});

describe("nothing is put back, and the failure says why", () => {
  test("the first revision has nothing before it", async () => {
    const stack = await Stack.make();
    const said = await failureOf(stack.up(BAD));
    expect(said).toMatch(/did not pass[^]*Nothing was put back: no earlier revision has served\. Revision .* stays\./);
    expect(stack.check.state).toBeUndefined();
  });

  test.each<[what: string, check: JsonObject]>([
    ["an agent that cannot be reached", { url: "http://127.0.0.1:1", attempts: 1, apiKey: "k" }],
    ["an assistant that is not there", { assistantId: "none", attempts: 1 }],
  ])("%s", async (_what, check) => {
    const stack = await made();
    const said = await failureOf(stack.up(BETTER, check));
    expect(said).toMatch(/Nothing was put back, since this does not say that the agent is wrong: revision .* stays$/);
    expect([redeploys(), serves()]).toEqual([0, BETTER]);
  });

  test.each([
    ["an agent that waits for a person, which nobody expects", "updates", { __interrupt__: [] }],
    ["an error of the server", "error", { error: "HTTPException", message: "404: Run not found" }],
    ["one of a gateway", "error", { message: "upstream request timeout" }],
    ["one in a gateway's own words", "error", "upstream request timeout"],
  ])("%s, not of the graph", async (_what, event, data) => {
    const stack = await made();
    const agent = await agentThatStreams(event, data);
    const said = await failureOf(stack.up(BETTER, { url: agent, customUrl: agent }));
    expect(said).toMatch(
      /(for a person|Run not found|timeout)[^]*Nothing was put back, since this does not say that the agent is wrong/,
    );
    expect([redeploys(), serves()]).toEqual([0, BETTER]);
  });

  test("a platform that cannot list revisions, or is in trouble", async () => {
    const stack = await made();
    platform.emulator.faults.add({ kind: "status", status: 500, method: "GET", path: "**/revisions", count: 20 });
    expect(await failureOf(stack.up(BAD))).toMatch(/did not pass[^]*Nothing was put back: .* answered 500/);
    expect([redeploys(), serves()]).toEqual([0, BAD]);
  });

  test("a platform that refuses the redeploy", async () => {
    const stack = await made();
    platform.emulator.faults.add({ kind: "status", status: 403, ...redeploy });
    expect(await failureOf(stack.up(BAD))).toMatch(/Nothing was put back: revision .* cannot be redeployed \(.*403/);
    expect(serves()).toBe(BAD);
  });
});

describe("a revision that the check has passed on stays, whatever else makes the check fail", () => {
  const kept = (revision: unknown): string =>
    `Nothing was put back: the check has passed on the same revision before, so what has changed since is the check or its assistant. Revision ${String(revision)} stays. `;

  test.each<[what: string, check: JsonObject]>([
    ["what it expects", { expect: { nodes: ["nowhere"] } }],
    ["what it asks", { input: { topic: "cats", fail: "why" } }],
    ["its assistant", { assistantVersion: 2, expect: { nodes: ["nowhere"] } }],
  ])("%s", async (_what, check) => {
    const stack = await made();
    await stack.up(BETTER);
    const { revisionId } = stack.check.current.outputs;
    // The second time as the first: a failure is not a pass.
    for (const time of [1, 2]) {
      const said = await failureOf(stack.up(BETTER, check));
      expect(`${time} ${said}`).toContain(kept(revisionId));
      expect([redeploys(), serves()]).toEqual([0, BETTER]);
    }
    // It has passed on the one before, and not on a new one.
    expect(await failureOf(stack.up(BAD, check))).toContain("was rolled back");
    expect(serves()).toBe(BETTER);
  });

  test("a check that is new has passed on none", async () => {
    const stack = await Stack.make();
    await stack.up(GOOD);
    await stack.up(BETTER);
    await stack.check.destroy();
    expect(await failureOf(stack.up(BETTER, { expect: { nodes: ["nowhere"] } }))).toContain("was rolled back");
  });
});

describe("never a revision that did not serve", () => {
  test.each(["BUILD_FAILED", "DEPLOY_FAILED", "CREATE_FAILED"] as const)("one that ended as %s", async (outcome) => {
    const stack = await made();
    platform.emulator.nextRevision(outcome);
    await failureOf(stack.up(BETTER));
    expect(await failureOf(stack.up(BAD))).toContain(`a copy of revision ${all()[0]?.id} (${GOOD})`);
    expect(serves()).toBe(GOOD);
  });

  test.each(["SKIPPED", "INTERRUPTED"])("one that is %s", async (status) => {
    const stack = await made();
    await stack.up(BETTER);
    platform.emulator.outOfBand(revisions).change(all()[1]?.id ?? "", { status_override: status });
    expect(await failureOf(stack.up(BAD))).toContain(`a copy of revision ${all()[0]?.id} (${GOOD})`);
  });
});

describe("once", () => {
  test("a lost answer of the redeploy: it is looked for, not sent again", async () => {
    const stack = await made();
    platform.emulator.faults.add({ kind: "reset-after-commit", ...redeploy });
    expect(await failureOf(stack.up(BAD))).toContain("was rolled back: revision");
    expect([redeploys(), serves()]).toEqual([1, GOOD]);
  });

  test("an answer that comes before its effect, and no effect: the outcome is not known, and the next up looks again", async () => {
    const stack = await made();
    platform.emulator.faults.add({ kind: "reset-before-commit", ...redeploy });
    const said = await failureOf(stack.up(BAD));
    expect(said).toMatch(
      /It is not known whether revision .* comes back: .* The next `pulumi up` runs the check again, or/,
    );
    expect(serves()).toBe(BAD);
    expect(await failureOf(stack.up(BAD))).toContain("was rolled back");
    expect(serves()).toBe(GOOD);
  });

  test("a copy that comes later than it waits: each advice that follows leads on", async () => {
    const stack = await made();
    platform.emulator.faults.add({ kind: "reset-before-commit", ...redeploy });
    expect(await failureOf(stack.up(BAD))).toContain(
      "The next `pulumi up` runs the check again, or says which revision came",
    );
    const [first] = all();
    await ask(platform.emulator, "POST", `/v2/deployments/${live().id}/revisions/${first?.id}/redeploy`);
    platform.clock.advance(60_000);
    const said = await failureOf(stack.up(BAD));
    expect(said).toMatch(/does not serve: revision .* does\. Nothing was asked\.\nTo go on, .*`pulumi up --refresh`/);
    await stack.refresh();
    expect(await failureOf(stack.up(BAD))).toContain("was rolled back");
    expect(serves()).toBe(GOOD);
  });

  test("somebody's revision that comes in place of the copy is not called one", async () => {
    const somebody: Layer = {
      beforeRoute: async ({ url }) => {
        const [path, id] = /^(.*)\/revisions\/[^/]+\/redeploy$/.exec(url.pathname) ?? [];
        if (path === undefined) return undefined;
        await ask(other.emulator, "PATCH", id ?? "", { source_revision_config: { image_uri: BETTER } });
        return Response.json({ detail: "no answer in time" }, { status: 504 });
      },
    };
    const other = ofTest(await PlatformUnderTest.start({ buildSeconds: 1, layers: [somebody] }));
    const stack = await Stack.make(other);
    await stack.up(GOOD);
    const said = await failureOf(stack.up(BAD));
    expect(said).toMatch(/was to be rolled back: revision .* serves now, which is not shown to be a copy of revision/);
    expect(stack.check.current.outputs["problem"]).toMatch(/took its place, which is not shown to be a copy of/);
    expect(said).not.toContain("was rolled back");
  });

  test("a copy that fails leaves the failed one, says so, and is not tried again", async () => {
    const stack = await made();
    platform.emulator.nextRevision("DEPLOYED");
    platform.emulator.nextRevision("BUILD_FAILED");
    expect(await failureOf(stack.up(BAD))).toMatch(/was to be rolled back to .*, but: .*BUILD_FAILED/);
    expect(redeploys()).toBe(1);
    expect(stack.check.current.outputs["problem"]).toMatch(/: revision .* came, and did not come to serve$/);
    expect(await failureOf(stack.up(BAD))).toMatch(/was to be rolled back to .*, but: .*BUILD_FAILED/);
    expect(redeploys()).toBe(1);
  });
});

describe("secrets", () => {
  const rotated = { secrets: { TOKEN: "t-2" } };

  test("that changed since are not brought back by themselves", async () => {
    const stack = await made();
    const said = await failureOf(stack.up(BAD, {}, rotated));
    expect(said).toMatch(
      /Nothing was put back: revision .*, which served before, has other secrets than the program declares by now, and they would come back with it; rollBack: "with-old-secrets" allows that, and `/,
    );
    expect([redeploys(), serves()]).toEqual([0, BAD]);
    // The command that it names, as it stands there.
    const [, args = ""] = /`npx pulumi-agent-platform redeploy (.*)` brings back its image alone/.exec(said) ?? [];
    const define = (command: Command) => defineCommand(command, { clock: new FakeClock(platform.clock) });
    await runDefined(define, platform.emulator, args.split(" "));
    expect([serves(), live().secrets]).toEqual([GOOD, [{ name: "TOKEN", value: "t-2" }]]);
  });

  test("that changed with a revision that failed are not, either", async () => {
    const stack = await made();
    platform.emulator.nextRevision("BUILD_FAILED");
    await failureOf(stack.up(BETTER, {}, rotated));
    expect(await failureOf(stack.up(BAD, {}, rotated))).toContain("has other secrets than the program declares by now");
    expect(redeploys()).toBe(0);
  });

  test("that changed before it come back as they are", async () => {
    const stack = await made();
    await stack.up(BETTER, {}, rotated);
    expect(await failureOf(stack.up(BAD, {}, rotated))).toContain("was rolled back");
    expect(live().secrets).toContainEqual({ name: "TOKEN", value: "t-2" });
  });

  test('that "with-old-secrets" has brought back go with the next image, also after a refresh', async () => {
    const older = await hiding();
    const given = { rollBack: "with-old-secrets" };

    const stack = await Stack.make(older);
    await stack.up(GOOD, given);
    expect(await failureOf(stack.up(BAD, given, rotated))).toContain("was rolled back");
    await stack.refresh();
    await stack.up(BETTER, given, rotated);
    const { secrets } = older.emulator.outOfBand(deployments).get("desk");
    expect(secrets).toContainEqual({ name: "TOKEN", value: "t-2" });
  });

  test('"with-old-secrets" brings them back, and stays red until they are sent again', async () => {
    const older = await hiding();
    const given = { rollBack: "with-old-secrets" };

    const stack = await Stack.make(older);
    await stack.up(GOOD, given);
    // The image is the same: only the secret makes the agent fail, which no answer shows.
    const asks = { ...given, expect: { nodes: ["nowhere"] } };
    expect(await failureOf(stack.up(GOOD, asks, rotated))).toContain("was rolled back");
    const tokenOf = () => older.emulator.outOfBand(deployments).get("desk").secrets;
    expect(tokenOf()).toContainEqual({ name: "TOKEN", value: "t-1" });
    await stack.refresh();
    expect(await failureOf(stack.up(GOOD, given, rotated))).toContain(
      "the secrets that the program declares do not serve",
    );
    await stack.up(GOOD, given, { ...rotated, redeployTrigger: 1 });
    expect(tokenOf()).toContainEqual({ name: "TOKEN", value: "t-2" });
  });
});

test('under contract "documented", which has no redeploy, it is refused before any request', async () => {
  const check = await platform.resource("RunCheck", { contract: "documented" });
  const place = { url: "https://desk.example", apiKey: "k", deploymentId: "d-1", revisionId: "r-1" };
  const program = { ...place, assistantId: "agent", rollBack: true, secretsRevisionId: null };
  expect(await failureOf(check.up(program))).toMatch(/rollBack: contract "documented" has no endpoint for a redeploy/);
  expect(platform.emulator.requests).toEqual([]);
});
