import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { lockHolder, takeLock } from "../base/lock";
import { passOnSignals, type RunningServer } from "./child";
import { startOwnEmulator, takeTurn, waitForEarlierEngine } from "./emulator";
import { openState, portOf, type TryState } from "./state";

const lockOf = (state: TryState): string => join(state.folder, "platform.lock");

/** The process of `npm run platform` in this checkout; undefined if there is none. */
export const platformProcess = (state: TryState): number | undefined => lockHolder(lockOf(state));

/** Behind `npm run platform`: the emulator with the state of `npm start` and its page, until Ctrl-C. Gives the exit code. */
export async function keepPlatform(checkout: string): Promise<number> {
  const state = openState(checkout);
  const port = await portOf(state);
  const started = await startAlone(checkout, state, port);
  if (started === undefined) return 0;
  try {
    return await untilAsked(started.emulator, state, port);
  } finally {
    started.unmark();
  }
}

/** Starts the emulator while no command runs, and marks it; undefined if one runs already, whose address is then said. */
async function startAlone(checkout: string, state: TryState, port: number) {
  const release = await takeTurn(state);
  try {
    const running = platformProcess(state);
    if (running !== undefined) {
      console.log(
        `The emulator is already running (process ${running}). Its page:\n\n  ${await newAddress(state, port)}\n`,
      );
      return undefined;
    }
    await waitForEarlierEngine(state);
    const isNew = !existsSync(state.dataFile);
    const emulator = await startOwnEmulator(checkout, state, port);
    console.log(welcome(await newAddress(state, port), port, isNew));
    return { emulator, unmark: await takeLock(lockOf(state), "keeping the emulator") };
  } finally {
    release();
  }
}

/** Each address opens the page once; whoever has the key may ask for another. */
async function newAddress(state: TryState, port: number): Promise<string> {
  const headers = { "X-Api-Key": readFileSync(state.keyFile, "utf8").trim() };
  const answer = await fetch(`http://127.0.0.1:${port}/console/code`, { method: "POST", headers });
  if (!answer.ok)
    throw new Error(`The emulator gives no address of its page: POST /console/code answered ${answer.status}`);
  return z.object({ url: z.string() }).parse(await answer.json()).url;
}

/** Waits for Ctrl-C, and then for a command that still uses the emulator; a second Ctrl-C waits no longer. */
async function untilAsked(emulator: RunningServer, state: TryState, port: number): Promise<number> {
  const askForAddress = (): void => {
    newAddress(state, port).then((address) => console.log(`  ${address}\n`), console.error);
  };
  if (process.stdin.isTTY) process.stdin.on("data", askForAddress);
  let asked = 0;
  let stopSignals: () => void = () => undefined;
  const stopped = new Promise<void>((resolve, reject) => {
    const onSignal = (): boolean => {
      asked += 1;
      if (asked > 1) resolve();
      else
        takeTurn(state).then((release) => {
          release();
          resolve();
        }, reject);
      return true;
    };
    stopSignals = passOnSignals({ kill: onSignal });
  });
  try {
    await Promise.race([stopped, emulator.ended]);
    if (asked === 0) throw new Error("The emulator stopped unexpectedly. `npm run platform` starts it again.");
    await emulator.stop();
    console.log("\nThe emulator stopped; it keeps its data in .state.");
    return 0;
  } finally {
    stopSignals();
    process.stdin.off("data", askForAddress).pause();
  }
}

function welcome(address: string, port: number, isNew: boolean): string {
  return [
    `The emulator runs at http://127.0.0.1:${port}. Its page, at an address that works once${process.stdin.isTTY ? " (press Enter for a new one)" : ""}:`,
    "",
    `  ${address}`,
    "",
    isNew
      ? "The environment is empty: run `npm start` in another terminal, and watch it being created."
      : "In another terminal, `npm start`, `npm run preview`, `npm run drift` and `npm run destroy` use this emulator.",
    "Ctrl-C stops it.",
    "",
  ].join("\n");
}
