import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";

const Started = z.object({ port: z.number() });

/** What belongs to the CLI, most of it to that of one stack: its programs do not read it. */
const OF_THE_CLI = [
  "PULUMI_BACKEND_URL",
  "PULUMI_CONFIG_PASSPHRASE",
  "PULUMI_ENABLE_STREAMING_JSON_PREVIEW",
  "PULUMI_HOME",
  "PULUMI_STACK",
];

interface Running {
  readonly child: ChildProcess;
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

  stop(): void {
    if (this.running?.child.connected === true) this.running.child.disconnect();
    this.running = undefined;
  }
}

function start(own: NodeJS.ProcessEnv, environment: string): Running {
  const child = fork(join(__dirname, "program-host.js"), { execArgv: [], env: own });
  const client = new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve(`--client=127.0.0.1:${Started.parse(message).port}`));
    child.once("exit", (code) => reject(new Error(`the process of the programs ended with ${code ?? "a signal"}`)));
  });
  return { child, client, environment };
}
