import { revisions } from "../../emulator";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

jest.setTimeout(180_000);

const platform = onEmulator({ buildSeconds: 0.3, agentStartSeconds: 1 });

const program = (image: string, topic = "cats"): string => `
  const agent = new platform.Deployment("agent", {
    source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example/${image}" },
  });
  const check = new platform.RunCheck("answers", {
    deployment: agent, assistantId: "agent", input: { topic: "${topic}" }, interval: "1s",
    expect: { nodes: ["last"], values: [{ mode: "messages-tuple", matches: "${topic}" }] },
  });
  exports.runId = check.runId;
  exports.tried = check.tried;
`;
const runs = (): number =>
  platform.emulator.requests.filter(({ path, status }) => /\/runs\/stream$/.test(path) && status === 200).length;

describeWithEngine("RunCheck on the real engine", () => {
  test("up ends when the agent has answered; it runs again with the revision or the question, not with every up", async () => {
    const stack = await platform.stackOf(program("agent:1"));
    // Nothing is known yet, neither the address nor the revision.
    ok(await stack.preview());
    expect(runs()).toBe(0);
    const output = ok(await stack.up());
    // A fresh deployment needs a second to accept requests: it is asked again, on the check's own row.
    expect(output).toMatch(/RunCheck answers creating .*agent does not answer yet \(GET \/ok answered 503/);
    expect(runs()).toBe(1);
    const first = await stack.outputs();
    expect(first["tried"]).toBeGreaterThan(1);

    ok(await stack.up("--expect-no-changes"));
    ok(await stack.refresh("--expect-no-changes"));
    expect(runs()).toBe(1);

    stack.write(program("agent:2"));
    ok(await stack.up());
    expect(runs()).toBe(2);
    stack.write(program("agent:2", "dogs"));
    ok(await stack.up());
    expect(runs()).toBe(3);
    expect((await stack.outputs())["runId"]).not.toBe(first["runId"]);
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.destroy());
  });

  test("a revision that is DEPLOYED but whose graph fails turns up red, with the details one needs; a corrected one turns it green", async () => {
    const stack = await platform.stackOf(program("agent:emulator-fail-graph"));
    const failed = await stack.up();
    expect(failed.code).not.toBe(0);
    expect(failed.output).toMatch(
      /run [0-9a-f-]{36} of assistant "agent" at \S+ did not pass after \d\.\ds: run \S+ failed: .+\n\s*Correct the agent or the check; .*Its last events:/,
    );
    expect(failed.output).not.toContain(platform.emulator.apiKey);
    expect(platform.emulator.outOfBand(revisions).list()).toHaveLength(1);
    // The deployment and its rollout are in state: the next up repeats the check alone.
    expect((await stack.up()).code).not.toBe(0);
    expect([runs(), platform.emulator.outOfBand(revisions).list().length]).toEqual([2, 1]);
    stack.write(program("agent:2"));
    ok(await stack.up());
    ok(await stack.preview("--expect-no-changes"));
  });

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
      const { code, output } = await stack.up();
      expect(code).not.toBe(0);
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
