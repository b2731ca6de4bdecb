import fc from "fast-check";
import { connectionTo } from "../../tests/connection";
import { EventClock } from "../../tests/event-clock";
import { FakeClock } from "../../tests/fake-clock";
import type { Connection } from "../lifecycle/config";
import { limitOf, RequestLimit, SlidingWindow } from "./limiter";

test("never more than the limit in any window, and no slower than that needs", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 120 }),
      async (limit, gaps) => {
        const clock = new FakeClock(0);
        const window = new SlidingWindow(limit, 1000, clock);
        const times: number[] = [];
        for (const gap of gaps) {
          await clock.sleep(gap);
          await window.admit();
          times.push(clock.now());
        }
        times.forEach((time, index) => {
          const earlier = times[index - limit];
          if (earlier !== undefined) expect(time - earlier).toBeGreaterThanOrEqual(1000);
        });
      },
    ),
  );
});

test("a burst is admitted at once up to the limit, and in order", async () => {
  const clock = new FakeClock(0);
  const window = new SlidingWindow(3, 1000, clock);
  const order: [number, number][] = [];
  await Promise.all(
    [0, 1, 2, 3, 4, 5, 6].map(async (n) => {
      await window.admit();
      order.push([n, clock.now()]);
    }),
  );
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

test("polls get half of the limit, in order, and stand in nobody's way", async () => {
  const clock = new EventClock(0);
  const limit = new RequestLimit(4, 1000, clock);
  const admitted: [string, number][] = [];
  const send = async (name: string, isPoll: boolean) => {
    await limit.admit({ isPoll });
    admitted.push([name, clock.now()]);
  };
  const polls = ["p0", "p1", "p2", "p3"].map((name) => send(name, true));
  const others = ["w0", "w1"].map((name) => send(name, false));
  await clock.until(Promise.all([...polls, ...others]));
  expect(Object.fromEntries(admitted)).toEqual({ p0: 0, p1: 0, p2: 1000, p3: 1000, w0: 0, w1: 0 });
});
