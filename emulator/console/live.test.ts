import { ManualClock } from "../base/clock";
import { OpenPages, type ShownPage } from "./live";

/** A reader of a stream that notes each event with the time of its arrival. */
async function read(response: Response | undefined, pace: ManualClock) {
  const reader = response?.body?.getReader();
  const arrived: { at: number; text: string }[] = [];
  const start = pace.now();
  const loop = async (): Promise<void> => {
    for (;;) {
      const result = await reader?.read();
      if (result === undefined || result.done) return;
      arrived.push({ at: pace.now() - start, text: Buffer.from(result.value).toString() });
    }
  };
  const over = loop();
  await settle();
  return { arrived, over, leave: () => reader?.cancel() };
}

/** Lets everything happen that no clock holds back. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const views = (arrived: readonly { text: string }[]): unknown[] =>
  arrived.flatMap(({ text }) => /^data: (.*)\n\n$/m.exec(text)?.[1] ?? []);

function setUp(show: () => ShownPage) {
  const [clock, pace] = [new ManualClock(), new ManualClock()];
  const listening: string[] = [];
  let changed: () => void = () => undefined;
  const live = new OpenPages({ clock, pace }, (listener) => {
    listening.push("begins");
    changed = listener;
    return () => void listening.push("ends");
  });
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 10) {
      pace.advance(10);
      await settle();
    }
  };
  return {
    clock,
    pace,
    live,
    listening,
    pass,
    change: () => changed(),
    open: (address = "/") => read(live.open(address, show), pace),
  };
}

test("a page gets what is there at once", async () => {
  const page = setUp(() => ({ view: { count: 1 }, nextAt: Infinity }));
  const { arrived } = await page.open();
  expect(arrived.map(({ text }) => text)).toEqual(['event: view\ndata: {"count":1}\n\n']);
});

test("a change arrives within 200 ms, however many there are, and events come at most 10 a second", async () => {
  let count = 0;
  const page = setUp(() => ({ view: count, nextAt: Infinity }));
  const { arrived } = await page.open();
  await page.pass(500);
  for (let change = 0; change < 100; change += 1) {
    count += 1;
    page.change();
    await page.pass(10);
  }
  await page.pass(200);
  const times = arrived.map(({ at }) => at);
  expect(arrived.length).toBeGreaterThanOrEqual(10);
  expect(arrived.length).toBeLessThanOrEqual(13);
  expect(times[1]).toBeLessThanOrEqual(520);
  for (const [index, at] of times.entries()) expect(at - (times[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(100);
  expect(views(arrived).at(-1)).toBe("100");
});

test("what looks the same is not sent again", async () => {
  const page = setUp(() => ({ view: "same", nextAt: Infinity }));
  const { arrived } = await page.open();
  page.change();
  await page.pass(300);
  expect(arrived).toHaveLength(1);
});

test("what changes with the emulator's clock arrives without any change", async () => {
  const page = setUp(() => {
    const now = page.clock.now();
    const due = Date.UTC(2030, 0, 1) + 1000;
    return { view: now >= due ? "over" : "under way", nextAt: now >= due ? Infinity : due };
  });
  const { arrived } = await page.open();
  page.clock.advance(999);
  await page.pass(200);
  expect(views(arrived)).toEqual(['"under way"']);
  page.clock.advance(1);
  await page.pass(200);
  expect(views(arrived)).toEqual(['"under way"', '"over"']);
});

test("a heartbeat every 15 seconds keeps the connection, and finds what changed without a word", async () => {
  let view = "before";
  const page = setUp(() => ({ view, nextAt: Infinity }));
  const { arrived } = await page.open();
  view = "after";
  await page.pass(14_990);
  expect(arrived).toHaveLength(1);
  await page.pass(200);
  expect(arrived.map(({ text }) => text.slice(0, 11))).toEqual(["event: view", ": heartbeat", "event: view"]);
});

test("a reader that does not read makes nothing pile up: at last it gets the latest alone", async () => {
  let count = 0;
  let looks = 0;
  const page = setUp(() => {
    looks += 1;
    return { view: `${count} ${"x".repeat(70_000)}`, nextAt: Infinity };
  });
  const reader = page.live
    .open("/", () => ({ view: `${count} ${"x".repeat(70_000)}`, nextAt: (looks += 1) && Infinity }))
    ?.body?.getReader();
  for (count = 1; count <= 50; count += 1) {
    page.change();
    await page.pass(100);
  }
  expect(looks).toBe(1);
  await reader?.read();
  await page.pass(200);
  const latest = await reader?.read();
  expect(Buffer.from(latest?.value ?? []).toString()).toContain('data: "51 ');
  expect(looks).toBe(2);
});

test("what many look at is made once for all; who looks at something else gets that", async () => {
  let looks = 0;
  let count = 0;
  const page = setUp(() => ({ view: count, nextAt: (looks += 1) && Infinity }));
  const readers = [];
  for (let at = 0; at < 30; at += 1) readers.push(await page.open());
  const other = await page.open("/requests");
  await page.pass(200);
  const before = looks;
  count = 1;
  page.change();
  await page.pass(200);
  expect(looks - before).toBe(2);
  for (const { arrived } of [...readers, other]) expect(views(arrived)).toEqual(["0", "1"]);
  for (const { leave } of readers) await leave();
  count = 2;
  page.change();
  await page.pass(200);
  expect(views(other.arrived)).toEqual(["0", "1", "2"]);
  expect(page.live.size).toBe(1);
  page.live.close();
});

test("a look that fails leaves nothing behind", () => {
  const page = setUp(() => ({ view: 1, nextAt: Infinity }));
  const fails = (): ShownPage => {
    throw new Error("broken");
  };
  expect(() => page.live.open("/", fails)).toThrow("broken");
  expect([page.live.size, page.pace.waiting]).toEqual([0, 0]);
});

test("nobody listens before the first page opens, nor after the last one is gone, and no clock is left behind", async () => {
  const page = setUp(() => ({ view: 1, nextAt: Infinity }));
  expect(page.listening).toEqual([]);
  const [one, other] = [await page.open(), await page.open()];
  expect(page.listening).toEqual(["begins"]);
  await one.leave();
  expect(page.listening).toEqual(["begins"]);
  await other.leave();
  expect(page.listening).toEqual(["begins", "ends"]);
  expect([page.live.size, page.pace.waiting, page.clock.waiting]).toEqual([0, 0, 0]);
});

test("close ends all streams", async () => {
  const page = setUp(() => ({ view: 1, nextAt: Infinity }));
  const { over } = await page.open();
  page.live.close();
  await over;
  expect([page.live.size, page.pace.waiting]).toEqual([0, 0]);
});

test("beyond 64 open pages one more is refused", () => {
  const page = setUp(() => ({ view: 1, nextAt: Infinity }));
  const opened = Array.from({ length: 65 }, (_, at) => page.live.open(`/${at}`, () => ({ view: 1, nextAt: Infinity })));
  expect(opened.filter((stream) => stream === undefined)).toHaveLength(1);
  page.live.close();
});
