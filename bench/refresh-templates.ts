import type { Emulator } from "../emulator";
import type { JsonObject } from "../provider/base/json";
import { atMost, exactly, inTurns, NETWORKS, rowOfSides, seconds, Side, timed, type Measured, type Row } from "./row";
import { handlerOf, slowDown, withEmulator } from "./stacks";

const TEMPLATES = 10_000;
/** Reads that the engine requests at a time. */
const PARALLEL = 8;
/** So high that the wait for the rate limit is not measured. */
const UNLIMITED = { "agent-platform:rateLimit": "1000000" };

interface InState {
  readonly id: string;
  readonly props: JsonObject;
}

/** A refresh of 10,000 templates through the handlers, against one GET per read. */
export const refreshTemplates = (): Promise<Measured> =>
  withEmulator({}, async (emulator) => {
    const made = await make(emulator);
    const rows: Row[] = [];
    for (const { network, latencyMs } of NETWORKS) {
      slowDown(emulator, latencyMs);
      const ours = new Side(() => counted(emulator, () => readAll(emulator, made)));
      const naive = new Side(() => counted(emulator, () => getAll(emulator, made)));
      await inTurns(ours, naive);
      const [requests, naiveRequests] = [ours.most((run) => run.requests), naive.most((run) => run.requests)];
      const what = `refresh of ${TEMPLATES.toLocaleString("en")} templates, ${network}`;
      rows.push(
        rowOfSides(`${what}: time, against a GET per read`, [ours, naive], (run) => run.ms, seconds, atMost(0.05)),
        exactly(`${what}: requests`, requests, TEMPLATES / 500, naiveRequests),
      );
    }
    return { rows };
  });

async function counted(emulator: Emulator, act: () => Promise<void>): Promise<{ ms: number; requests: number }> {
  emulator.clearLog();
  return { ms: await timed(act), requests: emulator.requests.length };
}

async function readAll(emulator: Emulator, made: readonly InState[]): Promise<void> {
  const handler = await handlerOf("SandboxTemplate", emulator, UNLIMITED);
  await each(made, async ({ id, props }) => {
    const read = await handler.read(id, props);
    if (read.id !== id) throw new Error(`${id} was not found`);
  });
}

const getAll = ({ url, apiKey }: Emulator, made: readonly InState[]): Promise<void> =>
  each(made, async ({ props }) => {
    const path = `/v2/sandboxes/templates/${typeof props["name"] === "string" ? props["name"] : ""}`;
    const answer = await fetch(url + path, { headers: { "x-api-key": apiKey } });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    await answer.json();
  });

async function make(emulator: Emulator): Promise<InState[]> {
  const handler = await handlerOf("SandboxTemplate", emulator, UNLIMITED);
  const names = Array.from({ length: TEMPLATES }, (_, n) => `n${n}`);
  const made: InState[] = [];
  await each(names, async (name) => {
    const { id, outs } = await handler.create({ name, image: "python:3.12", resources: { cpu: "1", memory: "1Gi" } });
    made.push({ id, props: outs });
  });
  return made;
}

/** As the engine does it: PARALLEL at a time. */
async function each<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (const item of left) await act(item);
    }),
  );
}
