/** Lets no time-out of this process pass by itself: `jest.advanceTimersByTime` does. Everything else goes on, such as requests. */
export function fakeTimeouts(): void {
  const others = [
    "Date",
    "hrtime",
    "nextTick",
    "performance",
    "queueMicrotask",
    "setImmediate",
    "clearImmediate",
  ] as const;
  jest.useFakeTimers({ doNotFake: [...others, "setInterval", "clearInterval"] });
}
