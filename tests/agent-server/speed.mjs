// Our client against the official one, on the same bytes, turn by turn in one run: node speed.mjs [--chunks N] [--runs N] [--mebibytes N]
// Prints a table, and then one line of JSON. Needs dist (npm run build) and the packages of this folder (node install.js).
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { clients } from "./clients.mjs";

const { values } = parseArgs({
  options: {
    chunks: { type: "string", default: "100000" },
    runs: { type: "string", default: "7" },
    mebibytes: { type: "string", default: "1024" },
  },
});
const [chunks, runs, mebibytes] = [values.chunks, values.runs, values.mebibytes].map(Number);
const names = Object.keys(clients);
const here = (file) => fileURLToPath(new URL(file, import.meta.url));

const server = fork(here("bytes.mjs"), { stdio: ["ignore", "pipe", "inherit", "ipc"] });
const [line] = await once(server.stdout, "data");
const { url } = JSON.parse(String(line));
try {
  const throughput = [await compared("small", chunks), await compared("tokens", chunks / 5)];
  const firstChunk = await delays();
  const memory = [];
  for (const name of names) memory.push(await held(name));
  report(throughput, firstChunk, memory);
} finally {
  server.disconnect();
}

/** One stream, read to its end: chunks a second, and the first chunk's delay. */
async function read(name, kind, count) {
  const begin = performance.now();
  let first;
  let seen = 0;
  for await (const chunk of clients[name](`${url}/${kind}/${count}`, kind)) {
    if (kind === "small" && chunk.progress !== seen)
      throw new Error(`${name} saw chunk ${chunk.progress} as the ${seen}th`);
    first ??= performance.now() - begin;
    seen += 1;
  }
  if (seen !== count) throw new Error(`${name} saw ${seen} of ${count} chunks`);
  return { perSecond: (seen / (performance.now() - begin)) * 1000, first };
}

/** Both clients in each round, taking turns to begin: other load on the machine meets both. The first round is for the compiler. */
async function rounds(count, one) {
  const measured = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -1; round < count; round += 1) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const value = await one(name);
      if (round >= 0) measured[name].push(value);
    }
  }
  return measured;
}

async function compared(kind, count) {
  const measured = await rounds(runs, async (name) => (await read(name, kind, count)).perSecond);
  return { kind, chunks: count, ...summary(measured, (ours, official) => ours / official) };
}

async function delays() {
  const measured = await rounds(runs * 10, async (name) => (await read(name, "small", 1)).first);
  return summary(measured, (ours, official) => official / ours);
}

/** Medians; the factor by which ours is better is the median of the rounds. */
function summary({ ours, official }, better) {
  return {
    ours: median(ours),
    official: median(official),
    times: median(ours.map((value, round) => better(value, official[round]))),
  };
}

async function held(name) {
  const args = [here("memory.mjs"), name, `${url}/tokens/${mebibytes}MiB`, "tokens"];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return { mebibytes, ...JSON.parse(stdout) };
}

function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

function report(throughput, firstChunk, memory) {
  const row = (what, ours, official, times) =>
    console.log(`${what.padEnd(44)}${ours.padStart(12)}${official.padStart(12)}${times.padStart(8)}`);
  row(`median of ${runs}`, "ours", "official", "times");
  for (const { kind, chunks: count, ours, official, times } of throughput) {
    row(`chunks a second, ${kind}, ${count}`, ours.toFixed(0), official.toFixed(0), times.toFixed(2));
  }
  row(
    `first chunk, ms (median of ${runs * 10})`,
    firstChunk.ours.toFixed(2),
    firstChunk.official.toFixed(2),
    firstChunk.times.toFixed(2),
  );
  const [ours, official] = memory.map(({ growthMiB }) => growthMiB.toFixed(1));
  row(`growth over ${mebibytes} MiB, MiB`, ours, official, "");
  console.log(JSON.stringify({ runs, throughput, firstChunk, memory }));
}
