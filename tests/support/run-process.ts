import { spawn } from "node:child_process";

/** The result of a command. */
export interface Result {
  readonly code: number;
  /** Standard output and standard error, as a person sees them. */
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** A result that also says whether the command was killed: `cut` on purpose, `hung` because it did not end by itself. */
export interface Ended extends Result {
  readonly cut: boolean;
  readonly hung: boolean;
}

/** How a command is run. */
export interface RunOptions {
  /** Goes to standard input. */
  readonly input?: string;
  /** In addition to the environment of the stack. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Kills the command at this moment, if it comes before the command's end. */
  readonly cutAt?: Promise<unknown>;
  /** Kills the command after this time, in milliseconds. @default never */
  readonly longestMs?: number;
  /** Is told the process as soon as it runs. */
  readonly started?: (pid: number) => void;
}

/** Runs a command to its end, whatever its exit code, and collects what it writes. */
export function runProcess(
  command: string,
  args: readonly string[],
  folder: string,
  { input = "", environment, cutAt, longestMs, started }: RunOptions,
): Promise<Ended> {
  const child = spawn(command, args, { cwd: folder, env: environment });
  const killed = { cut: false, hung: false };
  const said = { output: "", stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
      said.output += text;
    });
  }
  const kill = (why: keyof typeof killed): void => {
    killed[why] = child.exitCode === null;
    child.kill("SIGKILL");
  };
  const limit = longestMs === undefined ? undefined : setTimeout(() => kill("hung"), longestMs);
  void cutAt?.then(() => kill("cut"));
  // A command that ends without reading its input is judged by its exit code.
  child.stdin.on("error", () => undefined).end(input);
  if (child.pid !== undefined) started?.(child.pid);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    const end = (code: number | null): void => {
      clearTimeout(limit);
      resolve({ code: code ?? -1, ...said, ...killed });
    };
    child.once("close", end);
    // A plugin that lives on after a kill keeps the pipes open.
    child.once("exit", (code) => (killed.cut || killed.hung ? end(code) : undefined));
  });
}
