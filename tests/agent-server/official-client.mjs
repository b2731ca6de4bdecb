// Drives the official client, which jest cannot load: reads {url, apiKey, scenes} from stdin, prints what the client saw of each scene.
import { text } from "node:stream/consumers";
import { Client } from "@langchain/langgraph-sdk";

const unknownId = "00000000-0000-4000-8000-000000000000";
const { url, apiKey, scenes } = JSON.parse(await text(process.stdin));
const client = new Client({ apiUrl: url, apiKey, callerOptions: { maxRetries: 0 } });

/** Each gives the stream that the scene is about. */
const acts = {
  stateless: (assistant, payload) => client.runs.stream(null, assistant, payload),
  thread: async (assistant, payload) => client.runs.stream(await newThread(), assistant, payload),
  async secondRun(assistant, payload) {
    const thread = await newThread();
    await drain(client.runs.stream(thread, assistant, payload));
    return client.runs.stream(thread, assistant, payload);
  },
  unknownThread: (assistant, payload) => client.runs.stream(unknownId, assistant, payload),
  join: async (assistant, payload) => client.runs.joinStream(...(await background(assistant, payload))),
  async joinFinished(assistant, payload) {
    const run = await background(assistant, payload);
    await drain(client.runs.joinStream(...run));
    return client.runs.joinStream(...run);
  },
  /** The last event comes again to who joins behind the one before. */
  async resume(assistant, payload) {
    const thread = await newThread();
    const ids = [];
    let run;
    const onRunCreated = ({ run_id: id }) => (run = id);
    for await (const { id } of client.runs.stream(thread, assistant, {
      ...payload,
      streamResumable: true,
      onRunCreated,
    }))
      ids.push(id);
    return client.runs.joinStream(thread, run, { lastEventId: ids.at(-2) });
  },
  joinUnknown: async () => client.runs.joinStream(await newThread(), unknownId),
};

async function newThread() {
  const { thread_id: id } = await client.threads.create();
  return id;
}

async function background(assistant, payload) {
  const thread = await newThread();
  const { run_id: run } = await client.runs.create(thread, assistant, payload);
  return [thread, run];
}

async function drain(stream) {
  for await (const chunk of stream) void chunk;
}

async function outcome(begin) {
  const chunks = [];
  try {
    for await (const { event, data } of await begin()) chunks.push({ event, data: data ?? null });
    return { chunks };
  } catch (error) {
    return { chunks, error: { name: error.name, status: error.status, message: error.message } };
  }
}

const seen = {};
for (const { name, act, assistant = "agent", ...payload } of scenes) {
  seen[name] = await outcome(() => acts[act](assistant, payload));
}
console.log(JSON.stringify(seen));
