import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WORKPLACES } from "../../tests/support/cli-stack";
import { goEnvironment } from "../engine/build";
import { runCommand } from "../engine/command";
import { filesOf } from "./files";
import { hasGo, writeSdk, type Workplace } from "./generator";

const checkout = join(__dirname, "..", "..");
const GO = hasGo({ checkout, env: process.env });
if (!GO) console.error("\n!!! NO GO: the tests of the generated SDKs are SKIPPED.\n");
const testWithGo = GO ? test : test.skip;

const MINUTES = 60_000;
const place: Workplace = { checkout, env: process.env, log: () => undefined };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(WORKPLACES, "sdk-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

testWithGo(
  "sdk/python is what `npm run sdk` makes of plugin/schema.json",
  async () => {
    const made = join(folder, "python");
    await writeSdk(place, "python", made);
    const [committed, generated] = [filesOf(join(checkout, "sdk", "python")), filesOf(made)];
    const different = [...new Set([...committed.keys(), ...generated.keys()])].filter(
      (file) => committed.get(file) !== generated.get(file),
    );
    expect(different).toEqual([]);
    expect(generated.size).toBeGreaterThan(20);
  },
  5 * MINUTES,
);

testWithGo(
  "the SDK for Go compiles",
  async () => {
    const made = join(folder, "go");
    await writeSdk(place, "go", made);
    const engine = join(checkout, "tools", "engine");
    const module = readFileSync(join(engine, "go.mod"), "utf8");
    writeFileSync(
      join(made, "go.mod"),
      module.replace(/^module .*$/m, "module example.com/pulumi-agent-platform/sdk/go"),
    );
    copyFileSync(join(engine, "go.sum"), join(made, "go.sum"));
    // The SDK uses one small module more than the engine does: Go adds it at the version that Pulumi's own go.mod names.
    const env = { ...goEnvironment(process.env), GOFLAGS: "-mod=mod" };
    await runCommand({ file: "go", args: ["build", "./..."], cwd: made, env, timeout: 8 * MINUTES });
  },
  9 * MINUTES,
);

test("without Go, the command says what to install", async () => {
  const sources = join(folder, "checkout");
  for (const [from, name] of [
    ["engine", "go.mod"],
    ["engine", "go.sum"],
    ["sdk", "main.go"],
  ] as const) {
    mkdirSync(join(sources, "tools", from), { recursive: true });
    copyFileSync(join(checkout, "tools", from, name), join(sources, "tools", from, name));
  }
  const written = writeSdk(
    { checkout: sources, env: { PATH: join(folder, "nothing") }, log: () => undefined },
    "python",
    folder,
  );
  await expect(written).rejects.toThrow(/go is not installed\nIt needs Go \d[\d.]+ or newer/);
});
