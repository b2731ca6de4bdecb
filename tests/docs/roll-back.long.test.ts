import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deployments, revisions } from "../../emulator";
import { onEmulator } from "../engine/on-emulator";
import { exampleEnvironment } from "../examples/python-environment";
import { notOk, ok, PLUGIN, type CliStack } from "../support/cli-stack";
import { describeWithYaml } from "../support/with-engine";
import { describeWithPython, python } from "../support/with-python";
import { blocksRunBy } from "./blocks";

// The programs of docs/how-to/roll-back.md in other languages; tests/examples/rollback.weekly.test.ts has the story in TypeScript.

const platform = onEmulator({ buildSeconds: 0.2 });
const programIn = (language: string): string => {
  const [only, ...others] = blocksRunBy("tests/docs/roll-back.long.test.ts").filter(
    (block) => block.language === language,
  );
  if (only === undefined || others.length > 0) throw new Error(`not one program in ${language}`);
  return only.code;
};
const LINE = "./node_modules/pulumi-agent-platform/plugin";
const GOOD = "registry.example.com/desk:1.0.0";
const BAD = "registry.example.com/desk:1.1.0-emulator-fail-graph";

/** Up, and a bad image that is put back. @param write Writes the program. */
async function goesBack(stack: CliStack, write: (image: string) => void): Promise<void> {
  const agent = () => platform.emulator.outOfBand(deployments).get("desk");
  write(GOOD);
  ok(await stack.up());
  ok(await stack.preview("--expect-no-changes"));
  write(BAD);
  expect(notOk(await stack.up())).toMatch(/Revision \S+ was rolled back: /);
  expect(agent().source_revision_config["image_uri"]).toBe(GOOD);
  expect(platform.kept(revisions)).toHaveLength(3);
}

describeWithYaml("the program in YAML", () => {
  test("goes back", async () => {
    const stack = await platform.stackOf("", {}, "native");
    stack.host = undefined;
    const program = programIn("yaml").replace("name: desk-yaml", "name: test").replace(LINE, PLUGIN);
    await goesBack(stack, (image) => writeFileSync(join(stack.folder, "Pulumi.yaml"), program.replace(GOOD, image)));
  });
});

describeWithPython("the program in Python", () => {
  test("goes back", async () => {
    if (python === undefined) throw new Error("skipped without Python");
    const environment = await exampleEnvironment(python);
    const stack = await platform.stackOf("", {}, "native");
    stack.host = undefined;
    symlinkSync(environment, join(stack.folder, "venv"));
    const project = `name: test\nruntime:\n  name: python\n  options:\n    virtualenv: venv\npackages:\n  agent-platform: ${PLUGIN}\n`;
    writeFileSync(join(stack.folder, "Pulumi.yaml"), project);
    await goesBack(stack, (image) =>
      writeFileSync(join(stack.folder, "__main__.py"), programIn("python").replace(GOOD, image)),
    );
  });
});
