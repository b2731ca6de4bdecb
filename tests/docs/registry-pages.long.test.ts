import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deployments, oauthProviders, revisions, sandboxTemplates } from "../../emulator";
import { version } from "../../provider/base/version";
import { goEnvironment } from "../../tools/engine/build";
import { runCommand } from "../../tools/engine/command";
import { hasGo, writeSdk } from "../../tools/release/generator";
import { onEmulator } from "../engine/on-emulator";
import { exampleEnvironment } from "../examples/python-environment";
import { ok, PLUGIN, type CliStack } from "../support/cli-stack";
import { runProcess } from "../support/run-process";
import { describeWithEngine, describeWithYaml } from "../support/with-engine";
import { describeWithPython, python } from "../support/with-python";
import { blocksRunBy } from "./blocks";
import { ROOT } from "./pages";
import { programIn } from "./registry-pages";

const MINUTES = 60_000;
const SECRETS = { "test:clientSecret": "client-secret-canary", "test:modelApiKey": "model-canary" };
const PACKAGES = `packages:\n  agent-platform: ${PLUGIN}\n`;
const platform = onEmulator({ buildSeconds: 0.2 });

/** How many templates, providers, deployments and revisions the platform has. */
const counts = () => [
  platform.emulator.outOfBand(sandboxTemplates).list().length,
  platform.emulator.outOfBand(oauthProviders).list().length,
  platform.emulator.outOfBand(deployments).list().length,
  platform.emulator.outOfBand(revisions).list().length,
];

/** A stack of a project of these files. */
async function stackOf(files: Readonly<Record<string, string>>, secrets = SECRETS): Promise<CliStack> {
  const stack = await platform.stackOf("", secrets, "native");
  stack.host = undefined;
  for (const [name, text] of Object.entries(files)) writeFileSync(join(stack.folder, name), text);
  return stack;
}

async function upAndDown(stack: CliStack): Promise<void> {
  ok(await stack.up());
  expect(counts()).toEqual([1, 1, 1, 1]);
  const [agent] = platform.emulator.outOfBand(deployments).list();
  expect(await stack.outputs()).toEqual({ url: `${platform.emulator.url}/agents/${agent?.id ?? ""}` });
  ok(await stack.preview("--expect-no-changes"));
  ok(await stack.destroy());
  expect(counts()).toEqual([0, 0, 0, 0]);
}

describeWithYaml("the registry's example in YAML", () => {
  test("goes up, has nothing left to do, and goes away", async () => {
    const program = programIn("yaml").replace("name: desk\n", "name: test\n");
    await upAndDown(await stackOf({ "Pulumi.yaml": program + PACKAGES }));
  });
});

describeWithPython("the registry's example in Python", () => {
  test("goes up, has nothing left to do, and goes away", async () => {
    if (python === undefined) return;
    const project = `name: test\nruntime: { name: python, options: { virtualenv: venv } }\n${PACKAGES}`;
    const stack = await stackOf({ "Pulumi.yaml": project, "__main__.py": programIn("python") });
    symlinkSync(await exampleEnvironment(python), join(stack.folder, "venv"));
    await upAndDown(stack);
  });
});

describeWithEngine("the registry's example in TypeScript", () => {
  test("goes up, has nothing left to do, and goes away", async () => {
    const project = `name: test\nruntime: nodejs\n${PACKAGES}config:\n  agent-platform:plugin:\n    value: native\n`;
    const manifest = JSON.stringify({ name: "test", main: "index.ts" });
    const program = programIn("typescript");
    await upAndDown(await stackOf({ "Pulumi.yaml": project, "package.json": manifest, "index.ts": program }));
  });
});

const go = hasGo({ checkout: ROOT, env: process.env }) ? test : test.skip;
go(
  "the registry's example in Go compiles",
  async () => {
    const stack = await stackOf({});
    const folder = join(stack.folder, "go");
    await writeSdk({ checkout: ROOT, env: process.env, log: () => undefined }, "go", folder);
    const engine = join(ROOT, "tools", "engine");
    const module = readFileSync(join(engine, "go.mod"), "utf8");
    // The program lies in the SDK's module: it is then found without a server.
    writeFileSync(
      join(folder, "go.mod"),
      module.replace(/^module .*$/m, "module example.com/pulumi-agent-platform/sdk/go"),
    );
    copyFileSync(join(engine, "go.sum"), join(folder, "go.sum"));
    mkdirSync(join(folder, "desk"));
    writeFileSync(join(folder, "desk", "main.go"), programIn("go"));
    const env = { ...goEnvironment(process.env), GOFLAGS: "-mod=mod" };
    const output = join(stack.folder, "program");
    await runCommand({ file: "go", args: ["build", "-o", output, "./desk"], cwd: folder, env, timeout: 8 * MINUTES });
  },
  9 * MINUTES,
);

const hasMaven = spawnSync("mvn", ["--version"]).status === 0;
if (!hasMaven) console.error("\n!!! NO MAVEN: the registry's example in Java is NOT COMPILED.\n");
(hasMaven ? go : test.skip)(
  "the registry's example in Java compiles",
  async () => {
    const { folder } = await stackOf({});
    const project = join(folder, "java");
    await writeSdk({ checkout: ROOT, env: process.env, log: () => undefined }, "java", project);
    const pom = readFileSync(join(ROOT, "tools", "release", "pom.xml"), "utf8");
    writeFileSync(join(project, "pom.xml"), pom.replace("@version@", version()).replace("@time@", "1"));
    // The program lies beside the SDK's classes: it is then found without a server.
    mkdirSync(join(project, "src", "main", "java", "desk"));
    writeFileSync(join(project, "src", "main", "java", "desk", "App.java"), programIn("java"));
    const args = ["--batch-mode", "--quiet", "compiler:compile"];
    await runCommand({ file: "mvn", args, cwd: project, env: process.env, timeout: 8 * MINUTES });
  },
  9 * MINUTES,
);

describeWithEngine("the commands of docs/installation-configuration.md", () => {
  const commands = blocksRunBy("tests/docs/registry-pages.long.test.ts").filter(({ language }) => language === "sh");
  const template = 'new platform.SandboxTemplate("notebook", { image: "a:1", resources: { cpu: "1" } });';

  test.each([
    ["in the stack's configuration", 0],
    ["in the environment", 1],
  ])("connect a program, %s", async (_where, at) => {
    expect(commands).toHaveLength(2);
    const { emulator } = platform;
    const stack = await stackOf({});
    stack.write(template);
    for (const key of ["baseUrl", "apiKey"]) await stack.succeed("config", "rm", `agent-platform:${key}`);
    const block = commands[at]?.code.replace("https://platform.example.com", emulator.url) ?? "";
    const script = `set -e\n${block}pulumi up --yes --skip-preview`;
    const options = { environment: stack.environment, input: `${emulator.apiKey}\n` };
    ok(await runProcess("bash", ["-c", script], stack.folder, options));
    expect(emulator.outOfBand(sandboxTemplates).list()).toHaveLength(1);
  });
});
