import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { deployments, revisions, startEmulator, type Emulator } from "../../emulator";
import { workspaceSecrets } from "../../emulator/routes/workspace-secrets";
import { ok, type CliStack } from "../support/cli-stack";
import { describeWithPython, python } from "../support/with-python";
import { Example } from "./example";
import { exampleEnvironment } from "./python-environment";
import { ask } from "../support/ask";

const Listed = z.array(z.looseObject({ metadata: z.record(z.string(), z.unknown()) }));

describeWithPython("the example environment, on the emulator alone", () => {
  let packages: string;
  let emulator: Emulator;
  let example: Example | undefined;

  beforeAll(async () => {
    if (python === undefined) throw new Error("skipped without Python");
    packages = await exampleEnvironment(python);
  });
  beforeEach(async () => {
    emulator = await startEmulator({ deleteSeconds: 0 });
  });
  afterEach(async () => {
    example?.remove();
    await emulator.close();
  });

  /** The stack of a copy, on this emulator. */
  async function stackOf(name: string): Promise<CliStack> {
    example = await Example.copy(name, ["dev"]);
    if (name.endsWith("python")) symlinkSync(packages, join(example.folder, "venv"));
    const stack = example.stack("dev");
    const secrets = { "agent-platform:apiKey": emulator.apiKey, modelKey: "first-key" };
    await stack.configure({ "agent-platform:baseUrl": emulator.url }, secrets);
    return stack;
  }

  /** What an agent keeps that is not the server's own. */
  async function kept(url: string): Promise<readonly [assistants: number, crons: number]> {
    const counts = ["/assistants/search", "/runs/crons/search"].map(async (path) => {
      const answer = await ask({ url, apiKey: emulator.apiKey }, "POST", path, {});
      return Listed.parse(answer).filter(({ metadata }) => metadata["created_by"] !== "system").length;
    });
    const [assistants = 0, crons = 0] = await Promise.all(counts);
    return [assistants, crons];
  }

  test.each([["environment"], ["environment/yaml"], ["environment/python"]])(
    "%s: up, nothing to do, destroy",
    async (name) => {
      const stack = await stackOf(name);
      ok(await stack.up());
      const outputs = await stack.outputs();
      const urls = z.record(z.string(), z.string()).parse(outputs["urls"] ?? outputs);
      expect([await kept(urls["desk"] ?? ""), await kept(urls["reader"] ?? "")]).toEqual([
        [2, 1],
        [1, 1],
      ]);
      ok(await stack.nothingToDo());
      ok(await stack.destroy());
      expect(emulator.outOfBand(workspaceSecrets).list()).toEqual([]);
    },
  );

  test("environment: a rotation of the shared key gives each agent one new revision", async () => {
    const stack = await stackOf("environment");
    ok(await stack.up());
    const revisionsOf = () => {
      const all = emulator.outOfBand(revisions).list();
      const counted = emulator
        .outOfBand(deployments)
        .list()
        .map(({ id, name }) => {
          return [name, all.filter((each) => each.deployment_id === id).length] as const;
        });
      return Object.fromEntries(counted);
    };
    expect(revisionsOf()).toEqual({ desk: 1, reader: 1 });
    await stack.configure({}, { modelKey: "second-key" });
    const shown = ok(await stack.preview());
    expect(shown).not.toMatch(/first-key|second-key/);
    ok(await stack.up());
    expect(emulator.outOfBand(workspaceSecrets).get("OPENAI_API_KEY").value).toBe("second-key");
    expect(revisionsOf()).toEqual({ desk: 2, reader: 2 });
    ok(await stack.preview("--expect-no-changes"));
  });
});
