import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { deployments, startEmulator } from "../../emulator";
import { blocksRunBy, inJavaScript } from "../docs/blocks";
import { changingRequests } from "../support/agent-server";
import { cliCommand } from "../support/cli-command";
import { FRONT, notOk, ok } from "../support/cli-stack";
import { ofTest } from "../support/of-suite";
import { describeWithEngine } from "../support/with-engine";
import { connectionTo, onAgent, stacksOfTests } from "./on-emulator";

const on = onAgent("desk", "new-desk");
const stacks = stacksOfTests();

const deployed = (name: string): string => `
  const desk = new platform.Deployment("desk", {
    name: "${name}",
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/desk:1" },
  });
`;
const program = deployed("desk");
const kept = `
  const triage = new platform.Assistant("triage", { deployment: desk, graphId: "agent" });
  new platform.Cron("digest", { assistant: triage, schedule: "@daily" });
  exports.id = triage.id;
`;
const onRetained = program.replace("});", "}, { retainOnDelete: true });") + kept;
const sent = (): string[] => changingRequests(on.agent);
/** A cron depends on its assistant, so that it goes first. */
const deletes = ["DELETE /runs/crons/:id", "DELETE /assistants/:id"];

describeWithEngine("assistants", () => {
  test("that were made by hand are imported by the ids of their deployment and their own", async () => {
    const stack = await on.platform.stackOf(program, {}, "native");
    ok(await stack.up());
    const [deployment] = on.platform.kept(deployments);
    const body = JSON.stringify({
      graph_id: "other",
      name: "theirs",
      context: { depth: 1 },
      metadata: { owner: "them" },
    });
    await fetch(`${on.agent.url}/assistants`, { method: "POST", body });
    const theirs = [...on.agent.assistants.values()].find(({ name }) => name === "theirs")?.assistant_id ?? "";
    sent();
    const type = "agent-platform:index:Assistant";
    const flags = ["--yes", "--protect=false", "--generate-code=false"];
    ok(await stack.run(["import", type, "theirs", `${deployment?.id ?? ""}/${theirs}`, ...flags]));
    const imported = stack.resources().find(({ urn }) => urn.endsWith("::theirs"));
    expect([imported?.id, imported?.inputs]).toEqual([
      theirs,
      {
        deploymentId: deployment?.id,
        url: `${on.platform.emulator.url}/agents/${deployment?.id ?? ""}`,
        name: "theirs",
        graphId: "other",
        context: { depth: 1 },
        metadata: { owner: "them" },
      },
    ]);
    const given = `{ deployment: desk, graphId: "other", context: { depth: 1 }, metadata: { owner: "them" } }`;
    stack.write(`${program} new platform.Assistant("theirs", ${given});`);
    ok(await stack.preview("--expect-no-changes"));
    // The state learns that it depends on its deployment.
    ok(await stack.up());
    expect(notOk(await stack.run(["import", type, "alone", theirs, ...flags]))).toContain(
      'the id alone does not say whose assistant it is: give "<deployment id>/<assistant id>"',
    );
    ok(await stack.destroy());
    expect(sent()).toEqual(["DELETE /assistants/:id"]);
  });

  test("are made again with a deployment that is replaced: the old ones go before it", async () => {
    const stack = await on.platform.stackOf(deployed("desk") + kept);
    ok(await stack.up());
    const { id } = await stack.outputs();
    sent();
    stack.write(deployed("new-desk") + kept);
    ok(await stack.up());
    expect(sent()).toEqual([...deletes, "POST /assistants", "POST /runs/crons"]);
    expect((await stack.outputs())["id"]).not.toBe(id);
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.destroy());
    expect(sent()).toEqual(deletes);
  });

  test("are deleted on the agent when they leave the program with a deployment that stays (retainOnDelete)", async () => {
    const stack = await on.platform.stackOf(onRetained);
    ok(await stack.up());
    sent();
    stack.write("");
    ok(await stack.up());
    expect([sent(), on.agent.crons.size]).toEqual([deletes, 0]);
    expect(on.platform.kept(deployments)).toHaveLength(1);
  });

  test("that a state of 0.2.0 has deleted with their deployment: drift warns, and an up or a destroy that runs the program deletes them by themselves", async () => {
    const before = (program + kept)
      .replace('graphId: "agent" })', 'graphId: "agent" }, { deletedWith: desk })')
      .replace('schedule: "@daily" })', 'schedule: "@daily" }, { deletedWith: triage })');
    const stack = await on.platform.stackOf(before);
    ok(await stack.up());
    stack.write(program + kept);
    const warned = await cliCommand(stack, "drift");
    expect([warned.code, warned.stderr]).toEqual([
      0,
      expect.stringContaining("warning: Assistant triage, Cron digest: no delete is sent"),
    ]);
    sent();
    ok(await stack.destroy("--run-program"));
    expect(sent()).toEqual(deletes);

    stack.write(before);
    ok(await stack.up());
    stack.write(program + kept);
    ok(await stack.up());
    expect((await cliCommand(stack, "drift")).stderr).toBe("");
    sent();
    ok(await stack.destroy());
    expect(sent()).toEqual(deletes);
  });

  const hooked = (kind: string, more: string, options: string): string => `${program}
    new ${kind} "digest", { deploymentId: desk.id, url: desk.url, assistantId: "agent", schedule: "@daily", ${more} }, ${options});
  `;
  const plainCron = 'pulumi.CustomResource("agent-platform:index:Cron",';
  test.each([
    ["platform.Cron(", "{}", FRONT],
    [plainCron, "{ deleteBeforeReplace: true }", "native"],
  ] as const)(
    "lose what cannot be taken out by the replacement that the refusal names (%s)",
    async (kind, options, front) => {
      const webhook = 'webhook: "https://hooks.example/digest"';
      const stack = await on.platform.stackOf(hooked(kind, webhook, "{ replacementTrigger: 1 }"), {}, front);
      ok(await stack.up());
      sent();
      stack.write(hooked(kind, "", "{ replacementTrigger: 2 }"));
      expect(notOk(await stack.up())).toContain("webhook: cannot be taken out");
      stack.write(hooked(kind, "", options));
      const [digest = ""] = stack.resources().flatMap(({ urn }) => (urn.endsWith("::digest") ? [urn] : []));
      ok(await stack.up("--target-replace", digest));
      expect(sent()).toEqual(["DELETE /runs/crons/:id", "POST /runs/crons"]);
      expect([...on.agent.crons.values()].map(({ payload }) => payload["webhook"])).toEqual([undefined]);
    },
  );

  test.each(blocksRunBy("tests/engine/assistants.native.test.ts").map(({ page, code }) => [page, code] as const))(
    "on the emulator alone, the program of %s goes up, and has nothing left to do",
    async (_page, code) => {
      const emulator = ofTest(await startEmulator({ deleteSeconds: 0 }));
      const [settings, key] = connectionTo(emulator);
      const stack = await stacks.makeWith(settings, key, "");
      writeFileSync(join(stack.folder, "index.js"), inJavaScript(code));
      ok(await stack.up());
      ok(await stack.nothingToDo());
    },
  );
});
