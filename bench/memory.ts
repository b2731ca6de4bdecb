import { setTimeout as pause } from "node:timers/promises";
import type { Emulator } from "../emulator";
import { providerString, dynamicToken } from "../provider/resources/resource-types";
import { Plugin } from "./plugin";
import { atMost, inTurns, NETWORKS, rowOf, Side, type Measured, type Row } from "./row";
import { deploy, settingsOf, slowDown, withEmulator, type Deployed } from "./stacks";

const WAITS = 1_000;
const WATCHED_SECONDS = 20;
const MOST_MB = 40;

/** The memory of one plugin that waits for 1,000 rollouts at once, beyond that of a plugin that has checked one. */
export const memory = (): Promise<Measured> =>
  withEmulator({ buildSeconds: 3_600 }, async (emulator) => {
    const deployments = await Promise.all(Array.from({ length: WAITS }, (_, n) => deploy(emulator, `d${n}`)));
    const rows: Row[] = [];
    for (const { network, latencyMs } of NETWORKS) {
      slowDown(emulator, latencyMs);
      const plugin = new Side(() => grown(emulator, deployments));
      await inTurns(plugin);
      const idle = plugin.median((run) => run.idle);
      const growth = plugin.median((run) => run.most - run.idle);
      const what = `memory of the plugin with ${WAITS.toLocaleString("en")} waits (${network})`;
      const needed = plugin.median((run) => run.needed);
      const left = `${what}: what is left of that after a garbage collection, against ${MOST_MB} MB`;
      rows.push(
        {
          name: `${what}: the most in ${WATCHED_SECONDS} s beyond idle, against ${MOST_MB} MB`,
          ours: `${growth.toFixed(1)} MB beyond ${idle.toFixed(0)} MB`,
          baseline: `${MOST_MB} MB`,
          ...atMost(1)(growth / MOST_MB),
        },
        rowOf(left, needed, MOST_MB, (mb) => `${mb.toFixed(1)} MB`),
      );
    }
    return { rows };
  });

/** In MB: the memory before, the most while the process was watched, and the growth of its heap after a garbage collection. */
interface Grown {
  readonly idle: number;
  readonly most: number;
  readonly needed: number;
}

async function grown(emulator: Emulator, deployments: readonly Deployed[]): Promise<Grown> {
  const settings = settingsOf(emulator);
  const plugin = await Plugin.start(settings);
  const urn = (n: number) => `urn:pulumi:test::test::${dynamicToken("Rollout")}::d${n}`;
  const inputs = (deployment: Deployed) => ({ ...deployment, __provider: providerString("Rollout") });
  try {
    const [first] = deployments;
    if (first !== undefined) await plugin.check(urn(0), inputs(first));
    const idle = await plugin.memory();
    const neededBefore = await plugin.needed();
    // They end with the process.
    deployments.forEach((deployment, n) => void plugin.create(urn(n), inputs(deployment)).catch(() => undefined));
    let most = 0;
    for (let second = 0; second < WATCHED_SECONDS; second++) {
      await pause(1000);
      most = Math.max(most, await plugin.memory());
    }
    return { idle, most, needed: (await plugin.needed()) - neededBefore };
  } finally {
    await plugin.stop();
  }
}
