import { spawn, type ChildProcessByStdio } from "node:child_process";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

/** What belongs to the CLI, most of it to that of one stack: its programs do not read it. */
const OF_THE_CLI = [
  "PULUMI_BACKEND_URL",
  "PULUMI_CONFIG_PASSPHRASE",
  "PULUMI_ENABLE_STREAMING_JSON_PREVIEW",
  "PULUMI_HOME",
  "PULUMI_STACK",
];

interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** The argument with which the CLI finds it. */
  readonly client: Promise<string>;
  readonly environment: string;
}

/** A process that runs the programs of stacks, and is kept between commands: loading the SDK takes longer than most programs. */
export class ProgramHost {
  private running: Running | undefined;

  /** The argument with which the CLI finds the process, which has this environment. It starts where it does not run yet. */
  client(environment: NodeJS.ProcessEnv): Promise<string> {
    const own = Object.fromEntries(Object.entries(environment).filter(([name]) => !OF_THE_CLI.includes(name)));
    const wanted = JSON.stringify(own);
    if (this.running?.environment !== wanted) this.stop();
    this.running ??= start(own, wanted);
    return this.running.client;
  }

  /** The same for a command that runs no program, and would start a process only to ask what language it is. Undefined where none runs. */
  get clientNow(): Promise<string> | undefined {
    return this.running?.client;
  }

  stop(): void {
    this.running?.child.stdin.end();
    this.running = undefined;
  }
}

function start(own: NodeJS.ProcessEnv, environment: string): Running {
  const file = join(__dirname, "program-host.js");
  const child = spawn(process.execPath, [file], { env: own, stdio: ["pipe", "pipe", "inherit"] });
  const client = new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (port: Buffer) => resolve(`--client=127.0.0.1:${port.toString().trim()}`));
    child.once("exit", (code) => reject(new Error(`the process of the programs ended with ${code ?? "a signal"}`)));
  });
  return { child, client, environment };
}
