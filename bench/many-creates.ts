import { startEmulator } from "../emulator";
import { RESOURCES } from "../provider/resources";
import { seconds, type Row } from "./row";

const CREATES = 3_000;
const LIMIT = 1_000;
const WINDOW_MS = 10_000;

/** 3,000 creates as fast as the platform's limit lets them, on the real clock: sliding windows on both sides. */
export async function manyCreates(): Promise<Row[]> {
  const emulator = await startEmulator({ limits: true });
  try {
    const log = { progress: () => undefined, warn: () => undefined };
    const handler = RESOURCES.SandboxTemplate({ environment: {}, log });
    const settings: Record<string, string> = { baseUrl: emulator.url, apiKey: emulator.apiKey };
    await handler.configure({ config: { get: (key) => settings[key.replace("agent-platform:", "")] } });
    const began = performance.now();
    const names = Array.from({ length: CREATES }, (_, n) => `n${n}`);
    await Promise.all(names.map((name) => handler.create({ name, image: "a", resources: { cpu: "1" } })));
    const took = performance.now() - began;
    const refused = emulator.requests.filter(({ status }) => status === 429).length;
    const least = WINDOW_MS * (Math.ceil(CREATES / LIMIT) - 1);
    return [
      {
        name: "3,000 creates under 1,000 per 10 s: time, against the least that the limit allows",
        ours: seconds(took),
        baseline: seconds(least),
        ratio: took / least,
        goal: "at most 1.1",
        isMet: took <= 1.1 * least,
      },
      {
        name: "3,000 creates under 1,000 per 10 s: answers 429",
        ours: String(refused),
        baseline: "0",
        ratio: refused,
        goal: "0",
        isMet: refused === 0,
      },
    ];
  } finally {
    await emulator.close();
  }
}
