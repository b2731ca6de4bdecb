// Our client, as built into dist, and the official one: two ways to read the same stream. Each gives its chunks, without the metadata.
import { createRequire } from "node:module";
import { Client } from "@langchain/langgraph-sdk";

const { AgentClient } = createRequire(import.meta.url)("../../dist/provider/streaming/client.js");
const modeOf = { small: "custom", tokens: "messages-tuple" };

export const clients = {
  async *ours(url, kind) {
    const stream = new AgentClient({ url }).runs.stream({ assistantId: "agent", streamMode: modeOf[kind] });
    for await (const { data } of stream) yield data;
  },
  async *official(url, kind) {
    const client = new Client({ apiUrl: url, apiKey: null, callerOptions: { maxRetries: 0 } });
    for await (const { event, data } of client.runs.stream(null, "agent", { streamMode: modeOf[kind] })) {
      if (event !== "metadata") yield data;
    }
  },
};
