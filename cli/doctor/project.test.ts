import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../tests/support/new-folder";
import { pluginOf, projectAt, sdkOf } from "./project";

const path = "./node_modules/pulumi-agent-platform/plugin";

test.each<[form: string, yaml: string, named: boolean]>([
  ["a block", `packages:\n  agent-platform: ${path}\n`, true],
  ["a block with others", `packages:\n  other: x\n  "agent-platform": "${path}"\nconfig: {}\n`, true],
  ["a block with an empty line", `packages:\n  other: x\n\n# ours\n  agent-platform: ${path}\n`, true],
  ["a block at the end of the file", `packages:\n  agent-platform: ${path}`, true],
  ["one line, as doctor advises it", `packages: { agent-platform: ${path} }\n`, true],
  ["one line with others", `packages: { other: x, agent-platform: '${path}'}`, true],
  ["the long form", `packages:\n  agent-platform:\n    source: ${path}\n`, true],
  ["the long form in one line", `packages:\n  agent-platform: { source: ${path} }\n`, true],
  ["the older form", `plugins:\n  providers:\n    - name: agent-platform\n      path: ${path}\n`, true],
  [
    "the older form in another order",
    `plugins:\n  providers:\n    - path: "${path}"\n      name: 'agent-platform'\n`,
    true,
  ],
  ["a comment", `packages:\n  # agent-platform: ${path}\n  other: x\n`, false],
  ["nothing", "", false],
])("the native plugin that Pulumi.yaml names in %s", (_form, yaml, named) => {
  const folder = newFolder();
  writeFileSync(join(folder, "Pulumi.yaml"), `name: x\nruntime: yaml\n${yaml}`);
  expect(projectAt(folder)?.plugin).toBe(named ? join(folder, path) : undefined);
});

test.each<[form: string, yaml: string, runtime: string]>([
  ["a word", "runtime: go # the language\n", "go"],
  ["a block", "runtime:\n  name: yaml\n", "yaml"],
  ["a block in another order", "runtime:\n  options:\n    virtualenv: venv\n  name: python\n", "python"],
  ["one line", "runtime: { name: nodejs, options: { typescript: false } }", "nodejs"],
  ["one line in another order", 'runtime: { options: { typescript: false }, name: "nodejs" }', "nodejs"],
  ["nothing", "config: {}\n", ""],
])("the runtime that Pulumi.yaml names in %s", (_form, yaml, runtime) => {
  const folder = newFolder();
  writeFileSync(join(folder, "Pulumi.yaml"), `name: x\n${yaml}`);
  expect(projectAt(folder)?.runtime).toBe(runtime);
});

test("of a Pulumi.yaml that cannot be read, nothing is said of its SDK and its plugin", async () => {
  const project = { folder: newFolder(), runtime: "", plugin: undefined };
  const none = { state: "skip", text: "no runtime was found in Pulumi.yaml" };
  expect(sdkOf(project)).toMatchObject(none);
  expect(await pluginOf(project, undefined, { folder: project.folder, environment: {} })).toMatchObject(none);
});
