import { z } from "zod";
import { AgentClient } from "../../provider/streaming/client";
import { hasTag, isFromNode, nodeOf, textOf, type RunEvent, type StreamMode } from "../../provider/streaming/events";
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

/** The two nodes of the first step run side by side, and what they put out may come in either order. */
const lines = (events: readonly RunEvent[]) => events.map(lineOf);
const sorted = (events: readonly RunEvent[]) => lines(events).sort();

describe("each mode of a real server", () => {
  test.each<[mode: StreamMode, why: string, expected: readonly string[]]>([
    [
      "values",
      "the whole state before the first step and after each",
      ["values ", "values chat,side", "values chat,side", "values chat,side,last"],
    ],
    [
      "updates",
      "one event a node, also of nodes of the same step",
      ["updates chat", "updates last", "updates side", "updates sub"],
    ],
    [
      "messages-tuple",
      "requested as messages-tuple, sent as messages; the model in the subgraph speaks too",
      Array.from("Hi catsok", (token) => `token ${token}`),
    ],
    [
      "debug",
      "begin and end of each node",
      ["chat", "last", "side", "sub"].flatMap((name) => [`task ${name}`, `task_result ${name}`]).sort(),
    ],
    [
      "custom",
      "as the graph's code wrote it, also in the subgraph",
      ['custom {"inner":true}', 'custom {"progress":0,"topic":"cats"}', 'custom {"progress":100}'],
    ],
  ])("%s: %s", async (streamMode, _why, expected) => {
    const { events, runId, error } = await outcomeOf(client().runs.stream({ ...cats, streamMode }));
    expect(error).toBeUndefined();
    expect(runId).toMatch(/^[0-9a-f-]{36}$/);
    expect(events.every(({ mode }) => mode === streamMode)).toBe(true);
    expect(sorted(events)).toEqual([...expected].sort());
  });

  test("events: everything, the models' tokens among it", async () => {
    const { events, error } = await outcomeOf(client().runs.stream({ ...cats, streamMode: "events" }));
    expect(error).toBeUndefined();
    const seen = lines(events);
    expect(seen[0]).toBe("on_chain_start LangGraph");
    expect(seen.filter((line) => line === "on_chat_model_stream FakeListChatModel")).toHaveLength("Hi catsok".length);
    for (const node of ["chat", "side", "sub", "inside", "last"]) {
      expect(seen).toEqual(expect.arrayContaining([`on_chain_start ${node}`, `on_chain_end ${node}`]));
    }
  });

  test("no mode requested: values, the server's default", async () => {
    const { events } = await outcomeOf(client().runs.stream(cats));
    expect(lines(events).at(-1)).toBe("values chat,side,last");
  });
});

describe("several modes at once", () => {
  test("with subgraphs: the namespace is the path to the graph that speaks", async () => {
    const streamMode = ["updates", "custom", "messages-tuple"] as const;
    const { events } = await outcomeOf(client().runs.stream({ ...cats, streamMode, streamSubgraphs: true }));
    const seen = lines(events);
    expect(seen.filter((line) => line.includes("updates")).sort()).toEqual([
      "sub>updates inside",
      "updates chat",
      "updates last",
      "updates side",
      "updates sub",
    ]);
    expect(seen).toContain("chat>token H");
    expect(seen.filter((line) => line.startsWith("sub>inside>"))).toEqual(
      expect.arrayContaining(["sub>inside>token o", "sub>inside>token k"]),
    );
    const deep = events.find((event) => event.mode === "messages-tuple" && event.namespace.length === 2);
    expect(deep?.namespace).toEqual([
      expect.stringMatching(/^sub:[0-9a-f-]{36}$/),
      expect.stringMatching(/^inside:[0-9a-f-]{36}$/),
    ]);
  });

  test("unrequested events come as other, and are not lost: this server sends checkpoints", async () => {
    const stream = client().runs.stream({ ...cats, streamMode: "updates", streamSubgraphs: true });
    const withValues = client().runs.stream({ ...cats, streamMode: "values", streamSubgraphs: true });
    expect((await outcomeOf(stream)).events.filter(({ mode }) => mode === "other")).toEqual([]);
    const { events, error } = await outcomeOf(withValues);
    expect(error).toBeUndefined();
    expect(new Set(lines(events).filter((line) => line.includes("other")))).toEqual(
      new Set(["other checkpoints", "sub>other checkpoints"]),
    );
    expect(
      lines(events)
        .filter((line) => line.includes("values "))
        .at(-1),
    ).toBe("values chat,side,last");
  });
});

test("tokens are told apart by tag and by node, under the name that real servers give it", async () => {
  const { events } = await outcomeOf(client().runs.stream({ ...cats, streamMode: "messages-tuple" }));
  const said = (which: (event: RunEvent) => boolean) =>
    events.map((event) => (event.mode === "messages-tuple" && which(event) ? textOf(event.data[0]) : "")).join("");
  expect({
    tagged: said((event) => hasTag(event, "greet")),
    untagged: said((event) => !hasTag(event, "greet")),
    chat: said((event) => isFromNode(event, "chat")),
    inside: said((event) => isFromNode(event, "inside")),
    side: said((event) => isFromNode(event, "side")),
  }).toEqual({ tagged: "Hi cats", untagged: "ok", chat: "Hi cats", inside: "ok", side: "" });
  const nodes = events.map((event) => (event.mode === "messages-tuple" ? nodeOf(event.data[1]) : undefined));
  expect(new Set(nodes)).toEqual(new Set(["chat", "inside"]));
});

describe("threads", () => {
  test("keep what their runs put out; a run without a thread begins anew", async () => {
    const { threadId } = await client().threads.create({ metadata: { team: "a" } });
    const last = async (topic: string) => {
      const { events } = await outcomeOf(client().threads.stream(threadId, { ...cats, input: { topic } }));
      return lines(events).at(-1);
    };
    expect(await last("one")).toBe("values chat,side,last");
    expect(await last("two")).toBe("values chat,side,last,chat,side,last");
    expect(lines((await outcomeOf(client().runs.stream(cats))).events).at(-1)).toBe("values chat,side,last");
  });
});

describe("a run that fails", () => {
  test.each<[why: string, assistantId: string, input: { topic: string; fail?: string }, before: string[], RegExp]>([
    ["at once: nothing but the first state came before", "boom", { topic: "x" }, ["values "], /TypeError: boom$/],
    [
      "in its last node: all that came before was yielded",
      "agent",
      { topic: "x", fail: "why" },
      ["values ", "values chat,side", "values chat,side"],
      /Error: told to fail: why$/,
    ],
  ])("%s", async (_why, assistantId, input, before, expected) => {
    const { events, error, runId } = await outcomeOf(client().runs.stream({ assistantId, input }));
    expect(lines(events)).toEqual(before);
    expect(error).toMatch(expected);
    expect(error).toContain(`RunError: run ${runId ?? ""} failed: `);
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
  test.each<[why: string, streamMode: StreamMode | undefined, expected: readonly string[]]>([
    ["in no mode: all that it streams, to its end", undefined, [...custom, ...updates]],
    ["in one: that alone, although this server sends the others all the same", "updates", updates],
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
});
