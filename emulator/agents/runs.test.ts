import type { AgentUnderTest } from "../../tests/support/agent-under-test";
import { agentUnderTest, deployed, eventsOf, namesOf } from "../../tests/support/agent-under-test";
import { ManualClock } from "../base/clock";
import type { Graph } from "./graph";

const unknownId = "00000000-0000-4000-8000-000000000000";
const race: Graph = {
  channels: { topic: "last", log: "append" },
  steps: [
    {
      slow: { actions: [{ type: "delay", ms: 1000 }], update: { log: ["slow"] } },
      fast: { actions: [{ type: "throw", error: "ValueError", message: "first" }] },
    },
  ],
};

let agent: AgentUnderTest;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  agent = await agentUnderTest({ clock, graphs: { race } });
});

const hello = { assistant_id: "agent", input: { topic: "cats" } };
const modes: unknown = expect.stringMatching(/^body\.stream_mode\.[01]: Invalid option: expected one of "values"/);
describe("refusals, beside those of tests/streaming/recorded.test.ts", () => {
  test.each<[reason: string, path: string, body: unknown, status: number, detail: unknown]>([
    [
      "no assistant",
      "/runs/stream",
      { input: {} },
      422,
      "body.assistant_id: Invalid input: expected string, received undefined",
    ],
    ["an unknown mode", "/runs/stream", { ...hello, stream_mode: "bogus" }, 422, modes],
    ["an unknown thread in background", `/threads/${unknownId}/runs`, hello, 404, "Thread or assistant not found."],
  ])("%s", async (_reason, path, body, status, detail) => {
    const answer = await agent.post(path, body);
    expect([answer.status, await answer.json()]).toEqual([status, { detail }]);
  });
});

describe("a run that fails ends with an error event, with status 200", () => {
  test("nodes beside the failing one end with it: nothing waits for them", async () => {
    const events = await agent.run({ assistant_id: "race", stream_mode: "updates" });
    expect(events.slice(1)).toEqual([{ event: "error", data: { error: "ValueError", message: "first" } }]);
    // Nothing but the time of later requests could wake the slow one.
    expect(clock.waiting).toBe(0);
  });

  test("a revision with emulator-fail-graph in its image is DEPLOYED, and its graphs fail in their last node", async () => {
    const marked = await deployed(agent.emulator, "agent:emulator-fail-graph", "marked");
    const url = `${agent.emulator.url}/agents/${marked}/runs/stream`;
    const body = JSON.stringify({ ...hello, stream_mode: "updates" });
    const events = await eventsOf(await fetch(url, { method: "POST", headers: agent.headers(), body }));
    expect(namesOf(events)).toEqual(["metadata", "updates", "updates", "updates", "error"]);
    expect(events.at(-1)?.data).toEqual({ error: "RuntimeError", message: "told to fail: emulator-fail-graph" });
  });
});

describe("a thread", () => {
  test("keeps the state that a failed run reached; a stateless run changes no thread", async () => {
    const path = `/threads/${await agent.thread()}/runs/stream`;
    await eventsOf(await agent.post(path, { ...hello, input: { topic: "cats", fail: "why" } }));
    await agent.run({ input: { topic: "other" } });
    const events = await eventsOf(await agent.post(path, { ...hello, input: { fail: null } }));
    expect(events[1]?.data).toMatchObject({ topic: "cats", log: ["chat", "side"], inner: "ok" });
  });

  test("that is busy queues the next run, or refuses it with multitask_strategy reject", async () => {
    const thread = await agent.thread();
    const path = `/threads/${thread}/runs/stream`;
    await agent.background(thread, { input: { topic: "slow", delay_ms: 1000 } });
    const refused = await agent.post(path, { ...hello, multitask_strategy: "reject" });
    expect([refused.status, await refused.json()]).toEqual([
      409,
      {
        detail: "Thread is already running a task. Wait for it to finish or choose a different multitask strategy.",
      },
    ]);
    const queued = await agent.post(path, { ...hello, input: { topic: "next", delay_ms: 0 } });
    clock.advance(1000);
    expect((await eventsOf(queued)).at(-1)?.data).toMatchObject({
      messages: [{ content: "Hi slow" }, { content: "Hi next" }],
    });
  });

  test("that is busy is taken over with multitask_strategy interrupt", async () => {
    const thread = await agent.thread();
    await agent.background(thread, { input: { topic: "slow", delay_ms: 1000 } });
    const taken = await agent.post(`/threads/${thread}/runs/stream`, {
      assistant_id: "agent",
      input: { topic: "now", delay_ms: 0 },
      multitask_strategy: "interrupt",
    });
    expect((await eventsOf(taken)).at(-1)?.data).toMatchObject({ messages: [{ content: "Hi now" }] });
  });
});

describe("joining a background run", () => {
  const started = async (input: Record<string, unknown> = { topic: "dogs", delay_ms: 1000 }) => {
    const thread = await agent.thread();
    const run = await agent.background(thread, { input, stream_mode: ["updates", "custom"] });
    return { path: `/threads/${thread}/runs/${run}/stream`, thread, run };
  };

  test("gives every client the events after its join, and no metadata", async () => {
    const { path } = await started();
    const joined = [await agent.get(path), await agent.get(path)];
    clock.advance(1000);
    for (const answer of joined) {
      expect(namesOf(await eventsOf(answer))).toEqual(["custom", "updates", "updates", "updates"]);
    }
  });

  test.each([
    ["can be for one mode only", "stream_mode=updates", []],
    ["an empty mode, as the Python client sends it without one, is every mode", "stream_mode=", ["custom"]],
    ["of several modes the last one holds", "stream_mode=custom&stream_mode=updates", []],
  ])("%s", async (_reason, query, first) => {
    const { path } = await started();
    const joined = await agent.get(`${path}?${query}`);
    clock.advance(1000);
    expect(namesOf(await eventsOf(joined))).toEqual([...first, "updates", "updates", "updates"]);
  });

  test("after its end gives an empty stream", async () => {
    const { path, thread, run } = await started({ topic: "dogs" });
    await eventsOf(await agent.get(path));
    const answer = await agent.get(path);
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
      "",
    ]);
    expect(answer.headers.get("content-location")).toBe(`/threads/${thread}/runs/${run}`);
  });

  test.each([
    ["an unknown run", async () => `/threads/${await agent.thread()}/runs/${unknownId}/stream`],
    ["one of an unknown thread", async () => (await started()).path.replace(/threads\/[^/]+/, `threads/${unknownId}`)],
  ])("%s gives an error event, with status 200", async (_reason, path) => {
    const answer = await agent.get(await path());
    const error = { error: "HTTPException", message: "404: Run not found" };
    expect([answer.status, await eventsOf(answer)]).toEqual([200, [{ event: "error", data: error }]]);
  });
});
