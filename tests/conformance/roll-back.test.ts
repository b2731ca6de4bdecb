import { deployments, revisions } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import type { EngineModel } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";

// A check that fails and is to go back: what it puts back, and what it says.

let platform: PlatformUnderTest;
beforeAll(async () => {
  platform = await PlatformUnderTest.start({ buildSeconds: 5 });
});
beforeEach(() => platform.reset());
afterAll(() => platform.close());

const GOOD = "registry.example/desk:1.0.0";
const BAD = "registry.example/desk:1.1.0-emulator-fail-graph";

class Stack {
  private constructor(
    readonly deployment: EngineModel,
    readonly rollout: EngineModel,
    readonly check: EngineModel,
  ) {}

  static async make(): Promise<Stack> {
    return new Stack(
      await platform.resource("Deployment"),
      await platform.resource("Rollout"),
      await platform.resource("RunCheck"),
    );
  }

  async up(imageUri: string, over: JsonObject = {}, more: JsonObject = {}): Promise<void> {
    const secrets = { TOKEN: "t-1" };
    const source = {
      source: "external_docker",
      sourceConfig: { resourceSpec: {} },
      sourceRevisionConfig: { imageUri },
    };
    await this.deployment.up({ name: "desk", secrets, ...source, ...more });
    const { id, outputs } = this.deployment.current;
    const { latestRevisionId: revisionId, secretsRevisionId } = outputs;
    await this.rollout.up({ deploymentId: id, revisionId, followsPushes: false });
    const { url, activeRevisionId } = this.rollout.current.outputs;
    await this.check.up({
      url,
      assistantId: "agent",
      input: { topic: "cats" },
      rollBack: true,
      deploymentId: id,
      revisionId: activeRevisionId,
      secretsRevisionId,
      ...over,
    });
  }
}

const all = () => platform.emulator.outOfBand(revisions).list();
const imageOf = () => platform.emulator.outOfBand(deployments).get("desk").source_revision_config["image_uri"];

test("a check that fails puts the revision back that served before, and up fails", async () => {
  const stack = await Stack.make();
  await stack.up(GOOD);
  platform.emulator.clearLog();
  console.log(await failureOf(stack.up(BAD)));
  console.log(platform.emulator.requests.map(({ method, path }) => `${method} ${path}`).join("\n"));
  expect(all()).toHaveLength(3);
  expect(imageOf()).toBe(GOOD);
  console.log(JSON.stringify(stack.check.current, null, 1));
  platform.emulator.clearLog();
  console.log(await failureOf(stack.up(BAD)));
  console.log(platform.emulator.requests.map(({ method, path }) => `${method} ${path}`).join("\n"));
});
