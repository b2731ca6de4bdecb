import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";

const Started = z.object({ port: z.number() });

/** A process that runs the programs of one stack, and is kept between its commands: loading the SDK takes longer than most programs. */
export class ProgramHost {
  private constructor(
    private readonly child: ChildProcess,
    /** The argument with which the CLI finds it. */
    readonly client: string,
  ) {}

  /** @param file The program, which is read at each run. */
  static async start(file: string, environment: NodeJS.ProcessEnv): Promise<ProgramHost> {
    const child = fork(join(__dirname, "program-host.js"), [file], { execArgv: [], env: environment });
    const port = await new Promise<number>((resolve, reject) => {
      child.once("message", (message) => resolve(Started.parse(message).port));
      child.once("exit", (code) => reject(new Error(`the process of the programs ended with ${code ?? "a signal"}`)));
    });
    return new ProgramHost(child, `--client=127.0.0.1:${port}`);
  }

  stop(): void {
    if (this.child.connected) this.child.disconnect();
  }
}
