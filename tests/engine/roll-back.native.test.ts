import fc from "fast-check";
import { deployments, revisions, type FaultInput } from "../../emulator";
import { FRONT, notOk, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { cutTheRun, noPluginLeft, type Cut } from "./cut-off";
import { onEmulator } from "./on-emulator";
import { ask } from "../support/ask";

const platform = onEmulator({ buildSeconds: 0.3, agentStartSeconds: 1 });

/** Each plugin has its own. */
const SEED = FRONT === "native" ? 2 : 1;
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
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.refresh("--expect-no-changes"));
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

  test("a check that leaves the program after it went back: red, also without a refresh, until what is declared serves", async () => {
    const stack = await platform.upOf(checks(GOOD, 1));
    stack.write(checks(BAD, 1));
    notOk(await stack.up());
    const served = () => platform.kept(deployments)[0]?.source_revision_config["image_uri"];
    stack.write(checks(BAD, 0));
    for (const time of [1, 2]) {
      platform.emulator.clearLog();
      const output = notOk(await stack.up());
      expect(`${time} ${output}`).toMatch(
        /what the program declares does not serve\.[^]*failed its check, and was rolled back/,
      );
      expect([changing(), served()]).toEqual([[], GOOD]);
    }
    ok(await stack.up("--refresh"));
    expect(served()).toBe(BAD);
    expect(stack.stateText()).not.toContain("rollbackRevisionId");
    ok(await stack.preview("--expect-no-changes"));
  });

  const redeploy = { kind: "hold", method: "POST", path: "**/redeploy" } as const;
  test.each<[name: string, hold: FaultInput, cut: Cut]>([
    ["before the redeploy", { ...redeploy, phase: "before-route" }, "SIGKILL of both"],
    ["between the redeploy and its answer", { ...redeploy, phase: "after-commit" }, "SIGKILL of both"],
    [
      "between the redeploy and its answer, by the engine",
      { ...redeploy, phase: "after-commit" },
      "SIGKILL of the CLI",
    ],
  ])(
    "a run that is killed %s: the next ups redeploy once, stay red, and another image goes on",
    async (name, hold, cut) => {
      const stack = await platform.upOf(checks(GOOD, 1));
      stack.write(checks(BAD, 1));
      await cutTheRun(stack, platform.emulator, { name, hold }, cut);
      await noPluginLeft(stack);
      await stack.run(["cancel", "--yes"]);
      notOk(await stack.up());
      notOk(await stack.up());
      // One that is held before it is routed may have been carried out after the kill.
      expect(platform.kept(revisions)).toHaveLength(3);
      stack.write(checks("registry.example/agent:1.2.0", 1));
      ok(await stack.up());
      ok(await stack.preview("--expect-no-changes"));
    },
  );

  test(`random commands, pushes and images (seed ${SEED}): green only if what is declared serves`, async () => {
    const [values] = fc.sample(fc.gen(), { seed: SEED, numRuns: 1 });
    const one = <T>(words: readonly [T, ...T[]]): T =>
      words[values?.((max: number) => fc.noBias(fc.nat({ max })), words.length - 1) ?? 0] ?? words[0];
    const stack = await platform.upOf(checks(GOOD, 1));
    let declared = GOOD;
    for (let step = 0; step < 6; step++) {
      declared = one([GOOD, BAD, BAD, `registry.example/agent:2.${step}`, declared]);
      stack.write(checks(declared, 1));
      const [held] = platform.kept(deployments);
      if (one([true, false, false])) await byHand(held?.id ?? "", one(["push", "redeploy"]));
      platform.emulator.clearLog();
      const ran = await stack.up(...one([[], [], ["--refresh"]]));
      const said = `step ${step}: ${declared}, exit code ${ran.code}\n${ran.output}`;
      const image = platform.kept(deployments)[0]?.source_revision_config["image_uri"];
      if (redeploys().length > 1) throw new Error(`redeployed twice, ${said}`);
      if (ran.code === 0 && changing().length + runs().length > 0 && image !== declared)
        throw new Error(`falsely green, ${said}`);
      if (ran.code === 0 && declared === BAD && runs().length > 0)
        throw new Error(`green with an agent that fails, ${said}`);
    }
    stack.write(checks("registry.example/agent:3.0.0", 1));
    ok(await stack.up("--refresh"));
    ok(await stack.preview("--expect-no-changes"));
  });
});

/** Somebody else, whose revision serves when the next command begins. */
async function byHand(id: string, what: string): Promise<void> {
  const [first] = platform.kept(revisions);
  const path = `/v2/deployments/${id}`;
  const body = { source_revision_config: { image_uri: "registry.example/agent:by-hand" } };
  if (what === "push") await ask(platform.emulator, "PATCH", path, body);
  else await ask(platform.emulator, "POST", `${path}/revisions/${first?.id ?? ""}/redeploy`);
}
