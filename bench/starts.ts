import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Emulator } from "../emulator";
import { NODE_PACKAGE } from "../tests/compat/combinations";
import { CliStack, PLUGIN } from "../tests/support/cli-stack";
import { ensureEngine } from "../tools/engine";
import { ensureYamlHost } from "../tools/engine/yaml-host";
import { atMost, inTurns, rowOfSides, seconds, shown, Side, type Measured } from "./row";
import { succeedsIn, withEmulator } from "./stacks";

const NEWER_NODE = "24";
const TEMPLATES = 200;
const PROGRAM = `import { SandboxTemplate } from "pulumi-agent-platform";
for (let n = 0; n < ${TEMPLATES}; n++)
  new SandboxTemplate("n" + n, { image: "python:3.12", resources: { cpu: "1", memory: "1Gi" } });
`;
/** As `pulumi new` writes it. */
const TSCONFIG = {
  compilerOptions: { target: "ES2022", module: "nodenext", moduleResolution: "nodenext", strict: true, noEmit: true },
  files: ["index.ts"],
};
const BY_HAND = "nodejs";
const BY_TEMPLATE = "{ name: nodejs, options: { nodeargs: --require=pulumi-agent-platform/start } }";

/** The times of two previews that find nothing to do: of a program that was edited, and the next one. */
interface Times {
  readonly edited: number;
  readonly again: number;
}

/** What the start of a program costs, by how it is written: a preview without changes, always with the native plugin. */
export const starts = (): Promise<Measured> =>
  withEmulator({}, async (emulator) => {
    const made: CliStack[] = [];
    try {
      const side = async (write: (stack: CliStack) => void, file = "index.ts"): Promise<Side<Times>> => {
        const stack = await upStack(emulator, write);
        made.push(stack);
        return new Side(() => previews(stack, file));
      };
      const byHand = await side((stack) => writeTypescript(stack, BY_HAND));
      const others = [
        ["as by the template", await side((stack) => writeTypescript(stack, BY_TEMPLATE)), shown],
        [`as by the template, on Node ${NEWER_NODE}`, await side(onNewerNode), shown],
        ["in YAML", await side(await yamlWriter(), "Pulumi.yaml"), atMost(0.6)],
      ] as const;
      await inTurns(byHand, ...others.map(([, one]) => one));
      const states = [
        ["after an edit of the program", ({ edited }: Times) => edited],
        ["of an unedited program", ({ again }: Times) => again],
      ] as const;
      const rows = states.flatMap(([state, figure]) =>
        others.map(([how, one, judge]) => {
          const what = `preview without changes, ${TEMPLATES} templates, ${state}: ${how}`;
          return rowOfSides(`${what}, against TypeScript as written by hand`, [one, byHand], figure, seconds, judge);
        }),
      );
      return { rows };
    } finally {
      for (const stack of made) stack.remove();
    }
  });

/** A stack whose templates are there; what its commands keep in the folder for temporary files is its own. */
async function upStack(emulator: Emulator, write: (stack: CliStack) => void): Promise<CliStack> {
  const stack = await CliStack.make("");
  stack.environment["TMPDIR"] = join(stack.folder, "temporary");
  mkdirSync(stack.environment["TMPDIR"]);
  write(stack);
  await stack.configure({ "agent-platform:baseUrl": emulator.url }, { "agent-platform:apiKey": emulator.apiKey });
  await succeedsIn(() => stack.run(["up", "--yes", "--skip-preview"]));
  // The next stack has templates of the same names; a preview without changes asks for none.
  emulator.reset();
  return stack;
}

async function previews(stack: CliStack, file: string): Promise<Times> {
  appendFileSync(join(stack.folder, file), file.endsWith(".ts") ? "// edited\n" : "# edited\n");
  const preview = () => succeedsIn(() => stack.run(["preview"]));
  return { edited: await preview(), again: await preview() };
}

function writeTypescript({ folder }: CliStack, runtime: string): void {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  rmSync(join(folder, "index.js"));
  write("index.ts", PROGRAM);
  write("package.json", JSON.stringify({ name: "test", main: "index.ts" }));
  write("tsconfig.json", JSON.stringify(TSCONFIG));
  const native = "config:\n  agent-platform:plugin:\n    value: native\n";
  write("Pulumi.yaml", `name: test\nruntime: ${runtime}\npackages:\n  agent-platform: ${PLUGIN}\n${native}`);
}

function onNewerNode(stack: CliStack): void {
  writeTypescript(stack, BY_TEMPLATE);
  const prefix = join(stack.folder, "node");
  const given = ["--silent", "--no-audit", "--no-fund", "--prefix", prefix, `${NODE_PACKAGE}@${NEWER_NODE}`];
  execFileSync("npm", ["install", ...given]);
  putFirst(stack, join(prefix, "node_modules", NODE_PACKAGE, "bin"));
}

async function yamlWriter(): Promise<(stack: CliStack) => void> {
  const bin = await ensureYamlHost(await ensureEngine());
  return (stack) => {
    putFirst(stack, bin);
    writeFileSync(join(stack.folder, "Pulumi.yaml"), yamlProject());
  };
}

/** The same templates declared in YAML. */
function yamlProject(): string {
  const template = (index: number): string => `  n${index}:
    type: agent-platform:SandboxTemplate
    properties:
      image: python:3.12
      resources: { cpu: "1", memory: 1Gi }
`;
  const resources = Array.from({ length: TEMPLATES }, (_, index) => template(index)).join("");
  return `name: test\nruntime: yaml\npackages:\n  agent-platform: ${PLUGIN}\nresources:\n${resources}`;
}

function putFirst({ environment }: CliStack, bin: string): void {
  environment["PATH"] = [bin, environment["PATH"] ?? ""].join(delimiter);
}
