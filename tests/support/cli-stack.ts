import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ensureEngine } from "../../tools/engine";

const CHECKOUT = join(__dirname, "..", "..");
const STACK = "test";

/** What one `pulumi` command left. */
export interface Result {
  readonly code: number;
  /** Standard output and standard error, as a person sees them. */
  readonly output: string;
  readonly stdout: string;
}

/** The output of a command that succeeded; of one that did not, an error with it. */
export function ok({ code, output }: Result): string {
  if (code !== 0) throw new Error(`exit code ${code}:\n${output}`);
  return output;
}

const StateFile = z.object({
  checkpoint: z.object({
    latest: z.object({
      resources: z.array(z.looseObject({ urn: z.string(), type: z.string(), id: z.string().optional() })).optional(),
    }),
  }),
});
export type StateResource = NonNullable<z.infer<typeof StateFile>["checkpoint"]["latest"]["resources"]>[number];

/** A project in a folder of its own, on the real engine by its plain CLI, with a local backend and a random passphrase. */
export class CliStack {
  private constructor(
    readonly folder: string,
    readonly environment: NodeJS.ProcessEnv,
    private readonly pulumi: string,
  ) {}

  /** `program` is the body of a CommonJS module; `pulumi` and `platform` (this package) are there. */
  static async make(program: string, options: { parent?: string } = {}): Promise<CliStack> {
    const engine = await ensureEngine();
    // Below the checkout: the plugin resolves this package from the program's folder upwards.
    const parent = options.parent ?? join(CHECKOUT, ".state", "tests");
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(join(parent, "stack-"));
    mkdirSync(join(folder, "backend"));
    writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "test", main: "index.js" }));
    const environment: NodeJS.ProcessEnv = {
      ...withoutOurSettings(process.env),
      PATH: `${engine.bin}:${process.env["PATH"] ?? ""}`,
      PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
      PULUMI_HOME: join(folder, "home"),
      PULUMI_CONFIG_PASSPHRASE: `passphrase-${Math.random()}`,
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
    const stack = new CliStack(folder, environment, join(engine.bin, "pulumi"));
    stack.write(program);
    await stack.succeed("stack", "init", STACK);
    return stack;
  }

  /** Replaces the program. */
  write(program: string): void {
    const head = 'const pulumi = require("@pulumi/pulumi");\nconst platform = require("pulumi-agent-platform");\n';
    writeFileSync(join(this.folder, "index.js"), head + program);
  }

  async configure(settings: Record<string, string>, secrets: Record<string, string> = {}): Promise<void> {
    for (const [key, value] of Object.entries(settings)) await this.succeed("config", "set", key, value);
    for (const [key, value] of Object.entries(secrets)) {
      const { code, output } = await this.run(["config", "set", "--secret", key], value);
      if (code !== 0) throw new Error(output);
    }
  }

  up(...args: string[]): Promise<Result> {
    return this.run(["up", "--yes", "--skip-preview", "--parallel", "64", ...args]);
  }

  preview(...args: string[]): Promise<Result> {
    return this.run(["preview", "--diff", ...args]);
  }

  refresh(...args: string[]): Promise<Result> {
    return this.run(["refresh", "--yes", "--skip-preview", ...args]);
  }

  /** Refresh without recording: 7 where something drifted. */
  drift(): Promise<Result> {
    return this.run(["refresh", "--preview-only", "--diff", "--expect-no-changes"]);
  }

  destroy(...args: string[]): Promise<Result> {
    return this.run(["destroy", "--yes", "--skip-preview", "--parallel", "64", ...args]);
  }

  /** Runs a command and fails the test with its output where it fails. */
  async succeed(...args: string[]): Promise<Result> {
    const result = await this.run(args);
    if (result.code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${result.code}:\n${result.output}`);
    return result;
  }

  run(args: readonly string[], input?: string): Promise<Result> {
    const child = spawn(this.pulumi, ["--non-interactive", ...args], { cwd: this.folder, env: this.environment });
    let output = "";
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stdin.end(input ?? "");
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code: code ?? -1, output, stdout }));
    });
  }

  /** The state file's text, as it is on disk. */
  stateText(): string {
    return readFileSync(join(this.folder, "backend", ".pulumi", "stacks", "test", `${STACK}.json`), "utf8");
  }

  /** The resources in state, without the stack itself and the providers. */
  resources(): StateResource[] {
    const { checkpoint } = StateFile.parse(JSON.parse(this.stateText()));
    return (checkpoint.latest.resources ?? []).filter(({ type }) => type.includes("agent-platform"));
  }

  async outputs(): Promise<Record<string, unknown>> {
    return z
      .record(z.string(), z.unknown())
      .parse(JSON.parse((await this.succeed("stack", "output", "--json")).stdout));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A developer's own connection must not leak into a test. */
export function withoutOurSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(AGENT_PLATFORM|PULUMI)_/.test(name)));
}
