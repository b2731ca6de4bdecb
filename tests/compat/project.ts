import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { CHANGES, CliStack, type Front } from "../support/cli-stack";
import { packInto } from "../support/packed";
import { NODE_PACKAGE, type Combination } from "./combinations";

const FRONTS: readonly Front[] = ["dynamic", "native"];

const PROGRAM = `
new platform.SandboxTemplate("notebook", { image: "a:1", resources: { cpu: "1" } });
new platform.Deployment("agent", { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } });
`;

/** How each front did: undefined if all steps went well, otherwise the step, and what it said. */
export type Outcome = Readonly<Record<Front, string | undefined>>;

/** Plays `up`, a second one, refresh, drift and destroy of a small program, on both fronts, in a project of this combination. */
export async function play(combination: Combination): Promise<Outcome> {
  // Outside the checkout, above which there would be a node_modules.
  const folder = mkdtempSync(join(tmpdir(), "agent-platform-compat-"));
  const emulator = await startEmulator({ buildSeconds: 0.2 });
  try {
    const stack = await projectOf(combination, folder, emulator);
    const outcomes: [Front, string | undefined][] = [];
    for (const front of FRONTS) outcomes.push([front, await walk(stack, front, emulator)]);
    const [[, dynamic] = [], [, native] = []] = outcomes;
    return { dynamic, native };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await emulator.close();
  }
}

async function projectOf(combination: Combination, folder: string, emulator: Emulator): Promise<CliStack> {
  const { node, sdk, typescript, modules } = combination;
  const tarball = packInto(folder);
  const stack = await CliStack.make("", { parent: folder });
  rmSync(join(stack.folder, "index.js"));
  const file = typescript === undefined ? "index.mjs" : "index.ts";
  writeFileSync(join(stack.folder, file), `import * as platform from "pulumi-agent-platform";\n${PROGRAM}`);
  const kind = modules === "ES modules" ? { type: "module" } : {};
  writeFileSync(join(stack.folder, "package.json"), JSON.stringify({ name: "test", main: file, ...kind }));
  const types = typescript === undefined ? [] : [`typescript@${typescript}`, `@types/node@${node.split(".")[0] ?? ""}`];
  const packages = [tarball, `@pulumi/pulumi@${sdk}`, `${NODE_PACKAGE}@${node}`, ...types];
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", ...packages], { cwd: stack.folder });
  const bin = join(stack.folder, "node_modules", NODE_PACKAGE, "bin");
  stack.environment["PATH"] = [bin, stack.environment["PATH"] ?? ""].join(delimiter);
  await stack.configure({ "agent-platform:baseUrl": emulator.url }, { "agent-platform:apiKey": emulator.apiKey });
  return stack;
}

async function walk(stack: CliStack, front: Front, emulator: Emulator): Promise<string | undefined> {
  stack.choose(front, "./node_modules/pulumi-agent-platform/plugin");
  const templates = emulator.outOfBand(sandboxTemplates);
  const steps: (readonly [name: string, code: number, run: () => ReturnType<CliStack["up"]>])[] = [
    ["up", 0, () => stack.up()],
    ["a second up", 0, () => stack.up("--expect-no-changes")],
    ["refresh", 0, () => stack.refresh("--expect-no-changes")],
    [
      "drift",
      CHANGES,
      () => {
        templates.change("notebook", { image: "b:2" });
        return stack.drift();
      },
    ],
    ["destroy", 0, () => stack.destroy()],
  ];
  for (const [name, wanted, run] of steps) {
    const { code, output } = await run();
    if (code !== wanted) return `${name}: ${errorOf(output)}`;
  }
  return templates.list().length === 0 ? undefined : "destroy left a template";
}

const errorOf = (output: string): string =>
  /^.*\berror\b.*$/im.exec(output)?.[0].trim() ?? output.trim().split("\n").at(-1) ?? "";
