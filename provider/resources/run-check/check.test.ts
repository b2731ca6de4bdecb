import { createServer } from "node:http";
import { z } from "zod";
import { contextWith } from "../../../tests/support/context";
import { FakeClock } from "../../../tests/support/fake-clock";
import { CancelledError } from "../../base/errors";
import { check } from "./check";

const ASKED = { assistantId: "agent", apiKey: "own", input: {} };

test("a run that is cancelled between two attempts says which agent has not answered, and that nothing was started", async () => {
  const run = new AbortController();
  const clock = new FakeClock(undefined, () => run.abort());
  const context = contextWith({ clock, signal: run.signal });
  // Nobody listens on the port of TCPMUX.
  await expect(check(context, { ...ASKED, url: "http://127.0.0.1:1" })).rejects.toThrow(
    /^assistant "agent" at http:\/\/127\.0\.0\.1:1 does not answer: .*; the run was cancelled \(tried 1 times in \d+s\)\. No run was started\. The next `pulumi up` asks again$/,
  );
});

test.each([
  [
    "before the agent has answered",
    "/ok",
    /^assistant "agent" at \S+ was not asked: the run was cancelled\. No run was started\. The next `pulumi up` asks again$/,
  ],
  [
    "during the run",
    "/runs/stream",
    /^the run of assistant "agent" at \S+ did not pass after \S+: the run was cancelled\nThe next `pulumi up` runs it again\.$/,
  ],
])("a check that is cancelled %s asks for no correction", async (_when, last, message) => {
  const run = new AbortController();
  const server = createServer(({ url }, answer) => (url === last ? run.abort(new CancelledError()) : answer.end("{}")));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const context = contextWith({ signal: run.signal });
    await expect(check(context, { ...ASKED, url: `http://127.0.0.1:${port}` })).rejects.toThrow(message);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
