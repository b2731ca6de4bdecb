import { z } from "zod";
import { AgentClient } from "../../provider/streaming/client";
import type { StreamMode } from "../../provider/streaming/events";
import { startAgentServer, type AgentServer } from "../agent-server/server";
import { lineOf, outcomeOf } from "./outcome";

let server: AgentServer;
beforeAll(async () => {
  server = await startAgentServer();
});
afterAll(() => server.close());

const client = () => new AgentClient({ url: server.url });
const cats = { assistantId: "agent", input: { topic: "cats" } } as const;
const unknownId = "00000000-0000-4000-8000-000000000000";

describe("with a key", () => {
  let guarded: AgentServer;
  beforeAll(async () => {
    guarded = await startAgentServer({ auth: true });
  });
  afterAll(() => guarded.close());

  test.each([
    ["the right one opens", "good-key", undefined],
    [
      "a wrong one is refused, and not shown",
      "canary-key",
      "HttpError: POST /runs/stream answered 401: Invalid API key",
    ],
    ["none at all is refused", undefined, "HttpError: POST /runs/stream answered 401: Invalid API key"],
  ])("%s", async (_why, apiKey, expected) => {
    const { error } = await outcomeOf(new AgentClient({ url: guarded.url, apiKey }).runs.stream(cats));
    expect(error).toBe(expected);
  });

  test("the probe does so too: a 401 shows that a server is there", async () => {
    await new AgentClient({ url: guarded.url, apiKey: "good-key" }).ok();
    const refused = new AgentClient({ url: guarded.url, apiKey: "canary-key" }).ok();
    await expect(refused).rejects.toThrow(/^GET \/ok answered 401: Invalid API key$/);
  });

  test("threads ask for it as well", async () => {
    await expect(new AgentClient({ url: guarded.url }).threads.create()).rejects.toThrow(
      /POST \/threads answered 401: Invalid API key/,
    );
    const { threadId } = await new AgentClient({ url: guarded.url, apiKey: "good-key" }).threads.create();
    expect(threadId).toMatch(/^[0-9a-f-]{36}$/);
  });
});

const Run = z.object({ run_id: z.string(), status: z.string() });

/** A plain request, for endpoints that this client has no method for. */
async function ask(path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(
    `${server.url}${path}`,
    body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  );
  return response.json();
}

describe("joining", () => {
  /** A run that goes on in the background. */
  async function background(delayMs: number): Promise<{ threadId: string; runId: string }> {
    const { threadId } = await client().threads.create();
    const started = await ask(`/threads/${threadId}/runs`, {
      assistant_id: "agent",
      input: { topic: "cats", delay_ms: delayMs },
      stream_mode: ["updates", "custom"],
    });
    return { threadId, runId: Run.parse(started).run_id };
  }

  const updates = ["updates chat", "updates last", "updates side", "updates sub"];
  const custom = ['custom {"inner":true}', 'custom {"progress":0,"topic":"cats"}', 'custom {"progress":100}'];
  test.each<[why: string, streamMode: StreamMode | StreamMode[] | undefined, expected: readonly string[]]>([
    ["in no mode: all that it streams, to its end", undefined, [...custom, ...updates]],
    ["in one: that alone, although this server sends the others all the same", "updates", updates],
    ["in several: those", ["updates", "custom"], [...custom, ...updates]],
    ["in one that it does not stream: nothing", "debug", []],
  ])("an active run, %s", async (_why, streamMode, expected) => {
    const { threadId, runId } = await background(1000);
    const outcome = await outcomeOf(client().runs.join(threadId, runId, { streamMode }));
    expect(outcome).toMatchObject({ runId, error: undefined });
    expect(outcome.events.map(lineOf).sort()).toEqual(expected);
  });

  test("a run that has ended: nothing, and no error", async () => {
    const { threadId, runId } = await background(0);
    await ask(`/threads/${threadId}/runs/${runId}/join`);
    await outcomeOf(client().runs.join(threadId, runId));
    expect(await outcomeOf(client().runs.join(threadId, runId))).toMatchObject({ events: [], error: undefined });
  });

  test("a run that does not exist: the run failed, although the status is 200", async () => {
    const { threadId } = await client().threads.create();
    const { error } = await outcomeOf(client().runs.join(threadId, unknownId));
    expect(error).toBe("RunError: run (unnamed) failed: Run not found");
  });
});

describe("leaving a run that is to end with its connection", () => {
  const slow = { assistantId: "agent", input: { topic: "cats", delay_ms: 20_000 }, streamMode: "custom" } as const;
  const leave = { ...slow, extra: { on_disconnect: "cancel" } } as const;

  /** The outcome of the run, asked once it has ended; by itself it ends well, after 20 seconds. */
  async function fate(threadId: string, runId: string | undefined): Promise<string> {
    await ask(`/threads/${threadId}/runs/${runId ?? ""}/join`);
    return Run.parse(await ask(`/threads/${threadId}/runs/${runId ?? ""}`)).status;
  }

  test("out of the loop: the server sees the connection go", async () => {
    const { threadId } = await client().threads.create();
    const stream = client().threads.stream(threadId, leave);
    for await (const event of stream) if (event.mode === "custom") break;
    expect(await fate(threadId, stream.run?.runId)).toBe("interrupted");
  });

  test("by the signal: its reason is thrown, and the server sees the connection go", async () => {
    const { threadId } = await client().threads.create();
    const controller = new AbortController();
    const stream = client().threads.stream(threadId, { ...leave, signal: controller.signal });
    const loop = (async () => {
      for await (const event of stream) if (event.mode === "custom") controller.abort(new Error("enough"));
    })();
    await expect(loop).rejects.toThrow("enough");
    expect(await fate(threadId, stream.run?.runId)).toBe("interrupted");
  });
});
