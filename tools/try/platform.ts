import { join } from "node:path";
import { lockHolder, takeLock } from "../base/lock";
import { runEmulator, takeTurn, waitForEarlierEngine } from "./emulator";
import { openState, type TryState } from "./state";

const lockOf = (state: TryState): string => join(state.folder, "platform.lock");

/** The process of `npm run platform` in this checkout; undefined if there is none. */
export const platformProcess = (state: TryState): number | undefined => lockHolder(lockOf(state));

/** Behind `npm run platform`: starts the emulator with the state of `npm start` and its page, which run until Ctrl-C, unless they run already. */
export async function keepPlatform(checkout: string): Promise<void> {
  const state = openState(checkout);
  const release = await takeTurn(state);
  try {
    const running = platformProcess(state);
    if (running !== undefined) {
      const how = "Enter in its terminal prints an address of its page";
      console.log(`The emulator is already running (process ${running}). ${how}.`);
      return;
    }
    await waitForEarlierEngine(state);
    await runEmulator(state);
    const unmark = await takeLock(lockOf(state), "keeping the emulator");
    process.once("exit", () => {
      unmark();
      console.log("\nThe emulator stopped; it keeps its data in .state.");
    });
  } finally {
    release();
  }
  console.log("`npm start`, `npm run preview`, `npm run drift` and `npm run destroy` use this emulator.");
}
