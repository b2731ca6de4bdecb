import { ManualClock, realClock } from "./clock";

describe("the manual clock", () => {
  test("calls each timer that is due on its way, earliest first, at the time when it was due", () => {
    const clock = new ManualClock(0);
    const seen: string[] = [];
    clock.after(20, () => seen.push(`later at ${clock.now()}`));
    clock.after(10, () => {
      seen.push(`sooner at ${clock.now()}`);
      clock.after(5, () => seen.push(`set on the way at ${clock.now()}`));
    });
    clock.after(31, () => seen.push("never"));
    clock.advance(30);
    expect(seen).toEqual(["sooner at 10", "set on the way at 15", "later at 20"]);
    expect([clock.now(), clock.waiting]).toEqual([30, 1]);
  });

  test("does not call a timer that was taken back", () => {
    const clock = new ManualClock(0);
    const seen: string[] = [];
    clock.after(10, () => seen.push("called"))();
    clock.advance(20);
    expect(seen).toEqual([]);
  });
});

test("the machine's clock calls once, and not at all when taken back", async () => {
  const seen: string[] = [];
  realClock.after(1, () => seen.push("taken back"))();
  await new Promise<void>((resolve) => void realClock.after(5, resolve));
  expect(seen).toEqual([]);
});

test("the machine's clock takes a time longer than any timer for one that never comes", async () => {
  const seen: string[] = [];
  const stop = realClock.after(2 ** 31, () => seen.push("called"));
  await new Promise<void>((resolve) => void realClock.after(5, resolve));
  stop();
  expect(seen).toEqual([]);
});
