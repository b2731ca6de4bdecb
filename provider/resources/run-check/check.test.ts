import { contextWith } from "../../../tests/support/context";
import { FakeClock } from "../../../tests/support/fake-clock";
import { check } from "./check";

test("a run that is cancelled between two attempts says which agent has not answered, and that nothing was started", async () => {
  const run = new AbortController();
  const clock = new FakeClock(undefined, () => run.abort());
  const context = contextWith({ clock, signal: run.signal });
  // Nobody listens on the port of TCPMUX.
  const asked = { assistantId: "agent", url: "http://127.0.0.1:1", apiKey: "own", input: {} };
  await expect(check(context, asked)).rejects.toThrow(
    /^assistant "agent" at http:\/\/127\.0\.0\.1:1 does not answer: .*; the run was cancelled \(tried 1 times in \d+s\)\. No run was started/,
  );
});
