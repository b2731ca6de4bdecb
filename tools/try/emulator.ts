import { join } from "node:path";
import { POLL, takeLock, waiting } from "../base/lock";
import { reasonOf } from "../engine/command";
import { type ChildOptions, type RunningServer, startServer } from "./child";
import { readStackLocks } from "./stack-lock";
import { portOf, type TryState } from "./state";

// This file is also loaded into the emulator before its own code (node --require): a command that is killed cannot stop its emulator, which
// would then keep the port. An engine that outlived the command still needs the platform to finish what it began, so the
// emulator stays until that engine has released the stack.

/** Seconds that the emulator takes for a revision: long enough to watch, short enough to wait for. */
const BUILD_SECONDS = 5;
/** How long the port may stay taken: the emulator of a killed run closes within this. */
const PORT_PATIENCE = 5_000;

/** Waits until no other command runs in this checkout; then none begins until this is released. */
export const takeTurn = (state: TryState): Promise<() => void> =>
  takeLock(join(state.folder, "run.lock"), "running a command in this checkout");

/** Waits for an engine that a killed command left at work: it still uses the emulator, and holds the stack. */
export async function waitForEarlierEngine(state: TryState, { log, sleep, alive } = waiting): Promise<void> {
  for (let said = false; ; said = true) {
    const { living } = readStackLocks(state.backend, alive);
    if (living.length === 0) return;
    if (!said) log(`waiting for pulumi (process ${living.join(", ")}), left at work by an earlier run`);
    await sleep(POLL);
  }
}

/** Starts the emulator on the checkout's port, and retries for a few seconds while the port is taken. */
export async function startOwnEmulator(
  checkout: string,
  state: TryState,
  output: ChildOptions["output"],
): Promise<RunningServer> {
  const port = await portOf(state);
  for (let waited = 0; ; waited += POLL) {
    try {
      return await launch(checkout, state, port, output);
    } catch (error) {
      if (!reasonOf(error).includes("EADDRINUSE")) throw error;
      if (waited >= PORT_PATIENCE) throw new Error(portTaken(port), { cause: error });
      await waiting.sleep(POLL);
    }
  }
}

function launch(
  checkout: string,
  state: TryState,
  port: number,
  output: ChildOptions["output"],
): Promise<RunningServer> {
  const compiled = join(checkout, "dist");
  const program = ["--require", join(compiled, "tools", "try", "emulator.js"), join(compiled, "cli", "main.js")];
  const data = ["--data", state.dataFile, "--api-key-file", state.keyFile];
  const settings = ["--port", String(port), "--build-seconds", String(BUILD_SECONDS)];
  const env = { ...process.env, [FOLLOW.parent]: String(process.pid), [FOLLOW.backend]: state.backend };
  return startServer(process.execPath, [...program, "emulator", ...settings, ...data], { cwd: checkout, env, output });
}

function portTaken(port: number): string {
  return [
    `Port ${port}, which .state/port keeps for this checkout's emulator, is taken by another program.`,
    "End that program. Or forget this checkout's environment: remove the folder .state, and the next run takes another port.",
  ].join("\n");
}

/** Environment variables that tell the emulator whom to follow. */
const FOLLOW = { parent: "AGENT_PLATFORM_TRY_PARENT", backend: "AGENT_PLATFORM_TRY_BACKEND" } as const;

function follow(parent: number, backend: string): void {
  const timer = setInterval(() => {
    if (process.ppid === parent || readStackLocks(backend).living.length > 0) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, POLL);
  timer.unref();
}

const [parent, backend] = [process.env[FOLLOW.parent], process.env[FOLLOW.backend]];
if (parent !== undefined && backend !== undefined) follow(Number(parent), backend);
