import { atMost, inTurns, NETWORKS, rowOfSides, seconds, shown, type Measured, type Row } from "./row";
import { slowDown, upOf, withEmulator } from "./stacks";

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
        upOf(emulator, program(count), args, () => slowDown(emulator, latencyMs));
      const [one, parallel, byItself] = [up(1), up(ROLLOUTS, "--parallel", "64"), up(ROLLOUTS)];
      await inTurns(one, parallel, byItself);
      const compare = (setting: string, side: typeof one, judge = shown): Row => {
        const what = `up of ${ROLLOUTS} rollouts of ${BUILD_SECONDS} s, ${network}, ${setting} --parallel`;
        return rowOfSides(`${what}, against one`, [side, one], (ms) => ms, seconds, judge);
      };
      rows.push(compare("64", parallel, atMost(1.3)), compare("default", byItself));
    }
    return { rows };
  });
