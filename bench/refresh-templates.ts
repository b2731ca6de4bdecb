import { startEmulator, type Emulator } from "../emulator";
import type { JsonObject } from "../provider/lifecycle/json";
import { Writes } from "../provider/lifecycle/kept-list";
import type { Handler } from "../provider/lifecycle/handler";
import { RESOURCES } from "../provider/resources";
import { inTurns, LATENCY_MS, median, seconds, type Row } from "./row";

const TEMPLATES = 10_000;
/** Reads that the engine asks for at a time. */
const PARALLEL = 8;

interface InState {
  readonly id: string;
  readonly props: JsonObject;
}

/** A refresh of 10,000 templates through the handlers, against one GET per read: at once, and with the latency of a network. */
export async function refreshTemplates(): Promise<Row[]> {
  const emulator = await startEmulator({});
  try {
    const made = await make(emulator);
    const near = await compare(emulator, made, "answers at once");
    emulator.faults.add({ kind: "latency", ms: LATENCY_MS, jitterMs: 0 });
    return [...near, ...(await compare(emulator, made, `${LATENCY_MS} ms of latency`))];
  } finally {
    await emulator.close();
  }
}

async function compare(emulator: Emulator, made: readonly InState[], network: string): Promise<Row[]> {
  emulator.clearLog();
  let requests = 0;
  const [ours, naive] = await inTurns(
    async () => {
      const before = emulator.requests.length;
      const handler = await handlerOf(emulator);
      await each(made, async ({ id, props }) => {
        const read = await handler.read(id, props);
        if (read.id !== id) throw new Error(`${id} was not found`);
      });
      requests = emulator.requests.length - before;
    },
    () =>
      each(made, async ({ props }) => {
        const headers = { "x-api-key": emulator.apiKey };
        const path = `/v2/sandboxes/templates/${typeof props["name"] === "string" ? props["name"] : ""}`;
        const answer = await fetch(emulator.url + path, { headers });
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
        await answer.json();
      }),
  );
  const ratio = median(ours) / median(naive);
  return [
    {
      name: `refresh of 10,000 templates, ${network}: time, against a GET per read`,
      ours: seconds(median(ours)),
      baseline: seconds(median(naive)),
      ratio,
      goal: "at most 0.05",
      isMet: ratio <= 0.05,
    },
    {
      name: `refresh of 10,000 templates, ${network}: requests`,
      ours: String(requests),
      baseline: String(TEMPLATES),
      ratio: requests / TEMPLATES,
      goal: "20",
      isMet: requests === TEMPLATES / 500,
    },
  ];
}

async function make(emulator: Emulator): Promise<InState[]> {
  const handler = await handlerOf(emulator);
  const names = Array.from({ length: TEMPLATES }, (_, n) => `n${n}`);
  const made: InState[] = [];
  await each(names, async (name) => {
    const { id, outs } = await handler.create({ name, image: "python:3.12", resources: { cpu: "1", memory: "1Gi" } });
    made.push({ id, props: outs });
  });
  return made;
}

/** As the engine does it: so many at a time. */
async function each<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (const item of left) await act(item);
    }),
  );
}

/** A handler of a process of its own. */
async function handlerOf({ url, apiKey }: Emulator): Promise<Handler> {
  const log = { progress: () => undefined, warn: () => undefined };
  const handler = RESOURCES.SandboxTemplate({ environment: {}, log, writes: new Writes() });
  const settings: Record<string, string> = { baseUrl: url, apiKey, rateLimit: "1000000" };
  await handler.configure({ config: { get: (key) => settings[key.replace("agent-platform:", "")] } });
  return handler;
}
