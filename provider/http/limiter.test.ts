import fc from "fast-check";
import { connectionTo } from "../../tests/connection";
import { FakeClock } from "../../tests/fake-clock";
import type { Connection } from "../lifecycle/config";
import { SlidingWindow, windowOf } from "./limiter";

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

test("requests of one address and key share a window; others have their own", () => {
  const clock = new FakeClock();
  const connection = (over: Partial<Connection> = {}) => connectionTo("https://a.example", over);
  const window = windowOf(connection(), "https://a.example", clock);
  expect(windowOf(connection(), "https://a.example", clock)).toBe(window);
  expect(windowOf(connection(), "https://b.example", clock)).not.toBe(window);
  expect(windowOf(connection({ apiKey: "other" }), "https://a.example", clock)).not.toBe(window);
});
