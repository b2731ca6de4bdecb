// How much a process grows while a client reads a long stream: node memory.mjs <client> <url> <kind>. Prints one line of JSON.
// The garbage collector works as usual. The first 20,000 chunks are not counted: both clients need them to warm up.
import { clients } from "./clients.mjs";

const EVERY = 20_000;
const [client, url, kind] = process.argv.slice(2);
const resident = () => process.memoryUsage.rss() / 2 ** 20;

let chunks = 0;
let first;
let peak = 0;
for await (const chunk of clients[client](url, kind)) {
  void chunk;
  chunks += 1;
  if (chunks % EVERY !== 0) continue;
  first ??= resident();
  peak = Math.max(peak, resident());
}
console.log(JSON.stringify({ client, chunks, peakMiB: peak, growthMiB: peak - first }));
