import { setTimeout as pause } from "node:timers/promises";
import type { Front } from "../tests/support/cli-stack";
import { nativeToken } from "../provider/resources/resource-types";
import { Plugin } from "./plugin";
import { atMost, inBytes, inTurns, milliseconds, rowOf, rowOfSides, seconds, Side } from "./row";
import type { Measured, Row } from "./row";
import { deploy, PROGRAMS, settingsOf, succeedsIn, withEmulator, withStack } from "./stacks";
import type { Emulator } from "../emulator";

const TEMPLATES = 200;

/** The commands of one stack in their order, and the goal of each: the native plugin's time as a share of that of dynamic resources. */
const COMMANDS = [
  ["up", ["up", "--yes", "--skip-preview"], 1],
  ["preview without changes", ["preview"], 0.85],
  ["up without changes", ["up", "--yes", "--skip-preview"], 0.85],
  ["refresh", ["refresh", "--yes", "--skip-preview"], 0.85],
  ["destroy", ["destroy", "--yes", "--skip-preview"], 0.85],
] as const;

/** The native plugin against dynamic resources: the same program through both, in turns. */
export const native = (): Promise<Measured> =>
  withEmulator({ buildSeconds: 3_600 }, async (emulator) => {
    const sides = [stackOf(emulator, "native"), stackOf(emulator, "dynamic")] as const;
    await inTurns(...sides);
    const rows = COMMANDS.map(([name, , goal]) => {
      const what = `native plugin: ${name}, ${TEMPLATES} templates, against dynamic resources`;
      return rowOfSides(what, sides, ({ times }) => times.get(name) ?? NaN, seconds, atMost(goal));
    });
    const state = "native plugin: state per resource, against dynamic resources";
    rows.push(rowOfSides(state, sides, ({ bytes }) => bytes, inBytes, atMost(0.9)));
    return { rows: [...rows, await cancelled(emulator)] };
  });

const stackOf = (emulator: Emulator, front: Front) =>
  new Side(() =>
    withStack(
      emulator,
      PROGRAMS.ours(TEMPLATES),
      async (stack) => {
        const times = new Map<string, number>();
        let bytes = 0;
        for (const [name, args] of COMMANDS) {
          times.set(name, await succeedsIn(() => stack.run(args)));
          if (name === "up") bytes = stack.stateText().length / TEMPLATES;
        }
        return { times, bytes };
      },
      front,
    ),
  );

/** From Ctrl-C to the end of a wait for a revision that is still being built. */
async function cancelled(emulator: Emulator): Promise<Row> {
  const wait = new Side(async () => {
    const deployed = await deploy(emulator, "waited-for");
    const plugin = await Plugin.start(settingsOf(emulator), "native");
    try {
      const urn = `urn:pulumi:test::test::${nativeToken("Rollout")}::r`;
      await plugin.check(urn, { ...deployed });
      let endedAt = 0;
      const waiting = plugin.create(urn, { ...deployed }).catch(() => (endedAt = performance.now()));
      await pause(2000);
      const began = performance.now();
      await plugin.cancel();
      await waiting;
      return endedAt - began;
    } finally {
      await plugin.stop();
      emulator.reset();
    }
  });
  await inTurns(wait);
  const longest = wait.most((ms) => ms);
  return rowOf("native plugin: a cancelled wait, against 500 ms", longest, 500, milliseconds, atMost(1));
}
