import { z } from "zod";
import {
  agentUnderTest,
  eventsOf,
  namesOf,
  type AgentUnderTest,
  type StreamEvent,
} from "../../tests/support/agent-under-test";
import { ManualClock } from "../base/clock";
import type { Graph } from "./graph";
import { Run } from "./run";
import { frame } from "./sse";

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

const data = (events: readonly StreamEvent[], name: string) =>
  events.filter(({ event }) => event === name).map((event) => event.data);

describe("beside what tests/streaming/recorded.test.ts compares", () => {
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
  test("a message that is not streamed comes whole", async () => {
    const whole = await agent.run({ assistant_id: "quiet", stream_mode: "messages", input: { said: "" } });
    expect(namesOf(whole)).toEqual(["metadata", "messages/metadata", "messages/complete"]);
  });

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

  test("a resumable run keeps its latest events, 16 MiB of them at most", async () => {
    const asked = { threadId: "t", graphId: "agent", assistantId: "agent", input: {}, subgraphs: false, metadata: {} };
    const request = { ...asked, modes: ["values" as const], multitaskStrategy: "enqueue", resumable: true };
    const run = new Run(request, { clock: new ManualClock(), heartbeatMs: 5000 });
    for (const text of [...Array<string>(20).fill("x".repeat(1024 * 1024)), "last"])
      void run.send("values", frame("values", text));
    run.finish("success");
    const body = run.read(
      () => true,
      () => undefined,
      "-1",
    );
    const kept = await new Response(body).text();
    expect(kept.match(/^id: /gm)).toHaveLength(16);
    expect(kept).toContain('data: "last"');
  });
});

describe("a message", () => {
  const pair = z.tuple([z.looseObject({ id: z.string(), content: z.string() }), z.looseObject({})]);
  const messages = async (body: Record<string, unknown>, name = "messages") =>
    (await agent.run({ stream_mode: "messages-tuple", ...body })).filter(({ event }) => event.startsWith(name));

  test("names its node as real servers and as the document do; one of a subgraph says where it is", async () => {
    const [first] = await messages({ stream_subgraphs: true }, "messages|sub:");
    expect(pair.parse(first?.data)[1]).toMatchObject({
      langgraph_node: "inner",
      graph_node: "inner",
      checkpoint_ns: first?.event.replace("messages|", ""),
    });
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
