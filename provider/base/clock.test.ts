import { realClock } from "./clock";

afterEach(() => {
  jest.restoreAllMocks();
});

test("now is the time of the wall clock when the process started, and goes on from there", () => {
  expect(Math.abs(realClock.now() - Date.now())).toBeLessThan(60_000);
});

test.each([
  ["back", -3_600_000],
  ["ahead", 3_600_000],
])("a wall clock that is set %s by an hour changes no duration", (_direction, milliseconds) => {
  const before = realClock.now();
  const set = Date.now() + milliseconds;
  jest.spyOn(Date, "now").mockReturnValue(set);
  const passed = realClock.now() - before;
  expect(passed).toBeGreaterThanOrEqual(0);
  expect(passed).toBeLessThan(60_000);
});
