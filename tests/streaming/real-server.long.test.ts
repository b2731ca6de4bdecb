import { AgentClient } from "../../provider/streaming/client";
import { hasTag, isFromNode, nodeOf, textOf, type RunEvent, type StreamMode } from "../../provider/streaming/events";
import { startAgentServer, type AgentServer } from "../agent-server/server";
import { lineOf, outcomeOf, type Outcome } from "./outcome";

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
  test("each event says its mode, and each mode streams the same as alone", async () => {
    const streamMode = ["values", "updates", "custom", "messages-tuple"] as const;
    const { events, error } = await outcomeOf(client().runs.stream({ ...cats, streamMode }));
    expect(error).toBeUndefined();
    const counted = Object.fromEntries(
      streamMode.map((mode) => [mode, events.filter((event) => event.mode === mode).length]),
    );
    expect(counted).toEqual({ values: 4, updates: 4, custom: 3, "messages-tuple": 9 });
    expect(events).toHaveLength(20);
  });

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

  test("pass on everything that the server says about them", async () => {
    const { threadId, fields } = await client().threads.create({ metadata: { team: "a" } });
    expect(fields).toMatchObject({ thread_id: threadId, status: "idle", metadata: { team: "a" } });
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

describe("a refusal: an HttpError with the server's own words", () => {
  test.each<[why: string, refused: () => Promise<Outcome>, message: RegExp]>([
    [
      "an assistant that is not deployed",
      () => outcomeOf(client().runs.stream({ assistantId: "nobody" })),
      /^HttpError: POST \/runs\/stream answered 404: No assistant found for "nobody"/,
    ],
    [
      "an unknown assistant id",
      () => outcomeOf(client().runs.stream({ assistantId: unknownId })),
      /^HttpError: POST \/runs\/stream answered 404: No assistant found/,
    ],
    [
      "an unknown thread; this server takes it for a busy one",
      () => outcomeOf(client().threads.stream(unknownId, cats)),
      /^HttpError: POST \/threads\/0{8}-\S+\/runs\/stream answered 422: Thread is already running/,
    ],
    [
      "an id that is not a UUID",
      () => outcomeOf(client().threads.stream("mine", cats)),
      /^HttpError: POST \/threads\/mine\/runs\/stream answered 400: .*Invalid uuid/,
    ],
    [
      "a field that this client does not know, with a value that the server does not",
      () => outcomeOf(client().runs.stream({ ...cats, extra: { multitask_strategy: "hope" } })),
      /^HttpError: POST \/runs\/stream answered 400: .*multitask_strategy/,
    ],
    [
      "a mode that the server does not know, in a further field, which the requested mode does not replace",
      () => outcomeOf(client().runs.stream({ ...cats, extra: { stream_mode: "tokens" } })),
      /^HttpError: POST \/runs\/stream answered 400: .*stream_mode/,
    ],
    [
      "a url that is not the agent's",
      () => outcomeOf(new AgentClient({ url: `${server.url}/elsewhere` }).runs.stream(cats)),
      /^HttpError: POST \/runs\/stream answered 404: /,
    ],
  ])("%s", async (_why, refused, message) => {
    const { events, error } = await refused();
    expect(events).toEqual([]);
    expect(error).toMatch(message);
  });
});
