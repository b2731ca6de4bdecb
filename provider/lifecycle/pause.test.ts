import * as fc from "fast-check";
import { pauseAfter, pauseAlone, pauseOfDeletion } from "./pause";

const MINUTE = 60_000;

test.each([
  ["at once, the shortest", { ageMs: 0 }, 250],
  ["nothing known: a share of the age", { ageMs: MINUTE }, 2100],
  ["an hour old: the longest", { ageMs: 60 * MINUTE }, 15_000],
  ["the last step: a smaller share", { ageMs: MINUTE, isEnding: true }, 1200],
  ["far from the end: a larger share", { ageMs: MINUTE, expectedMs: 10 * MINUTE }, 3600],
  ["far from the end of something long, also at once", { ageMs: 0, expectedMs: 10 * MINUTE }, 3000],
  ["no further than where the end may be", { ageMs: 69_500, expectedMs: 100_000 }, 500],
  ["where the end may be: a smaller share", { ageMs: 70_000, expectedMs: 100_000 }, 1400],
  ["longer than ever before: as where nothing is known", { ageMs: 140_000, expectedMs: 100_000 }, 4900],
  ["the last step, earlier than expected", { ageMs: MINUTE, expectedMs: 10 * MINUTE, isEnding: true }, 1200],
])("%s", (_, known, pause) => expect(pauseAfter(known, 0.5)).toBe(pause));

test.each([
  ["shorter than its own", 2000, 2000],
  ["longer than the usual one", 60_000, 42_000],
])("the longest pause can be set: %s", (_, longestMs, pause) =>
  expect(pauseAfter({ ageMs: 20 * MINUTE }, 0.5, longestMs)).toBe(pause),
);

test("differs from wait to wait by 15 %", () =>
  expect([pauseAfter({ ageMs: MINUTE }, 0), pauseAfter({ ageMs: MINUTE }, 1)]).toEqual([1785, 2415]));

test("whatever is known, right or wrong: at least 250 ms less jitter, and never more than 7 % of the age, 1 % of what was expected, or 288 ms", () =>
  fc.assert(
    fc.property(
      fc.record({
        ageMs: fc.integer({ min: 0, max: 24 * 60 * MINUTE }),
        expectedMs: fc.option(fc.integer({ min: 0, max: 24 * 60 * MINUTE }), { nil: undefined }),
        isEnding: fc.boolean(),
      }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (known, random) => {
        const pause = pauseAfter(known, random);
        expect(pause).toBeGreaterThanOrEqual(212);
        expect(pause).toBeLessThanOrEqual(Math.max(288, 0.07 * known.ageMs, 0.01 * (known.expectedMs ?? 0)));
      },
    ),
  ));

test.each([
  ["at once, the shortest: a deletion takes seconds", 0, 1000],
  ["a third of the time since", 9000, 3000],
  ["after minutes, the longest", 2 * MINUTE, 5000],
])("a deletion, %s", (_, sinceMs, pause) => expect(pauseOfDeletion(sinceMs, 0.5)).toBe(pause));

test("a deletion is looked at four times in its first 5 s", () => {
  const at: number[] = [];
  for (let since = 1000; since <= 5000; since += pauseOfDeletion(since, 0.5)) at.push(since);
  expect(at).toHaveLength(4);
});

test.each([
  ["young: every 2.5 s, so that a failure at the beginning is seen soon", 0, 2500],
  ["then its age", 6000, 6000],
  ["and every 15 s at least", 10 * MINUTE, 15_000],
])("what lists do not show is looked at alone, %s", (_, ageMs, pause) => expect(pauseAlone(ageMs)).toBe(pause));
