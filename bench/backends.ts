import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator } from "../emulator";
import type { CliStack } from "../tests/support/cli-stack";
import { ensureS3Server, s3In, type S3Server } from "../tools/backends/s3";
import { median, seconds, shown, type Measured, type Row } from "./row";
import { slowLink, type SlowLink } from "./slow-link";
import { PROGRAMS, succeedsIn, withEmulator, withStack } from "./stacks";

/** How many templates: all take half an hour, 200 six minutes. */
const COUNTS = (process.env["BENCH_TEMPLATES"] ?? "200,800").split(",").map(Number);
/** How often each cell is measured: once tells what a file, a server and a setting cost, which differ by far. */
const ROUNDS = 1;
/** The way to a server: none, and that to one in the same region. */
const LATENCIES = [0, 5] as const;

const GZIP = { PULUMI_DIY_BACKEND_GZIP: "true" };
const SKIP = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
const SETTINGS: readonly (readonly [name: string, environment: NodeJS.ProcessEnv])[] = [
  ["default", {}],
  ["gzip", GZIP],
  ["skip checkpoints", SKIP],
  ["both", { ...GZIP, ...SKIP }],
];

/** Where states are kept. */
interface Place {
  readonly name: string;
  /** The settings of a new backend there; undefined for a file. */
  readonly backend: () => NodeJS.ProcessEnv | undefined;
  /** What went there so far. */
  readonly link: Pick<SlowLink, "sent" | "roundTrips">;
}

/** What one `up` cost. */
interface Cost {
  readonly ms: number;
  readonly bytes: number;
  readonly roundTrips: number;
}

/** `up` of 200 and 800 templates with state in a file and in S3, near and 5 ms away, by setting. */
export const backends = (): Promise<Measured> =>
  withPlaces((places) =>
    withEmulator({}, async (emulator) => {
      const [rows, tables]: [Row[], string[]] = [[], []];
      for (const count of COUNTS) {
        const costs = await costsOf(emulator, places, count);
        rows.push(...rowsOf(count, costs));
        tables.push(tableOf(`\`up\` of ${count} templates`, costs, ({ ms }) => seconds(ms)));
        tables.push(tableOf(`Sent to the server by it`, costs, ({ bytes }) => megabytes(bytes)));
        tables.push(tableOf(`Round trips of it`, costs, ({ roundTrips }) => String(roundTrips)));
      }
      return { rows, tables: tables.join("\n\n") };
    }),
  );

/** By place and setting. */
type Costs = ReadonlyMap<string, ReadonlyMap<string, Cost>>;

async function costsOf(emulator: Emulator, places: readonly Place[], count: number): Promise<Costs> {
  const runs = new Map(places.map(({ name }) => [name, new Map<string, Cost[]>()]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const place of places) {
      const cells = runs.get(place.name);
      for (const [setting, environment] of SETTINGS) {
        const cost = await upOf(emulator, place, count, environment);
        cells?.set(setting, [...(cells.get(setting) ?? []), cost]);
        process.stderr.write(`${count}, ${place.name}, ${setting}: ${seconds(cost.ms)} ${megabytes(cost.bytes)} ... `);
      }
    }
  }
  const middle = (costs: readonly Cost[]): Cost => ({
    ms: median(costs.map(({ ms }) => ms)),
    bytes: median(costs.map(({ bytes }) => bytes)),
    roundTrips: median(costs.map(({ roundTrips }) => roundTrips)),
  });
  return new Map([...runs].map(([name, cells]) => [name, new Map([...cells].map(([key, all]) => [key, middle(all)]))]));
}

async function upOf(emulator: Emulator, place: Place, count: number, environment: NodeJS.ProcessEnv): Promise<Cost> {
  const act = async (stack: CliStack): Promise<Cost> => {
    Object.assign(stack.environment, environment);
    const [sent, roundTrips] = [place.link.sent(), place.link.roundTrips()];
    const ms = await succeedsIn(() => stack.up());
    return { ms, bytes: place.link.sent() - sent, roundTrips: place.link.roundTrips() - roundTrips };
  };
  return withStack(emulator, PROGRAMS.ours(count), act, { backend: place.backend() });
}

function rowsOf(count: number, costs: Costs): Row[] {
  const file = costs.get("file")?.get("default")?.ms ?? NaN;
  return [...costs].flatMap(([place, cells]) =>
    [...cells].map(([setting, { ms }]) => ({
      name: `up of ${count} templates, state in ${place}, ${setting}: time, against a file`,
      ours: seconds(ms),
      baseline: seconds(file),
      ...shown(ms / file),
    })),
  );
}

const megabytes = (bytes: number): string => (bytes === 0 ? "" : `${(bytes / 1e6).toPrecision(3)} MB`);

function tableOf(head: string, costs: Costs, text: (cost: Cost) => string): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const names = SETTINGS.map(([name]) => name);
  const textOf = (cost: Cost | undefined) => (cost === undefined ? "" : text(cost));
  return [
    line([head, ...names]),
    line(["---", ...names.map(() => "---")]),
    ...[...costs].map(([place, cells]) => line([place, ...names.map((name) => textOf(cells.get(name)))])),
  ].join("\n");
}

/** Starts the server for as long as `measure` takes. */
async function withPlaces<T>(measure: (places: readonly Place[]) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bench-backends-"));
  const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const places: Place[] = [{ name: "file", backend: () => undefined, link: { sent: () => 0, roundTrips: () => 0 } }];
    const server = await s3In(join(folder, "S3"), await ensureS3Server());
    await server.start();
    closers.unshift(() => server.stop());
    for (const latency of LATENCIES) {
      const link = await slowLink(server.port, latency);
      closers.unshift(() => link.close());
      places.push(placeOf(server, latency, link));
    }
    return await measure(places);
  } finally {
    for (const close of closers) await close();
  }
}

function placeOf(server: S3Server, latency: number, link: SlowLink): Place {
  let rooms = 0;
  return {
    name: `S3, ${latency} ms`,
    backend: () => server.environment(`near_${latency}_${++rooms}`, link.port),
    link,
  };
}
