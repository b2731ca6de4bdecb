import { revisions } from "../../emulator";
import { cliCommand } from "../support/cli-command";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

let serverVersion = "0.9.1";
const platform = onEmulator({ buildSeconds: 0.2, serverVersion: () => serverVersion });
const BRANCH = { repoUrl: "https://git.example/desk", branch: "main" };
const PROGRAM = `
  const desk = new platform.Deployment("desk", {
    source: "github",
    sourceConfig: { integrationId: "i", repoUrl: "${BRANCH.repoUrl}", deploymentType: "dev", buildOnPush: true },
    sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
    displayName: "The desk",
  });
  exports.commit = desk.repoCommitSha;
  exports.image = desk.imageVersion;
`;
const revisionCount = (): number => platform.kept(revisions).length;
describeWithEngine("a deployment from github", () => {
  test("knows its commit after up, and neither that nor three pushes are drift or a change", async () => {
    const stack = await platform.upOf(PROGRAM);
    const first = await stack.outputs();
    expect(first["commit"]).toMatch(/^[0-9a-f]{40}$/);
    expect(first["image"]).toBe("0.9.1");
    ok(await stack.refresh("--expect-no-changes"));
    ok(await stack.drift());
    ok(await stack.preview("--expect-no-changes"));
    expect(revisionCount()).toBe(1);

    serverVersion = "0.10.0";
    for (let push = 0; push < 3; push++) platform.emulator.push(BRANCH);
    expect(revisionCount()).toBe(4);
    const drift = await stack.drift();
    expect(drift.code).toBe(0);
    expect(drift.output).not.toMatch(/commit|imageVersion|updatedAt|status/i);
    // Another agent server came with them: the report tells it.
    const report = await cliCommand(stack, "drift");
    expect([report.code, report.stdout]).toEqual([
      0,
      "No drift: the one object of stack test is as declared.\n\nDeployment desk: server 0.9.1 -> 0.10.0\n",
    ]);
    // Before the next one is made, a review names the server that the state knows, or with a refresh the one that the platform does.
    stack.write(PROGRAM.replace("displayName", "redeployTrigger: 1, displayName"));
    expect((await cliCommand(stack, "review")).stdout).toContain("* Runs server 0.9.1 now: ");
    expect((await cliCommand(stack, "review", "--", "--refresh")).stdout).toContain("* Runs server 0.10.0 now: ");
    stack.write(PROGRAM);
    ok(await stack.refresh("--expect-no-changes"));
    ok(await stack.up("--expect-no-changes"));
    expect(revisionCount()).toBe(4);
    expect((await stack.outputs())["commit"]).not.toBe(first["commit"]);
  });
});
