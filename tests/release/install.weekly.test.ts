import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { stop } from "esbuild";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { deployments, oauthProviders, revisions, sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { version } from "../../provider/base/version";
import { blocksRunBy } from "../docs/blocks";
import { programIn } from "../docs/registry-pages";
import { CliStack, makeWorkplace, ok } from "../support/cli-stack";
import { runProcess } from "../support/run-process";
import { describeWithEngine, describeWithYaml } from "../support/with-engine";
import { describeWithRelease } from "../support/with-go";
import { describeWithPython, python } from "../support/with-python";
import { makeArtefacts, SYSTEM, type Artefacts } from "./artefacts";
import { testContents } from "./contents";

const SECRETS = { clientSecret: "client-secret-canary", modelApiKey: "model-canary" };

/** Outside the checkout, above which there would be a node_modules. */
let outside: string;
let emulator: Emulator;
let released: Artefacts;
beforeAll(async () => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), "agent-platform-release-")));
  emulator = await startEmulator({ buildSeconds: 0.5 });
  released = await makeArtefacts(join(outside, "release"));
});
afterEach(() => emulator.reset());
afterAll(async () => {
  await emulator.close();
  // Else its process lives as long as the one that runs the suites.
  await stop();
  rmSync(outside, { recursive: true, force: true });
});

/** The seconds of each way's steps. */
const took: Record<string, Record<string, number>> = {};
afterAll(() => {
  console.table(took);
});

describeWithRelease(describe)("a release", () => testContents(() => released));

/** An empty folder for a project, whose commands have an empty PULUMI_HOME. */
class Project extends CliStack {
  static async empty(way: string): Promise<Project> {
    const place = await makeWorkplace(way, outside);
    const folder = join(place.folder, "project");
    mkdirSync(folder);
    // npm puts the checkout's own programs on the PATH of a test, where the engine would find the plugin of the checkout.
    const folders = String(place.environment["PATH"]).split(delimiter);
    const path = folders.filter((each) => !existsSync(join(each, "pulumi-resource-agent-platform")));
    // The engine leaves what it generates in TMPDIR.
    const environment = { ...place.environment, PATH: path.join(delimiter), TMPDIR: outside };
    return new Project({ ...place, folder, environment });
  }

  /** Writes files, by their names. */
  with(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.folder, name), text);
  }

  async command(command: string, ...args: string[]): Promise<void> {
    ok(await runProcess(command, args, this.folder, { environment: this.environment }));
  }

  /** Runs the command of docs/native-plugin.md in the folder of the archive. */
  async installPlugin(): Promise<void> {
    const words = wordsOf("pulumi plugin install").map((each) => each.replace("linux-amd64", SYSTEM));
    expect(words).toContain(basename(released.plugin));
    ok(await runProcess(this.pulumi, words, dirname(released.plugin), { environment: this.environment }));
    expect(this.plugins()).toEqual([`resource-agent-platform-v${version()}`]);
  }

  plugins(): string[] {
    const folder = join(String(this.environment["PULUMI_HOME"]), "plugins");
    return existsSync(folder)
      ? readdirSync(folder, { withFileTypes: true })
          .filter((each) => each.isDirectory())
          .map(({ name }) => name)
      : [];
  }
}

/** The command of docs/native-plugin.md that begins so, without `pulumi`. */
function wordsOf(beginning: string): string[] {
  const block = blocksRunBy("tests/release/install.weekly.test.ts").find(({ code }) => code.startsWith(beginning));
  return block?.code.trim().split(" ").slice(1) ?? [];
}

/** How many templates, providers, deployments and revisions the platform has. */
const counts = () => [
  emulator.outOfBand(sandboxTemplates).list().length,
  emulator.outOfBand(oauthProviders).list().length,
  emulator.outOfBand(deployments).list().length,
  emulator.outOfBand(revisions).list().length,
];

/** Installs, declares an environment, finds it unchanged, and deletes it. */
async function play(way: string, install: (project: Project) => Promise<void>): Promise<void> {
  const project = await Project.empty(way.replace(/\W+/g, "-").toLowerCase());
  const seconds: Record<string, number> = {};
  const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const begin = Date.now();
    await work();
    seconds[name] = Math.round((Date.now() - begin) / 100) / 10;
  };
  await step("install", () => install(project));
  await project.succeed("stack", "init", "dev");
  await project.configure(
    { "agent-platform:baseUrl": emulator.url },
    { "agent-platform:apiKey": emulator.apiKey, ...SECRETS },
  );
  await step("up", async () => ok(await project.up()));
  expect(counts()).toEqual([1, 1, 1, 1]);
  const { id } = emulator.outOfBand(deployments).get("desk");
  expect(await project.outputs()).toEqual({ url: `${emulator.url}/agents/${id}` });
  await step("preview", async () => ok(await project.preview("--expect-no-changes")));
  await step("destroy", async () => ok(await project.destroy()));
  expect(counts()).toEqual([0, 0, 0, 0]);
  took[way] = seconds;
}

/** What docs/start.md says, but for the registry: the packed package is a file. */
async function installNpm(project: Project): Promise<void> {
  project.with({
    "package.json": JSON.stringify({ name: "desk", main: "index.ts" }),
    "index.ts": programIn("typescript"),
  });
  await project.command(
    "npm",
    "install",
    "--no-audit",
    "--no-fund",
    released.npm,
    "@pulumi/pulumi",
    "typescript@5.9.3",
    "@types/node@20",
  );
}

const NODE = "name: desk\nruntime: nodejs\n";
const PYTHON_YAML = "name: desk\nruntime: { name: python, options: { virtualenv: venv } }\n";

describeWithRelease(describeWithEngine)("TypeScript", () => {
  test("by npm alone, as dynamic resources", () =>
    play("npm", async (project) => {
      project.with({ "Pulumi.yaml": NODE });
      await installNpm(project);
      expect(project.plugins()).toEqual([]);
    }));

  test("by npm, with the plugin from the archive", () =>
    play("TypeScript", async (project) => {
      project.with({ "Pulumi.yaml": `${NODE}config: { "agent-platform:plugin": native }\n` });
      await installNpm(project);
      await project.installPlugin();
    }));
});

/** A check that asks the agent: the plugin then streams, too. */
const CHECK = {
  assistantId: "agent",
  input: { topic: "opening hours" },
  expect: { values: [{ mode: "messages-tuple", matches: "opening hours" }] },
};
const Program = z.looseObject({
  resources: z.looseObject({ desk: z.object({ properties: z.looseObject({}) }), "desk-rollout": z.unknown() }),
});

/** The program with a component in the place of its deployment and rollout. */
function asAgent(program: string): string {
  const { resources: all, ...rest } = Program.parse(parse(program));
  const { desk, "desk-rollout": _, ...resources } = all;
  const agent = { type: "agent-platform:Agent", properties: { ...desk.properties, check: CHECK } };
  return stringify({ ...rest, resources: { ...resources, desk: agent }, outputs: { url: "${desk.url}" } });
}

/** The same in Go. */
const asGoAgent = (program: string): string =>
  program
    .replace("NewDeployment(", "NewAgent(")
    .replace(
      "platform.DeploymentArgs{",
      'platform.AgentArgs{\nAssistants: map[string]platform.AgentAssistantInput{},\nCheck: &platform.AgentCheckArgs{AssistantId: pulumi.String("agent"), Input: pulumi.Any(map[string]string{"topic": "opening hours"})},',
    )
    .replace(/\t\trollout, err := [^]*?\n\t\t\}\n\n/, "")
    .replace("rollout.Url", "desk.Url");

describeWithRelease(describeWithYaml)("YAML", () => {
  test("with the plugin from the archive, and nothing else, not even Node", () =>
    play("YAML", async (project) => {
      project.with({ "Pulumi.yaml": asAgent(programIn("yaml")) });
      // No Node: the plugin for Linux has it in it.
      const bins = [dirname(project.pulumi), String(process.env["YAML_HOST_BIN"])];
      project.environment["PATH"] = bins.join(delimiter);
      await project.installPlugin();
    }));
});

describeWithRelease(describeWithPython)("Python", () => {
  test("by pip from the wheel, with the plugin from the archive", () =>
    play("Python", async (project) => {
      project.with({ "Pulumi.yaml": PYTHON_YAML, "__main__.py": programIn("python") });
      await project.command(python?.command ?? "", "-m", "venv", "venv");
      await project.command("venv/bin/python", "-m", "pip", "install", "--quiet", released.wheel);
      await project.installPlugin();
    }));

  test("with the SDK that Pulumi generates from the installed plugin", () =>
    play("pulumi package add", async (project) => {
      project.with({
        "Pulumi.yaml": PYTHON_YAML,
        "__main__.py": programIn("python"),
        "requirements.txt": "pulumi>=3.216.0,<4\n",
      });
      await project.installPlugin();
      await project.command(project.pulumi, ...wordsOf("pulumi package add"));
      expect(readFileSync(join(project.folder, "requirements.txt"), "utf8")).toContain("sdks/agent-platform");
    }));
});

describeWithRelease(describeWithEngine)("Go", () => {
  test.each([
    ["Go", programIn("go")],
    ["Go, with a component", asGoAgent(programIn("go"))],
  ])("%s: by the built module, with the plugin from the archive", (way, program) =>
    play(way, async (project) => {
      const [, module = ""] = /^module (\S+)$/m.exec(readFileSync(join(released.go, "go.mod"), "utf8")) ?? [];
      project.with({ "Pulumi.yaml": "name: desk\nruntime: go\n", "main.go": program });
      await project.command("go", "mod", "init", "desk");
      await project.command(
        "go",
        "mod",
        "edit",
        `-require=${module}@v${version()}`,
        `-replace=${module}=${released.go}`,
      );
      await project.command("go", "mod", "tidy");
      await project.installPlugin();
    }),
  );
});
