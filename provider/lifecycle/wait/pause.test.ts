import * as fc from "fast-check";
import { pauseAfter } from "./wait";

const MINUTE = 60_000;

test.each<[why: string, ageMs: number, isEnding: boolean, pause: number]>([
  ["a share of the age", MINUTE, false, 1800],
  ["the last step: a smaller share", MINUTE, true, 1200],
])("%s", (_, ageMs, isEnding, pause) => expect(pauseAfter(ageMs, isEnding, 0.5)).toBe(pause));

test.each([
  ["shorter than its own", 2000, 2000],
  ["longer than the usual one", 60_000, 36_000],
])("the longest pause can be set: %s", (_, longestMs, pause) =>
  expect(pauseAfter(20 * MINUTE, false, 0.5, longestMs)).toBe(pause),
);

test("differs from wait to wait by 15 %", () =>
  expect([pauseAfter(MINUTE, false, 0), pauseAfter(MINUTE, false, 1)]).toEqual([1530, 2070]));

test("at least 250 ms less jitter, and never more than 3.5 % of the age, 15 s with jitter, or 288 ms", () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 24 * 60 * MINUTE }),
      fc.boolean(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (ageMs, isEnding, random) => {
        const pause = pauseAfter(ageMs, isEnding, random);
        expect(pause).toBeGreaterThanOrEqual(212);
        expect(pause).toBeLessThanOrEqual(Math.max(288, Math.min(0.035 * ageMs, 17_250)));
      },
    ),
  ));
