import { appendFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { deployments, sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { startRegistry, type Registry } from "../docs/registry";
import { CliStack, makeWorkplace, notOk, ok } from "../support/cli-stack";
import { newFolder } from "../support/new-folder";
import { packInto } from "../support/packed";
import { runProcess } from "../support/run-process";
import { describeWithEngine, describeWithYaml } from "../support/with-engine";
import { describeWithPython } from "../support/with-python";

const TEMPLATES = join(__dirname, "..", "..", "examples", "templates");
const PROJECT = "starter";

let emulator: Emulator;
let registry: Registry;
/** Outside the checkout, above which there would be a node_modules. */
let folder: string;
beforeAll(async () => {
  folder = realpathSync(newFolder());
  [emulator, registry] = await Promise.all([startEmulator({ buildSeconds: 0.5 }), startRegistry(packInto(folder))]);
});
afterEach(() => emulator.reset());
afterAll(() => Promise.all([emulator.close(), registry.close()]));

/** What `pulumi new` makes of the template: a stack, and all that it needs, from the packed npm package and nothing else. */
async function projectOf(language: string): Promise<CliStack> {
  const place = await makeWorkplace(`new-${language}`, folder);
  const project = join(place.folder, PROJECT);
  const npm = {
    npm_config_registry: registry.url,
    npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
  };
  // The engine leaves what it generates there.
  const environment = { ...place.environment, ...npm, TMPDIR: folder };
  const template = [join(TEMPLATES, language), "--dir", project, "--name", PROJECT, "--stack", "dev", "--yes"];
  ok(await runProcess(place.pulumi, ["new", ...template], place.folder, { environment }));
  const stack = new CliStack({ ...place, folder: project, environment });
  // `pulumi new` asks for the key, unless it is told to ask nothing.
  await stack.configure({ "agent-platform:baseUrl": emulator.url }, { "agent-platform:apiKey": emulator.apiKey });
  return stack;
}

async function upAndDown(project: CliStack): Promise<void> {
  ok(await project.up());
  expect((await project.succeed("stack", "--show-urns")).stdout).toContain(
    "agent-platform:index:Deployment::assistant",
  );
  const { id } = emulator.outOfBand(deployments).get("assistant");
  expect(await project.outputs()).toEqual({ url: `${emulator.url}/agents/${id}` });
  ok(await project.preview("--expect-no-changes"));
  ok(await project.destroy());
  expect([emulator.outOfBand(deployments).list(), emulator.outOfBand(sandboxTemplates).list()]).toEqual([[], []]);
}

describeWithEngine("pulumi new in TypeScript", () => {
  let project: CliStack;
  beforeAll(async () => (project = await projectOf("typescript")));

  test("makes a project that goes up, has nothing left to do, and goes down", () => upAndDown(project));

  test("a wrong type is what `npm run typecheck` finds, and `pulumi preview` does not look for it", async () => {
    const typecheck = () =>
      runProcess("npm", ["run", "typecheck"], project.folder, { environment: project.environment });
    ok(await typecheck());
    appendFileSync(join(project.folder, "index.ts"), 'export const wrong: number = "text";\n');
    expect(notOk(await typecheck())).toContain("Type 'string' is not assignable to type 'number'");
    ok(await project.preview());
    expect(notOk(await project.run(["preview"], { environment: { PULUMI_NODEJS_TRANSPILE_ONLY: "false" } }))).toContain(
      "Type 'string' is not assignable to type 'number'",
    );
  });
});

describeWithYaml("pulumi new in YAML", () => {
  test("makes a project that goes up, has nothing left to do, and goes down", async () => {
    await upAndDown(await projectOf("yaml"));
  });
});

describeWithPython("pulumi new in Python", () => {
  test("makes a project that goes up, has nothing left to do, and goes down", async () => {
    await upAndDown(await projectOf("python"));
  });
});
