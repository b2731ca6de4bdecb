import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { blocksRunBy } from "../docs/blocks";
import { startRegistry } from "../docs/registry";
import { templatesOn } from "../support/ask";
import { CliStack, STACK_KEYS, makeWorkplace, notOk, ok } from "../support/cli-stack";
import { newFolder } from "../support/new-folder";
import { packInto } from "../support/packed";
import { runProcess } from "../support/run-process";
import { describeWithEngine } from "../support/with-engine";

const PULUMI = { "@pulumi/pulumi": "3.246.0" };

// A program that gets its resources from a package of the same repository, and from nowhere else.
const LIBRARY = `
const platform = require("pulumi-agent-platform");
exports.declare = () => new platform.SandboxTemplate("nested", { image: "a:1", resources: { cpu: "1" } });
`;

let emulator: Emulator;
let folder: string;
let tarball: string;
/** The folder of the command `pnpm`. */
let pnpmBin: string;
beforeAll(async () => {
  emulator = await startEmulator();
  // Outside the checkout, above which there would be a node_modules.
  folder = newFolder();
  tarball = `file:${packInto(folder)}`;
  const prefix = join(folder, "pnpm");
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", prefix, "pnpm@9.15.9"]);
  pnpmBin = join(prefix, "node_modules", ".bin");
});
afterEach(() => emulator.reset());
afterAll(() => emulator.close());

const pathWithPnpm = ({ PATH = "" }: NodeJS.ProcessEnv = process.env): string => [pnpmBin, PATH].join(delimiter);

interface Manager {
  readonly name: string;
  /** How it writes a dependency on a package of the same repository. */
  readonly sibling: string;
  readonly install: readonly string[];
}
const NPM: Manager = { name: "npm", sibling: "*", install: ["install", "--silent", "--no-audit", "--no-fund"] };
const PNPM: Manager = {
  name: "pnpm",
  sibling: "workspace:*",
  install: ["install", "--silent", "--no-frozen-lockfile"],
};

/** The repository: packages/app is the project, packages/library declares the resources. */
class Repository {
  private constructor(
    private readonly root: string,
    private readonly manager: Manager,
    readonly stack: CliStack,
  ) {}

  static async make(manager: Manager): Promise<Repository> {
    const place = await makeWorkplace(manager.name, folder);
    const app = join(place.folder, "packages", "app");
    const stack = new CliStack({ ...place, folder: app });
    const repository = new Repository(place.folder, manager, stack);
    repository.write("pnpm-workspace.yaml", "packages:\n  - packages/*\n");
    repository.json("package.json", { name: "repository", private: true, workspaces: ["packages/*"] });
    const dependencies = { "pulumi-agent-platform": tarball };
    const library = { name: "library", version: "1.0.0", main: "index.js", dependencies, peerDependencies: PULUMI };
    repository.json("packages/library/package.json", library);
    repository.write("packages/library/index.js", LIBRARY);
    repository.write("packages/app/index.js", 'require("library").declare();\n');
    repository.write("packages/app/Pulumi.yaml", "name: app\nruntime: nodejs\n");
    repository.install({});
    await stack.succeed("stack", "init", "dev", ...STACK_KEYS);
    await stack.configure({ "agent-platform:baseUrl": emulator.url }, { "agent-platform:apiKey": emulator.apiKey });
    return repository;
  }

  /** Installs, with these dependencies of the project beside the library. */
  install(more: Readonly<Record<string, string>>): void {
    const dependencies = { library: this.manager.sibling, ...PULUMI, ...more };
    this.json("packages/app/package.json", { name: "app", version: "1.0.0", main: "index.js", dependencies });
    const { name, install } = this.manager;
    execFileSync(name, install, { cwd: this.root, stdio: "pipe", env: { ...process.env, PATH: pathWithPnpm() } });
  }

  private write(file: string, text: string): void {
    mkdirSync(join(this.root, file, ".."), { recursive: true });
    writeFileSync(join(this.root, file), text);
  }

  private json(file: string, value: object): void {
    this.write(file, JSON.stringify(value));
  }
}

const templates = (): string[] => templatesOn(emulator);

describeWithEngine("a project whose library declares the resources", () => {
  test("npm puts all packages of a repository into one folder: it works", async () => {
    const { stack } = await Repository.make(NPM);
    ok(await stack.up());
    expect(templates()).toEqual(["nested"]);
  });

  test("pnpm gives a package nothing that it does not name: one sentence says what to install, and then it works", async () => {
    const repository = await Repository.make(PNPM);
    const { stack } = repository;
    const output = notOk(await stack.preview());
    expect(output).toContain(`pulumi-agent-platform is not installed in ${stack.folder}`);
    expect(output).toContain('("pnpm add", "yarn add")');
    expect(output).not.toMatch(/Cannot find module|\n\s+at /);
    expect(emulator.requests).toEqual([]);

    repository.install({ "pulumi-agent-platform": tarball });
    ok(await stack.up());
    expect(templates()).toEqual(["nested"]);
  });
});

describeWithEngine("docs/how-to/pnpm-and-monorepos.md", () => {
  test("its commands make a project in a pnpm workspace, which goes up", async () => {
    const place = await makeWorkplace("pnpm-page", folder);
    const infra = join(place.folder, "packages", "infra");
    mkdirSync(infra, { recursive: true });
    writeFileSync(join(place.folder, "pnpm-workspace.yaml"), "packages:\n  - packages/*\n");
    writeFileSync(join(infra, "package.json"), JSON.stringify({ name: "infra", main: "index.ts" }));
    writeFileSync(join(infra, "Pulumi.yaml"), "name: infra\nruntime: nodejs\n");
    writeFileSync(
      join(infra, "index.ts"),
      `import { SandboxTemplate } from "pulumi-agent-platform";
new SandboxTemplate("nested", { image: "a:1", resources: { cpu: "1" } });
`,
    );
    const registry = await startRegistry(tarball.replace(/^file:/, ""));
    const environment = {
      ...place.environment,
      PATH: pathWithPnpm(place.environment),
      npm_config_registry: registry.url,
    };
    for (const { code } of blocksRunBy("tests/engine/workspaces.long.test.ts")) {
      ok(await runProcess("bash", ["-ec", code], place.folder, { environment }));
    }
    await registry.close();
    const stack = new CliStack({ ...place, folder: infra });
    await stack.succeed("stack", "init", "dev", ...STACK_KEYS);
    await stack.configure({ "agent-platform:baseUrl": emulator.url }, { "agent-platform:apiKey": emulator.apiKey });
    ok(await stack.up());
    expect(templates()).toEqual(["nested"]);
  });
});
