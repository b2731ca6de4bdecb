import { inTurns, rowOfSides, type Measured, type Row } from "./row";
import { PROGRAMS, upOf, withEmulator } from "./stacks";

const SKIP_CHECKPOINTS = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/** Settings of the engine that save time: `up` of 200 and 400 templates, against the engine's defaults. */
export const engineSettings = (): Promise<Measured> =>
  withEmulator({}, async (emulator) => {
    const rows: Row[] = [];
    for (const count of [200, 400]) {
      const up = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
        upOf(emulator, PROGRAMS.ours(count), args, (stack) => Object.assign(stack.environment, environment));
      const [byItself, parallel, skipping] = [up([]), up(["--parallel", "64"]), up([], SKIP_CHECKPOINTS)];
      await inTurns(byItself, parallel, skipping);
      const compare = (setting: string, side: typeof byItself): Row => {
        const what = `up of ${count} templates with ${setting}, against the engine's defaults`;
        return rowOfSides(what, [side, byItself], (ms) => ms);
      };
      rows.push(compare("--parallel 64", parallel), compare("PULUMI_SKIP_CHECKPOINTS=true", skipping));
    }
    return { rows };
  });
