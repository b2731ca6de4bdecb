import { getEventListeners } from "node:events";
import { ManualClock } from "../../emulator";
import { FakeClock } from "../../tests/support/fake-clock";
import { AgentPlatformError } from "../base/errors";
import { PluginRun } from "./run";

test("a call gets its deadline from the engine's timeout, and none without one", () => {
  const clock = new FakeClock(new ManualClock(1000));
  const run = new PluginRun(clock);
  expect(run.call("urn", 90)).toEqual({ urn: "urn", deadline: 91_000 });
  expect(run.call("urn").deadline).toBeUndefined();
  expect(run.call("urn", 0).deadline).toBeUndefined();
});

test("a cancelled run aborts its calls with a reason to show", () => {
  const run = new PluginRun(new FakeClock());
  const { signal } = run;
  run.cancel();
  expect(signal.aborted).toBe(true);
  expect(String(signal.reason)).toContain("the run was cancelled");
});

test("a run has ended once every call is answered, failed ones too", async () => {
  const run = new PluginRun(new FakeClock());
  await run.ended();
  let finish: () => void = () => undefined;
  let fail = finish;
  const first = run.track(new Promise<void>((resolve) => (finish = resolve)));
  const second = run.track(new Promise<void>((_, reject) => (fail = () => reject(new Error("no")))));
  let hasEnded = false;
  const ended = run.ended().then(() => (hasEnded = true));
  finish();
  await first;
  expect(hasEnded).toBe(false);
  fail();
  await expect(second).rejects.toThrow("no");
  await ended;
  expect(hasEnded).toBe(true);
});

test("a component ends with its parts, and with the run even if they do not", async () => {
  const run = new PluginRun(new FakeClock());
  expect(await run.ofParts(Promise.resolve("made"))).toBe("made");
  for (let more = 0; more < 20; more += 1) void run.ofParts(Promise.resolve());
  expect(getEventListeners(run.signal, "abort")).toHaveLength(1);
  const unanswered = run.track(run.ofParts(new Promise(() => undefined)));
  run.cancel();
  await expect(unanswered).rejects.toThrow("a part of it failed, or the run was cancelled");
  await run.ended();
});

test("an advice is given once in a run, and each error says the rest", () => {
  const run = new PluginRun(new FakeClock());
  const failed = (name: string, advice?: string) => run.tell(new AgentPlatformError(`${name}: refused`, { advice }));
  expect([failed("a", "Set the key"), failed("b", "Set the key"), failed("c", "Wait"), failed("d")]).toEqual([
    "a: refused. Set the key",
    "b: refused.",
    "c: refused. Wait",
    "d: refused",
  ]);
  expect(run.tell(new Error("other"))).toBe("other");
});

describe("what a program registered is known at its end, at which the engine cancels it", () => {
  const resource = { kind: "Deployment", urn: "urn", inputs: { name: "agent" } };
  const run = (): PluginRun => {
    const started = new PluginRun(new FakeClock());
    started.register(resource);
    return started;
  };

  test("with its last id: a replacement ends with another one than it began with", () => {
    const replacing = run();
    replacing.identify("urn", "old", {});
    replacing.identify("urn", "new", { name: "agent" });
    replacing.identify("never-registered", "x", {});
    replacing.cancel();
    expect(replacing.registered()).toEqual([{ ...resource, id: "new", outputs: { name: "agent" } }]);
  });

  test.each<[string, (of: PluginRun) => unknown]>([
    ["a call failed", (of) => of.track(Promise.reject(new Error("no"))).catch(() => undefined)],
    ["a check found mistakes", (of) => of.fail()],
    [
      "it was cancelled during a call",
      (of) => {
        void of.track(new Promise(() => undefined));
        of.cancel();
      },
    ],
  ])("and not where the rest of the program may be missing: %s", async (_what, cut) => {
    const failing = run();
    await cut(failing);
    expect(failing.registered()).toBeUndefined();
  });
});
