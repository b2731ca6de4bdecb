import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ensureEngine } from "../../tools/engine";
import { withoutOurSettings, type Result } from "../support/cli-stack";

const CHECKOUT = join(__dirname, "..", "..");

/** An example as its reader gets it: a copy of the folder, on the real engine by its plain CLI, with a backend of its own. */
export class ExampleStack {
  private constructor(
    readonly folder: string,
    private readonly pulumi: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Copies `examples/<name>` and makes its stacks. */
  static async make(name: string, stacks: readonly string[]): Promise<ExampleStack> {
    const engine = await ensureEngine();
    // Below the checkout: the program and the plugin resolve their packages from here upwards, as they do from the example.
    const parent = join(CHECKOUT, ".state", "tests");
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(join(parent, `${name}-`));
    copyExample(join(CHECKOUT, "examples", name), folder);
    mkdirSync(join(folder, "backend"));
    const example = new ExampleStack(folder, join(engine.bin, "pulumi"), {
      ...withoutOurSettings(process.env),
      PATH: `${engine.bin}:${process.env["PATH"] ?? ""}`,
      PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
      PULUMI_HOME: join(folder, "home"),
      PULUMI_CONFIG_PASSPHRASE: `passphrase-${Math.random()}`,
      PULUMI_SKIP_UPDATE_CHECK: "true",
    });
    for (const stack of stacks) await example.succeed("stack", "init", stack);
    return example;
  }

  /** Sets configuration; the values of `secrets` go through standard input, as the README has it. */
  async configure(stack: string, settings: Record<string, string>, secrets: Record<string, string> = {}) {
    const plain = Object.entries(settings).flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]);
    if (plain.length > 0) await this.succeed("config", "set-all", ...plain, "--stack", stack);
    for (const [key, value] of Object.entries(secrets)) {
      const { code, output } = await this.run(["config", "set", "--secret", key, "--stack", stack], value);
      if (code !== 0) throw new Error(output);
    }
  }

  up(stack: string, ...args: string[]): Promise<Result> {
    return this.run(["up", "--yes", "--skip-preview", "--parallel", "64", "--stack", stack, ...args]);
  }

  preview(stack: string, ...args: string[]): Promise<Result> {
    return this.run(["preview", "--diff", "--stack", stack, ...args]);
  }

  destroy(stack: string): Promise<Result> {
    return this.run(["destroy", "--yes", "--skip-preview", "--parallel", "64", "--stack", stack]);
  }

  /** Runs a command and fails the test with its output where it fails. */
  async succeed(...args: string[]): Promise<Result> {
    const result = await this.run(args);
    if (result.code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${result.code}:\n${result.output}`);
    return result;
  }

  run(args: readonly string[], input = ""): Promise<Result> {
    return new Promise((resolve) => {
      const options = { cwd: this.folder, env: this.environment, maxBuffer: 64 * 2 ** 20 };
      const child = execFile(this.pulumi, ["--non-interactive", ...args], options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, output: stdout + stderr, stdout }),
      );
      child.stdin?.end(input);
    });
  }

  /** The text of a file of the copy, like "Pulumi.prod.yaml". */
  text(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Leaves out what a reader's own run has left: its state, and what its passphrase encrypts. */
function copyExample(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    filter: (path) => ![".state", "node_modules"].includes(basename(path)),
  });
  for (const file of readdirSync(to).filter((name) => /^Pulumi\..+\.yaml$/.test(name))) {
    const text = readFileSync(join(to, file), "utf8");
    const plain = text.replace(/^encryptionsalt:.*\n/gm, "").replace(/^ {2}\S+:\n {4}secure: .*\n/gm, "");
    writeFileSync(join(to, file), plain);
  }
}
