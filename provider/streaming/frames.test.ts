import { inspect } from "node:util";
import { STREAM_MODES, type RunEvent } from "./events";
import { noteSecrets } from "../base/masker";
import { RunError } from "./errors";
import { Frames } from "./frames";
import { capture, captures, framesOf, rawBody } from "../../tests/support/capture";

const ALL = new Set(STREAM_MODES);
/** At about how many places a body is cut in two; a shorter one is cut after each byte. */
const CUTS = 400;
/** All that the standard of event streams allows. */
const LINE_ENDS = ["\n", "\r\n", "\r"];

interface Outcome {
  readonly events: RunEvent[];
  readonly failed: string | undefined;
}

function readIn(parts: readonly Uint8Array[]): Outcome {
  const frames = new Frames(ALL);
  const events: RunEvent[] = [];
  try {
    for (const part of parts) for (const event of frames.feed(part)) events.push(event);
    frames.end();
    return { events, failed: undefined };
  } catch (error) {
    return { events, failed: error instanceof Error ? error.message : String(error) };
  }
}

/** The events that must come, from another way of reading the body. */
function expected(body: Buffer): unknown[] {
  const shown: unknown[] = [];
  for (const { event, data } of framesOf(body)) {
    if (event === "error") break;
    if (event === "metadata" || event === "end") continue;
    const [name = "", ...namespace] = event.split("|");
    const mode = name === "messages" ? "messages-tuple" : name;
    const known = STREAM_MODES.some((each) => each === mode);
    shown.push(known ? { mode, namespace, data } : { mode: "other", event: name, namespace, data });
  }
  return shown;
}

const streams = captures().filter(({ contentType }) => contentType.startsWith("text/event-stream"));

test("there are recorded streams of every mode, with and without subgraphs, of joins and of failures", () => {
  expect(streams.length).toBeGreaterThan(35);
  expect(streams.some(({ body }) => body.includes("\r\n"))).toBe(true);
});

describe.each(streams)("the recorded answer $name", ({ name, body }) => {
  const whole = readIn([body]);

  test("gives every event of the recording, in order, and the failure where there is one", () => {
    expect(whole.events).toEqual(expected(body));
    const failure = framesOf(body).some(({ event }) => event === "error");
    expect(whole.failed === undefined).toBe(!failure);
  });

  test("gives the same byte by byte, cut anywhere in two, and with the other line ends", () => {
    expect(readIn([...body].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
    const step = Math.max(1, Math.floor(body.length / CUTS));
    for (let at = 0; at <= body.length; at += step) {
      const halves = readIn([body.subarray(0, at), body.subarray(at)]);
      if (JSON.stringify(halves) !== JSON.stringify(whole)) throw new Error(`${name} differs when cut at ${at}`);
    }
    const text = body.toString("utf8").replaceAll("\r\n", "\n");
    for (const lineEnd of LINE_ENDS) expect(readIn([Buffer.from(text.replaceAll("\n", lineEnd))])).toEqual(whole);
  });
});

describe("line ends", () => {
  const lines = 'event: metadata\ndata: {"run_id":"r-1"}\n\n: a comment\n\nevent: custom\ndata: {"é":\ndata: 1}\n\n';
  const ends = [...LINE_ENDS.map((end) => [end]), ["\r\n", "\r", "\n"], ["\r", "\n", "\r\n"]];
  const named = ends.map((each) => ({ name: JSON.stringify(each.join(" then ")), each }));

  test.each(named)("$name: the last event comes too, wherever the bytes are cut", ({ each }) => {
    let line = 0;
    // LF after CR is one line end, so a blank line is never written as those two.
    const text = lines.replace(/\n\n?/g, (found) => (each[line++ % each.length] ?? "").repeat(found.length));
    const body = Buffer.from(text);
    const whole = readIn([body]);
    expect(whole).toEqual({ events: [{ mode: "custom", namespace: [], data: { é: 1 } }], failed: undefined });
    expect(readIn([...body].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
    for (let at = 0; at <= body.length; at += 1) {
      expect(readIn([body.subarray(0, at), body.subarray(at)])).toEqual(whole);
    }
  });

  test("CR alone: an event comes when its blank line does, not with the next one", () => {
    const frames = new Frames(ALL);
    expect([...frames.feed(Buffer.from("event: custom\rdata: 1\r\r"))]).toHaveLength(1);
  });

  test.each(LINE_ENDS.map((end) => JSON.stringify(end)))("%s: an end before the blank line is not complete", (name) => {
    const end = String(JSON.parse(name));
    expect(readIn([Buffer.from(`event: custom${end}data: 1${end}`)]).failed).toMatch(/ended in the middle of an event/);
  });
});

test("separators of Unicode and emoji are data, not line ends, wherever the bytes are cut", () => {
  const body = rawBody("70-unicode-body.bin");
  const whole = readIn([body]);
  expect(whole.events).toEqual(expected(body));
  expect(JSON.stringify(whole.events)).toMatch(/\u2028|\u0085/);
  for (let at = 0; at <= body.length; at += 1) {
    expect(readIn([body.subarray(0, at), body.subarray(at)]).events).toEqual(whole.events);
  }
});

test("the run and its attempt come with the first event; a join without one has none", () => {
  const run = (name: string) => {
    const frames = new Frames(ALL);
    expect([...frames.feed(capture(name).body)].length).toBeGreaterThan(0);
    return frames.run;
  };
  expect(run("10-stateless-values")).toMatchObject({ attempt: 1 });
  expect(run("30-join-active")).toBeUndefined();
});

test("a join leaves out other modes only: an event of its own mode in another shape is passed on as it came", () => {
  const frames = new Frames(new Set(["updates"]), true);
  const bytes = Buffer.from('event: custom\ndata: 1\n\nevent: updates\ndata: "no object"\n\n');
  expect([...frames.feed(bytes)]).toEqual([{ mode: "other", event: "updates", namespace: [], data: "no object" }]);
});

describe("an unusual or broken stream", () => {
  const text = (lines: string) => [Buffer.from(lines)];
  const one = "event: custom\ndata: 1\n\n";
  test.each<[what: string, body: string, events: number, failed: RegExp | undefined]>([
    ["comments and heartbeats alone", ": heartbeat\n\n: heartbeat\n\n", 0, undefined],
    ["nothing at all: the run has ended before", "", 0, undefined],
    ["data of several lines", 'event: custom\ndata: {"a":\ndata: 1}\n\n', 1, undefined],
    ["an unknown name", "event: brand-new|x\ndata: 1\n\n", 1, undefined],
    ["an event without a name", "data: 1\n\n", 1, undefined],
    [
      "keep-alive events without data",
      "event: ping\ndata:\n\nevent: ping|x\ndata: \ndata:\n\ndata:\n\nevent: custom\ndata: 1\n\nevent: ping\n\n",
      1,
      undefined,
    ],
    [
      "a known name without data",
      "event: ping\ndata:\n\nevent: updates|sub:1\ndata:\n\n",
      0,
      /event "updates\|sub:1" whose data is not valid JSON \(0 characters\)/,
    ],
    ["a run without data", "event: metadata\ndata:\n\n", 0, /event "metadata" whose data is not valid JSON/],
    ["an error without data", "event: error\ndata:\n\n", 0, /event "error" whose data is not valid JSON/],
    ["an unknown name without JSON", "event: ping\ndata: now\n\n", 0, /event "ping" whose data is not valid/],
    ["a known name with other data", "event: updates\ndata: 1\n\nevent: messages\ndata: [1]\n\n", 2, undefined],
    ["an end, and something after it", `${one}event: end\ndata: null\n\n${one}`, 1, undefined],
    [
      "no JSON",
      `${one}event: custom\ndata: {oops\n\n`,
      1,
      /event "custom" whose data is not valid JSON \(5 characters\)/,
    ],
    [
      "data that is nested too deep, with brackets in its texts",
      `event: custom\ndata: ["\\"[[${"[".repeat(2000)}"]\n\nevent: custom\ndata: ${"[".repeat(300_000)}${"]".repeat(300_000)}\n\n`,
      1,
      /^the stream has an event "custom" that is nested more than 1000 levels deep$/,
    ],
    [
      "data of more values than memory",
      `event: custom\ndata: [${"{},".repeat(1_000_000)}1]\n\n`,
      0,
      /^the stream has an event "custom" that has more than 1000000 values$/,
    ],
    ["data as deep as may be", `event: custom\ndata: ${"[".repeat(1000)}${"]".repeat(1000)}\n\n`, 1, undefined],
    ["an end in the middle of an event", `${one}event: custom\ndata: {"a"`, 1, /ended in the middle of an event/],
    ["an error as a text", `${one}event: error\ndata: "no such run"\n\n`, 1, /run \(unnamed\) failed: no such run/],
    [
      "an error as an object",
      'event: metadata\ndata: {"run_id":"r-1","attempt":2}\n\nevent: error\ndata: {"error":"ValueError","message":"told to"}\n\n',
      0,
      /run r-1 failed: ValueError: told to/,
    ],
  ])("%s", (_what, body, events, failed) => {
    const outcome = readIn(text(body));
    expect(outcome.events).toHaveLength(events);
    if (failed === undefined) expect(outcome.failed).toBeUndefined();
    else expect(outcome.failed).toMatch(failed);
  });

  test("an event that never ends is given up before it fills the memory", () => {
    const part = Buffer.alloc(1024 * 1024, "x");
    const { failed } = readIn([Buffer.from("data: "), ...Array.from({ length: 65 }, () => part)]);
    expect(failed).toMatch(/has an event of more than 64 MiB/);
  });

  test.each<[what: string, body: string]>([
    ["a message", `event: error\ndata: {"error":"E","message":"${"x".repeat(100_000)}"}\n\n`],
    ["a kind of error", `event: error\ndata: {"error":"${"x".repeat(100_000)}","message":"m"}\n\n`],
    ["an id of a run", `event: metadata\ndata: {"run_id":"${"x".repeat(100_000)}"}\n\nevent: error\ndata: "m"\n\n`],
    ["a name of an event", `event: ${"x".repeat(100_000)}\ndata: {\n\n`],
  ])("however long %s is, an error is not", (_what, body) => {
    expect(readIn(text(body)).failed?.length).toBeLessThan(11_000);
  });

  test("an error keeps the last events before it, and where they came from", () => {
    const frames = new Frames(ALL);
    const body = `${Array.from({ length: 12 }, (_, n) => `event: custom\ndata: ${n}\n\n`).join("")}event: error\ndata: "x"\n\n`;
    let last: readonly unknown[] = [];
    try {
      expect([...frames.feed(Buffer.from(body))]).toBe("it failed");
    } catch (error) {
      if (error instanceof RunError) ({ last } = error);
    }
    expect(last).toHaveLength(10);
    expect(last.at(-1)).toEqual({ mode: "custom", namespace: [], data: 11 });
  });

  test.each([
    ["data", 'event: custom\ndata: "', '"\n\n'],
    ["names", "event: ", "\ndata: 1\n\n"],
  ])(
    "the last events that it keeps have 16 MiB together, so that a server cannot fill the memory with their %s",
    (_of, begin, end) => {
      const frames = new Frames(ALL);
      const mebibyte = Buffer.alloc(2 ** 20, "x");
      let events = 0;
      for (let n = 0; n < 10; n++)
        for (const part of [begin, mebibyte, mebibyte, end]) events += [...frames.feed(Buffer.from(part))].length;
      let failed: unknown;
      try {
        expect([...frames.feed(Buffer.from('event: error\ndata: "x"\n\n'))]).toBe("it failed");
      } catch (error) {
        failed = error;
      }
      expect(events).toBe(10);
      expect(failed instanceof RunError ? failed.last : []).toHaveLength(7);
    },
  );

  test("an error says and keeps no secret, in whatever spelling the server echoes it", () => {
    const secret = 'sk-"canary/key';
    noteSecrets([secret, 190734]);
    const encoded = [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")];
    const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    const body =
      event("metadata", { run_id: `r-${secret}` }) +
      event("custom", { [secret]: [encoded, { deep: `Bearer ${secret}` }, 190734] }) +
      event("updates", { node: encoded }) +
      event(`brand-new|${encoded[1] ?? ""}`, encoded) +
      event("error", { error: `Bad ${secret}`, message: { got: encoded } });
    const frames = new Frames(ALL);
    let failed: unknown;
    try {
      expect([...frames.feed(Buffer.from(body))]).toBe("it failed");
    } catch (error) {
      failed = error;
    }
    if (!(failed instanceof RunError)) throw failed;
    const { message, kind, detail, last, run } = failed;
    const told = JSON.stringify([message, kind, detail, last, run, inspect(failed)]);
    expect(told).toContain("[secret]");
    for (const spelling of ["canary", "190734", ...encoded.slice(1)]) expect(told).not.toContain(spelling);
    expect(last).toMatchObject([{ mode: "custom" }, { mode: "updates" }, { mode: "other" }]);
  });
});
