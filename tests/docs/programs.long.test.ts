import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { deployments, sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { onEmulator } from "../engine/on-emulator";
import { ok, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { blocksRunBy } from "./blocks";

const blocks = blocksRunBy("tests/docs/programs.long.test.ts");
const programs = blocks.map(({ page, code }) => [page, code] as const);
const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };

const platform = onEmulator({ buildSeconds: 0.2, apiKey: "the-key-of-both-regions" });
let eu: Emulator;
beforeAll(async () => {
  eu = await startEmulator({ buildSeconds: 0.2, apiKey: "the-key-of-both-regions" });
});
afterAll(() => eu.close());

async function upAndDown(stack: CliStack): Promise<void> {
  ok(await stack.up());
  expect(held()).toBeGreaterThan(0);
  ok(await stack.preview("--expect-no-changes"));
  ok(await stack.destroy());
  expect(held()).toBe(0);
}

const held = (): number =>
  [platform.emulator, eu].flatMap((each) => [
    ...each.outOfBand(deployments).list(),
    ...each.outOfBand(sandboxTemplates).list(),
  ]).length;

describeWithEngine("the TypeScript programs of the pages", () => {
  test("are there", () => expect(programs.length).toBeGreaterThan(3));

  test.each(programs)("%s goes up, has nothing left to do, and goes away", async (_page, code) => {
    const { outputText } = ts.transpileModule(code, { compilerOptions });
    const { apiKey } = platform.emulator;
    const stack = await platform.stackOf("", { "test:usKey": apiKey, "test:euKey": apiKey });
    // As it is: a page imports what it uses.
    writeFileSync(join(stack.folder, "index.js"), outputText);
    const regions = { "agent-platform:baseUrlUs": platform.emulator.url, "agent-platform:baseUrlEu": eu.url };
    await stack.configure(regions);
    await upAndDown(stack);
  });
});

/** A stack whose project is in this language: `Pulumi.yaml` goes on with this text. */
async function projectOf(runtime: string, more = ""): Promise<CliStack> {
  const stack = await platform.stackOf("");
  stack.host = undefined;
  const packages = `packages:\n  agent-platform: ${PLUGIN}\n`;
  writeFileSync(join(stack.folder, "Pulumi.yaml"), `name: test\n${runtime}${packages}${more}`);
  return stack;
}

describeWithYaml("the YAML programs of the pages", () => {
  test.each(of("yaml"))("%s goes up, has nothing left to do, and goes away", async (_page, code) => {
    await upAndDown(await projectOf("runtime: yaml\n", code));
  });
});

/** This package, as npm would put it there; the plugin's folder is a copy, because the engine installs into it. */
function installInto(folder: string): void {
  const installed = join(folder, "node_modules", "pulumi-agent-platform");
  mkdirSync(installed, { recursive: true });
  cpSync(PLUGIN, join(installed, "plugin"), { recursive: true });
  for (const name of ["dist", "package.json"]) symlinkSync(join(dirname(PLUGIN), name), join(installed, name));
}

describeWithPython("the Python programs of the pages", () => {
  test.each(of("python"))("%s goes up, has nothing left to do, and goes away", async (_page, code) => {
    const stack = await projectOf("runtime:\n  name: python\n  options:\n    virtualenv: venv\n");
    installInto(stack.folder);
    writeFileSync(join(stack.folder, "requirements.txt"), "pulumi>=3.216.0,<4\n");
    const [add] = of("sh");
    ok(await runProcess("sh", ["-ec", add?.[1] ?? "false"], stack.folder, { environment: stack.environment }));
    writeFileSync(join(stack.folder, "__main__.py"), code);
    await upAndDown(stack);
  });
});
