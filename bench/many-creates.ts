import { WINDOW_MS } from "../provider/http/limiter";
import { atMost, exactly, inTurns, NETWORKS, seconds, Side, timed, type Measured, type Row } from "./row";
import { slowDown, templateHandler, withEmulator } from "./stacks";

const CREATES = 3_000;
const LIMIT = 1_000;
const LEAST_MS = WINDOW_MS * (Math.ceil(CREATES / LIMIT) - 1);

/** 3,000 creates as fast as the platform's limit allows, on the real clock: sliding windows on both sides. */
export async function manyCreates(): Promise<Measured> {
  const rows: Row[] = [];
  for (const { network, latencyMs } of NETWORKS) {
    const creates = new Side(() => create(latencyMs));
    await inTurns(creates);
    const [ms, refused] = [creates.median((run) => run.ms), creates.most((run) => run.refused)];
    const what = `3,000 creates under 1,000 per 10 s, ${network}`;
    rows.push(
      {
        name: `${what}: time, against the least that the limit allows`,
        ours: seconds(ms),
        baseline: seconds(LEAST_MS),
        ...atMost(1.1, ms / LEAST_MS),
      },
      { name: `${what}: answers 429`, ours: String(refused), baseline: "0", ...exactly(0, refused) },
    );
  }
  return { rows };
}

// An emulator of its own, at another port: both windows are empty at its beginning.
const create = (latencyMs: number): Promise<{ ms: number; refused: number }> =>
  withEmulator({ limits: true }, async (emulator) => {
    slowDown(emulator, latencyMs);
    const handler = await templateHandler(emulator);
    const names = Array.from({ length: CREATES }, (_, n) => `n${n}`);
    const ms = await timed(() =>
      Promise.all(names.map((name) => handler.create({ name, image: "a", resources: { cpu: "1" } }))),
    );
    return { ms, refused: emulator.requests.filter(({ status }) => status === 429).length };
  });
