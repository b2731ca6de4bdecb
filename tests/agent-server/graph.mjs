// A deterministic graph for a real agent server: no model provider, no network.
//   start -> chat (fake streaming model + custom data) and side, in the same step
//         -> sub (a subgraph with one node, its own model and custom data) -> last -> end
// Input: topic (string), delay_ms (keeps the run active), fail (the last node throws).
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { AIMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const append = { reducer: (a, b) => a.concat(b), default: () => [] };

const State = Annotation.Root({
  topic: Annotation(),
  delay_ms: Annotation(),
  fail: Annotation(),
  inner: Annotation(),
  messages: Annotation(append),
  log: Annotation(append),
});
const SubState = Annotation.Root({ topic: Annotation(), inner: Annotation() });

async function chat(state, config) {
  config.writer?.({ progress: 0, topic: state.topic });
  if (state.delay_ms) await sleep(state.delay_ms);
  const model = new FakeListChatModel({
    responses: [`Hi ${state.topic}`],
    ...(state.delay_ms ? { sleep: 50 } : {}),
  }).withConfig({ tags: ["greet"] });
  const reply = await model.invoke(String(state.topic), config);
  config.writer?.({ progress: 100 });
  return { messages: [new AIMessage({ content: reply.content, id: reply.id })], log: ["chat"] };
}

async function inner(_state, config) {
  config.writer?.({ inner: true });
  const reply = await new FakeListChatModel({ responses: ["ok"] }).invoke("x", config);
  return { inner: reply.content };
}

const sub = new StateGraph(SubState).addNode("inside", inner).addEdge(START, "inside").addEdge("inside", END).compile();

export const graph = new StateGraph(State)
  .addNode("chat", chat)
  .addNode("side", async () => ({ log: ["side"] }))
  .addNode("sub", sub)
  .addNode("last", async (state) => {
    if (state.fail) throw new Error(`told to fail: ${state.fail}`);
    return { log: ["last"] };
  })
  .addEdge(START, "chat")
  .addEdge(START, "side")
  .addEdge(["chat", "side"], "sub")
  .addEdge("sub", "last")
  .addEdge("last", END)
  .compile();

export const boom = new StateGraph(State)
  .addNode("boom", async () => {
    throw new TypeError("boom");
  })
  .addEdge(START, "boom")
  .compile();
