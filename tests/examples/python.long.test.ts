import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deployments, oauthProviders, revisions, sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { notOk, ok, type CliStack } from "../support/cli-stack";
import { runProcess } from "../support/run-process";
import { describeWithPython, python } from "../support/with-python";
import { Example } from "./example";
import { exampleEnvironment } from "./python-environment";

const SECRETS = {
  "agent-platform:apiKey": "",
  githubClientSecret: "client-secret-canary",
  modelApiKey: "model-canary",
};

let emulator: Emulator;
let environment: string;
let example: Example;
let stack: CliStack;
beforeAll(async () => {
  if (python !== undefined) environment = await exampleEnvironment(python);
});
beforeEach(async () => {
  emulator = await startEmulator({ buildSeconds: 0.5 });
  example = await Example.copy("python", ["dev"]);
  // The reader's is beside the project: the environment that pip fills.
  symlinkSync(environment, join(example.folder, "venv"));
  stack = example.stack("dev");
  const secrets = { ...SECRETS, "agent-platform:apiKey": emulator.apiKey };
  await stack.configure({ "agent-platform:baseUrl": emulator.url }, secrets);
});
afterEach(async () => {
  example.remove();
  await emulator.close();
});

/** How many templates, providers, deployments and revisions the platform has. */
const counts = () => [
  emulator.outOfBand(sandboxTemplates).list().length,
  emulator.outOfBand(oauthProviders).list().length,
  emulator.outOfBand(deployments).list().length,
  emulator.outOfBand(revisions).list().length,
];
const images = () =>
  emulator
    .outOfBand(revisions)
    .list()
    .map(({ source_revision_config: source }) => String(source["image_uri"]).split("/").at(-1));

describeWithPython("the example in Python", () => {
  test("by plain pulumi up: everything is made, rolled out and checked; a new tag makes one revision; destroy leaves nothing", async () => {
    ok(await stack.up());
    expect(counts()).toEqual([2, 1, 2, 2]);
    ok(await stack.nothingToDo());
    const outputs = await stack.outputs();
    expect(Object.keys(outputs).sort()).toEqual(["revisions", "urls"]);
    expect(JSON.stringify(outputs["urls"])).toContain(emulator.url);
    expect((await stack.succeed("stack", "export")).stdout).not.toMatch(/canary/);

    await stack.configure({ deskTag: "2.2.0" });
    expect(ok(await stack.preview())).toMatch(/imageUri: "\S+support-desk:2\.1\.0" => "\S+support-desk:2\.2\.0"/);
    ok(await stack.up());
    expect(images().sort()).toEqual(["code-reader:1.4.0", "support-desk:2.1.0", "support-desk:2.2.0"]);
    expect((await stack.outputs())["revisions"]).not.toEqual(outputs["revisions"]);

    ok(await stack.destroy());
    expect(counts()).toEqual([0, 0, 0, 0]);
  });

  test("by the Automation API: the same stack, which the command line finds unchanged", async () => {
    const run = async (command: string): Promise<string> => {
      const args = ["automation.py", command];
      const options = { environment: stack.environment };
      return ok(await runProcess(join(environment, "bin", "python"), args, example.folder, options));
    };
    expect(await run("up")).toMatch(/11 created/);
    expect(counts()).toEqual([2, 1, 2, 2]);
    ok(await stack.nothingToDo());
    expect(await run("preview")).toMatch(/11 unchanged/);
    expect(await run("refresh")).toMatch(/11 unchanged/);
    expect(await run("destroy")).toMatch(/11 deleted/);
    expect(counts()).toEqual([0, 0, 0, 0]);
  });

  test("a mistake in the program fails at preview, with Python's own error, and sends the platform nothing", async () => {
    const program = example.text("environment.py");
    writeFileSync(join(example.folder, "environment.py"), program.replace("auth_url=", "auth_uri="));
    expect((await stack.preview()).output).toMatch(/TypeError: .* unexpected keyword argument 'auth_uri'/);
    writeFileSync(join(example.folder, "environment.py"), program.replace('"assistant_id":', '"assistent_id":'));
    expect(notOk(await stack.preview())).toMatch(
      /Agent "support-desk": check: has no property "assistent_id"; check the spelling/,
    );
    expect(emulator.requests).toEqual([]);
  });
});
