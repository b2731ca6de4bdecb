import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { deployments, sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { connectionTo, onEmulator, stacksOfTests } from "../engine/on-emulator";
import { ok, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { blocksRunBy, inJavaScript } from "./blocks";

const blocks = blocksRunBy("tests/docs/programs.long.test.ts");
const programs = blocks.map(({ page, code }) => [page, code] as const);

const stacks = stacksOfTests();
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
    const { apiKey, url } = platform.emulator;
    const [settings, key] = connectionTo(platform.emulator);
    const regions = { "agent-platform:baseUrlUs": url, "agent-platform:baseUrlEu": eu.url };
    const secrets = { ...key, "test:usKey": apiKey, "test:euKey": apiKey };
    const stack = await stacks.makeWith({ ...settings, ...regions }, secrets, "");
    // As it is: a page imports what it uses.
    writeFileSync(join(stack.folder, "index.js"), inJavaScript(code));
    await upAndDown(stack);
  });
});
