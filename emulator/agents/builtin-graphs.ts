import type { Channels, Graph } from "./graph";

const CHANNELS: Channels = {
  topic: "last",
  delay_ms: "last",
  fail: "last",
  messages: "append",
  log: "append",
  inner: "last",
};

const SUBGRAPH: Graph = {
  channels: { topic: "last", inner: "last" },
  steps: [
    {
      inner: {
        actions: [
          { type: "custom", data: { inner: true } },
          { type: "model", prompt: "x", text: "ok" },
        ],
        update: { inner: "{reply}" },
      },
    },
  ],
};

/** Says hello to `topic`, or what the context has as `greeting`: two nodes side by side, a subgraph, a last node that fails when `fail` is set. */
const AGENT: Graph = {
  channels: CHANNELS,
  context: { greeting: "Hi" },
  steps: [
    {
      chat: {
        actions: [
          { type: "custom", data: { progress: 0, topic: "{topic}" } },
          { type: "delay", ms: { from: "delay_ms" } },
          { type: "model", prompt: "{topic}", text: "{greeting} {topic}", tags: ["greet"] },
          { type: "custom", data: { progress: 100 } },
        ],
        update: { messages: ["{message}"], log: ["chat"] },
      },
      side: { update: { log: ["side"] } },
    },
    { sub: { subgraph: SUBGRAPH } },
    {
      last: {
        actions: [{ type: "throw", when: "fail", error: "RuntimeError", message: "told to fail: {fail}" }],
        update: { log: ["last"] },
      },
    },
  ],
};

const BOOM: Graph = {
  channels: CHANNELS,
  steps: [{ boom: { actions: [{ type: "throw", error: "TypeError", message: "boom" }] } }],
};

export const BUILTIN_GRAPHS: Readonly<Record<string, Graph>> = { agent: AGENT, boom: BOOM };

/** A marker in the image, the ref or the config path of a revision (platform/revision-outcomes.ts): its graphs fail in their last node. */
export const failGraphMarker = "emulator-fail-graph";

/** The same graph, whose last step fails. */
export function failingGraph(graph: Graph): Graph {
  const message = `told to fail: ${failGraphMarker}`;
  const last = Object.keys(graph.steps.at(-1) ?? { last: {} });
  const broken = last.map((name) => [name, { actions: [{ type: "throw", error: "RuntimeError", message }] }] as const);
  return { ...graph, steps: [...graph.steps.slice(0, -1), Object.fromEntries(broken)] };
}
