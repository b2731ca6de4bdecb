import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** A server of this machine, a process of its own. */
export interface Server {
  /** Starts it; after a stop, with the same address, credentials and data. */
  start(): Promise<void>;
  /** Ends it, and waits until it has. */
  stop(): Promise<void>;
}

export interface ServerCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Gets all that it says. */
  readonly log: string;
  /** The signal that asks it to end. */
  readonly end: NodeJS.Signals;
}

const LOOK_EVERY = 50;
const PATIENCE = 30_000;

/** The process of a server, which never outlives this one. `isReady` says whether it answers. */
export function serverProcess(
  name: string,
  { file, args, env, log, end }: ServerCommand,
  isReady: () => Promise<boolean>,
): Server {
  let child: ChildProcess | undefined;
  const endWithUs = (): void => void child?.kill(end);
  const stop = async (): Promise<void> => {
    process.off("exit", endWithUs);
    const running = child;
    child = undefined;
    if (running?.pid === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill(end);
    const late = setTimeout(() => running.kill("SIGKILL"), PATIENCE);
    await ended;
    clearTimeout(late);
  };
  /** Rejects with the end of its log where it ends before it answers, or never does. */
  const start = async (): Promise<void> => {
    const output = openSync(log, "a", 0o600);
    // A process group of its own: Ctrl-C is for the engine, which still needs the server to finish what it began.
    child = spawn(file, [...args], { env, stdio: ["ignore", output, output], detached: true });
    closeSync(output);
    let failure: string | undefined;
    child.once("error", (error) => (failure = error.message));
    child.once("exit", (code, signal) => (failure ??= `it ended with ${signal ?? code ?? "nothing"}`));
    process.once("exit", endWithUs);
    const until = Date.now() + PATIENCE;
    for (;;) {
      const isAnswered = await isReady();
      if (failure === undefined && !isAnswered && Date.now() > until) failure = `no answer within ${PATIENCE / 1000} s`;
      if (failure !== undefined) {
        await stop();
        throw new Error(`${name} did not start: ${failure}. The end of its log:\n${tail(log)}`);
      }
      // Asked after that: where its port is taken, another server answers, and ours has ended.
      if (isAnswered) return;
      await pause(LOOK_EVERY);
    }
  };
  return { start, stop };
}

/** Whether a server answers at an address, if only that it knows nobody. */
export const answers = (url: string): Promise<boolean> =>
  fetch(url, { method: "HEAD", signal: AbortSignal.timeout(5_000) }).then(
    () => true,
    () => false,
  );

const tail = (file: string): string => readFileSync(file, "utf8").split("\n").slice(-12).join("\n");
