import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { deployments, revisions, startEmulator } from "../../emulator";
import { FRONT, notOk, ok, PLUGIN, type CliStack } from "../support/cli-stack";
import { cliCommand } from "../support/cli-command";
import { blocksRunBy } from "../docs/blocks";
import { describeWithEngine, describeWithYaml } from "../support/with-engine";
import { installInto } from "../upgrade/package";
import { currentVersion } from "../upgrade/recorded";
import { onAgent } from "./on-emulator";

const on = onAgent("desk");
const State = z.object({
  checkpoint: z.object({
    latest: z.object({ resources: z.array(z.object({ urn: z.string(), provider: z.string().optional() })) }),
  }),
});
const Page = z.object({
  resources: z.object({ desk: z.looseObject({ properties: z.record(z.string(), z.unknown()) }) }),
  outputs: z.looseObject({}),
});

/** Makes it a program in YAML. */
function write(stack: CliStack, resources: object, outputs: object = {}, config: object = {}): void {
  rmSync(join(stack.folder, "index.js"), { force: true });
  const packages = { "agent-platform": PLUGIN };
  const program = { name: "test", runtime: "yaml", packages, config, resources, outputs };
  writeFileSync(join(stack.folder, "Pulumi.yaml"), stringify(program, { aliasDuplicateObjects: false }));
}

async function yamlStack(resources: object, outputs: object = {}): Promise<CliStack> {
  const stack = await on.platform.stackOf("", {}, "native");
  stack.host = undefined;
  write(stack, resources, outputs);
  return stack;
}

const IMAGE = { source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example/desk:1" } };
const TRIAGE = { graphId: "agent", context: { tone: "brief" } };
const DIGEST = { schedule: "0 9 * * 1-5", input: { topic: "yesterday" } };
const CHECK = { assistantId: "agent", input: { topic: "opening hours" } };

// The agent server of the tests keeps assistants and crons, and the emulator's own agent answers checks.
const KEPT = { assistants: { triage: TRIAGE }, crons: { digest: { assistant: "triage", ...DIGEST } } };
const agentOf = (properties: object) => ({ type: "agent-platform:Agent", properties: { ...IMAGE, ...properties } });
const AGENTS = { desk: agentOf(KEPT), reader: agentOf({ check: CHECK }) };
const OUTPUTS = { reader: "${reader.url}", serves: "${reader.revisionId}", triage: "${desk.assistantIds.triage}" };

const POLICIES = join(__dirname, "..", "..", "examples", "gitops", "policy");

/** What there is in state: "Deployment desk". */
const named = (stack: CliStack): string[] =>
  stack
    .resources()
    .map(({ type, urn }) => `${type.split(":").at(-1) ?? ""} ${urn.split("::").at(-1) ?? ""}`)
    .sort();
const PARTS = [
  "Agent desk",
  "Agent reader",
  "Assistant desk-triage",
  "Cron desk-digest",
  "Deployment desk",
  "Deployment reader",
  "Rollout desk",
  "Rollout reader",
  "RunCheck reader-check",
];

async function findsNothing(stack: CliStack): Promise<void> {
  on.platform.emulator.clearLog();
  ok(await stack.nothingToDo());
  expect(on.platform.writes()).toEqual([]);
}

describeWithYaml("components, in YAML", () => {
  test("the page's program makes its parts, its outputs are those of what serves, and then nothing differs", async () => {
    const [block] = blocksRunBy("tests/engine/components.native.test.ts");
    expect(block?.code.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
    const { resources, outputs } = Page.parse(parse(block?.code ?? ""));
    // The agent server of the tests has no runs: its check comes last, in a preview.
    const { check, ...properties } = resources.desk.properties;
    const desk = { ...resources.desk, properties };
    const stack = await yamlStack({ ...AGENTS, desk }, { ...outputs, ...OUTPUTS });
    expect(ok(await stack.preview())).not.toMatch(/warning: no Rollout/);
    ok(await stack.up());
    expect(named(stack)).toEqual(PARTS);
    const idOf = (deployment: string) =>
      on.platform.kept(deployments).find(({ name }) => name === deployment)?.id ?? "";
    const assistant = stack.resources().find(({ type }) => type.endsWith(":Assistant"));
    expect(await stack.outputs()).toEqual({
      url: `${on.platform.emulator.url}/agents/${idOf("desk")}`,
      reader: `${on.platform.emulator.url}/agents/${idOf("reader")}`,
      serves: on.platform.kept(revisions).find((each) => each.deployment_id === idOf("reader"))?.id,
      triage: assistant?.id,
    });
    await findsNothing(stack);
    write(stack, { ...AGENTS, desk: { ...desk, properties: { ...properties, check } } });
    expect(ok(await stack.preview("--policy-pack", POLICIES))).toMatch(
      /\+ agent-platform:index:RunCheck[^]*topic: "opening hours"/,
    );
    ok(await stack.destroy());
    expect(named(stack)).toEqual([]);
  });

  test("loose resources become an Agent: nothing is replaced, and no revision is made", async () => {
    const typed = (kind: string, properties: object) => ({ type: `agent-platform:${kind}`, properties });
    const rollout = (of: string) =>
      typed("Rollout", { deploymentId: `\${${of}.id}`, deploymentName: of, revisionId: `\${${of}.latestRevisionId}` });
    const place = { deploymentId: "${desk.id}", url: "${desk-rollout.url}" };
    const stack = await yamlStack({
      desk: typed("Deployment", IMAGE),
      "desk-rollout": rollout("desk"),
      "desk-triage": typed("Assistant", { name: "triage", ...TRIAGE, ...place }),
      "desk-digest": typed("Cron", { assistantId: "${desk-triage.id}", ...DIGEST, ...place }),
      reader: typed("Deployment", IMAGE),
      "reader-rollout": rollout("reader"),
      "reader-answers": typed("RunCheck", {
        ...CHECK,
        url: "${reader-rollout.url}",
        deploymentId: "${reader.id}",
        revisionId: "${reader-rollout.activeRevisionId}",
      }),
    });
    ok(await stack.up());
    const check = stack.resources().find(({ urn }) => urn.endsWith("::reader-answers"))?.urn ?? "";
    ok(await stack.run(["state", "rename", check, "reader-check", "--yes"]));
    on.platform.emulator.clearLog();
    write(stack, AGENTS);
    const shown = ok(await stack.preview());
    expect(shown).not.toMatch(/replace|delete|\+ agent-platform:index:(?!Agent:)/);
    ok(await stack.up());
    expect(on.platform.writes()).toEqual([]);
    expect(named(stack)).toEqual(PARTS);
    expect(on.platform.kept(revisions)).toHaveLength(2);
    await findsNothing(stack);
  });

  test("both an Agent and a Deployment of its name, in either order: a preview refuses it", async () => {
    const loose = { type: "agent-platform:Deployment", name: "reader", properties: { ...IMAGE, awaitRollout: false } };
    const stack = await yamlStack({ loose });
    ok(await stack.up());
    on.platform.emulator.clearLog();
    const agent = { ...agentOf({ name: "reader-2" }), name: "reader" };
    const after = (other: string) => ({ options: { dependsOn: [`\${${other}}`] } });
    for (const both of [
      { agent, loose: { ...loose, ...after("agent") } },
      { loose, agent: { ...agent, ...after("loose") } },
    ]) {
      write(stack, both);
      expect(notOk(await stack.preview())).toMatch(/Duplicate resource (URN|alias) '.*Deployment::reader'/);
    }
    expect(on.platform.writes()).toEqual([]);
  });

  test("an AgentEnvironment as data: its deployments come after its templates, and refer to nothing by hand", async () => {
    const environment = {
      type: "agent-platform:AgentEnvironment",
      properties: {
        sandboxTemplates: { notebook: { image: "python:3.12-slim", resources: { cpu: "1" } } },
        agents: { desk: { ...IMAGE, ...KEPT }, reader: { ...IMAGE, check: CHECK } },
      },
    };
    const stack = await yamlStack({ team: environment }, { urls: "${team.urls}" });
    ok(await stack.up());
    expect(named(stack)).toContain("SandboxTemplate team-notebook");
    const { urls } = z.object({ urls: z.record(z.string(), z.string()) }).parse(await stack.outputs());
    expect(Object.keys(urls)).toEqual(["desk", "reader"]);
    const deployment = stack.resources().find(({ urn }) => urn.endsWith("Deployment::team-desk"));
    expect(deployment?.dependencies).toEqual([expect.stringContaining("SandboxTemplate::team-notebook")]);
    await findsNothing(stack);
  });

  test("an AgentEnvironment in two regions: each at its own address", async () => {
    const there = await startEmulator({ buildSeconds: 0.1 });
    try {
      const here = on.platform.emulator;
      const regions = [
        { name: "eu", baseUrl: here.url, apiKey: here.apiKey },
        { name: "us", baseUrl: there.url, apiKey: there.apiKey },
      ];
      const properties = { regions, agents: { desk: IMAGE } };
      const stack = await yamlStack({ team: { type: "agent-platform:AgentEnvironment", properties } });
      ok(await stack.up());
      const desks = [here, there].map((emulator) =>
        emulator
          .outOfBand(deployments)
          .list()
          .map(({ name }) => name),
      );
      expect(desks).toEqual([["desk"], ["desk"]]);
      expect(stack.stateText()).not.toContain(there.apiKey);
      expect(named(stack).filter((part) => part.startsWith("Deployment"))).toEqual([
        "Deployment team-eu-desk",
        "Deployment team-us-desk",
      ]);
      await findsNothing(stack);
    } finally {
      await there.close();
    }
  });

  test("the parts have the provider of their component, and without one that of the stack", async () => {
    const { url, apiKey } = on.platform.emulator;
    const own = { type: "pulumi:providers:agent-platform", properties: { baseUrl: url, apiKey } };
    const template = { type: "agent-platform:SandboxTemplate", properties: { image: "a", resources: { cpu: "1" } } };
    const desk = { ...agentOf(KEPT), options: { provider: "${own}" } };
    const stack = await yamlStack({ own, template, desk, reader: agentOf({}) });
    ok(await stack.up());
    const { checkpoint } = State.parse(JSON.parse(stack.stateText()));
    const providers = checkpoint.latest.resources.flatMap(({ urn, provider = "" }) =>
      /::(desk|desk-triage|desk-digest|reader|template)$/.test(urn) && provider !== ""
        ? [provider.split("::").at(-2)]
        : [],
    );
    expect(new Set(providers)).toEqual(new Set(["own", "default"]));
    expect(providers.filter((each) => each === "own")).toHaveLength(4);
    // A review and an inventory name what is in a component, and not the component.
    expect((await cliCommand(stack, "inventory")).stdout).toMatch(/1 assistant, 1 cron/);
    // The environment's key is not the one of an address of its own.
    on.platform.emulator.clearLog();
    write(stack, { own: { ...own, properties: { baseUrl: url } }, template, desk });
    const refused = await stack.run(["up", "--yes", "--skip-preview"], {
      environment: { AGENT_PLATFORM_API_KEY: apiKey },
    });
    expect(notOk(refused)).toMatch(
      /own.*\n.*error: .*apiKey is missing beside baseUrl: a Platform with its own address/,
    );
    expect(on.platform.writes()).toEqual([]);
    write(stack, { own, template, desk });
    expect((await cliCommand(stack, "review")).stdout).toMatch(/deletion of Deployment reader\. 1 to delete, /);
  });

  test("secrets in an Agent stay encrypted, wherever they are", async () => {
    const canary = "canary-of-a-component";
    const stack = await on.platform.stackOf("", { "test:topic": canary }, "native");
    stack.host = undefined;
    const check = { ...CHECK, input: { topic: "${topic}" } };
    const properties = { ...IMAGE, secrets: { TOPIC: "${topic}" }, environmentVariables: { SHOWN: "${topic}" }, check };
    write(
      stack,
      { reader: { type: "agent-platform:Agent", properties } },
      {},
      { topic: { type: "string", secret: true } },
    );
    const output = ok(await stack.preview()) + ok(await stack.up());
    expect(output + stack.stateText()).not.toContain(canary);
    expect(stack.resources().find(({ type }) => type.endsWith(":RunCheck"))?.inputs["showData"]).toBe(false);
    ok(await stack.preview("--expect-no-changes"));
  });

  test("what is in an Agent drifts, is a target and is imported like any other resource", async () => {
    const stack = await yamlStack({ desk: agentOf({ ...KEPT, displayName: "Desk" }) });
    ok(await stack.up());
    const urn = stack.resources().find(({ urn: each }) => each.endsWith(":Assistant::desk-triage"))?.urn ?? "";
    const deployment = stack.resources().find(({ urn: each }) => each.endsWith("index:Deployment::desk"));
    const id = deployment?.id ?? "";
    on.platform.emulator.outOfBand(deployments).change(id, { display_name: "by hand" });
    const drifted = await stack.drift();
    expect([drifted.code, drifted.output]).toEqual([7, expect.stringMatching(/displayName\s*: .*"by hand"/)]);
    ok(await stack.refresh());
    on.platform.emulator.clearLog();
    ok(await stack.up("--target", urn));
    expect(on.platform.writes()).toEqual([]);
    ok(await stack.up("--target", deployment?.urn ?? ""));
    expect(on.platform.writes()).toEqual([`PATCH /v2/deployments/${id}`]);
    await stack.succeed("state", "delete", "--yes", "--target-dependents", deployment?.urn ?? "");
    const parent = stack.resources().find(({ type }) => type === "agent-platform:index:Agent")?.urn ?? "";
    const at = ["--parent", `agent=${parent}`, "--protect=false", "--generate-code=false", "--yes"];
    ok(await stack.run(["import", "agent-platform:index:Deployment", "desk", id, ...at]));
    write(stack, { desk: agentOf({ displayName: "Desk" }) });
    on.platform.emulator.clearLog();
    ok(await stack.up());
    expect(on.platform.writes()).toEqual([]);
    expect(stack.resources().find(({ urn: each }) => each.endsWith("index:Deployment::desk"))?.id).toBe(id);
  });

  test("what is wrong in Agents is refused at preview, with the path", async () => {
    const stack = await yamlStack({
      misspelled: agentOf({ asistants: {} }),
      graphless: agentOf({ assistants: { triage: {} } }),
    });
    const byYaml = notOk(await stack.run(["preview"]));
    expect(byYaml).toMatch(/Property asistants does not exist on 'agent-platform:index:Agent'/);
    expect(byYaml).toMatch(/triage: .*\n.*graphId: Missing required property/);
    // The first component that fails ends a preview.
    write(stack, { desk: agentOf({ ...KEPT, check: { assistant: "trage" } }) });
    const unnamed = notOk(await stack.run(["preview"]));
    expect(unnamed).toMatch(/check\.assistant: the agent has no assistant "trage"; it has "triage"/);
    write(stack, { desk: agentOf({ sourceConfig: { repoUrl: "https://github.com/a/b" } }) });
    const refused = notOk(await stack.run(["preview"]));
    expect(refused).toMatch(/sourceConfig\.repoUrl/);
    expect(byYaml + unnamed + refused).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  });
});

const environment = (more = "") => `
  const { urls } = new platform.AgentEnvironment("team", {
    sandboxTemplates: { notebook: { image: "python:3.12-slim", resources: { cpu: "1" } } },
    agents: ${more}({ reader: { ...${JSON.stringify(IMAGE)}, check: ${JSON.stringify(CHECK)} } }),
  });
  exports.urls = urls;
`;

describeWithEngine("components, in TypeScript", () => {
  test.each(["dynamic", "native"] as const)(
    "an AgentEnvironment in a region with a key of its own adopts what the plugin %s has made under other names",
    async (front) => {
      const code = { image: "python:3.12", resources: { cpu: "1" } };
      const stack = await on.platform.stackOf(
        `new platform.SandboxTemplate("old-code", ${JSON.stringify({ name: "code", ...code })});
         new platform.Deployment("old-desk", ${JSON.stringify({ name: "desk", ...IMAGE })});`,
        {},
        front,
      );
      ok(await stack.up());
      on.platform.emulator.clearLog();
      const { url: baseUrl, apiKey } = on.platform.emulator;
      const args = {
        sandboxTemplates: { code: { ...code, adopt: true } },
        agents: { desk: { ...IMAGE, adopt: true } },
        regions: [{ name: "us", baseUrl, apiKey }],
      };
      stack.choose(FRONT);
      stack.write(`new platform.AgentEnvironment("all", ${JSON.stringify(args)});`);
      ok(await stack.up());
      ok(await stack.preview("--expect-no-changes"));
      expect(on.platform.writes()).toEqual([]);
      ok(await stack.destroy());
      expect(on.platform.kept(deployments)).toEqual([]);
    },
  );

  test("what a program still declares at its top level stays there, beside an Agent of its name", async () => {
    const image = `const image = ${JSON.stringify(IMAGE)};`;
    const loose = `new platform.Deployment("desk", image);`;
    const agent = `new platform.Agent("desk", { ...image, name: "desk-two" });`;
    const stack = await on.platform.stackOf(image + loose);
    const names = () => on.platform.kept(deployments).map(({ name }) => name);
    ok(await stack.up());
    on.platform.emulator.clearLog();
    stack.write(image + agent + loose);
    ok(await stack.up());
    expect(on.platform.writes()).toEqual(["POST /v2/deployments"]);
    expect(names()).toEqual(["desk", "desk-two"]);
    stack.write(image + loose + agent);
    await findsNothing(stack);
    stack.write(image + agent);
    ok(await stack.up());
    expect(names()).toEqual(["desk-two"]);
  });

  test("an AgentEnvironment of version 0.1.0 is the same one, under its new type", async () => {
    const stack = await on.platform.stackOf(environment("() => "));
    stack.host = undefined;
    const install = (version: string) => {
      installInto(stack.folder, version);
      stack.choose(FRONT, "./node_modules/pulumi-agent-platform/plugin");
    };
    install("0.1.0");
    ok(await stack.up());
    expect(stack.resources().map(({ type }) => type)).toContain("pulumi-agent-platform:components:AgentEnvironment");
    const before = await stack.outputs();
    install(currentVersion());
    await findsNothing(stack);
    ok(await stack.up());
    expect(on.platform.writes()).toEqual([]);
    expect(stack.resources().map(({ type }) => type)).toContain("agent-platform:index:AgentEnvironment");
    expect(await stack.outputs()).toEqual(before);
    // Data in YAML is the same environment as well.
    stack.write(environment());
    ok(await stack.preview("--expect-no-changes"));
    if (FRONT !== "native") return;
    const properties = {
      sandboxTemplates: { notebook: { image: "python:3.12-slim", resources: { cpu: "1" } } },
      agents: { reader: { ...IMAGE, check: CHECK } },
    };
    write(stack, { team: { type: "agent-platform:AgentEnvironment", properties } }, { urls: "${team.urls}" });
    on.platform.emulator.clearLog();
    ok(await stack.up());
    expect(on.platform.writes()).toEqual([]);
  });
});
