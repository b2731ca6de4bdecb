import { z } from "zod";
import {
  agentUnderTest,
  eventsOf,
  namesOf,
  type AgentUnderTest,
  type StreamEvent,
} from "../../tests/support/agent-under-test";
import { assistantIdOf } from "./graph";
import type { Graph } from "./graph";

// The expectations here were read from the raw answers of the official Python server to the same graph.

const quiet: Graph = {
  channels: { said: "last" },
  steps: [
    { say: { actions: [{ type: "model", text: "all at once", streaming: false }], update: { said: "{reply}" } } },
  ],
};
const deeper: Graph = {
  channels: { said: "last" },
  steps: [{ outer: { subgraph: { channels: { said: "last" }, steps: [{ middle: { subgraph: quiet } }] } } }],
};

let agent: AgentUnderTest;
beforeAll(async () => (agent = await agentUnderTest({ graphs: { quiet, deeper } })));

const anyId: unknown = expect.stringMatching(/^lc_run--/);
const message = { type: "ai", name: null, tool_calls: [], invalid_tool_calls: [], usage_metadata: null };
const hello = { content: "Hi cats", additional_kwargs: {}, response_metadata: {}, ...message, id: anyId };
const data = (events: readonly StreamEvent[], name: string) =>
  events.filter(({ event }) => event === name).map((event) => event.data);

describe("each mode", () => {
  const tokens = (count: number, name = "messages") => Array.from({ length: count }, () => name);
  test.each<[reason: string, body: Record<string, unknown>, names: readonly string[]]>([
    ["an empty list is values", { stream_mode: [] }, tokens(4, "values")],
    ["a list of one mode is that mode", { stream_mode: ["updates"] }, tokens(4, "updates")],
    ["events have one name, in subgraphs too", { stream_mode: "events", stream_subgraphs: true }, tokens(32, "events")],
    [
      "several modes in the order in which things happen",
      { stream_mode: ["values", "updates", "custom", "messages-tuple"], stream_subgraphs: true },
      [
        ...["values", "custom", ...tokens(7), "updates", "custom", "updates", "values"],
        ...["values|sub:<id>", "custom|sub:<id>", "messages|sub:<id>", "messages|sub:<id>", "updates|sub:<id>"],
        ...["values|sub:<id>", "updates", "values", "updates", "values"],
      ],
    ],
  ])("%s", async (_reason, body, names) => {
    expect(namesOf(await agent.run(body))).toEqual(["metadata", ...names]);
  });

  test("updates name the node; two nodes of one step come separately, the faster one first", async () => {
    expect(data(await agent.run({ stream_mode: "updates" }), "updates")).toEqual([
      { side: { log: ["side"] } },
      { chat: { messages: [hello], log: ["chat"] } },
      { sub: { topic: "cats", inner: "ok" } },
      { last: { log: ["last"] } },
    ]);
  });

  test("custom has the data of the graph, even where it could break JSON or lines", async () => {
    const topic = 'é 😀 \u2028 \u0085 \n tab\t "q"';
    const events = await agent.run({ input: { topic }, stream_mode: "custom" });
    expect(data(events, "custom")).toEqual([{ progress: 0, topic }, { progress: 100 }]);
  });

  test("a debug chunk of a thread shows the state after each step", async () => {
    const path = `/threads/${await agent.thread()}/runs/stream`;
    const body = { assistant_id: "agent", input: { topic: "x" }, stream_mode: "debug" };
    const chunk = z.object({ type: z.string(), step: z.number(), payload: z.looseObject({}) });
    const chunks = data(await eventsOf(await agent.post(path, body)), "debug").map((value) => chunk.parse(value));
    expect(chunks.map(({ type, step }) => `${step} ${type}`)).toEqual([
      ...["-1 checkpoint", "0 checkpoint", "1 task", "1 task", "1 task_result", "1 task_result", "1 checkpoint"],
      ...["2 task", "2 task_result", "2 checkpoint", "3 task", "3 task_result", "3 checkpoint"],
    ]);
    expect(chunks.at(-1)?.payload).toMatchObject({ next: [], values: { log: ["chat", "side", "last"], inner: "ok" } });
  });
});

describe("what the newest clients ask for", () => {
  test("tasks and checkpoints are what debug shows of them, without its references", async () => {
    const path = `/threads/${await agent.thread()}/runs/stream`;
    const body = { assistant_id: "agent", input: { topic: "x" }, stream_mode: ["debug", "tasks", "checkpoints"] };
    const events = await eventsOf(await agent.post(path, body));
    const payloads = data(events, "debug").map((each) =>
      z.looseObject({ type: z.string(), payload: z.looseObject({}) }).parse(each),
    );
    const of = (isCheckpoint: boolean) =>
      payloads.filter(({ type }) => (type === "checkpoint") === isCheckpoint).map(({ payload }) => payload);
    expect(data(events, "tasks")).toEqual(of(false));
    const plain = of(true).map(({ checkpoint: _one, parent_checkpoint: _other, ...rest }) => rest);
    expect(data(events, "checkpoints")).toEqual(plain);
    expect([of(false).length, plain.length]).toEqual([8, 5]);
  });

  test("messages are whole, as far as they have come, after their metadata", async () => {
    const events = await agent.run({ stream_mode: "messages" });
    const names = ["messages/metadata", ...Array.from({ length: 7 }, () => "messages/partial")];
    expect(namesOf(events)).toEqual(["metadata", ...names]);
    expect(events[1]?.data).toMatchObject({ [idOf(events[2])]: { metadata: { langgraph_node: "chat" } } });
    const texts = data(events, "messages/partial").map(
      (each) => z.tuple([z.looseObject({})]).parse(each)[0]["content"],
    );
    expect(texts).toEqual(["H", "Hi", "Hi ", "Hi c", "Hi ca", "Hi cat", "Hi cats"]);
    const whole = await agent.run({ assistant_id: "quiet", stream_mode: "messages", input: { said: "" } });
    expect(namesOf(whole)).toEqual(["metadata", "messages/metadata", "messages/complete"]);
  });
  const idOf = (event: StreamEvent | undefined) =>
    z.tuple([z.looseObject({ id: z.string() })]).parse(event?.data)[0].id;

  test("pairs of messages take their place", async () => {
    const events = await agent.run({ stream_mode: ["messages", "messages-tuple"] });
    expect(new Set(namesOf(events))).toEqual(new Set(["metadata", "messages"]));
  });

  test("a resumable run is joined again behind the event that came last, even once it is over", async () => {
    const thread = await agent.thread();
    const body = { assistant_id: "agent", input: { topic: "x" }, stream_mode: ["values", "updates"] };
    const path = `/threads/${thread}/runs/stream`;
    const answer = await agent.post(path, { ...body, stream_resumable: true });
    const all = await answer.text();
    const ids = [...all.matchAll(/^id: (\S+)\r$/gm)].map(([, id = ""]) => id);
    expect(ids).toHaveLength(9);
    const location = answer.headers.get("location") ?? "";
    const joined = async (last: string, query = "") => {
      const headers = { ...agent.headers(), "last-event-id": last };
      return (await agent.get(location + query, { headers })).text();
    };
    expect(await joined("-1")).toBe(all);
    expect(await joined(ids[2] ?? "")).toBe(all.slice(all.indexOf(ids[2] ?? "") + `${ids[2]}\r\n\r\n`.length));
    expect((await joined("-1", "?stream_mode=values")).match(/^event: /gm)).toHaveLength(5);
    expect(await (await agent.get(location)).text()).toBe("");
    const plain = await agent.post(path, body);
    expect(await plain.text()).not.toContain("\nid:");
    const unkept = await agent.get(plain.headers.get("location") ?? "", {
      headers: { ...agent.headers(), "last-event-id": "-1" },
    });
    expect(await unkept.text()).toBe("");
  });
});

describe("a message", () => {
  const pair = z.tuple([z.looseObject({ id: z.string(), content: z.string() }), z.looseObject({})]);
  const messages = async (body: Record<string, unknown>, name = "messages") =>
    (await agent.run({ stream_mode: "messages-tuple", ...body })).filter(({ event }) => event.startsWith(name));

  test("comes token by token, all of one id, the last one marked", async () => {
    const chunks = (await messages({})).map((event) => pair.parse(event.data)[0]);
    expect(chunks.map(({ content }) => content).join("")).toBe("Hi cats");
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    const positions = chunks.map(({ chunk_position: position }) => position);
    expect(positions).toEqual([null, null, null, null, null, null, "last"]);
    expect(chunks[0]).toMatchObject({ type: "AIMessageChunk", tool_call_chunks: [], usage_metadata: null });
  });

  test("names its node as real servers and as the document do, its tags and its run", async () => {
    const [first] = await messages({});
    expect(pair.parse(first?.data)[1]).toMatchObject({
      langgraph_node: "chat",
      graph_node: "chat",
      langgraph_step: 1,
      tags: ["greet"],
      graph_id: "agent",
      assistant_id: assistantIdOf("agent"),
      run_attempt: 1,
    });
  });

  test("of a model without tags has no tags; one of a subgraph says where it is", async () => {
    const [first] = await messages({ stream_subgraphs: true }, "messages|sub:");
    const metadata = pair.parse(first?.data)[1];
    expect(metadata).not.toHaveProperty("tags");
    expect(metadata).toMatchObject({ langgraph_node: "inner", checkpoint_ns: first?.event.replace("messages|", "") });
  });

  test("is sent whole when the model is invoked without streaming", async () => {
    const events = await messages({ assistant_id: "quiet", input: { said: "" } });
    expect(events.map((event) => pair.parse(event.data)[0])).toMatchObject([{ type: "ai", content: "all at once" }]);
  });

  test("of a subgraph in a subgraph has both in the name of its event", async () => {
    const events = await messages({ assistant_id: "deeper", input: { said: "" }, stream_subgraphs: true });
    expect(namesOf(events)).toEqual(["messages|outer:<id>|middle:<id>"]);
  });
});
