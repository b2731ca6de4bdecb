import { delimiter, join } from "node:path";
import { deployments, sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { CliStack, makeWorkplace, ok, PLUGIN } from "../support/cli-stack";
import { runProcess } from "../support/run-process";
import { describeWithEngine, describeWithYaml } from "../support/with-engine";
import { describeWithPython } from "../support/with-python";

const TEMPLATES = join(__dirname, "..", "..", "examples", "templates");
const PROJECT = "starter";

let emulator: Emulator;
let stack: CliStack | undefined;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0.5 });
});
afterEach(() => stack?.remove());
afterAll(() => emulator.close());

/** What `pulumi new` makes of the template, with a stack; npm packages and plugin are there, as its README has them installed. */
async function projectOf(language: string): Promise<CliStack> {
  const place = await makeWorkplace(`new-${language}`);
  stack = new CliStack(place);
  const folder = join(place.folder, PROJECT);
  const { PATH = "" } = place.environment;
  const environment = { ...place.environment, PATH: [PLUGIN, PATH].join(delimiter), PULUMI_STACK: "dev" };
  const template = [join(TEMPLATES, language), "--dir", folder, "--name", PROJECT, "--yes", "--generate-only"];
  ok(await runProcess(place.pulumi, ["new", ...template], place.folder, { environment }));
  const project = new CliStack({ ...place, folder, environment });
  await project.succeed("stack", "init", "dev");
  const image = "registry.example.com/agents/assistant:1.0.0";
  await project.configure(
    { "agent-platform:baseUrl": emulator.url, image },
    { "agent-platform:apiKey": emulator.apiKey },
  );
  return project;
}

async function upAndDown(project: CliStack): Promise<void> {
  ok(await project.up());
  const { id } = emulator.outOfBand(deployments).get("assistant");
  expect(await project.outputs()).toEqual({ url: `${emulator.url}/agents/${id}` });
  ok(await project.preview("--expect-no-changes"));
  ok(await project.destroy());
  expect([emulator.outOfBand(deployments).list(), emulator.outOfBand(sandboxTemplates).list()]).toEqual([[], []]);
}

describeWithEngine("pulumi new in TypeScript", () => {
  test("makes a project that goes up, has nothing left to do, and goes down", async () => {
    await upAndDown(await projectOf("typescript"));
  });
});

describeWithYaml("pulumi new in YAML", () => {
  test("makes a project that goes up, has nothing left to do, and goes down", async () => {
    await upAndDown(await projectOf("yaml"));
  });
});

describeWithPython("pulumi new in Python", () => {
  test("makes a project that goes up, has nothing left to do, and goes down", async () => {
    const project = await projectOf("python");
    await project.succeed("package", "add", join(PLUGIN, "schema.json"));
    await upAndDown(project);
  });
});
