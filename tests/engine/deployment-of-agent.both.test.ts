import { deployments } from "../../emulator";
import { platformAgents } from "../../emulator/platform/platform-agent-record";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

const platform = onEmulator({ buildSeconds: 0.2, deleteSeconds: 0.2 });

const program = (version: number, source = "external_docker", config = "{}"): string => `
  const desk = new platform.PlatformAgent("desk", {});
  const production = new platform.Deployment("production", {
    agent: { agentId: desk.agentId, environment: "production" },
    source: "${source}", sourceConfig: ${config}, sourceRevisionConfig: { imageUri: "registry.example/desk:${version}" },
  });
  exports.name = production.name;
`;

describeWithEngine("a deployment of an agent", () => {
  test("has the name of the platform as its output, which stays through an update, a refresh and a preview; a replacement comes after the delete, and the agent goes last", async () => {
    const stack = await platform.upOf(program(1));
    const { name } = await stack.outputs();
    expect([name]).toEqual(platform.kept(deployments).map((each) => each.name));
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.refresh("--expect-no-changes"));
    stack.write(program(2));
    ok(await stack.up());
    expect(await stack.outputs()).toEqual({ name });
    stack.write(program(2, "internal_docker", '{ deploymentType: "dev" }'));
    ok(await stack.up());
    expect(await stack.outputs()).not.toEqual({ name });
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.destroy());
    expect([platform.kept(deployments), platform.kept(platformAgents)]).toEqual([[], []]);
  });
});
