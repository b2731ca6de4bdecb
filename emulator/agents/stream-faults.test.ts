import { ManualClock } from "../base/clock";

import {
  agentUnderTest,
  endless,
  eventsOf,
  floods,
  hello,
  namesOf,
  RawRequest,
  slow,
  until,
  type AgentUnderTest,
} from "../../tests/support/agent-under-test";
import type { EmulatorOptions } from "../start";

const started = (options: EmulatorOptions = {}): Promise<AgentUnderTest> =>
  agentUnderTest({ graphs: floods, ...options });

/** The payload of chunks, as far as they came. */
function unchunked(body: string): string {
  const [, size, rest = ""] = /^([0-9a-f]+)\r\n(.*)$/s.exec(body) ?? [];
  if (size === undefined) return "";
  const length = parseInt(size, 16);
  return rest.slice(0, length) + unchunked(rest.slice(length + 2));
}

const where = { path: "/agents/*/runs/stream" } as const;
const answerTo = async (agent: AgentUnderTest, body: unknown = hello) => agent.post("/runs/stream", body);

test.each([
  ["status", { kind: "status", status: 503 }],
  ["status once the run has begun", { kind: "status", status: 503, phase: "after-commit" }],
] as const)("%s", async (_reason, fault) => {
  const clock = new ManualClock();
  const agent = await started({ clock, faults: [{ ...fault, ...where, count: 1 }] });
  expect((await answerTo(agent, slow)).status).toBe(503);
  // A stream that can no longer be read has ended.
  await until(() => clock.waiting === 0);
  expect((await answerTo(agent)).status).toBe(200);
});

test.each(["reset-before-commit", "reset-after-commit"] as const)("%s", async (kind) => {
  const clock = new ManualClock();
  const agent = await started({ clock, faults: [{ kind, ...where }] });
  await expect(answerTo(agent, slow)).rejects.toThrow();
  await until(() => clock.waiting === 0);
});

test("html, empty-body and wrong-content-type", async () => {
  const agent = await started();
  const seen = [];
  for (const kind of ["html", "empty-body", "wrong-content-type"] as const) {
    agent.emulator.faults.add({ kind, ...where, count: 1 });
    const answer = await answerTo(agent);
    seen.push([answer.status, answer.headers.get("content-type"), (await answer.text()).slice(0, 15)]);
  }
  expect(seen).toEqual([
    [200, "text/html; charset=utf-8", "<!DOCTYPE html>"],
    [200, "text/event-stream; charset=utf-8", ""],
    [200, "text/plain", "event: metadata"],
  ]);
});

test.each([0, 1, 100])("truncated-json cuts the connection after %i bytes", async (after) => {
  const agent = await started({ faults: [{ kind: "truncated-json", after, ...where }] });
  const raw = new RawRequest(agent, "/runs/stream", endless);
  await new Promise((resolve) => raw.socket.once("close", resolve));
  const [, body = ""] = raw.text.split(/\r\n\r\n(.*)/s);
  expect(unchunked(body)).toHaveLength(after);
  expect(raw.text).not.toContain("\r\n0\r\n\r\n");
  await expect(answerTo(agent, endless).then((answer) => answer.text())).rejects.toThrow();
});

test("malformed-json ends the stream in the middle, as if it were whole", async () => {
  const agent = await started({ faults: [{ kind: "malformed-json", after: 100, ...where }] });
  expect(await (await answerTo(agent, endless)).text()).toHaveLength(100);
});

test("slow-body sends it in crumbs, and none is missing", async () => {
  const agent = await started({ faults: [{ kind: "slow-body", everyMs: 0, bytes: 7, ...where }] });
  expect(namesOf(await eventsOf(await answerTo(agent)))).toEqual(["metadata", "custom", "custom"]);
});

test("latency and hold come before it; a stale read never strikes it", async () => {
  const agent = await started({
    faults: [
      { kind: "stale-read", path: "/agents/**" },
      { kind: "latency", ms: 5, phase: "after-commit", ...where },
    ],
  });
  const hold = agent.emulator.faults.add({ kind: "hold", ...where });
  const answer = answerTo(agent);
  await hold.reached;
  hold.release();
  expect(namesOf(await eventsOf(await answer))).toEqual(["metadata", "custom", "custom"]);
  const thread = await agent.thread();
  const run = await agent.background(thread, hello);
  expect((await agent.get(`/threads/${thread}/runs/${run}/stream`)).status).toBe(200);
  expect(agent.emulator.requests.at(-1)?.fault).toBeNull();
});
