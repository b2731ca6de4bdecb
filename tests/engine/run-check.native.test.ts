import { notOk, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

const platform = onEmulator({ buildSeconds: 0.3, agentStartSeconds: 1 });

describeWithEngine("RunCheck on the real engine", () => {
  describe("with a secret that the agent echoes", () => {
    const canary = "canary-9f2c-secret-topic";
    const checking = (args: string): string => `
      const config = new pulumi.Config();
      const topic = config.requireSecret("topic");
      const agent = new platform.Deployment("agent", {
        source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example/agent:1" },
      });
      const check = new platform.RunCheck("answers", {
        deployment: agent, assistantId: "agent", interval: "1s", keepOutput: true, ${args}
      });
      exports.output = check.output;
      exports.digest = check.digest;
    `;
    const configured = (text: string) => platform.stackOf(text, { "test:topic": canary });

    test("a check that passes keeps it encrypted, even in the output of the run, and after a refresh", async () => {
      const stack = await configured(checking(`input: { topic }, expect: { modes: ["values"] }`));
      const output = ok(await stack.up()) + ok(await stack.preview("--expect-no-changes"));
      expect(stack.stateText()).not.toContain(canary);
      expect(output + ok(await stack.refresh("--expect-no-changes"))).not.toContain(canary);
      expect(stack.stateText()).not.toContain(canary);
      expect(await stack.outputs()).toMatchObject({ output: "[secret]", digest: "[secret]" });
      const shown = await stack.succeed("stack", "output", "--json", "--show-secrets");
      expect(shown.stdout).toContain(canary);
    });

    test.each<[what: string, args: string]>([
      ["as input, in a part of it", `input: { topic, other: 1 }, expect: { nodes: ["nowhere"] }`],
      [
        "as the expected value",
        `input: { topic: "cats" }, expect: { values: [{ mode: "values", path: "topic", equals: topic }] }`,
      ],
    ])("a check that fails does not show it: %s", async (_what, args) => {
      const stack = await configured(checking(args));
      const output = notOk(await stack.up());
      expect(output).toMatch(/Its last events, without their data, which may hold a secret:/);
      expect(output + stack.stateText()).not.toContain(canary);
    });

    test("the output of a run is secret even where the check has no secret: the agent may have its own", async () => {
      const stack = await configured(checking(`input: { topic: "cats" }, expect: { modes: ["values"] }`));
      ok(await stack.up());
      expect(stack.stateText()).not.toMatch(/Hi cats/);
      expect(await stack.outputs()).toMatchObject({ output: "[secret]", digest: "[secret]" });
    });
  });
});
