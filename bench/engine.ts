import { startEmulator, type Emulator } from "../emulator";
import { CliStack, ok } from "../tests/engine/cli-stack";
import { inTurns, LATENCY_MS, median, ROUNDS, seconds, type Row } from "./row";

type Side = "ours" | "bare";

/** The same templates through this provider, and as stock dynamic resources whose provider does nothing. */
const PROGRAMS: Readonly<Record<Side, (count: number) => string>> = {
  ours: (count) => `
    for (let n = 0; n < ${count}; n++)
      new platform.SandboxTemplate("n" + n, { image: "python:3.12", resources: { cpu: "1", memory: "1Gi" } });`,
  bare: (count) => `
    const filled = { createdAt: "2030-01-01T00:00:00.000Z", updatedAt: "2030-01-01T00:00:00.000Z", origin: "0123456789ab" };
    const provider = { create: async (inputs) => ({ id: "00000000-0000-4000-8000-" + inputs.name, outs: { ...inputs, ...filled } }) };
    const none = { createdAt: undefined, updatedAt: undefined, origin: undefined };
    for (let n = 0; n < ${count}; n++)
      new (class extends pulumi.dynamic.Resource {})(
        provider, "n" + n, { name: "n" + n, image: "python:3.12", resources: { cpu: "1", memory: "1Gi" }, ...none });`,
};

/** `up` of 200 templates and what it leaves in state, at once and with the latency of a network. */
export async function engineUp(): Promise<Row[]> {
  return withEmulator(async (emulator) => {
    const near = await compareUps(emulator, 200, "answers at once");
    emulator.faults.add({ kind: "latency", ms: LATENCY_MS, jitterMs: 0 });
    const far = await compareUps(emulator, 200, `${LATENCY_MS} ms of latency`);
    return [...near, ...far.slice(0, 1)];
  });
}

async function compareUps(emulator: Emulator, count: number, network: string): Promise<Row[]> {
  const times: Record<Side, number[]> = { ours: [], bare: [] };
  const bytes: Record<Side, number> = { ours: 0, bare: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of ["ours", "bare"] as const) {
      const { stack, ms } = await up(emulator, side, count);
      times[side].push(ms);
      bytes[side] = stack.stateText().length / count;
      stack.remove();
      emulator.reset();
    }
  }
  const ratio = median(times.ours) / median(times.bare);
  const perResource = bytes.ours / bytes.bare;
  return [
    {
      name: `up of ${count} templates, ${network}: time, against stock resources that do nothing`,
      ours: seconds(median(times.ours)),
      baseline: seconds(median(times.bare)),
      ratio,
      goal: "at most 0.85",
      isMet: ratio <= 0.85,
    },
    {
      name: "state per resource, against stock resources with the same outputs",
      ours: `${bytes.ours.toFixed(0)} bytes`,
      baseline: `${bytes.bare.toFixed(0)} bytes`,
      ratio: perResource,
      goal: "at most 0.4",
      isMet: perResource <= 0.4,
    },
  ];
}

/** A preview without changes, of 200 and of 800 templates. */
export async function enginePreview(): Promise<Row[]> {
  return withEmulator(async (emulator) => [
    ...(await compareCommand(emulator, 200, "preview", "at most 1", 1, 0)),
    ...(await compareCommand(emulator, 800, "preview", "at most 1", 1, 0)),
  ]);
}

/** A refresh of 500 templates. */
export async function engineRefresh(): Promise<Row[]> {
  return withEmulator((emulator) => compareCommand(emulator, 500, "refresh", "at most 1.3", 1.3, 1));
}

async function compareCommand(
  emulator: Emulator,
  count: number,
  command: "preview" | "refresh",
  goal: string,
  most: number,
  requests: number,
): Promise<Row[]> {
  const { stack: ours } = await up(emulator, "ours", count);
  const { stack: bare } = await up(emulator, "bare", count);
  try {
    emulator.clearLog();
    const run = async (stack: CliStack) => {
      ok(await stack[command]("--expect-no-changes"));
    };
    const [ourTimes, bareTimes] = await inTurns(
      () => run(ours),
      () => run(bare),
    );
    const ratio = median(ourTimes) / median(bareTimes);
    const sent = emulator.requests.length / ROUNDS;
    const what = `${command} of ${count} templates without changes`;
    return [
      {
        name: `${what}: time, against stock resources that do nothing`,
        ours: seconds(median(ourTimes)),
        baseline: seconds(median(bareTimes)),
        ratio,
        goal,
        isMet: ratio <= most,
      },
      {
        name: `${what}: requests`,
        ours: String(sent),
        baseline: "0",
        ratio: sent,
        goal: String(requests),
        isMet: sent === requests,
      },
    ];
  } finally {
    ours.remove();
    bare.remove();
    emulator.reset();
  }
}

async function up(emulator: Emulator, side: Side, count: number): Promise<{ stack: CliStack; ms: number }> {
  const stack = await CliStack.make(PROGRAMS[side](count));
  await stack.configure({ "agent-platform:baseUrl": emulator.url }, { "agent-platform:apiKey": emulator.apiKey });
  const began = performance.now();
  ok(await stack.up());
  return { stack, ms: performance.now() - began };
}

async function withEmulator(measure: (emulator: Emulator) => Promise<Row[]>): Promise<Row[]> {
  const emulator = await startEmulator({});
  try {
    return await measure(emulator);
  } finally {
    await emulator.close();
  }
}
