import fc from "fast-check";
import { connectionTo } from "../../tests/connection";
import { EventClock } from "../../tests/event-clock";
import { FakeClock } from "../../tests/fake-clock";
import type { Connection } from "../lifecycle/config";
import { limitOf, RequestLimit, SlidingWindow } from "./limiter";

test("whenever a request arrives between its admission and its answer: never more than the limit in any window", async () => {
  const request = fc.record({ gap: fc.nat(400), arrives: fc.nat(900), answered: fc.nat(900) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(request, { maxLength: 120 }),
      async (limit, requests) => {
        const clock = new EventClock(0);
        const window = new SlidingWindow(limit, 1000, clock);
        const arrivals: number[] = [];
        let asked = 0;
        const all = requests.map(async ({ gap, arrives, answered }) => {
          await clock.sleep((asked += gap));
          const ended = await window.admit();
          await clock.sleep(arrives);
          arrivals.push(clock.now());
          await clock.sleep(answered);
          ended();
        });
        await clock.until(Promise.all(all));
        arrivals.forEach((time, index) => {
          const earlier = arrivals[index - limit];
          // A millisecond: the platform may count it at either end of one.
          if (earlier !== undefined) expect(time - earlier).toBeGreaterThanOrEqual(999);
        });
      },
    ),
    { numRuns: 50 },
  );
});

test("where all that the limit allows is under way, the next one waits for the first answer, and its window", async () => {
  const clock = new EventClock(0);
  const window = new SlidingWindow(1, 1000, clock);
  const first = await window.admit();
  const second = window.admit().then(() => clock.now());
  await clock.until(clock.sleep(5000));
  first();
  expect(await clock.until(second)).toBe(6000);
});

test("a burst is admitted at once up to the limit, in order, and no slower than that needs", async () => {
  const clock = new EventClock(0);
  const window = new SlidingWindow(3, 1000, clock);
  const order: [number, number][] = [];
  const send = async (n: number) => {
    const ended = await window.admit();
    order.push([n, clock.now()]);
    ended();
  };
  await clock.until(Promise.all([0, 1, 2, 3, 4, 5, 6].map(send)));
  expect(order).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 1000],
    [4, 1000],
    [5, 1000],
    [6, 2000],
  ]);
});

test("requests of one address and key share a limit; others have their own", () => {
  const clock = new FakeClock();
  const connection = (over: Partial<Connection> = {}) => connectionTo("https://a.example", over);
  const limit = limitOf(connection(), "https://a.example", clock);
  expect(limitOf(connection(), "https://a.example", clock)).toBe(limit);
  expect(limitOf(connection(), "https://b.example", clock)).not.toBe(limit);
  expect(limitOf(connection({ apiKey: "other" }), "https://a.example", clock)).not.toBe(limit);
});

test("polls get half of the limit, in order and evenly, and stand in nobody's way", async () => {
  const clock = new EventClock(0);
  const limit = new RequestLimit(4, 1000, clock);
  const admitted: [string, number][] = [];
  const send = async (name: string, isPoll: boolean) => {
    const ended = await limit.admit({ isPoll });
    admitted.push([name, clock.now()]);
    ended();
  };
  const polls = ["p0", "p1", "p2", "p3"].map((name) => send(name, true));
  const others = ["w0", "w1"].map((name) => send(name, false));
  await clock.until(Promise.all([...polls, ...others]));
  expect(Object.fromEntries(admitted)).toEqual({ p0: 0, p1: 500, p2: 1000, p3: 1500, w0: 0, w1: 0 });
});

test("a poll after a pause goes at once, and does not make up for the time in which nobody asked", async () => {
  const clock = new EventClock(0);
  const limit = new RequestLimit(4, 1000, clock);
  const polls = async () => {
    const admitted = [1, 2].map(async () => {
      (await limit.admit({ isPoll: true }))();
      return clock.now();
    });
    return Promise.all(admitted);
  };
  expect(await clock.until(polls())).toEqual([0, 500]);
  await clock.until(clock.sleep(9500));
  expect(await clock.until(polls())).toEqual([10_000, 10_500]);
});

test("a limit of one poll is one in a window", async () => {
  const clock = new EventClock(0);
  const limit = new RequestLimit(1, 1000, clock);
  const at = [1, 2].map(async () => {
    (await limit.admit({ isPoll: true }))();
    return clock.now();
  });
  expect(await clock.until(Promise.all(at))).toEqual([0, 1000]);
});
