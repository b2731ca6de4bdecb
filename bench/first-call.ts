import { runtime } from "@pulumi/pulumi";
import { providerString, dynamicToken } from "../provider/resources/resource-types";
import { Plugin } from "./plugin";
import { atMost, inTurns, NETWORKS, seconds, shown, Side, type Measured, type Row } from "./row";
import { settingsOf, slowDown, withEmulator } from "./stacks";

const URN = `urn:pulumi:test::test::${dynamicToken("SandboxTemplate")}::n`;
const INPUTS = { name: "n", image: "python:3.12", resources: { cpu: "1", memory: "1Gi" } };

/** A stock provider whose seven functions are there and do nothing. */
const nothing = {
  configure: () => Promise.resolve(),
  check: (_olds: unknown, news: object) => Promise.resolve({ inputs: news }),
  diff: () => Promise.resolve({ changes: false }),
  create: (inputs: object) => Promise.resolve({ id: "id", outs: inputs }),
  read: (id: string, props: object) => Promise.resolve({ id, props }),
  update: (_id: string, _olds: unknown, news: object) => Promise.resolve({ outs: news }),
  delete: () => Promise.resolve(),
};

/** From the start of the plugin's process to the answer of its first check, and of its first create. */
export const firstCall = (): Promise<Measured> =>
  withEmulator({}, async (emulator) => {
    const bare = (await runtime.serializeFunction(() => nothing)).text;
    const settings = settingsOf(emulator);
    const first = (code: string, latencyMs: number) =>
      new Side(async () => {
        slowDown(emulator, latencyMs);
        const props = { ...INPUTS, __provider: code };
        const began = performance.now();
        const plugin = await Plugin.start(settings);
        try {
          await plugin.check(URN, props);
          const check = performance.now() - began;
          await plugin.create(URN, props);
          return { check, create: performance.now() - began };
        } finally {
          await plugin.stop();
          emulator.reset();
        }
      });
    const rows: Row[] = [];
    for (const { network, latencyMs } of NETWORKS) {
      const [ours, stock] = [first(providerString("SandboxTemplate"), latencyMs), first(bare, latencyMs)];
      // One start takes half a second: more rounds cost little.
      for (let times = 0; times < 3; times++) await inTurns(ours, stock);
      const row = (
        what: string,
        verdict: typeof shown,
        figure: (run: { check: number; create: number }) => number,
      ): Row => {
        const [ms, stockMs] = [ours.median(figure), stock.median(figure)];
        return {
          name: `start of the plugin to its first ${what}, against stock resources that do nothing`,
          ours: seconds(ms),
          baseline: seconds(stockMs),
          ...verdict(ms / stockMs),
        };
      };
      // A check, which is the engine's first call, sends nothing.
      if (latencyMs === 0)
        rows.push(
          row(
            "call",
            (ratio) => atMost(1.25, ratio),
            (run) => run.check,
          ),
        );
      rows.push(row(`request, ${network}`, shown, (run) => run.create));
    }
    return { rows };
  });
