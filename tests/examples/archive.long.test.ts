import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deployments, startEmulator, type Emulator } from "../../emulator";
import { blocksRunBy } from "../docs/blocks";
import { ok, type CliStack } from "../support/cli-stack";
import { writePlugins } from "../../tools/release/plugin";
import { runProcess } from "../support/run-process";
import { describeWithYaml } from "../support/with-engine";
import { Example } from "./example";

const CHECKOUT = join(__dirname, "..", "..");

// Outside the checkout, above which there would be a node_modules.
const outside = mkdtempSync(join(tmpdir(), "agent-platform-bundle-"));
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0.5 });
});
afterAll(async () => {
  rmSync(outside, { recursive: true, force: true });
  await emulator.close();
});

/** The example yaml in a folder that no npm package can be reached from, without the path of the plugin. */
async function exampleAlone(): Promise<CliStack> {
  const example = await Example.copy("yaml", ["dev"], outside);
  const program = example.text("Pulumi.yaml");
  example.write("Pulumi.yaml", program.replace(/^# In a project.*\npackages:\n.*\n/m, ""));
  expect(example.text("Pulumi.yaml")).not.toContain("packages:");
  const stack = example.stack("dev");
  await stack.configure(
    { "agent-platform:baseUrl": emulator.url },
    { "agent-platform:apiKey": emulator.apiKey, githubClientSecret: "s", modelApiKey: "k" },
  );
  return stack;
}

const describeHere = `${process.platform}-${process.arch}` === "linux-x64" ? describeWithYaml : describe.skip;

describeHere("the native plugin from a release's archive", () => {
  test("runs a YAML program where there are no npm packages and no Node: up, a preview without changes, destroy", async () => {
    const release = join(outside, "release");
    const time = new Date();
    await writePlugins({ checkout: CHECKOUT, env: process.env, log: () => undefined, time }, release);
    const stack = await exampleAlone();
    Object.assign(stack.environment, { PATH: dirname(stack.pulumi) });
    const [command] = blocksRunBy("tests/examples/archive.long.test.ts");
    const [, ...words] = command?.code.trim().split(" ") ?? [];
    ok(await runProcess(stack.pulumi, words, release, { environment: stack.environment }));
    rmSync(release, { recursive: true });
    expect(existsSync(join(stack.folder, "node_modules"))).toBe(false);

    expect(ok(await stack.up())).toMatch(/\+ 9 created/);
    expect(emulator.outOfBand(deployments).list()).toHaveLength(2);
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.refresh("--expect-no-changes"));
    ok(await stack.destroy());
    expect(emulator.outOfBand(deployments).list()).toEqual([]);
  });
});
