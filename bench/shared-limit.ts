import { WINDOW_MS } from "../provider/http/limiter";
import { dynamicToken, providerString } from "../provider/resources/resource-types";
import { Plugin } from "./plugin";
import { atMost, exactly, inTurns, NETWORKS, rowOf, seconds, Side, type Measured, type Row } from "./row";
import { settingsOf, slowDown, withEmulator } from "./stacks";

const ALONE = 3_000;
const [PROCESSES, CREATES] = [8, 500];
const LIMIT = 1_000;
const leastMs = (creates: number): number => WINDOW_MS * (Math.ceil(creates / LIMIT) - 1);

/** What the processes did, in milliseconds from their common beginning. */
interface Shared {
  readonly ms: number;
  /** When the first process had all, and the last one. */
  readonly first: number;
  /** The longest that a process with work to do got nothing done. */
  readonly idle: number;
  readonly refused: number;
  readonly failures: number;
}

/**
 * One plugin creates as fast as the platform's limit allows, on the real clock: sliding windows on both sides. And 8 with one
 * key, each of which allows itself the whole limit: the platform's 429s slow them all down, and none starves.
 */
export async function sharedLimit(): Promise<Measured> {
  const rows: Row[] = [];
  for (const { network, latencyMs } of NETWORKS) {
    const alone = new Side(() => share(1, ALONE, latencyMs));
    const together = new Side(() => share(PROCESSES, CREATES, latencyMs));
    await inTurns(alone, together);
    const [aloneMs, aloneRefused] = [alone.median((run) => run.ms), alone.most((run) => run.refused)];
    if (alone.most((run) => run.failures) > 0) throw new Error("a create by one process failed");
    const ms = together.median((run) => run.ms);
    const first = together.median((run) => run.first);
    const idle = together.most((run) => run.idle);
    const refused = together.median((run) => run.refused);
    const failures = together.most((run) => run.failures);
    const creates = (count: number) => `${count.toLocaleString("en")} creates under 1,000 per 10 s, ${network}`;
    const what = `${PROCESSES} processes of one key, ${creates(PROCESSES * CREATES)}`;
    const againstLeast = (name: string, time: number, made: number, most: number): Row =>
      rowOf(`${name}: time, against the least that the limit allows`, time, leastMs(made), seconds, atMost(most));
    const longest = `${what}: the longest that a process gets nothing done, against two windows`;
    rows.push(
      againstLeast(creates(ALONE), aloneMs, ALONE, 1.1),
      exactly(`${creates(ALONE)}: answers 429`, aloneRefused, 0),
      againstLeast(what, ms, PROCESSES * CREATES, 2),
      exactly(`${what}: failures`, failures, 0),
      rowOf(longest, idle, 2 * WINDOW_MS, seconds, atMost(1)),
      rowOf(`${what}: when the last process is done, against the first`, ms, first, seconds, atMost(2)),
      rowOf(`${what}: answers 429, against the creates`, refused, PROCESSES * CREATES, String),
    );
  }
  return { rows };
}

// An emulator of its own, at another port: all windows are empty at its beginning.
const share = (processes: number, creates: number, latencyMs: number): Promise<Shared> =>
  withEmulator({ limits: true }, async (emulator) => {
    const plugins = await Promise.all(Array.from({ length: processes }, () => Plugin.start(settingsOf(emulator))));
    try {
      // The first create of each has loaded its modules before the time begins.
      await Promise.all(plugins.map((plugin, at) => createOne(plugin, `p${at}`)));
      slowDown(emulator, latencyMs);
      const began = performance.now();
      const ends = await Promise.all(plugins.map((plugin, at) => createAll(plugin, at, creates - 1, began)));
      return {
        ms: Math.max(...ends.map(({ last }) => last)),
        first: Math.min(...ends.map(({ last }) => last)),
        idle: Math.max(...ends.map(({ idle }) => idle)),
        failures: ends.reduce((sum, { failures }) => sum + failures, 0),
        refused: emulator.requests.filter(({ status }) => status === 429).length,
      };
    } finally {
      await Promise.all(plugins.map((plugin) => plugin.stop()));
    }
  });

async function createAll(plugin: Plugin, at: number, creates: number, began: number) {
  const state = { last: 0, idle: 0, failures: 0 };
  const names = Array.from({ length: creates }, (_, n) => `p${at}-n${n}`);
  await Promise.all(
    names.map(async (name) => {
      try {
        await createOne(plugin, name);
      } catch {
        state.failures += 1;
      }
      const now = performance.now() - began;
      state.idle = Math.max(state.idle, now - state.last);
      state.last = now;
    }),
  );
  return state;
}

function createOne(plugin: Plugin, name: string): Promise<void> {
  const urn = `urn:pulumi:test::test::${dynamicToken("SandboxTemplate")}::${name}`;
  const inputs = { name, image: "a", resources: { cpu: "1" }, __provider: providerString("SandboxTemplate") };
  return plugin.create(urn, inputs);
}
