// A server of recorded streams, in a process of its own: its work takes no time from the client that is measured.
//   POST /<kind>/<chunks>/runs/stream     kind: small (a number in each), or tokens (as a real server sent them)
// Prints one line, {"url": "http://127.0.0.1:PORT"}; ends with its parent.
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { pipeline, Readable } from "node:stream";

const BLOCK = 64 * 1024;
const metadata = 'event: metadata\r\ndata: {"run_id":"00000000-0000-4000-8000-000000000000","attempt":1}\r\n\r\n';

const recorded = readFileSync(new URL("../support/captures/10-stateless-messages-tuple.txt", import.meta.url), "utf8");
const tokens = recorded.match(/^event: messages\r\ndata: .*\r\n\r\n/gm);

const frameOf = {
  small: (n) => `event: custom\r\ndata: {"progress":${n},"topic":"cats"}\r\n\r\n`,
  tokens: (n) => tokens[n % tokens.length],
};

/** The bytes of a stream, in blocks; those of the last request are kept, so that only the first one waits for them. */
let kept = { name: "", blocks: [] };
function blocksOf(kind, chunks) {
  const name = `${kind}/${chunks}`;
  if (kept.name === name) return kept.blocks;
  const blocks = [];
  let text = "";
  for (let n = 0; n < chunks; n += 1) {
    text += frameOf[kind](n);
    if (text.length < BLOCK) continue;
    blocks.push(Buffer.from(text));
    text = "";
  }
  blocks.push(Buffer.from(text));
  kept = { name, blocks };
  return blocks;
}

/** The same block of whole frames, as many times as make this many MiB. */
function* repeated(kind, mebibytes) {
  const [block] = blocksOf(kind, 1000);
  for (let sent = 0; sent < mebibytes * 2 ** 20; sent += block.length) yield block;
}

const server = createServer((request, response) => {
  const [, kind, amount] = request.url.split("/");
  const blocks = amount.endsWith("MiB") ? repeated(kind, parseInt(amount, 10)) : blocksOf(kind, Number(amount));
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream", "content-location": "/runs/0" });
  response.write(metadata);
  // A reader who leaves is not a failure.
  pipeline(Readable.from(blocks), response, () => undefined);
});
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })));
process.on("disconnect", () => process.exit(0));
