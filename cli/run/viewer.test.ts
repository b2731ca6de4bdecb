import { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { RunStream } from "../../provider/streaming/run-stream";
import { jsonPrinter } from "./printer";
import { Viewer } from "./viewer";

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

test("a reader that is slow slows the run down: the next event waits until the last one is out", async () => {
  let written: (() => void) | undefined;
  const output = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => (written = done) });
  const { stream, asked } = counted(3);
  const end = new Viewer(jsonPrinter, [], { output, report: () => undefined }).show(stream);
  for (let expected = 1; expected <= 3; expected += 1) {
    await setImmediate();
    expect(asked()).toBe(expected);
    written?.();
  }
  expect(await end).toBe(3);
});

test("the run is named once, before its first event is printed, and the summary comes last", async () => {
  const said: string[] = [];
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      said.push(String(chunk).trim());
      done();
    },
  });
  const { stream } = counted(2);
  await new Viewer(jsonPrinter, [], { output, report: (line) => said.push(line) }).show(stream);
  expect(said.filter((text) => text !== "")).toEqual([
    "run r-1\\u001b",
    expect.stringMatching(/"data":0/),
    expect.stringMatching(/"data":1/),
    expect.stringMatching(/^2 events in \d+\.\d\ds, the first after \d+\.\d\ds$/),
  ]);
});

test("a run without events has no summary here", async () => {
  const said: string[] = [];
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const viewer = new Viewer(jsonPrinter, [], { output, report: (line) => said.push(line) });
  expect([await viewer.show(counted(0).stream), said]).toEqual([0, ["run r-1\\u001b"]]);
});

test("of a run that is joined only the modes that were asked for are shown, and all are counted", async () => {
  const said: string[] = [];
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const viewer = new Viewer(jsonPrinter, ["values"], { output, report: (line) => said.push(line) });
  expect(await viewer.show(counted(2).stream)).toBe(2);
  expect(said.at(-1)).toMatch(/^2 events \(0 shown\) in /);
});
