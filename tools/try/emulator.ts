import { readFileSync } from "node:fs";
import { Command } from "commander";
import { messageOf } from "../../provider/base/errors";
import { defineCommand } from "../../cli/emulator/command";
import { takeLock } from "../base/lock";
import { openState, portOf, type TryState } from "./state";

/** Seconds that the emulator takes for a revision: long enough to watch, short enough to wait for. */
const BUILD_SECONDS = 5;

export const emulatorAddress = async (state: TryState): Promise<string> => `http://127.0.0.1:${await portOf(state)}`;

export async function isRunning(state: TryState): Promise<boolean> {
  const headers = { "x-api-key": readFileSync(state.keyFile, "utf8") };
  const answer = await fetch(`${await emulatorAddress(state)}/v2/deployments`, { headers }).catch(() => undefined);
  return answer?.status === 200;
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
    throw new Error(`${messageOf(error)}\nThe port is in .state/port. ${remedy}`, { cause: error });
  });
}

/** Why the folder is taken: by the one that may start the emulator of this checkout, and by a command until it has stopped its own. */
const DOING = "using the emulator of this checkout";

/** An act with the emulator: that of `npm run platform` where it runs, otherwise one of its own, for which a second command waits. */
export async function withEmulator<Result>(
  state: TryState,
  act: (url: string, stays: boolean) => Promise<Result>,
  lock = takeLock,
): Promise<Result> {
  const release = await lock(state.folder, DOING);
  const url = await emulatorAddress(state);
  if (await isRunning(state)) {
    // It stays, and the act is seen on its page.
    release();
    return act(url, true);
  }
  let stop = (): Promise<void> => Promise.resolve();
  try {
    await runEmulator(state, ["--no-console"], (given) => (stop = given));
    return await act(url, false);
  } finally {
    await stop();
    release();
  }
}

/** Behind `npm run platform`: starts the emulator with the state of `npm start` and its page, which run until Ctrl-C, unless they run already. */
export async function keepPlatform(checkout: string): Promise<void> {
  const state = openState(checkout);
  const release = await takeLock(state.folder, DOING);
  try {
    if (await isRunning(state)) {
      console.log("The emulator is already running. Enter in its terminal prints an address of its page.");
      return;
    }
    await runEmulator(state);
  } finally {
    release();
  }
  process.once("exit", () => console.log("\nThe emulator stopped; it keeps its data in .state."));
  console.log("`npm start`, `npm run preview`, `npm run drift` and `npm run destroy` use this emulator.");
}
