import { deployments, oauthProviders, revisions, sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { ok, type CliStack } from "../support/cli-stack";
import { processesOf } from "../support/processes";
import { describeWithYaml } from "../support/with-engine";
import { Example } from "./example";
import { ask } from "../support/ask";

const SECRETS = { githubClientSecret: "client-secret-canary", modelApiKey: "model-key-canary" };

let emulator: Emulator;
let example: Example;
let stack: CliStack;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0.5 });
});
afterAll(() => emulator.close());

const held = () => ({
  templates: emulator.outOfBand(sandboxTemplates).list(),
  providers: emulator.outOfBand(oauthProviders).list(),
  deployments: emulator.outOfBand(deployments).list(),
  revisions: emulator.outOfBand(revisions).list(),
});

/** What a command asked the platform to change. */
async function changes(command: () => Promise<unknown>): Promise<string[]> {
  emulator.clearLog();
  await command();
  return emulator.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
}

describeWithYaml("the example yaml", () => {
  beforeAll(async () => {
    example = await Example.copy("yaml", ["dev"]);
    stack = example.stack("dev");
    await stack.configure(
      { "agent-platform:baseUrl": emulator.url },
      { "agent-platform:apiKey": emulator.apiKey, ...SECRETS },
    );
  });

  afterAll(() => example.remove());

  test("up makes what is declared, with the platform's own ${...} as it is, and waits for the agents", async () => {
    const output = ok(await stack.up());
    expect(output).toMatch(/\+ 11 created/);
    const { templates, providers, deployments: agents, revisions: made } = held();
    expect(templates.map(({ name }) => name).sort()).toEqual(["notebook", "workshop"]);
    const rules = [{ inject_headers: { Authorization: "Bearer ${GITHUB_TOKEN}" } }];
    expect(templates.find(({ name }) => name === "workshop")).toMatchObject({ proxy_config: { rules } });
    expect(providers).toMatchObject([{ provider_id: "github", client_secret: SECRETS.githubClientSecret }]);
    expect(made.map(({ outcome }) => outcome)).toEqual(["DEPLOYED", "DEPLOYED"]);
    for (const { id } of agents) expect(output).toContain(`/agents/${id}"`);
    const { stdout: state } = await stack.succeed("stack", "export");
    for (const secret of Object.values(SECRETS)) expect(state + output).not.toContain(secret);
  });

  test("then nothing differs, in a preview and in a refresh", async () => {
    expect(
      await changes(async () => {
        ok(await stack.preview("--expect-no-changes"));
        ok(await stack.refresh("--expect-no-changes"));
        ok(await stack.preview("--expect-no-changes"));
      }),
    ).toEqual([]);
  });

  test("a new image makes one revision, and the Rollout waits for it", async () => {
    await stack.configure({ readerImage: "registry.example.com/agents/code-reader:1.5.0" });
    ok(await stack.up());
    expect(held().revisions).toHaveLength(3);
    ok(await stack.preview("--expect-no-changes"));
  });

  test("pulumi import writes YAML that declares what is there: added to the program, it changes nothing", async () => {
    const rules = [{ name: "tokens", match_hosts: ["*"], inject_headers: { "X-Token": "Bearer ${TOKEN}" } }];
    const body = { name: "scratch", image: "ubuntu:24.04", resources: { cpu: "1" }, proxy_config: { rules } };
    await ask(emulator, "POST", "/v2/sandboxes/templates", body);
    const writing = await changes(async () => {
      const taken = ["agent-platform:index:SandboxTemplate", "scratch", "scratch", "--protect=false"];
      await stack.succeed("import", ...taken, "--yes", "--out", "scratch.yaml");
      // docs/internals/engine.md, trap 45
      for (const host of processesOf(stack, /pulumi-language-yaml/)) process.kill(host);
      const program = example.text("Pulumi.yaml").replace("\nresources:\n", () => `\n${example.text("scratch.yaml")}`);
      example.write("Pulumi.yaml", program);
      expect(ok(await stack.preview("--expect-no-changes"))).toMatch(/12 unchanged/);
    });
    expect(writing).toEqual([]);
  });

  test("destroy leaves nothing", async () => {
    ok(await stack.destroy());
    expect(held()).toMatchObject({ templates: [], providers: [], deployments: [] });
  });
});
