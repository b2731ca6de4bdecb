import { revisions } from "../../emulator";
import { onEmulator } from "../engine/on-emulator";
import { notOk, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";

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
    ok(await stack.up());
    expect(runs()).toBe(1);
    const first = await stack.outputs();
    // A fresh deployment needs a second to accept requests: it is asked again.
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
      /run [0-9a-f-]{36} of assistant "agent" at \S+ did not pass after \d\.\ds: it failed: .+\n\s*Correct the agent or the check; .*Its last events:/,
    );
    expect(failed.output).not.toContain(platform.emulator.apiKey);
    expect(platform.kept(revisions)).toHaveLength(1);
    // The deployment and its rollout are in state: the next up repeats the check alone.
    notOk(await stack.up());
    expect([runs(), platform.kept(revisions).length]).toEqual([2, 1]);
    stack.write(program("agent:2"));
    ok(await stack.up());
    ok(await stack.preview("--expect-no-changes"));
  });
});
