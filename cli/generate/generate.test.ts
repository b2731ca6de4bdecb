import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { Command } from "commander";
import { z } from "zod";
import {
  deployments,
  listeners,
  oauthProviders,
  sandboxSnapshots,
  sandboxTemplates,
  startEmulator,
  type Emulator,
} from "../../emulator";
import { sandboxVolumes } from "../../emulator/routes/sandbox-volumes";
import { version } from "../../provider/base/version";
import { defineCommand } from "./command";
import { ask, deploymentOf, providerOf } from "../../tests/support/ask";
import { printed, runDefined } from "../../tests/support/defined-command";
import { newFolder } from "../../tests/support/new-folder";

let emulator: Emulator;
let documented: Emulator;
let folder: string;
let out: string;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0, deleteSeconds: 3600, anyListener: true });
  documented = await startEmulator({ contract: "documented" });
  folder = newFolder();
});
beforeEach(() => {
  out = join(mkdtempSync(join(folder, "case-")), "live");
  emulator.reset();
});
afterAll(() => Promise.all([emulator.close(), documented.close()]));

const generate = (from: Emulator = emulator, ...args: string[]): Promise<void> =>
  runDefined(defineCommand, from, ["--out", out, ...args]);

async function run(...args: string[]): Promise<void> {
  const command = new Command();
  defineCommand(command);
  await command.parseAsync(["node", "generate", "--out", out, ...args]);
}

const read = (name: string): string => readFileSync(join(out, name), "utf8");
const template = (name: string) => ({ name, image: "a", resources: {} });
const deployment = (name: string) => deploymentOf(name, "registry.example/a:1");
const post = (path: string, body: object, to: Emulator = emulator): Promise<unknown> => ask(to, "POST", path, body);

/** Changes the configuration of a deployment behind the API. */
const reconfigure = (name: string, part: object): void => {
  const all = emulator.outOfBand(deployments);
  all.change(name, { source_config: { ...all.get(name).source_config, ...part } });
};

const TEMPLATES = "/v2/sandboxes/templates";
const PROVIDERS = "/v2/auth/providers";
const LISTENERS = "/v2/listeners";
const DEPLOYMENTS = "/v2/deployments";

describe("nothing is requested and nothing is written", () => {
  test.each<[where: string, file: () => string, message: RegExp]>([
    ["in a folder that is not empty", () => join(out, "mine"), /live is not empty/],
    ["where --out is a file", () => out, /live is a file/],
  ])("%s", async (_where, file, message) => {
    mkdirSync(dirname(file()), { recursive: true });
    writeFileSync(file(), "mine");
    await expect(generate()).rejects.toThrow(message);
    expect(emulator.requests).toEqual([]);
    expect(readFileSync(file(), "utf8")).toBe("mine");
  });
});

test("a platform that fails in the middle leaves no folder behind", async () => {
  await post(TEMPLATES, template("a"));
  emulator.faults.add({ kind: "status", status: 400, method: "GET", path: DEPLOYMENTS });
  await expect(generate()).rejects.toThrow(/GET \/v2\/deployments answered 400/);
  expect(readdirSync(join(out, ".."))).toEqual([]);
});

test("a kind that the key may not list is left out, and named", async () => {
  await post(TEMPLATES, template("a"));
  emulator.faults.add({ kind: "status", status: 403, method: "GET", path: DEPLOYMENTS });
  await generate();
  const reason = "deployments: the key may not list them (GET /v2/deployments answered 403)";
  expect(read("index.ts")).toContain("new SandboxTemplate");
  expect(read("README.md")).toContain(`## Not in the program\n\n- The ${reason}. Use a key that may.\n`);
  expect(printed.err).toBe(`warning: ${reason}\n`);
  expect(printed.out).toContain("1 not in the program");
});

test("a key that may list nothing: no folder is left behind", async () => {
  emulator.faults.add({ kind: "status", status: 403, method: "GET" });
  await expect(generate()).rejects.toThrow(/answered 403/);
  expect(readdirSync(join(out, ".."))).toEqual([]);
});

test("an empty folder is filled, and stays the folder that it is", async () => {
  mkdirSync(out);
  await generate();
  expect(readdirSync(join(out, ".."))).toEqual(["live"]);
  expect(readdirSync(out).sort().join(" ")).toBe(
    ".gitignore Pulumi.yaml README.md index.ts package.json tsconfig.json",
  );
});

test("the closing lines count what was read, and what is left to do", async () => {
  await post(TEMPLATES, template("a"));
  await post(PROVIDERS, providerOf("github"));
  await generate();
  expect(printed.out.split("\n").every((line) => line.length <= 80)).toBe(true);
  expect(printed.out.replace(/\s+/g, " ")).toMatch(
    /live: 1 sandbox template and 1 OAuth provider\. 1 argument left out as secret or not shown, .* Continue as /,
  );
});

test("an empty platform: a program of nothing, and a README that says so", async () => {
  await generate();
  expect(read("README.md")).toContain(": no objects.");
  expect(read("index.ts")).toContain("export {};");
});

test("--orphans without orphans: it says so, and writes nothing", async () => {
  writeFileSync(join(dirname(out), "pulumi"), "#!/bin/sh\necho '[]'\n", { mode: 0o755 });
  jest.replaceProperty(process, "env", { ...process.env, PATH: `${dirname(out)}${delimiter}${process.env["PATH"]}` });
  await generate(emulator, "--orphans");
  expect(printed.out).toBe(`Nothing was written: there are no orphans at ${emulator.url}.\n`);
  expect(existsSync(out)).toBe(false);

  await post(TEMPLATES, template("a"));
  await generate(emulator, "--orphans");
  expect(printed.out.replace(/\s+/g, " ")).toContain("live: 1 sandbox template. Continue");
});

test("the program requires the package versions that it was made with", async () => {
  await generate();
  expect(JSON.parse(read("package.json"))).toMatchObject({
    dependencies: { "@pulumi/pulumi": "3.246.0", "pulumi-agent-platform": version() },
    devDependencies: { typescript: "5.9.3" },
    scripts: { typecheck: "tsc --noEmit" },
  });
});

describe("what has to be there, and no answer shows", () => {
  const registry = { name: "images", url: "registry.example", username: "puller", password: "registry-password" };
  beforeEach(() => post("/v2/sandboxes/registries", registry));
  const steps =
    "pulumi config set imagesSandboxRegistryUsername\npulumi config set --secret imagesSandboxRegistryPassword\npulumi up";

  test("is read from the stack's configuration, which the README says to set first", async () => {
    await generate();
    expect(read("index.ts")).toContain(
      '  url: "registry.example",\n  username: config.require("imagesSandboxRegistryUsername"),\n  password: config.requireSecret("imagesSandboxRegistryPassword"),\n});',
    );
    expect(read("README.md")).toContain(steps);
    expect(read("README.md")).toMatch(/never shows `username` and `password` of the sandbox registry `"images"`/);
  });

  test("in YAML, too", async () => {
    await generate(emulator, "--language", "yaml");
    const text = read("Pulumi.yaml");
    expect(text).toContain("password: ${imagesSandboxRegistryPassword}");
    expect(text).toContain(
      "\nconfig:\n  imagesSandboxRegistryUsername:\n    type: string\n  imagesSandboxRegistryPassword:\n    type: string\n    secret: true\n",
    );
    expect(read("README.md")).toContain(steps);
  });
});

describe("listeners", () => {
  const cluster = { compute_type: "k8s", compute_id: "prod-eu", compute_config: { k8s_namespaces: ["agents"] } };
  const onCluster = (name: string, listenerId: string) => ({
    ...deployment(name),
    source_config: { resource_spec: {}, listener_id: listenerId },
  });

  test("are declared, and the deployments that they run name them by their variables", async () => {
    await post(LISTENERS, cluster);
    const { id } = emulator.outOfBand(listeners).get("prod-eu");
    await post(DEPLOYMENTS, onCluster("agent", id));
    await post(DEPLOYMENTS, onCluster("elsewhere", "another-listener"));
    await generate();
    const program = read("index.ts");
    expect(program).toContain('import { Deployment, Listener } from "pulumi-agent-platform";');
    expect(program).toContain(`const prodEuListener = new Listener("prod-eu", {
  adopt: "${id}",
  computeId: "prod-eu",
  computeConfig: {
    k8sNamespaces: ["agents"],
  },
});`);
    expect(program).toMatch(/new Deployment\("agent", \{[^]*? {4}listenerId: prodEuListener\.id,\n/);
    expect(program).toMatch(/new Deployment\("elsewhere", \{[^]*? {4}listenerId: "another-listener",\n/);
    expect(program.indexOf("new Listener")).toBeLessThan(program.indexOf("new Deployment"));
    const readme = read("README.md");
    expect(readme).toContain("the next `pulumi up` sends the values that you set");
    expect(readme).toContain(
      'Of the deployment `"agent"`, `sourceConfig.listenerConfig.k8sNamespace`, which is never sent: declare it before the first `pulumi up`, with the value that it has, or not at all. Later, it is refused.',
    );
  });
});

test("each kind is listed once, and a deployment costs one more request only where its latest revision does not serve", async () => {
  await post(TEMPLATES, template("a"));
  await post(PROVIDERS, providerOf("github"));
  for (const name of ["one", "two", "three"]) await post(DEPLOYMENTS, deployment(name));
  const failing = { source_revision_config: { image_uri: "registry.example/emulator-fail-build:1" } };
  await post(DEPLOYMENTS, { ...deployment("failing"), ...failing });
  const { id } = emulator.outOfBand(deployments).get("failing");
  emulator.clearLog();
  await generate();
  const all = emulator.requests.map(({ path }) => path.replace(/revisions\/.*/, "revisions/<latest>"));
  const paths = all.filter((path) => [TEMPLATES, PROVIDERS, DEPLOYMENTS].some((list) => path.startsWith(list)));
  // Templates and deployments come in pages: one with all of them, and an empty one that says so.
  expect(paths).toEqual([
    ...[TEMPLATES, TEMPLATES, PROVIDERS, DEPLOYMENTS, DEPLOYMENTS],
    `${DEPLOYMENTS}/${id}/revisions/<latest>`,
  ]);
  expect(read("README.md")).toContain('The latest revision of the deployment `"failing"` is `"BUILD_FAILED"`.');
  expect(read("README.md").match(/does not say which are secret/g)).toHaveLength(1);
});

test("a deployment from github has its branch, and neither the commit nor the image nor the address that came of it", async () => {
  await post(DEPLOYMENTS, {
    name: "built",
    source: "github",
    source_config: {
      integration_id: "i",
      repo_url: "https://git.example/a",
      deployment_type: "dev",
      build_on_push: false,
    },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
    secrets: [],
  });
  reconfigure("built", { custom_url: "built.platform.example", repo_branch: "main" });
  await generate();
  expect(read("index.ts")).toContain('deploymentType: "dev"');
  expect(read("index.ts")).toContain('repoRef: "main"');
  expect(read("index.ts")).not.toMatch(/imageUri|customUrl|buildOnPush|repoCommitSha/);
});

test("what the platform has filled in, and the source refuses, is left out", async () => {
  await post(DEPLOYMENTS, deployment("image"));
  reconfigure("image", { deployment_type: "prod" });
  await generate();
  expect(read("index.ts")).toContain('imageUri: "registry.example/a:1"');
  expect(read("index.ts")).not.toContain("deploymentType");
});

test("an address is declared if it is a custom one, and not if the platform has given it", async () => {
  await post(DEPLOYMENTS, deployment("given"));
  await post(DEPLOYMENTS, deployment("desk"));
  expect(JSON.stringify(await ask(emulator, "GET", DEPLOYMENTS))).toMatch(/"custom_url":"http:/);
  reconfigure("desk", { custom_url: "https://desk.example" });
  await post(DEPLOYMENTS, deployment("hosted"));
  reconfigure("hosted", { custom_url: "https://hosted-5f2c.agents.example" });
  const connection = { BASE_URL: emulator.url, API_KEY: emulator.apiKey, AGENT_DOMAIN: "agents.example" };
  const variables = Object.entries(connection).map(([name, value]) => [`AGENT_PLATFORM_${name}`, value] as const);
  Object.assign(process.env, Object.fromEntries(variables));
  await run("--cwd", folder).finally(() => variables.forEach(([name]) => Reflect.deleteProperty(process.env, name)));
  expect(read("index.ts").match(/customUrl: .*/g)).toEqual(['customUrl: "https://desk.example",']);
});

test("a template's sizes are declared, those that the platform's clients give by default, too", async () => {
  await post(TEMPLATES, template("a"));
  await post(TEMPLATES, { ...template("b"), resources: { cpu: "2", memory: "512Mi", storage: "10Gi" } });
  await generate();
  expect(read("index.ts").match(/(?:cpu|memory|storage): .*/g)).toEqual([
    ...['cpu: "500m",', 'memory: "512Mi",'],
    ...['cpu: "2",', 'memory: "512Mi",', 'storage: "10Gi",'],
  ]);
});

test("the same platform gives the same files", async () => {
  for (const name of ["b", "a"]) await post(DEPLOYMENTS, deployment(name));
  await generate();
  const first = [read("index.ts"), read("README.md")];
  rmSync(out, { recursive: true });
  await generate();
  expect([read("index.ts"), read("README.md")]).toEqual(first);
});

test("contract documented: templates alone; the README says which managed types have no list, and which settings to continue with", async () => {
  await post(TEMPLATES, template("a"), documented);
  await generate(documented, "--contract", "documented");
  expect(read("index.ts")).toContain('new SandboxTemplate("a"');
  for (const kinds of ["OAuth providers", "deployments", "listeners"])
    expect(read("README.md")).toContain(`- The ${kinds}: contract \`documented\` has no list of them.`);
  expect(read("README.md")).toContain("pulumi config set agent-platform:contract documented");
});

test("contract extended on a platform without the lists: as with contract documented", async () => {
  await generate(documented);
  expect(read("README.md")).toContain("- The deployments: this platform has no list of them.");
});

test("what the program declares is referred to by its variable, in the order of use", async () => {
  const registry = await post("/v2/sandboxes/registries", {
    name: "ecr",
    url: "r.example",
    username: "u",
    password: "a-password",
  });
  const { id } = z.object({ id: z.string() }).parse(registry);
  const snapshot = { name: "base", docker_image: "a:1", fs_capacity_bytes: 1000 };
  await post("/v2/sandboxes/snapshots", { ...snapshot, registry_id: id });
  await post("/v1/agents", { id: "triage", name: "Triage" });
  await generate();
  const program = read("index.ts");
  expect(program).toContain("registryId: ecrSandboxRegistry.id,");
  expect(program.indexOf("new SandboxRegistry")).toBeLessThan(program.indexOf("new SandboxSnapshot"));
  expect(read("README.md")).toMatch(/If the agent `"triage"` has deployments, .* declare `agent` in place of `name`/);
});

test("a volume that is not ready is left out of the program, and is named", async () => {
  for (const name of ["whole", "broken"]) await post("/v2/sandboxes/volumes", { name, size_bytes: 2 ** 30 });
  emulator.outOfBand(sandboxVolumes).change("broken", { status: "failed" });
  await generate();
  expect(read("index.ts").match(/new SandboxVolume\(".*"/g)).toEqual(['new SandboxVolume("whole"']);
  expect(read("README.md")).toMatch(/^- The sandbox volume `"broken"` \(.*\): it is not ready \(`"failed"`\)\.$/m);
});

test("a snapshot that is not ready, or that has lost its tag, is left out of the program, and is named", async () => {
  for (const [name, image] of [
    ["py", "a:1"],
    ["py", "a:2"],
    ["bad", "emulator-fail-build"],
    ["new", "a:1"],
    ["gone", "a:1"],
  ] as const)
    await post("/v2/sandboxes/snapshots", { name, docker_image: image, fs_capacity_bytes: 1000 });
  const all = emulator.outOfBand(sandboxSnapshots);
  const idOf = (name: string): string => all.list().find((each) => each.name === name)?.id ?? "";
  all.change(idOf("new"), { status_override: "building" });
  all.change(idOf("gone"), { status_override: "deleting" });
  await generate();
  expect([...read("index.ts").matchAll(/adopt: "(.*)"/g)].map(([, id]) => id)).toEqual([all.list()[1]?.id]);
  expect(
    [...read("README.md").matchAll(/^- The sandbox snapshot `"(\w+)"` \(.*\): (.*)$/gm)].map(([, ...said]) => said),
  ).toEqual([
    ["py", "a newer one has its tag."],
    ["bad", 'it is not ready (`"failed"`).'],
    ["new", 'it is not ready (`"building"`).'],
    ["gone", 'it is not ready (`"deleting"`).'],
  ]);
});

test("an object that is being deleted is left out of the program, and is named", async () => {
  await post(DEPLOYMENTS, deployment("leaving"));
  const { id } = emulator.outOfBand(deployments).get("leaving");
  emulator.outOfBand(deployments).change(id, { deleted_at: new Date().toISOString() });
  await generate();
  expect(read("index.ts")).not.toContain("leaving");
  expect(read("README.md")).toContain(`- The deployment \`"leaving"\` (\`"${id}"\`): it is being deleted`);
});

test("anything that would be refused in a program is left out and named: an object, or one property of it", async () => {
  // A name that no id can hold by chance.
  await post(TEMPLATES, template("spoilt"));
  emulator.outOfBand(sandboxTemplates).change("spoilt", { image: "a b" });
  await post(DEPLOYMENTS, deployment("odd"));
  emulator.outOfBand(deployments).change("odd", { display_name: "a\nb" });
  await generate();
  expect(read("index.ts")).not.toContain("spoilt");
  expect(read("index.ts")).toContain('new Deployment("odd", {');
  expect(read("index.ts")).not.toContain("displayName");
  const { id } = emulator.outOfBand(deployments).get("odd");
  expect(read("README.md")).toMatch(
    /- The sandbox template `"spoilt"` .*: a program with it would be refused: `"image: /,
  );
  expect(read("README.md")).toContain(
    `- \`"displayName"\` of the deployment \`"odd"\` (\`"${id}"\`): a program with it`,
  );
});

test("--language yaml writes a project whose program is its Pulumi.yaml", async () => {
  await post(TEMPLATES, template("desk"));
  await generate(emulator, "--language", "yaml");
  expect(readdirSync(out).sort()).toEqual([".gitignore", "Pulumi.yaml", "README.md", "package.json"]);
  expect(read("Pulumi.yaml")).toMatch(/^runtime: yaml$[^]*^ {2}deskSandboxTemplate:$[^]*^ {6}adopt: /m);
  expect(read("README.md")).not.toContain("npm run typecheck");
});

test("a hostile name is text everywhere", async () => {
  const name = '`*/"); process.exit(1); ("${process.exit(1)}\u2028process.exit(1)\n# not a heading';
  await post(PROVIDERS, providerOf("hostile"));
  emulator.outOfBand(oauthProviders).change("hostile", { name: name.replace("\n", "") });
  await post(DEPLOYMENTS, { ...deployment("vars"), secrets: [{ name, value: "x" }] });
  await generate();
  expect(
    read("index.ts")
      .split("\n")
      .filter((line) => /^\s*process\.exit|^# /.test(line)),
  ).toEqual([]);
  expect(read("index.ts")).not.toContain("\u2028");
  expect(read("README.md")).not.toMatch(/^# not/m);
});
