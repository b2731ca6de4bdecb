import type { Context } from "../observe/context";
import { waitFor, type Outcome } from "./wait";
import { AgentPlatformError, messageOf } from "../../base/errors";
import { contextWith } from "../../../tests/support/context";
import { FakeClock } from "../../../tests/support/fake-clock";
import { showDuration } from "../../base/time";

const minutes = (n: number) => n * 60_000;

function wait(statuses: (nowMs: number) => string, limitMs: number, over?: (startMs: number) => Partial<Context>) {
  const clock = new FakeClock();
  const start = clock.now();
  const told: string[] = [];
  const result = waitFor<string, string>({
    poll: () => Promise.resolve(statuses(clock.now() - start)),
    condition: (status): Outcome<string> =>
      status === "DONE"
        ? { state: "done", result: status }
        : status === "BROKEN"
          ? { state: "failed", error: () => new AgentPlatformError("it broke") }
          : { state: "pending", status },
    limitMs,
    context: contextWith({ clock, ...over?.(start) }),
    onPending: (status) => told.push(status),
    timedOut: (status, waited) => new AgentPlatformError(`gave up at ${status} after ${showDuration(waited)}`),
    stopped: (problem, status, waited) =>
      new AgentPlatformError(`stopped at ${status} after ${showDuration(waited)}: ${messageOf(problem)}`),
  });
  return { result, told, waited: () => clock.now() - start };
}

describe("waitFor", () => {
  test("returns what the condition calls done, without a pause where it is done at once", async () => {
    const { result, waited } = wait(() => "DONE", minutes(1));
    expect(await result).toBe("DONE");
    expect(waited()).toBe(0);
  });

  test("throws what the condition calls failed", async () => {
    await expect(wait((now) => (now < 5000 ? "RUNNING" : "BROKEN"), minutes(1)).result).rejects.toThrow("it broke");
  });

  test("gives up at the deadline, not before and not after, and names the last status", async () => {
    const { result, waited } = wait(() => "STUCK", minutes(30));
    await expect(result).rejects.toThrow("gave up at STUCK after 30m");
    expect(waited()).toBe(minutes(30));
  });

  test("gives up at the call's deadline if that comes before its own", async () => {
    const { result, waited } = wait(
      () => "STUCK",
      minutes(30),
      (start) => ({ call: { deadline: start + minutes(2) } }),
    );
    await expect(result).rejects.toThrow("gave up at STUCK after 2m");
    expect(waited()).toBe(minutes(2));
  });

  test("ends at once when the call is cancelled, and says so", async () => {
    const run = new AbortController();
    const status = (now: number) => {
      if (now >= 5000) run.abort();
      return "BUILDING";
    };
    const { result, waited } = wait(status, minutes(30), () => ({ signal: run.signal }));
    await expect(result).rejects.toThrow(/^stopped at BUILDING after \ds: the run was cancelled$/);
    expect(waited()).toBeLessThan(6000);
  });

  test("reports every pending status", async () => {
    const { result, told } = wait((now) => (now < 200 ? "QUEUED" : now < 400 ? "BUILDING" : "DONE"), minutes(1));
    await result;
    expect(told).toEqual(["QUEUED", "BUILDING"]);
  });

  test.each([1, 10, 60, 600])("sees the end of a wait of %d s within 5 % or 300 ms", async (seconds) => {
    const { result, waited } = wait((now) => (now < seconds * 1000 ? "RUNNING" : "DONE"), minutes(30));
    await result;
    expect(waited() - seconds * 1000).toBeLessThanOrEqual(Math.max(300, seconds * 50));
  });
});

test.each([
  [999, "0s"],
  [95_000, "1m35s"],
  [1_800_000, "30m"],
  [5_400_000, "1h30m"],
  [7_200_000, "2h"],
])("%d ms reads %s", (milliseconds, expected) => expect(showDuration(milliseconds)).toBe(expected));
