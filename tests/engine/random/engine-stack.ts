import { fork, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { CliStack, WORKPLACES, type Workplace } from "../../support/cli-stack";
import type { Ended, RunOptions } from "../../support/run-process";

/** No command of these programs takes longer by itself. */
const LONGEST_MS = 150_000;

/** The common part of all stacks of a run: one login, and a first stack, which the others are copied from. */
export class EngineHome {
  private constructor(private readonly first: CliStack) {}

  static async make(): Promise<EngineHome> {
    return new EngineHome(await CliStack.make(""));
  }

  /** A new, empty stack, which takes no command to make. */
  async stack(): Promise<EngineStack> {
    const { folder: first, environment, pulumi } = this.first;
    const folder = mkdtempSync(join(WORKPLACES, "random-"));
    cpSync(first, folder, { recursive: true, filter: (path) => basename(path) !== "home" });
    const ownEnvironment = {
      ...environment,
      PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
      // A copy was never selected.
      PULUMI_STACK: "test",
    };
    const host = await startHost(join(folder, "index.js"));
    return new EngineStack({ folder, environment: ownEnvironment, pulumi }, host);
  }

  close(): void {
    this.first.remove();
  }
}

/** A process that runs the programs of a stack, and the port at which the CLI finds it. */
interface Host {
  readonly process: ChildProcess;
  readonly port: number;
}

async function startHost(file: string): Promise<Host> {
  const host = fork(join(__dirname, "program-host.js"), [file], { execArgv: [] });
  const started = z.object({ port: z.number() });
  const port = await new Promise<number>((resolve, reject) => {
    host.once("message", (message) => resolve(started.parse(message).port));
    host.once("exit", (code) => reject(new Error(`the process of the programs ended with ${code ?? "a signal"}`)));
  });
  return { process: host, port };
}

/** A stack whose programs run in one process that is kept between commands, and whose commands can be cut off. */
export class EngineStack extends CliStack {
  constructor(
    workplace: Workplace,
    private host: Host,
  ) {
    super(workplace);
  }

  /** Sets the connection, as `pulumi config set` does. */
  connect(baseUrl: string, apiKey: string, allowOriginChange = false): void {
    const file = join(this.folder, "Pulumi.test.yaml");
    const salt = /^encryptionsalt:.*$/m.exec(readFileSync(file, "utf8"))?.[0] ?? "";
    const config = [
      `agent-platform:baseUrl: ${baseUrl}`,
      `agent-platform:apiKey: ${apiKey}`,
      ...(allowOriginChange ? ['agent-platform:allowOriginChange: "true"'] : []),
    ];
    writeFileSync(file, [salt, "config:", ...config.map((line) => `  ${line}`), ""].join("\n"));
  }

  override up(...args: string[]): Promise<Ended> {
    return super.up(...this.client(), ...args);
  }

  override preview(...args: string[]): Promise<Ended> {
    return this.run(["preview", ...this.client(), ...args]);
  }

  /** How the CLI finds the process that runs the program. */
  client(): string[] {
    return [`--client=127.0.0.1:${this.host.port}`];
  }

  override async run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const ended = await super.run(args, { longestMs: LONGEST_MS, ...options });
    // A program that failed leaves promises in the SDK that never end, and the next program of the same process would wait for them.
    if (ended.code !== 0) {
      this.host.process.disconnect();
      this.host = await startHost(join(this.folder, "index.js"));
    }
    return ended;
  }

  override remove(): void {
    this.host.process.disconnect();
    super.remove();
  }
}
