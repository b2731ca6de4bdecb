import { deployments, startEmulator, type Emulator } from "../../emulator";
import { startAgentServer, type AgentServer } from "../support/agent-server";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { connectionTo, stacksOfTests } from "../engine/on-emulator";

const stacks = stacksOfTests();
let agent: AgentServer;
let emulator: Emulator;
beforeAll(async () => {
  agent = await startAgentServer();
  emulator = await startEmulator({ agents: { desk: agent.url }, buildSeconds: 0, deleteSeconds: 0 });
});
afterAll(async () => {
  await emulator.close();
  await agent.close();
});

const program = (tone: string, image = "1"): string => `
  const desk = new platform.Deployment("desk", {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/desk:${image}" },
  });
  const triage = new platform.Assistant("triage", { deployment: desk, graphId: "agent", context: { tone: "${tone}" } });
  new platform.Cron("digest", { assistant: triage, schedule: "0 9 * * 1-5" });
  exports.id = triage.id;
  exports.version = triage.version;
`;
const own = () => [...agent.assistants.values()].filter(({ metadata }) => metadata["created_by"] !== "system");
const sent = (): string[] =>
  agent.requests
    .splice(0)
    .filter(({ method, path }) => method !== "GET" && !path.endsWith("/search"))
    .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ":id")}`);

describeWithEngine("assistants and crons", () => {
  test("are made once the agent answers, kept by a new revision, put back after drift, and go with their deployment", async () => {
    const [settings, key] = connectionTo(emulator);
    const stack = await stacks.makeWith(settings, key, program("brief"));
    ok(await stack.up());
    expect(sent()).toEqual(["POST /assistants", "POST /runs/crons"]);
    const { id, version } = await stack.outputs();
    expect([own().map(({ assistant_id: each }) => each), version]).toEqual([[id], 1]);
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.refresh("--expect-no-changes"));

    stack.write(program("brief", "2"));
    ok(await stack.up());
    stack.write(program("long", "2"));
    ok(await stack.up());
    expect([sent(), (await stack.outputs())["version"]]).toEqual([["PATCH /assistants/:id"], 2]);

    const [theirs] = own();
    Object.assign(theirs ?? {}, { context: { tone: "theirs" } });
    expect((await stack.refresh("--expect-no-changes")).code).not.toBe(0);
    ok(await stack.up());
    expect([sent(), own()[0]?.context]).toEqual([["PATCH /assistants/:id"], { tone: "long" }]);

    ok(await stack.destroy());
    expect([sent(), emulator.outOfBand(deployments).list()]).toEqual([[], []]);
  });

  test("that were made by hand are imported by the ids of their deployment and their own", async () => {
    const [settings, key] = connectionTo(emulator);
    const stack = await stacks.makeWith(settings, key, program("brief"), "native");
    ok(await stack.up());
    const [deployment] = emulator.outOfBand(deployments).list();
    const body = JSON.stringify({
      graph_id: "other",
      name: "theirs",
      context: { depth: 1 },
      metadata: { owner: "them" },
    });
    await fetch(`${agent.url}/assistants`, { method: "POST", body });
    const theirs = own().find(({ name }) => name === "theirs")?.assistant_id ?? "";
    sent();
    const type = "agent-platform:index:Assistant";
    const flags = ["--yes", "--protect=false", "--generate-code=false"];
    ok(await stack.run(["import", type, "theirs", `${deployment?.id ?? ""}/${theirs}`, ...flags]));
    const imported = stack.resources().find(({ urn }) => urn.endsWith("::theirs"));
    expect([imported?.id, imported?.inputs]).toEqual([
      theirs,
      {
        deploymentId: deployment?.id,
        url: `${emulator.url}/agents/${deployment?.id ?? ""}`,
        name: "theirs",
        graphId: "other",
        context: { depth: 1 },
        metadata: { owner: "them" },
      },
    ]);
    const given = `{ deployment: desk, graphId: "other", context: { depth: 1 }, metadata: { owner: "them" } }`;
    stack.write(`${program("brief")} new platform.Assistant("theirs", ${given});`);
    ok(await stack.preview("--expect-no-changes"));
    const alone = await stack.run(["import", type, "alone", theirs, ...flags]);
    expect([alone.code === 0, alone.output]).toEqual([
      false,
      expect.stringContaining('the id alone does not say whose assistant it is: give "<deployment id>/<assistant id>"'),
    ]);
    ok(await stack.destroy());
    expect(sent()).toEqual(["DELETE /assistants/:id"]);
  });
});
