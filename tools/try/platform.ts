import { join } from "node:path";
import { lockHolder, takeLock } from "../base/lock";
import { passOnSignals } from "./child";
import { startOwnEmulator, takeTurn, waitForEarlierEngine } from "./emulator";
import { openState, type TryState } from "./state";

const lockOf = (state: TryState): string => join(state.folder, "platform.lock");

/** The process of `npm run platform` in this checkout; undefined if there is none. */
export const platformProcess = (state: TryState): number | undefined => lockHolder(lockOf(state));

/** Behind `npm run platform`: the emulator with the state of `npm start` and its page, until Ctrl-C. Gives the exit code. */
export async function keepPlatform(checkout: string): Promise<number> {
  const state = openState(checkout);
  const release = await takeTurn(state);
  const started = await startAlone(checkout, state).finally(release);
  if (started === undefined) return 0;
  const { emulator, unmark } = started;
  console.log("`npm start`, `npm run preview`, `npm run drift` and `npm run destroy` use this emulator.");
  let asked = 0;
  const stopSignals = passOnSignals({ kill: () => (asked += 1) > 0 && Boolean(emulator.stop()) });
  await emulator.ended;
  stopSignals();
  unmark();
  if (asked === 0) throw new Error("The emulator stopped unexpectedly. `npm run platform` starts it again.");
  console.log("\nThe emulator stopped; it keeps its data in .state.");
  return 0;
}

/** Starts the emulator while no command runs, and marks it; undefined if one runs already. */
async function startAlone(checkout: string, state: TryState) {
  const running = platformProcess(state);
  if (running !== undefined) {
    const how = "Enter in its terminal prints an address of its page";
    console.log(`The emulator is already running (process ${running}). ${how}.`);
    return undefined;
  }
  await waitForEarlierEngine(state);
  const emulator = await startOwnEmulator(checkout, state, "terminal");
  return { emulator, unmark: await takeLock(lockOf(state), "keeping the emulator") };
}
