import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { ProgramLanguage } from "../../cli/generate/program";
import { projectOf } from "../../cli/generate/project";
import { survey } from "../../cli/generate/survey";
import { writeProject } from "../../cli/generate/folder";
import { deployments, listeners, oauthProviders, sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { openPlatform } from "../../provider/functions/reading";
import { CliStack, ok } from "../support/cli-stack";
import { describeWithEngine, describeWithYaml } from "../support/with-engine";
import { ask, deploymentOf, providerOf } from "../support/ask";

const deployment = (name: string, over: object): object => ({ ...deploymentOf(name, "registry.example/a:1"), ...over });
const oauth = (id: string, over: object): object => ({ ...providerOf(id, "x"), ...over });

const PLATFORM: [path: string, body: object][] = [
  [
    "/v2/sandboxes/templates",
    {
      name: "everything",
      image: "python:3.12-slim",
      resources: { cpu: "1500m", memory: "2Gi", storage: "10Gi" },
      volume_mounts: [{ volume_name: "data", mount_path: "/data" }],
      proxy_config: {
        rules: [
          {
            name: "github",
            match_hosts: ["api.github.com", "*.github.com"],
            inject_headers: { Authorization: "Bearer ${GITHUB_TOKEN}", "X-Team": "desk" },
            match_paths: ["/v1/*"],
            enabled: false,
          },
          { name: "all", match_hosts: ["*"] },
        ],
        no_proxy: ["localhost"],
      },
    },
  ],
  ["/v2/listeners", { compute_type: "k8s", compute_id: "prod", compute_config: { k8s_namespaces: ["a", "b"] } }],
  ["/v2/listeners", { compute_type: "k8s", compute_id: "idle", compute_config: {} }],
  ["/v2/sandboxes/templates", { name: "defaults", image: "node:20", resources: {} }],
  ["/v2/auth/providers", oauth("github", { client_secret: "the-client-secret" })],
  ["/v2/auth/providers", oauth("pkce", { uses_pkce: true, code_challenge_method: "plain" })],
  ["/v2/auth/providers", oauth("public.client", { token_endpoint_auth_method: "none", uses_pkce: true })],
  ["/v2/auth/providers", oauth("basic", { token_endpoint_auth_method: "client_secret_basic" })],
  ["/v2/auth/providers", oauth("old-row", { name: 'Hostile */ ` ${x} "); \u2028' })],
  ["/v2/deployments", deployment("image", {})],
  [
    "/v2/deployments",
    deployment("pushed", {
      source: "github",
      source_config: {
        integration_id: "7",
        repo_url: "https://git.example/desk",
        deployment_type: "prod",
        build_on_push: true,
        install_command: "npm ci",
        build_command: "npm run build",
      },
      source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
    }),
  ],
  [
    "/v2/deployments",
    deployment("My secrets", {
      secrets: [
        { name: "TOKEN", value: "the-token" },
        { name: "LEVEL", value: "info" },
      ],
      secret_references: [{ name: "KEY", secret_name: "vault", secret_key: "key" }],
    }),
  ],
  ["/v2/deployments", deployment("broken", { source_revision_config: { image_uri: "emulator-fail-build" } })],
];

let emulator: Emulator;
let stack: CliStack;
const stacks: CliStack[] = [];
let project: string;
/** Options of `pulumi` for the generated project. */
let there: string[];

const post = (path: string, body: object): Promise<unknown> => ask(emulator, "POST", path, body);

function run(tool: string, ...args: string[]): void {
  const root = join(__dirname, "..", "..");
  try {
    execFileSync(join(root, "node_modules", ".bin", tool), args, { encoding: "utf8", stdio: "pipe", cwd: root });
  } catch (error) {
    throw new Error(error instanceof Error && "stdout" in error ? String(error.stdout) : String(error));
  }
}

/** A generated project, and a stack of it. */
async function generate(language: ProgramLanguage): Promise<void> {
  stack = await CliStack.make("");
  stacks.push(stack);
  // Named like the stack's own project, so that the state can be inspected.
  project = join(stack.folder, "test");
  there = ["--cwd", project, "--stack", "test"];
  const connection: Record<string, string> = { baseUrl: emulator.url, apiKey: emulator.apiKey };
  const platform = openPlatform([(setting) => connection[setting], {}]);
  const { files } = projectOf(
    project,
    platform.connection,
    await survey(platform, { show: () => undefined }),
    language,
  );
  writeProject(project, files);
  symlinkSync(join(__dirname, "..", "..", "node_modules"), join(project, "node_modules"));
  await stack.succeed("config", "set", "agent-platform:baseUrl", emulator.url, ...there);
  ok(await stack.run(["config", "set", "--secret", "agent-platform:apiKey", ...there], { input: emulator.apiKey }));
  emulator.clearLog();
}

const changing = (): string[] => emulator.requests.map(({ method }) => method).filter((method) => method !== "GET");

describeWithEngine("a program generated from a platform, on the real engine", () => {
  beforeAll(async () => {
    emulator = await startEmulator({ buildSeconds: 0, secrets: "values" });
    for (const [path, body] of PLATFORM) await post(path, body);
    const { id } = emulator.outOfBand(listeners).get("prod");
    const config = {
      custom_url: "https://desk.example",
      listener_id: id,
      listener_config: { k8s_namespace: "agents" },
      resource_spec: { cpu: 3, labels: { "team/name": "desk" }, annotations: { note: "a\nb" } },
    };
    await post("/v2/deployments", deployment("on-prod", { source_config: config }));
    emulator.outOfBand(deployments).change("pushed", { display_name: 'Übersetzer "7"\u202e' });
    emulator.outOfBand(oauthProviders).change("old-row", { code_challenge_method: null, client_secret: null });
    await generate("typescript");
  });
  afterEach(() => emulator.clearLog());
  afterAll(async () => {
    for (const each of stacks) each.remove();
    await emulator.close();
  });

  test("it is TypeScript that compiles", () => run("tsc", "-p", project));

  test("it holds no secret that the platform echoed", () => {
    for (const name of ["index.ts", "README.md"]) {
      expect(readFileSync(join(project, name), "utf8")).not.toMatch(/the-token|the-client-secret/);
    }
  });

  test("pulumi up takes everything over and changes nothing; then nothing differs, on either side", async () => {
    const before = JSON.stringify(emulator.store.snapshot());
    expect(ok(await stack.up(...there))).toMatch(/\+ 19 created/);
    expect(changing()).toEqual([]);
    const ids = [...emulator.outOfBand(deployments).list(), ...emulator.outOfBand(sandboxTemplates).list()];
    expect(stack.resources().map(({ id }) => id)).toEqual(expect.arrayContaining(ids.map(({ id }) => id)));
    await expectNothingToDo(before);
  });

  describeWithYaml("in YAML", () => {
    beforeAll(() => generate("yaml"));

    test("pulumi up takes everything over and only reads; then nothing differs, on either side", async () => {
      const before = JSON.stringify(emulator.store.snapshot());
      // Beside the stack and its provider: each object, and a Rollout of each deployment but the one that failed.
      expect(ok(await stack.up(...there))).toMatch(/\+ 19 created/);
      await expectNothingToDo(before);
    });
  });
});

/** Neither a preview nor a refresh finds a difference, and no request has changed the platform. */
async function expectNothingToDo(before: string): Promise<void> {
  ok(await stack.preview("--expect-no-changes", ...there));
  ok(await stack.run(["refresh", "--preview-only", "--diff", "--expect-no-changes", ...there]));
  expect(changing()).toEqual([]);
  expect(JSON.stringify(emulator.store.snapshot())).toBe(before);
}
