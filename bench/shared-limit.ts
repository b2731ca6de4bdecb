import { WINDOW_MS } from "../provider/http/limiter";
import { dynamicToken, providerString } from "../provider/resources/resource-types";
import { Plugin } from "./plugin";
import { atMost, exactly, inTurns, NETWORKS, seconds, shown, Side, type Measured, type Row } from "./row";
import { settingsOf, slowDown, withEmulator } from "./stacks";

const PROCESSES = 8;
const CREATES = 500;
const LIMIT = 1_000;
const LEAST_MS = WINDOW_MS * (Math.ceil((PROCESSES * CREATES) / LIMIT) - 1);

/** What 8 processes did, in milliseconds from their common beginning. */
interface Shared {
  readonly ms: number;
  /** When the first process had all, and the last one. */
  readonly first: number;
  /** The longest that a process with work to do got nothing done. */
  readonly idle: number;
  readonly refused: number;
  readonly failures: number;
}

/** 8 plugins with one key, each of which allows itself the whole limit: the platform's 429s slow them all down, and none starves. */
export async function sharedLimit(): Promise<Measured> {
  const rows: Row[] = [];
  for (const { network, latencyMs } of NETWORKS) {
    const together = new Side(() => share(latencyMs));
    await inTurns(together);
    const ms = together.median((run) => run.ms);
    const first = together.median((run) => run.first);
    const idle = together.most((run) => run.idle);
    const refused = together.median((run) => run.refused);
    const failures = together.most((run) => run.failures);
    const total = (PROCESSES * CREATES).toLocaleString("en");
    const what = `${PROCESSES} processes of one key, ${total} creates under 1,000 per 10 s, ${network}`;
    rows.push(
      {
        name: `${what}: time, against the least that the limit allows`,
        ours: seconds(ms),
        baseline: seconds(LEAST_MS),
        ...atMost(2, ms / LEAST_MS),
      },
      { name: `${what}: failures`, ours: String(failures), baseline: "0", ...exactly(0, failures) },
      {
        name: `${what}: the longest that a process gets nothing done, against two windows`,
        ours: seconds(idle),
        baseline: seconds(2 * WINDOW_MS),
        ...atMost(1, idle / (2 * WINDOW_MS)),
      },
      {
        name: `${what}: when the last process is done, against the first`,
        ours: seconds(ms),
        baseline: seconds(first),
        ...atMost(2, ms / first),
      },
      {
        name: `${what}: answers 429, against the creates`,
        ours: String(refused),
        baseline: String(PROCESSES * CREATES),
        ...shown(refused / (PROCESSES * CREATES)),
      },
    );
  }
  return { rows };
}

// An emulator of its own, at another port: all windows are empty at its beginning.
const share = (latencyMs: number): Promise<Shared> =>
  withEmulator({ limits: true }, async (emulator) => {
    const plugins = await Promise.all(Array.from({ length: PROCESSES }, () => Plugin.start(settingsOf(emulator))));
    try {
      // Each has loaded its modules before the time begins.
      await Promise.all(plugins.map((plugin, at) => createOne(plugin, `p${at}`)));
      slowDown(emulator, latencyMs);
      const began = performance.now();
      const ends = await Promise.all(plugins.map((plugin, at) => createAll(plugin, at, began)));
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

async function createAll(plugin: Plugin, at: number, began: number) {
  const state = { last: 0, idle: 0, failures: 0 };
  const names = Array.from({ length: CREATES }, (_, n) => `p${at}-n${n}`);
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
