import { inTurns, seconds, shown, Side, type Measured, type Row } from "./row";
import { PROGRAMS, succeedsIn, withEmulator, withStack } from "./stacks";

const SKIP_CHECKPOINTS = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/** Settings of the engine that save time: `up` of 200 and 400 templates, against the engine's defaults. */
export const engineSettings = (): Promise<Measured> =>
  withEmulator({}, async (emulator) => {
    const rows: Row[] = [];
    for (const count of [200, 400]) {
      const up = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
        new Side(() =>
          withStack(emulator, PROGRAMS.ours(count), (stack) => {
            Object.assign(stack.environment, environment);
            return succeedsIn(() => stack.run(["up", "--yes", "--skip-preview", ...args]));
          }),
        );
      const [byItself, parallel, skipping] = [up([]), up(["--parallel", "64"]), up([], SKIP_CHECKPOINTS)];
      await inTurns(byItself, parallel, skipping);
      const compare = (setting: string, side: typeof byItself): Row => {
        const [ms, defaultMs] = [side.median((run) => run), byItself.median((run) => run)];
        return {
          name: `up of ${count} templates with ${setting}, against the engine's defaults`,
          ours: seconds(ms),
          baseline: seconds(defaultMs),
          ...shown(ms / defaultMs),
        };
      };
      rows.push(compare("--parallel 64", parallel), compare("PULUMI_SKIP_CHECKPOINTS=true", skipping));
    }
    return { rows };
  });
