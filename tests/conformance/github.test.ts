import { revisions } from "../../emulator";
import { asObject, type JsonObject } from "../../provider/base/json";
import type { EngineModel } from "../support/engine-model";
import { PlatformUnderTest } from "../support/platform-under-test";

// docs/internals/platform.md, Answers of a deployment: from github, an answer has the commit and the image that a branch resolved to.

let platform: PlatformUnderTest;
let serverVersion: string;
beforeAll(async () => {
  platform = await PlatformUnderTest.start({ buildSeconds: 60, serverVersion: () => serverVersion });
});
beforeEach(() => {
  platform.reset();
  serverVersion = "0.9.1";
});
afterAll(() => platform.close());

const BRANCH = { repoUrl: "https://git.example/desk", branch: "main" };
const program = (buildOnPush: boolean): JsonObject => ({
  name: "desk",
  source: "github",
  sourceConfig: { integrationId: "i", repoUrl: BRANCH.repoUrl, deploymentType: "dev", buildOnPush },
  sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
  environmentVariables: { LEVEL: "info" },
});
const revisionCount = (): number => platform.emulator.outOfBand(revisions).list().length;
const waitFor = (deployment: EngineModel, followsPushes: boolean): JsonObject => ({
  deploymentId: deployment.current.id,
  revisionId: deployment.current.outputs["latestRevisionId"],
  followsPushes,
});

async function rolledOut(buildOnPush: boolean) {
  const deployment = await platform.resource("Deployment");
  await deployment.up(program(buildOnPush));
  const rollout = await platform.resource("Rollout");
  await rollout.up(waitFor(deployment, buildOnPush));
  return { deployment, rollout };
}

test.each([true, false])(
  "three pushes, built on push %j: no drift of the deployment, and no revision by up",
  async (buildOnPush) => {
    const { deployment, rollout } = await rolledOut(buildOnPush);
    const first = rollout.current.outputs["repoCommitSha"];
    expect(first).toMatch(/^[0-9a-f]{40}$/);
    for (let push = 0; push < 3; push++) {
      platform.emulator.push(BRANCH);
      platform.clock.advance(120_000);
    }
    const pushed = revisionCount();
    expect(pushed).toBe(buildOnPush ? 4 : 1);
    expect(await deployment.refresh()).toBe(false);
    expect(await rollout.refresh()).toBe(false);
    expect(rollout.current.outputs["repoCommitSha"] === first).toBe(!buildOnPush);
    expect(rollout.current.outputs["imageVersion"]).toEqual(expect.any(String));

    expect(await deployment.up(program(buildOnPush))).toBe("same");
    expect(await rollout.up(waitFor(deployment, buildOnPush))).toBe("same");
    expect(revisionCount()).toBe(pushed);
  },
);

test("a read tells the commit and the agent server of the revision that serves, and those of a latest one that does not", async () => {
  const { deployment, rollout } = await rolledOut(false);
  const { activeRevisionId, repoCommitSha } = rollout.current.outputs;
  expect(rollout.current.outputs).toMatchObject({ imageVersion: "0.9.1" });
  expect(await rollout.refresh()).toBe(false);
  serverVersion = "0.10.0";
  platform.emulator.push(BRANCH);
  await platform.ask("POST", `/v2/deployments/${deployment.current.id}/revisions`, {});
  // Built, but not running yet.
  platform.clock.advance(46_000);
  platform.newProcess();
  await rollout.refresh();
  expect(rollout.current.outputs).toMatchObject({ activeRevisionId, repoCommitSha, imageVersion: "0.9.1" });
  const built = asObject(rollout.current.outputs["__latestBuiltFrom"]);
  expect([built["imageVersion"], built["repoCommitSha"] === repoCommitSha]).toEqual(["0.10.0", false]);
  platform.clock.advance(60_000);
  platform.newProcess();
  await rollout.refresh();
  expect(rollout.current.outputs).toMatchObject(built);
  expect(rollout.current.outputs).not.toHaveProperty("__latestBuiltFrom");
});
