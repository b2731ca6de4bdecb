import { EventClock } from "../../tests/support/event-clock";
import { SharedLooks, type Look } from "./shared-looks";

const MINUTE = 60_000;

/** Looks that are shared, on a clock of their own; what was asked for together, and what alone. */
function start(most = 100, answerMs = 50) {
  const clock = new EventClock(0);
  const asked: { readonly at: number; readonly ids: readonly string[]; readonly until: number }[] = [];
  const alone: { readonly at: number; readonly id: string }[] = [];
  let failure: Error | undefined;
  const looks = new SharedLooks<string>(clock, most, async (ids, until) => {
    asked.push({ at: clock.now(), ids, until });
    await clock.sleep(answerMs);
    if (failure !== undefined) throw failure;
    return (id) => `news of ${id}`;
  });
  const next = async (id: string, over: Partial<Look<string>> = {}) => {
    const times = { pauseMs: 1000, nextPauseMs: () => 1000, aloneInMs: Infinity, until: 30 * MINUTE };
    const news = await looks.next({ id, ...times, isNew: () => true, ...over });
    if (news === undefined) alone.push({ at: clock.now(), id });
    return news;
  };
  const fail = (error: Error | undefined) => (failure = error);
  return { clock, asked, alone, looks, next, fail };
}

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `d${n}`);

test("looks that are due at the same time are one request", async () => {
  const { clock, asked, next } = start();
  const news = await clock.until(Promise.all(names(40).map((id) => next(id))));
  expect(news).toEqual(names(40).map((id) => `news of ${id}`));
  expect(asked).toEqual([{ at: 1000, ids: names(40), until: 30 * MINUTE }]);
});

test("one that has rested for half of its pause goes with the one that is due; one that has not waits on", async () => {
  const { clock, asked, next } = start();
  const all = [next("due", { pauseMs: 1000 }), next("near", { pauseMs: 2000 }), next("far", { pauseMs: 2001 })];
  await clock.until(Promise.all(all));
  expect(asked).toMatchObject([{ at: 1000, ids: ["due", "near"] }]);
});

test("a request has no more ids than it may have, and those that are due first", async () => {
  const { clock, asked, next } = start(3);
  const all = names(5).map((id, n) => next(id, { pauseMs: 1000 - 100 * n }));
  await clock.until(Promise.all(all));
  expect(asked).toMatchObject([{ at: 600, ids: ["d4", "d3", "d2"] }, { ids: ["d1", "d0"] }]);
});

test("two waits for one object are one id, and both are told", async () => {
  const { clock, asked, next } = start();
  expect(await clock.until(Promise.all([next("a"), next("a"), next("b")]))).toHaveLength(3);
  expect(asked).toMatchObject([{ ids: ["a", "b"] }]);
});

test("an answer that is nothing new to a wait leaves it at rest, for its next pause", async () => {
  const { clock, asked, alone, next } = start(100, 0);
  const isNew = () => clock.now() >= 6000;
  const news = next("a", { nextPauseMs: () => clock.now() / 2, isNew });
  await clock.until(Promise.all([news, next("b", { isNew, nextPauseMs: () => clock.now() / 2 })]));
  expect(asked.map(({ at }) => at)).toEqual([1000, 1500, 2250, 3375, 5062.5, 7593.75]);
  expect(alone).toEqual([]);
});

test("a look that would go by itself is the wait's own, at the time when it is due", async () => {
  const { clock, asked, alone, next } = start();
  await clock.until(Promise.all([next("a"), next("b", { pauseMs: 10_000 })]));
  expect(asked).toEqual([]);
  expect(alone).toEqual([
    { at: 1000, id: "a" },
    { at: 10_000, id: "b" },
  ]);
});

test("what is to be looked at alone is so in turn with the requests for many", async () => {
  const { clock, asked, alone, next } = start(100, 0);
  const wait = async (id: string) => {
    let aloneAt = 0;
    while (clock.now() < MINUTE) {
      const news = await next(id, { pauseMs: 250, aloneInMs: aloneAt - clock.now() });
      if (news === undefined) aloneAt = clock.now() + 15_000;
    }
  };
  await clock.until(Promise.all(names(10).map(wait)));
  for (const id of names(10)) {
    const times = alone.filter((each) => each.id === id).map(({ at }) => at);
    expect(times.length).toBeGreaterThanOrEqual(4);
    times.slice(1).forEach((at, n) => expect(at - (times[n] ?? 0)).toBeLessThanOrEqual(20_000));
  }
  // Every 250 ms is one of the two.
  const gaps = asked.slice(1).map(({ at }, n) => at - (asked[n]?.at ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(500);
});

test("a thousand waits that want to look all the time send 50 requests in 10 s, and each is told every 6 s", async () => {
  const { clock, asked, alone, next } = start();
  const told = new Map<string, number[]>();
  const wait = async (id: string) => {
    while (clock.now() < MINUTE) {
      await next(id, { pauseMs: 250, aloneInMs: 0 });
      told.set(id, [...(told.get(id) ?? [0]), clock.now()]);
    }
  };
  await clock.until(Promise.all(names(1000).map(wait)));
  const sent = [...asked, ...alone].map(({ at }) => at).sort((one, other) => one - other);
  for (const at of sent) {
    expect(sent.filter((other) => other >= at && other < at + 10_000).length).toBeLessThanOrEqual(50);
  }
  for (const id of names(1000)) {
    const times = told.get(id) ?? [];
    times.slice(1).forEach((at, n) => expect(at - (times[n] ?? 0)).toBeLessThanOrEqual(6000));
  }
});

describe("a look ends", () => {
  test("with the error of its request, each by itself", async () => {
    const { clock, next, fail } = start();
    fail(new Error("the list failed"));
    const all = await clock.until(Promise.allSettled([next("a"), next("b")]));
    expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    fail(undefined);
    expect(await clock.until(Promise.all([next("a"), next("b")]))).toEqual(["news of a", "news of b"]);
  });

  test("at the end of its wait, by a look of its own, however many others are due", async () => {
    const { clock, alone, next } = start(1);
    const others = names(200).map((id) => next(id, { pauseMs: 0, aloneInMs: 0 }));
    const last = next("last", { pauseMs: 5000, until: 5000 });
    await clock.until(Promise.all([last, ...others]));
    expect(alone.find(({ id }) => id === "last")).toEqual({ id: "last", at: 5000 });
  });

  test("at once when its call is cancelled, and nothing of it is left", async () => {
    const { clock, asked, next } = start();
    const call = new AbortController();
    const cancelled = next("a", { pauseMs: 10 * MINUTE, signal: call.signal });
    const ended = cancelled.then(
      () => NaN,
      () => clock.now(),
    );
    void clock.sleep(3000).then(() => call.abort());
    expect(await clock.until(ended)).toBe(3000);
    await expect(next("b", { signal: AbortSignal.abort() })).rejects.toThrow("cancelled");
    await clock.until(Promise.all([next("c"), next("d")]));
    expect(asked).toMatchObject([{ ids: ["c", "d"] }]);
  });

  test("at once when its call is cancelled while it is asked for, although the answer says nothing new", async () => {
    const { clock, asked, next } = start(100, 5000);
    const call = new AbortController();
    const times = { isNew: () => false, until: 20_000 };
    const [one, other] = [next("a", { ...times, signal: call.signal }), next("b", times)];
    const ended = one.catch(() => clock.now());
    void clock.sleep(3000).then(() => call.abort());
    expect(await clock.until(ended)).toBe(3000);
    await clock.until(other);
    expect(asked).toMatchObject([{ ids: ["a", "b"] }]);
  });

  test("at once for all that are under way when they are left to their waits", async () => {
    const { clock, alone, looks, next } = start();
    const all = Promise.all(names(3).map((id) => next(id, { pauseMs: MINUTE })));
    void clock.sleep(2000).then(() => looks.release());
    await clock.until(all);
    expect(alone).toEqual(names(3).map((id) => ({ id, at: 2000 })));
  });
});

test("a request is given up when the first of its waits ends", async () => {
  const { clock, asked, next } = start();
  await clock.until(Promise.all([next("a", { until: 9000 }), next("b", { until: 5000 })]));
  expect(asked).toMatchObject([{ until: 5000 }]);
});

test("an earlier look wakes those that sleep for a later one", async () => {
  const { clock, alone, next } = start();
  const late = next("late", { pauseMs: MINUTE });
  await clock.until(next("early", { pauseMs: 500 }));
  await clock.until(late);
  expect(alone).toEqual([
    { id: "early", at: 500 },
    { id: "late", at: MINUTE },
  ]);
});
