import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { CliStack, STACK_KEYS, makeWorkplace, PLUGIN, type Workplace } from "../support/cli-stack";
import { ProgramHost } from "../support/kept-host";

/** The examples as they are in the checkout. */
export const EXAMPLES = join(__dirname, "..", "..", "examples");

/** An example as its reader gets it: a copy of its folder, and its stacks in a backend of its own. */
export class Example {
  private readonly host = new ProgramHost();

  private constructor(private readonly workplace: Workplace) {}

  /** Copies `examples/<name>` into a new folder of `parent` and makes its stacks. */
  static async copy(name: string, stacks: readonly string[], parent?: string): Promise<Example> {
    const workplace = await makeWorkplace(basename(name), parent);
    copyExample(join(EXAMPLES, name), workplace.folder);
    const example = new Example(workplace);
    for (const stack of stacks) await example.stack(stack).succeed("stack", "init", stack, ...STACK_KEYS);
    return example;
  }

  /** One of its stacks: what `pulumi` does with `--stack`. */
  stack(name: string): CliStack {
    const environment = { ...this.workplace.environment, PULUMI_STACK: name };
    const stack = new CliStack({ ...this.workplace, environment });
    // It checks no types: `npm run typecheck` has done so.
    if (existsSync(join(this.folder, "index.ts"))) stack.host = this.host;
    return stack;
  }

  /** The folder of the copy. */
  get folder(): string {
    return this.workplace.folder;
  }

  /** The text of a file of the copy, like "Pulumi.prod.yaml". */
  text(file: string): string {
    return readFileSync(join(this.workplace.folder, file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.workplace.folder, file), text);
  }

  remove(): void {
    this.host.stop();
    rmSync(this.workplace.folder, { recursive: true, force: true });
  }
}

/** Copies an example with the plugin of this checkout. Leaves out the remains of a reader's own run: its state, and the values that its passphrase encrypts. */
export function copyExample(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    filter: (path) => ![".state", "node_modules", "venv", "__pycache__"].includes(basename(path)),
  });
  const project = join(to, "Pulumi.yaml");
  writeFileSync(project, readFileSync(project, "utf8").replace(/(?:\.\.\/)+plugin$/m, PLUGIN));
  for (const file of readdirSync(to).filter((name) => /^Pulumi\..+\.yaml$/.test(name))) {
    const text = readFileSync(join(to, file), "utf8");
    const plain = text.replace(/^encryptionsalt:.*\n/gm, "").replace(/^ {2}\S+:\n {4}secure: .*\n/gm, "");
    writeFileSync(join(to, file), plain);
  }
}
