import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exampleEnvironment } from "../examples/python-environment";
import { makeWorkplace, PLUGIN, WORKPLACES } from "../support/cli-stack";
import { newFolder } from "../support/new-folder";
import { runProcess } from "../support/run-process";
import { describeWithEngine } from "../support/with-engine";
import { describeWithPython, python } from "../support/with-python";
import { blocksRunBy, inJavaScript } from "./blocks";

const blocks = blocksRunBy("tests/docs/testing.long.test.ts");
/** As in Start, it needs a value of the configuration. */
const PROGRAM = `
const { Config } = require("@pulumi/pulumi");
const { Deployment } = require("pulumi-agent-platform");
new Deployment("support-agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/support-agent:1.0.0" },
  secrets: { MODEL_API_KEY: new Config().requireSecret("modelApiKey") },
});
`;
const PROJECT = `name: shop
runtime: nodejs
packages:
  agent-platform: ${PLUGIN}
config:
  agent-platform:plugin:
    value: native
`;

/** A project whose program the tests of the page run, below a folder for its temporary files. */
async function makeProject(): Promise<{ project: string; environment: NodeJS.ProcessEnv }> {
  mkdirSync(WORKPLACES, { recursive: true });
  const { folder, environment } = await makeWorkplace("own", newFolder(WORKPLACES));
  const project = join(folder, "project");
  const modules = join(project, "node_modules");
  for (const each of ["@pulumi", ".bin"]) mkdirSync(join(modules, each), { recursive: true });
  const root = dirname(PLUGIN);
  symlinkSync(root, join(modules, "pulumi-agent-platform"));
  symlinkSync(join(root, "node_modules", "@pulumi", "pulumi"), join(modules, "@pulumi", "pulumi"));
  symlinkSync(join(root, "dist", "cli", "main.js"), join(modules, ".bin", "pulumi-agent-platform"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "shop", main: "index.js" }));
  writeFileSync(join(project, "Pulumi.yaml"), PROJECT);
  writeFileSync(join(project, "index.js"), PROGRAM);
  const { NODE_TEST_CONTEXT: _none, ...rest } = environment;
  return { project, environment: { ...rest, TMPDIR: folder } };
}

/** The tests of a language, each with its line. */
const testsIn = (language: string): [line: number, code: string][] =>
  blocks.filter((block) => block.language === language).map(({ line, code }) => [line, code]);

/** The developer's own stacks are as they were: none is left behind, and the selected one stays selected. */
function expectNothingLeft(project: string, { PULUMI_HOME: home = "" }: NodeJS.ProcessEnv): void {
  expect(readdirSync(project).filter((file) => /^Pulumi\..+\.yaml$/.test(file))).toEqual([]);
  expect(existsSync(join(home, "workspaces"))).toBe(false);
}

describeWithEngine("docs/testing.md", () => {
  test("has two files of tests in TypeScript and one in Python", () => {
    expect(blocks.map(({ language }) => language)).toEqual(["ts", "ts", "python"]);
  });

  test.each(testsIn("ts"))("the one in line %i passes", async (_line, code) => {
    const { project, environment } = await makeProject();
    writeFileSync(join(project, "own.test.js"), inJavaScript(code));
    const result = await runProcess(process.execPath, ["--test", "own.test.js"], project, { environment });
    expect([result.code === 0 ? "" : result.output]).toEqual([""]);
    expect(result.stdout).toMatch(/^# pass [12]$/m);
    expectNothingLeft(project, environment);
  });
});

describeWithPython("docs/testing.md, in Python", () => {
  test.each(testsIn("python"))("the one in line %i passes", async (_line, code) => {
    if (python === undefined) throw new Error("skipped without Python");
    const { project, environment } = await makeProject();
    const room = await exampleEnvironment(python);
    writeFileSync(join(project, "test_own.py"), code);
    const command = ["-m", "pytest", "-p", "no:cacheprovider", "test_own.py"];
    const result = await runProcess(join(room, "bin", "python"), command, project, { environment });
    expect([result.code === 0 ? "" : result.output]).toEqual([""]);
    expect(result.stdout).toMatch(/ 1 passed in /);
    expectNothingLeft(project, environment);
  });
});
