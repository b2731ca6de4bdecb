import { instantOf } from "./time";

const NOON = Date.UTC(2030, 5, 1, 12);

test("local time is not UTC in these tests: otherwise they would show nothing", () =>
  expect(new Date(NOON).getTimezoneOffset()).not.toBe(0));

test.each([
  ["2030-06-01T12:00:00Z", NOON],
  ["2030-06-01T12:00:00.250Z", NOON + 250],
  ["2030-06-01T14:00:00+02:00", NOON],
  ["2030-06-01T12:00:00.123456+00:00", NOON + 123],
  // Without a zone: the platform's UTC, not the zone of the machine that asks.
  ["2030-06-01T12:00:00", NOON],
  ["2030-06-01T12:00:00.250000", NOON + 250],
  ["2030-06-01 12:00:00", NOON],
  ["2030-06-01T12:00", NOON],
  ["Sat, 01 Jun 2030 12:00:00 GMT", NOON],
  ["2030-06-01", NOON - 12 * 3_600_000],
  ["yesterday", undefined],
  ["", undefined],
  [null, undefined],
  [undefined, undefined],
])("%j is %s", (text, expected) => expect(instantOf(text)).toBe(expected));
