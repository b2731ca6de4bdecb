import { atMost, inTurns, NETWORKS, seconds, Side, type Measured, type Row } from "./row";
import { PROGRAMS, slowDown, succeedsIn, withEmulator, withStack, type Kind } from "./stacks";

const TEMPLATES = 200;

/** `up` of 200 templates, and the size of the state that it leaves. */
export const engineUp = (): Promise<Measured> =>
  withEmulator({}, async (emulator) => {
    const rows: Row[] = [];
    for (const { network, latencyMs } of NETWORKS) {
      const up = (kind: Kind) =>
        new Side(() =>
          withStack(emulator, PROGRAMS[kind](TEMPLATES), async (stack) => {
            slowDown(emulator, latencyMs);
            return { ms: await succeedsIn(() => stack.up()), bytes: stack.stateText().length / TEMPLATES };
          }),
        );
      const [ours, bare, createAlone] = [up("ours"), up("bare"), up("createAlone")];
      await inTurns(ours, bare, createAlone);
      const compare = (stock: typeof ours, what: string) => {
        const [ms, stockMs] = [ours.median((run) => run.ms), stock.median((run) => run.ms)];
        rows.push({
          name: `up of ${TEMPLATES} templates, ${network}: time, against ${what}`,
          ours: seconds(ms),
          baseline: seconds(stockMs),
          ...atMost(0.85, ms / stockMs),
        });
        // The same on every network.
        if (latencyMs > 0) return;
        const [bytes, stockBytes] = [ours.median((run) => run.bytes), stock.median((run) => run.bytes)];
        rows.push({
          name: `state per resource, against ${what}`,
          ours: `${bytes.toFixed(0)} bytes`,
          baseline: `${stockBytes.toFixed(0)} bytes`,
          ...atMost(0.4, bytes / stockBytes),
        });
      };
      compare(bare, "stock resources that do nothing");
      compare(createAlone, "the smallest stock resources, with a create alone");
    }
    return { rows };
  });
