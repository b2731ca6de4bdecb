import { deployments, revisions } from "../../emulator";
import { notOk, ok } from "../support/cli-stack";
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
    const failed = notOk(await stack.up());
    expect(failed).toMatch(/did not pass/);
    // The second check may begin when the first has gone back already.
    const ends = /was rolled back: revision|, which the program declares, does not serve|so a run would not say/g;
    expect(failed.match(ends)?.length).toBeGreaterThanOrEqual(2);
    expect(failed).toContain("was rolled back: revision");
    expect(failed).not.toContain("Nothing was put back");
    expect(redeploys()).toHaveLength(1);
    const [first, second, third] = platform.kept(revisions);
    expect(third?.source_revision_config).toEqual(first?.source_revision_config);
    expect(stack.stateText()).toContain(`"rollbackRevisionId":"${third?.id}"`);
    expect(failed).toContain("Hi cats");
    expect(stack.stateText()).not.toMatch(/canary-77|Hi cats/);

    platform.emulator.clearLog();
    const again = notOk(await stack.up());
    expect(again).toContain(`revision ${second?.id}, which the program declares, does not serve`);
    expect(again).toContain("was rolled back: revision");
    expect([changing(), runs()]).toEqual([[], []]);

    notOk(await stack.up("--refresh"));
    expect(redeploys()).toHaveLength(1);
    expect(platform.kept(revisions)).toHaveLength(5);

    stack.write(checks("registry.example/agent:1.2.0"));
    ok(await stack.up());
    ok(await stack.nothingToDo());
    expect(stack.stateText()).not.toContain("rollbackRevisionId");
  });

  test("a check that is new goes back, too, is in state with what it did, and holds up no destroy", async () => {
    const stack = await platform.upOf(checks(GOOD, 0));
    stack.write(checks(BAD, 1));
    notOk(await stack.up());
    expect(redeploys()).toHaveLength(1);
    platform.emulator.clearLog();
    notOk(await stack.up());
    expect([changing(), runs()]).toEqual([[], []]);
    // The program runs, and the check does not hold it up.
    ok(await stack.destroy("--run-program"));
    expect(platform.kept(deployments)).toEqual([]);
  });
});
