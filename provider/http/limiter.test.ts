import fc from "fast-check";
import { connectionTo } from "../../tests/support/connection";
import { EventClock } from "../../tests/support/event-clock";
import { FakeClock } from "../../tests/support/fake-clock";
import type { Connection } from "../base/connection";
import { RequestLimit, RequestLimits } from "./limiter";
import { SlidingWindow, type Ended } from "./sliding-window";

/** The admission of a request that is admitted in time. */
async function inTime(admission: Promise<Ended | undefined>): Promise<Ended> {
  const ended = await admission;
  if (ended === undefined) throw new Error("not in time");
  return ended;
}

test("whenever a request arrives between its admission and its answer: never more than the limit in any window", async () => {
  const request = fc.record({ gap: fc.nat(400), arrives: fc.nat(900), answered: fc.nat(900) });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.array(request, { maxLength: 99 }), async (limit, requests) => {
      const clock = new EventClock(0);
      const window = new SlidingWindow(limit, 1000, clock);
      const arrivals: number[] = [];
      let asked = 0;
      const all = requests.map(async ({ gap, arrives, answered }) => {
        await clock.sleep((asked += gap));
        const ended = await inTime(window.admit());
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
    }),
    { numRuns: 50 },
  );
});

test("when all requests that the limit allows are under way, the next one waits for the first answer and its window", async () => {
  const clock = new EventClock(0);
  const window = new SlidingWindow(1, 1000, clock);
  const first = await inTime(window.admit());
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
    const ended = await inTime(window.admit());
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
  const limits = new RequestLimits(new FakeClock());
  const connection = (over: Partial<Connection> = {}) => connectionTo("https://a.example", over);
  const limit = limits.of(connection(), "https://a.example");
  expect(limits.of(connection(), "https://a.example")).toBe(limit);
  expect(limits.of(connection(), "https://b.example")).not.toBe(limit);
  expect(limits.of(connection({ apiKey: "other" }), "https://a.example")).not.toBe(limit);
});

test("polls get half of the limit, in order and evenly, and delay no other request", async () => {
  const clock = new EventClock(0);
  const limit = new RequestLimit(4, 1000, clock);
  const admitted: [string, number][] = [];
  const send = async (name: string, isPoll: boolean) => {
    const ended = await inTime(limit.admit({ isPoll }));
    admitted.push([name, clock.now()]);
    ended();
  };
  const polls = ["p0", "p1", "p2", "p3"].map((name) => send(name, true));
  const others = ["w0", "w1"].map((name) => send(name, false));
  await clock.until(Promise.all([...polls, ...others]));
  expect(Object.fromEntries(admitted)).toEqual({ p0: 0, p1: 500, p2: 1000, p3: 1500, w0: 0, w1: 0 });
});

test("a poll after a pause goes at once, and does not make up for the time without polls", async () => {
  const clock = new EventClock(0);
  const limit = new RequestLimit(4, 1000, clock);
  const polls = async () => {
    const admitted = [1, 2].map(async () => {
      (await inTime(limit.admit({ isPoll: true })))();
      return clock.now();
    });
    return Promise.all(admitted);
  };
  expect(await clock.until(polls())).toEqual([0, 500]);
  await clock.until(clock.sleep(9500));
  expect(await clock.until(polls())).toEqual([10_000, 10_500]);
});

test("a last poll, which is due at the end of its wait, is sent though another one went just before", async () => {
  const clock = new EventClock(0);
  const limit = new RequestLimit(1000, 10_000, clock);
  const until = clock.now();
  const at = [1, 2, 3].map(async () => {
    (await inTime(limit.admit({ isPoll: true, until })))();
    return clock.now();
  });
  expect(await clock.until(Promise.all(at))).toEqual([0, 20, 40]);
});

test("a limit of one poll means one in a window", async () => {
  const clock = new EventClock(0);
  const limit = new RequestLimit(1, 1000, clock);
  const at = [1, 2].map(async () => {
    (await inTime(limit.admit({ isPoll: true })))();
    return clock.now();
  });
  expect(await clock.until(Promise.all(at))).toEqual([0, 1000]);
});

describe("a refusal", () => {
  let clock: EventClock;
  let window: SlidingWindow;
  beforeEach(() => {
    clock = new EventClock(0);
    window = new SlidingWindow(80, 1000, clock);
  });

  test("lowers the limit to what passed in the window before it, one burst once", async () => {
    const burst = await Promise.all(Array.from({ length: 50 }, () => inTime(window.admit())));
    burst.forEach((ended, index) => (index < 30 ? ended() : ended(10)));
    expect(window.allowed).toBe(30);
  });

  test("slows the polls too: they get half of what is left", async () => {
    const limit = new RequestLimit(80, 1000, clock);
    (await inTime(limit.admit({ isPoll: false })))(500);
    const polls = [1, 2, 3].map(() =>
      inTime(limit.admit({ isPoll: true })).then((ended) => {
        ended();
        return clock.now();
      }),
    );
    expect(await clock.until(Promise.all(polls))).toEqual([500, 700, 900]);
  });

  test("lets requests that were sent before go first, the earliest of them first", async () => {
    (await inTime(window.admit()))(1000);
    const order: string[] = [];
    const asked = ([["new"], ["late", 20], ["early", 10]] as const).map(async ([name, firstSent]) => {
      await inTime(window.admit({ firstSent }));
      order.push(name);
    });
    await clock.until(Promise.all(asked));
    expect(order).toEqual(["early", "late", "new"]);
  });

  test.each<[what: string, until: number | undefined, heldMs: number]>([
    ["that must be done before the refusal is over", 1999, 2000],
    ["to a platform that refuses everything for two minutes", undefined, 120_000],
  ])("is reported at once to a request %s", async (_what, until, heldMs) => {
    (await inTime(window.admit()))(heldMs);
    expect(await clock.until(window.admit({ until }))).toBeUndefined();
    expect(clock.now()).toBe(0);
  });
});

test("no more are under way than there are sockets, whatever the limit", async () => {
  const clock = new EventClock(0);
  const limit = new RequestLimit(1000, 1000, clock);
  let [underWay, most] = [0, 0];
  const one = async () => {
    const ended = await inTime(limit.admit({ isPoll: false }));
    most = Math.max(most, ++underWay);
    await clock.sleep(10);
    underWay -= 1;
    ended();
  };
  await clock.until(Promise.all(Array.from({ length: 200 }, one)));
  expect([most, clock.now()]).toEqual([64, 40]);
});

test.each([
  ["has begun", true],
  ["begins while both wait for their turns", false],
])(
  "a poll whose deadline is sooner does not sleep behind one that waits for a long hold to end: it %s",
  async (_when, hasBegun) => {
    const clock = new EventClock(0);
    const limit = new RequestLimit(1000, 10_000, clock);
    const refused = await inTime(limit.admit({ isPoll: true }));
    if (hasBegun) refused(500_000);
    void limit.admit({ isPoll: true });
    const sooner = limit.admit({ isPoll: true, until: 60_000 });
    if (!hasBegun) refused(500_000);
    expect(await clock.until(sooner)).toBeUndefined();
    expect(clock.now()).toBeLessThanOrEqual(61_000);
  },
);
