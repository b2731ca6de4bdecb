import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { makeWorkplace, PLUGIN, WORKPLACES } from "../support/cli-stack";
import { newFolder } from "../support/new-folder";
import { runProcess } from "../support/run-process";
import { describeWithEngine } from "../support/with-engine";
import { blocksRunBy } from "./blocks";

const blocks = blocksRunBy("tests/docs/testing.long.test.ts");
const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
const PROGRAM = `
const { Deployment } = require("pulumi-agent-platform");
new Deployment("support-agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/support-agent:1.0.0" },
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

describeWithEngine("docs/testing.md", () => {
  test("has two tests", () => expect(blocks).toHaveLength(2));

  test.each(blocks.map(({ line, code }) => [line, code] as const))("the one in line %i passes", async (_line, code) => {
    mkdirSync(WORKPLACES, { recursive: true });
    const parent = newFolder(WORKPLACES);
    const { folder, environment } = await makeWorkplace("own", parent);
    const project = join(folder, "project");
    mkdirSync(join(project, "node_modules", "@pulumi"), { recursive: true });
    symlinkSync(dirname(PLUGIN), join(project, "node_modules", "pulumi-agent-platform"));
    const sdk = join(dirname(PLUGIN), "node_modules", "@pulumi", "pulumi");
    symlinkSync(sdk, join(project, "node_modules", "@pulumi", "pulumi"));
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "shop", main: "index.js" }));
    writeFileSync(join(project, "Pulumi.yaml"), PROJECT);
    writeFileSync(join(project, "index.js"), PROGRAM);
    const { outputText } = ts.transpileModule(code, { compilerOptions });
    writeFileSync(join(project, "own.test.js"), outputText);
    const { NODE_TEST_CONTEXT: _none, ...rest } = environment;
    const result = await runProcess(process.execPath, ["--test", "own.test.js"], project, {
      environment: { ...rest, TMPDIR: folder },
    });
    expect([result.code === 0 ? "" : result.output]).toEqual([""]);
    expect(result.stdout).toMatch(/^# pass 1$/m);
  });
});
