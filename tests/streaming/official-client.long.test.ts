import { agentUnderTest, type AgentUnderTest } from "../support/agent-under-test";
import { play, type Chunk, type Scene, type Seen } from "../agent-server/play";
import { startAgentServer, type AgentServer } from "../agent-server/server";
import { asPython, essence } from "./dialects";

const input = { topic: "cats" };

/** Scenes whose chunks are the same on the emulator as on a real server. */
const same: readonly (Scene & { readonly why: string })[] = [
  { name: "no mode", why: "values is the default", act: "stateless", input },
  { name: "values", why: "the whole state after each step", act: "stateless", input, streamMode: "values" },
  { name: "updates", why: "what each node wrote", act: "stateless", input, streamMode: "updates" },
  { name: "tokens", why: "a model's answer token by token", act: "stateless", input, streamMode: "messages-tuple" },
  { name: "debug", why: "begin and end of each node", act: "stateless", input, streamMode: "debug" },
  { name: "custom", why: "what the graph's code emits", act: "stateless", input, streamMode: "custom" },
  { name: "events", why: "every call of a node and of a model", act: "stateless", input, streamMode: "events" },
  {
    name: "all at once",
    why: "a chunk says its mode",
    act: "stateless",
    input,
    streamMode: ["values", "updates", "messages-tuple", "custom", "debug"],
  },
  {
    name: "subgraphs",
    why: "an event's name says from which graph it comes",
    act: "stateless",
    input,
    streamMode: ["values", "updates", "messages-tuple", "custom"],
    streamSubgraphs: true,
  },
  {
    name: "thread",
    why: "a run on a thread streams the same",
    act: "thread",
    input,
    streamMode: ["updates", "values"],
  },
  { name: "tasks", why: "begin and end of each node, alone", act: "thread", input, streamMode: "tasks" },
  { name: "second run", why: "a thread keeps its state", act: "secondRun", input, streamMode: "values" },
  { name: "boom", why: "a graph that fails: an error event", act: "stateless", assistant: "boom", input },
  {
    name: "late failure",
    why: "what came before it is streamed",
    act: "thread",
    input: { topic: "cats", fail: "why" },
    streamMode: "updates",
  },
  { name: "join, too late", why: "a run that has ended streams nothing", act: "joinFinished", input },
];

/** Requests that the official servers answer differently; the emulator follows the Python one. */
const different: readonly (Scene & { readonly why: string; readonly python: RegExp; readonly javascript: RegExp })[] = [
  {
    name: "unknown assistant",
    why: "a mistake in the request, or nothing there",
    act: "stateless",
    assistant: "nobody",
    input,
    python: /^422 .*Invalid assistant: 'nobody'/,
    javascript: /^404 .*No assistant found for "nobody"/,
  },
  {
    name: "unknown thread",
    why: "JavaScript takes it for a busy one",
    act: "unknownThread",
    input,
    python: /^404 .*Thread or assistant not found/,
    javascript: /^422 .*Thread is already running/,
  },
  {
    name: "no such mode",
    why: "refused by both, before anything runs",
    act: "stateless",
    input,
    streamMode: "tokens",
    python: /^422 .*stream_mode/,
    javascript: /^400 .*stream_mode/,
  },
  {
    name: "join of nothing",
    why: "an error event, whose data is an object or a text",
    act: "joinUnknown",
    python: /^error {"error":"HTTPException","message":"404: Run not found"}$/,
    javascript: /^error "Run not found"$/,
  },
];

/** What the newest client asks for, and JavaScript servers answer in another way: the events, as a Python server names them. */
const newest: readonly (Scene & { readonly why: string; readonly events: readonly string[] })[] = [
  {
    name: "checkpoints",
    why: "the state after each step",
    act: "thread",
    input,
    streamMode: "checkpoints",
    events: ["metadata", ...Array.from({ length: 5 }, () => "checkpoints")],
  },
  {
    name: "messages",
    why: "a message as far as it has come",
    act: "stateless",
    input,
    streamMode: "messages",
    events: ["metadata", "messages/metadata", ...Array.from({ length: 7 }, () => "messages/partial")],
  },
  {
    name: "resumed",
    why: "behind the last event but one",
    act: "resume",
    input,
    streamMode: "values",
    events: ["values"],
  },
];

/** In the background; the delay is the time in which the client comes to join. */
const joining: Scene = {
  name: "join",
  act: "join",
  input: { ...input, delay_ms: 2000 },
  streamMode: ["updates", "custom"],
};

let server: AgentServer;
let agent: AgentUnderTest;
let real: Seen;
let emulated: Seen;
beforeAll(async () => {
  [server, agent] = await Promise.all([startAgentServer(), agentUnderTest()]);
  const scenes = [...same, ...different, ...newest, joining];
  [real, emulated] = await Promise.all([
    play(scenes, server),
    play(scenes, { url: agent.url, apiKey: agent.emulator.apiKey }),
  ]);
});
afterAll(() => server.close());

/** The chunks of a scene that was not refused. */
function chunksOf(seen: Seen, name: string): readonly Chunk[] {
  const { chunks, error } = seen[name] ?? { chunks: [], error: { message: "was not played" } };
  if (error !== undefined) throw new Error(`${name}: ${error.message}`);
  return chunks;
}

describe("the official client sees the same from the emulator as from a real server", () => {
  test.each(same)("$name: $why", (scene) => {
    const theirs = chunksOf(real, scene.name);
    expect(theirs[0]?.event).toBe(scene.act === "joinFinished" ? undefined : "metadata");
    expect(essence(chunksOf(emulated, scene.name))).toEqual(essence(asPython(theirs, scene)));
  });
});

/** How a scene ended: a refusal's status and text, or the last chunk. */
function endOf(seen: Seen, name: string): string {
  const { chunks = [], error } = seen[name] ?? {};
  if (error !== undefined) return `${error.status ?? ""} ${error.message}`;
  const last = chunks.at(-1);
  return `${last?.event ?? "nothing"} ${JSON.stringify(last?.data)}`;
}

describe("where the official servers differ, the emulator follows the Python one", () => {
  test.each(different)("$name: $why", ({ name, python, javascript }) => {
    expect(endOf(emulated, name)).toMatch(python);
    expect(endOf(real, name)).toMatch(javascript);
  });

  test.each(newest)("$name: $why", ({ name, events }) => {
    expect(chunksOf(emulated, name).map(({ event }) => event)).toEqual(events);
  });

  test("join: the events after it, and none from before; JavaScript sends them all to the first client that joins", () => {
    const late = essence(chunksOf(emulated, "join"));
    const all = chunksOf(real, "join");
    expect(all.map(({ event }) => event).sort()).toEqual([
      ...["custom", "custom", "custom"],
      "metadata",
      ...["updates", "updates", "updates", "updates"],
    ]);
    // The custom data before the delay was sent before any join was possible, and a join has no metadata.
    expect(late).toHaveLength(4);
    expect(essence(asPython(all, joining))).toEqual(expect.arrayContaining([...late]));
  });

  test("a wrong key: refused by both", async () => {
    const guarded = await startAgentServer({ auth: true });
    try {
      const scenes: readonly Scene[] = [{ name: "wrong key", act: "stateless", input }];
      const apiKey = "canary-key";
      const [emulator, javascript] = await Promise.all([
        play(scenes, { url: agent.url, apiKey }),
        play(scenes, { url: guarded.url, apiKey }),
      ]);
      expect(endOf(emulator, "wrong key")).toMatch(/^401 /);
      expect(endOf(javascript, "wrong key")).toMatch(/^401 .*Invalid API key/);
    } finally {
      await guarded.close();
    }
  });
});
