import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";

/** The result of a child process. `code` is 128 + n after signal n. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ChildOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Text for its standard input: the way for a secret, which must not be an argument. */
  readonly input?: string;
  /** `terminal`: its output goes to the terminal as it comes; otherwise it is collected. */
  readonly output: "terminal" | "collect";
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Signals that come closer together than this are one request to end. */
const SAME_REQUEST = 1_000;

/** Runs a command to its end. A signal to this process is passed on, and this process stays until the child has ended. */
export function run(command: string, args: readonly string[], options: ChildOptions): Promise<Finished> {
  const { cwd, env, input, output } = options;
  const stream = output === "terminal" ? "inherit" : "pipe";
  // A process group of its own: Ctrl-C would reach it from the terminal and from us, and a second one makes the engine drop
  // what it is doing (docs/internals/engine.md, trap 10).
  const stdio = [input === undefined ? "ignore" : "pipe", stream, stream] as const;
  const child = spawn(command, args, { cwd, env, stdio: [...stdio], detached: true });
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  // A child that ends without reading its input is judged by its exit code.
  child.stdin?.on("error", () => undefined).end(input);
  const stop = passOnSignals(child);
  return new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) =>
      resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), stdout, stderr }),
    );
  }).finally(stop);
}

/** Passes each request to end on to a child as one SIGINT, however many signals there are: npm repeats the terminal's. Gives back what stops that. */
export function passOnSignals(child: Pick<ChildProcess, "kill">, now = () => performance.now()): () => void {
  let last: number | undefined;
  const onSignal = (): void => {
    const again = last !== undefined && now() - last < SAME_REQUEST;
    last = now();
    if (!again) child.kill("SIGINT");
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}
