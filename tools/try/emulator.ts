import { Command } from "commander";
import { join } from "node:path";
import { defineCommand } from "../../cli/emulator/command";
import { POLL, takeLock, waiting } from "../base/lock";
import { reasonOf } from "../engine/command";
import { readStackLocks } from "./stack-lock";
import { portOf, type TryState } from "./state";

/** Seconds that the emulator takes for a revision: long enough to watch, short enough to wait for. */
const BUILD_SECONDS = 5;

/** Waits until no other command runs in this checkout; then none begins until this is released. */
export const takeTurn = (state: TryState): Promise<() => void> =>
  takeLock(join(state.folder, "run.lock"), "running a command in this checkout");

/** Waits for an engine that a killed command left at work: it holds the stack. */
export async function waitForEarlierEngine(state: TryState, { log, sleep, alive } = waiting): Promise<void> {
  for (let said = false; ; said = true) {
    const { living } = readStackLocks(state.backend, alive);
    if (living.length === 0) return;
    if (!said) log(`waiting for pulumi (process ${living.join(", ")}), left at work by an earlier run`);
    await sleep(POLL);
  }
}

/** Starts the emulator in this process, on the checkout's port. @param stopLater Gets what stops it again: by default, a signal does, and ends the process. */
export async function runEmulator(
  state: TryState,
  more: readonly string[] = [],
  stopLater?: (stop: () => Promise<void>) => void,
): Promise<void> {
  const port = await portOf(state);
  const command = new Command("emulator").exitOverride();
  defineCommand(command, stopLater);
  const files = ["--data", state.dataFile, "--api-key-file", state.keyFile];
  const words = ["--port", String(port), "--build-seconds", String(BUILD_SECONDS), ...files, ...more];
  await command.parseAsync(words, { from: "user" }).catch((error: unknown) => {
    const remedy =
      "Or forget this checkout's environment: remove the folder .state, and the next run takes another port.";
    throw new Error(`${reasonOf(error)}\nThe port is in .state/port. ${remedy}`, { cause: error });
  });
}
