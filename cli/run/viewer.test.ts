import { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { RunStream } from "../../provider/streaming/run-stream";
import { jsonPrinter } from "./printer";
import { showEvents } from "./viewer";

/** A run of this many events, and how many of them were read. */
function counted(events: number): { readonly stream: RunStream; readonly asked: () => number } {
  let asked = 0;
  async function* read() {
    for (let n = 0; n < events; n += 1) {
      asked += 1;
      yield await Promise.resolve({ mode: "custom", namespace: [], data: n } as const);
    }
  }
  const stream = { run: { runId: "r-1\x1b", attempt: undefined }, [Symbol.asyncIterator]: read };
  return { stream, asked: () => asked };
}

test("a slow reader slows the run, which is named first: the next event waits until the last one is out", async () => {
  const said: string[] = [];
  let written: (() => void) | undefined;
  const output = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => (written = done) });
  const { stream, asked } = counted(3);
  const end = showEvents(stream, jsonPrinter, [], output, (line) => said.push(line));
  for (let expected = 1; expected <= 3; expected += 1) {
    await setImmediate();
    expect([asked(), said]).toEqual([expected, ["run r-1\\u001b"]]);
    written?.();
  }
  expect(await end).toBe(3);
  expect(said.slice(1)).toEqual([expect.stringMatching(/^3 events in \d+\.\d\ds, the first after \d+\.\d\ds$/)]);
});
