import { atMost, inTurns, NETWORKS, seconds, shown, Side, type Measured, type Row } from "./row";
import { slowDown, succeedsIn, withEmulator, withStack } from "./stacks";

const ROLLOUTS = 40;
const BUILD_SECONDS = 10;

const program = (count: number): string => `
  for (let n = 0; n < ${count}; n++)
    new platform.Deployment("d" + n, { source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example/agent:1" } });`;

/** `up` of 40 deployments whose revisions take 10 s each, against `up` of one: with the engine's default parallelism, and with 64 at a time. */
export const engineRollouts = (): Promise<Measured> =>
  withEmulator({ buildSeconds: BUILD_SECONDS }, async (emulator) => {
    const rows: Row[] = [];
    for (const { network, latencyMs } of NETWORKS) {
      const up = (count: number, ...args: string[]) =>
        new Side(() =>
          withStack(emulator, program(count), (stack) => {
            slowDown(emulator, latencyMs);
            return succeedsIn(() => stack.run(["up", "--yes", "--skip-preview", ...args]));
          }),
        );
      const [one, parallel, byItself] = [up(1), up(ROLLOUTS, "--parallel", "64"), up(ROLLOUTS)];
      await inTurns(one, parallel, byItself);
      const compare = (setting: string, verdict: typeof shown, side: typeof one): Row => {
        const [ms, oneMs] = [side.median((run) => run), one.median((run) => run)];
        return {
          name: `up of ${ROLLOUTS} rollouts of ${BUILD_SECONDS} s, ${network}, ${setting} --parallel, against one`,
          ours: seconds(ms),
          baseline: seconds(oneMs),
          ...verdict(ms / oneMs),
        };
      };
      rows.push(
        compare("64", (ratio) => atMost(1.3, ratio), parallel),
        compare("default", shown, byItself),
      );
    }
    return { rows };
  });
