import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { atLeast, atMost, rowOf, type Measured } from "./row";

const Compared = z.object({ ours: z.number(), official: z.number(), times: z.number() });
const Report = z.object({
  throughput: z.array(Compared.extend({ kind: z.string(), chunks: z.number() })),
  firstChunk: Compared,
  memory: z.array(z.object({ growthMiB: z.number() })),
});

const GROWTH_MIB = 30;
const hundredths = (ms: number): string => `${ms.toFixed(2)} ms`;
const inMebibytes = (count: number): string => `${count.toFixed(1)} MiB`;

/** The streaming client against the official one, on the same bytes, which come from a process of their own. */
export async function streams(): Promise<Measured> {
  const script = (name: string) => promisify(execFile)(process.execPath, [join("tests", "agent-server", name)]);
  await script("install.js");
  const { stdout } = await script("speed.mjs");
  const { throughput, firstChunk: first, memory } = Report.parse(JSON.parse(stdout.trim().split("\n").at(-1) ?? ""));
  const [held = { growthMiB: Infinity }] = memory;
  const rows = [
    ...throughput.map(({ kind, chunks, ours, official, times }) => ({
      name: `stream of ${chunks.toLocaleString("en")} chunks (${kind}): chunks a second, against the official client`,
      ours: ours.toFixed(0),
      baseline: official.toFixed(0),
      ...atLeast(1.5)(times),
    })),
    rowOf("first chunk of a stream, against the official client", first.ours, first.official, hundredths, atMost(1)),
    rowOf("stream of 1 GiB: growth of memory, against 30 MiB", held.growthMiB, GROWTH_MIB, inMebibytes, atMost(1)),
  ];
  return { rows };
}
