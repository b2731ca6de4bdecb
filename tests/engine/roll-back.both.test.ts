import { revisions } from "../../emulator";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

const platform = onEmulator({ buildSeconds: 0.3, agentStartSeconds: 1 });

const GOOD = "registry.example/agent:1.0.0";
const BAD = "registry.example/agent:1.1.0-emulator-fail-graph";
const checks = (imageUri: string, count = 2): string => `
  const agent = new platform.Deployment("agent", {
    source: "external_docker", sourceRevisionConfig: { imageUri: "${imageUri}" }, secrets: { TOKEN: pulumi.secret("canary-77") },
  });
  for (const name of ["one", "two"].slice(0, ${count})) {
    new platform.RunCheck(name, { deployment: agent, assistantId: "agent", input: { topic: "cats" }, interval: "1s", rollBack: true });
  }
`;
const changing = () =>
  platform.emulator.requests.filter(({ method, path }) => method !== "GET" && path.startsWith("/v2"));
const runs = () => platform.emulator.requests.filter(({ path }) => path.endsWith("/runs/stream"));
const redeploys = () => changing().filter(({ path }) => path.endsWith("/redeploy"));

describeWithEngine("a check that puts a revision back, on the real engine", () => {
  test("red, one redeploy for two checks; then red at once; a refresh tries again; another image goes on", async () => {
    const stack = await platform.upOf(checks(GOOD));
    stack.write(checks(BAD));
    const failed = await stack.up();
    expect(failed.code).not.toBe(0);
    expect(failed.output).toMatch(/did not pass/);
    expect(failed.output.match(/was rolled back: revision/g)?.length).toBeGreaterThanOrEqual(2);
    expect(redeploys()).toHaveLength(1);
    const [first, second, third] = platform.emulator.outOfBand(revisions).list();
    expect(third?.source_revision_config).toEqual(first?.source_revision_config);
    expect(stack.stateText()).toContain(`"rollbackRevisionId":"${third?.id}"`);
    expect(stack.stateText()).not.toContain("canary-77");

    platform.emulator.clearLog();
    const again = await stack.up();
    expect(again.code).not.toBe(0);
    expect(again.output).toContain(`revision ${second?.id}, which the program declares, does not serve`);
    expect(again.output).toContain("was rolled back: revision");
    expect([changing(), runs()]).toEqual([[], []]);

    const refreshed = await stack.up("--refresh");
    expect(refreshed.code).not.toBe(0);
    expect(redeploys()).toHaveLength(1);
    expect(platform.emulator.outOfBand(revisions).list()).toHaveLength(5);

    stack.write(checks("registry.example/agent:1.2.0"));
    ok(await stack.up());
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.refresh("--expect-no-changes"));
    expect(stack.stateText()).not.toContain("rollbackRevisionId");
  });

  test("a check that is new goes back, too, and is in state with what it did", async () => {
    const stack = await platform.upOf(checks(GOOD, 0));
    stack.write(checks(BAD, 1));
    const failed = await stack.up();
    expect(failed.code).not.toBe(0);
    expect(redeploys()).toHaveLength(1);
    platform.emulator.clearLog();
    expect((await stack.up()).code).not.toBe(0);
    expect([changing(), runs()]).toEqual([[], []]);
    ok(await stack.destroy());
  });
});
