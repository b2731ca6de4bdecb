import { fork, spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ensureEngine } from "../../../tools/engine";
import { withoutOurSettings, type Result } from "../../support/cli-stack";
import { programText } from "./program-text";
import type { World } from "./world";

const Fields = z.record(z.string(), z.unknown());
const StateFile = z.object({
  checkpoint: z.object({
    latest: z
      .object({
        resources: z
          .array(
            z.looseObject({
              urn: z.string(),
              type: z.string(),
              id: z.string().optional(),
              inputs: Fields.default({}),
              outputs: Fields.default({}),
              delete: z.boolean().default(false),
              pendingReplacement: z.boolean().default(false),
            }),
          )
          .default([]),
      })
      .default({ resources: [] }),
  }),
});
/** A resource as state has it. */
export type InState = z.output<typeof StateFile>["checkpoint"]["latest"]["resources"][number];

/** What one command left; `cut` where it was killed on purpose, `hung` where it did not end by itself. */
export interface Ended extends Result {
  readonly cut: boolean;
  readonly hung: boolean;
}

/** No command of these programs takes longer by itself. */
const LONGEST_MS = 150_000;

/** What all stacks of a run share: the engine, and one login. */
export class EngineHome {
  private constructor(
    readonly folder: string,
    readonly environment: NodeJS.ProcessEnv,
    readonly pulumi: string,
  ) {}

  static async make(): Promise<EngineHome> {
    const engine = await ensureEngine();
    // Below the checkout: the plugin resolves this package from the program's folder upwards.
    const parent = join(__dirname, "..", "..", "..", ".state", "tests");
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(join(parent, "random-"));
    const environment: NodeJS.ProcessEnv = {
      ...withoutOurSettings(process.env),
      PATH: `${engine.bin}:${process.env["PATH"] ?? ""}`,
      PULUMI_HOME: join(folder, "home"),
      PULUMI_CONFIG_PASSPHRASE: "of a test",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      // A copied stack was never selected.
      PULUMI_STACK: "test",
    };
    const home = new EngineHome(folder, environment, join(engine.bin, "pulumi"));
    // One stack is made; the others begin as its copies, which takes no command.
    const first = join(folder, "first");
    mkdirSync(join(first, "backend"), { recursive: true });
    writeFileSync(join(first, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
    writeFileSync(join(first, "package.json"), JSON.stringify({ name: "test", main: "index.js" }));
    const stack = new EngineStack(home, first, undefined);
    const { code, output } = await stack.run(["stack", "init", "test"]);
    if (code !== 0) throw new Error(output);
    return home;
  }

  /** A new, empty stack. Its programs run in a process of its own. */
  async stack(): Promise<EngineStack> {
    const folder = mkdtempSync(join(this.folder, "stack-"));
    cpSync(join(this.folder, "first"), folder, { recursive: true });
    const file = join(folder, "index.js");
    writeFileSync(file, "");
    return new EngineStack(this, folder, await startHost(file));
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A process that runs the programs of a stack, and the port at which the CLI finds it. */
interface Host {
  readonly process: ChildProcess;
  readonly port: number;
}

async function startHost(file: string): Promise<Host> {
  const host = fork(join(__dirname, "program-host.js"), [file], { execArgv: [] });
  const Answer = z.object({ port: z.number() });
  const port = await new Promise<number>((resolve, reject) => {
    host.once("message", (message) => resolve(Answer.parse(message).port));
    host.once("exit", (code) => reject(new Error(`the process of the programs ended with ${code ?? "a signal"}`)));
  });
  return { process: host, port };
}

/** A stack on the real engine, by its plain CLI; its programs run in the home's process. */
export class EngineStack {
  constructor(
    private readonly home: EngineHome,
    readonly folder: string,
    private host: Host | undefined,
  ) {}

  write(world: World): void {
    writeFileSync(join(this.folder, "index.js"), programText(world));
  }

  /** Sets the connection, as `pulumi config set` does. */
  configure(baseUrl: string, apiKey: string, allowOriginChange = false): void {
    const file = join(this.folder, "Pulumi.test.yaml");
    const salt = /^encryptionsalt:.*$/m.exec(readFileSync(file, "utf8"))?.[0] ?? "";
    const config = [
      `agent-platform:baseUrl: ${baseUrl}`,
      `agent-platform:apiKey: ${apiKey}`,
      ...(allowOriginChange ? ['agent-platform:allowOriginChange: "true"'] : []),
    ];
    writeFileSync(file, [salt, "config:", ...config.map((line) => `  ${line}`), ""].join("\n"));
  }

  up(...args: string[]): Promise<Ended> {
    return this.run(["up", "--yes", "--skip-preview", "--parallel", "16", ...this.client(), ...args]);
  }

  preview(...args: string[]): Promise<Ended> {
    return this.run(["preview", ...this.client(), ...args]);
  }

  refresh(...args: string[]): Promise<Ended> {
    return this.run(["refresh", "--yes", "--skip-preview", ...args]);
  }

  drift(): Promise<Ended> {
    return this.run(["refresh", "--preview-only", "--diff", "--expect-no-changes"]);
  }

  destroy(...args: string[]): Promise<Ended> {
    return this.run(["destroy", "--yes", "--skip-preview", ...args]);
  }

  /** How the CLI finds the process that runs the program. */
  client(): string[] {
    return [`--client=127.0.0.1:${this.host?.port ?? 0}`];
  }

  /** @param cutAt Kills the CLI at this moment, if it comes before the command's end. */
  async run(args: readonly string[], cutAt?: Promise<unknown>): Promise<Ended> {
    const ended = await this.runCli(args, cutAt);
    // A program that failed leaves promises in the SDK that never end, and the next program of the same process would wait for them.
    if (ended.code !== 0 && this.host !== undefined) {
      this.host.process.disconnect();
      this.host = await startHost(join(this.folder, "index.js"));
    }
    return ended;
  }

  private runCli(args: readonly string[], cutAt?: Promise<unknown>): Promise<Ended> {
    const environment = { ...this.home.environment, PULUMI_BACKEND_URL: `file://${join(this.folder, "backend")}` };
    const child = spawn(this.home.pulumi, ["--non-interactive", "--color", "never", ...args], {
      cwd: this.folder,
      env: environment,
    });
    let output = "";
    let stdout = "";
    let cut = false;
    let hung = false;
    const limit = setTimeout(() => {
      hung = true;
      child.kill("SIGKILL");
    }, LONGEST_MS);
    void cutAt?.then(() => {
      cut = child.exitCode === null;
      child.kill("SIGKILL");
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stdin.end();
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      const end = (code: number | null): void => {
        clearTimeout(limit);
        resolve({ code: code ?? -1, output, stdout, cut, hung });
      };
      child.once("close", end);
      // A plugin that lives on after a kill keeps the pipes open.
      child.once("exit", (code) => (cut || hung ? end(code) : undefined));
    });
  }

  /** All resources of ours in state, pending deletions included. */
  resources(): InState[] {
    const text = readFileSync(join(this.folder, "backend", ".pulumi", "stacks", "test", "test.json"), "utf8");
    const { checkpoint } = StateFile.parse(JSON.parse(text));
    return checkpoint.latest.resources.filter(({ type }) => type.includes("agent-platform"));
  }

  remove(): void {
    this.host?.process.disconnect();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
