import { z } from "zod";
import { play, type Chunk, type Scene, type Seen } from "../agent-server/play";
import { agentUnderTest } from "../support/agent-under-test";
import { captures, framesOf } from "../support/capture";
import { essence } from "./essence";

const Sent = z.object({
  assistant_id: z.string(),
  input: z.unknown(),
  stream_mode: z.union([z.string(), z.array(z.string())]).optional(),
  stream_subgraphs: z.boolean().optional(),
});

/** What the official server for Python was once asked, and answered with a stream that has to be the same from the emulator. */
const recorded = captures().flatMap(({ name, request, sent, status, body }) => {
  if (status !== 200 || !/^(10|11|12|20|44)-/.test(name) || name === "11-thread-debug") return [];
  const asked = Sent.parse(JSON.parse(sent));
  const scene: Scene = {
    name,
    act: request.includes("/threads/") ? "thread" : "stateless",
    assistant: asked.assistant_id,
    input: asked.input,
    streamMode: asked.stream_mode,
    streamSubgraphs: asked.stream_subgraphs,
  };
  return [{ ...scene, body }];
});

const input = { topic: "cats" };

/** How each ends: a refusal's status and text, or the last chunk. */
const ending: readonly (Scene & { readonly why: string; readonly end: RegExp })[] = [
  {
    name: "unknown assistant",
    why: "a mistake in the request",
    act: "stateless",
    assistant: "nobody",
    input,
    end: /^422 .*Invalid assistant: 'nobody'/,
  },
  {
    name: "unknown thread",
    why: "nothing is there",
    act: "unknownThread",
    input,
    end: /^404 .*Thread or assistant not found/,
  },
  {
    name: "no such mode",
    why: "refused before anything runs",
    act: "stateless",
    input,
    streamMode: "tokens",
    end: /^422 .*stream_mode/,
  },
  {
    name: "join of nothing",
    why: "an error event",
    act: "joinUnknown",
    end: /^error {"error":"HTTPException","message":"404: Run not found"}$/,
  },
  { name: "join, too late", why: "a run that has ended streams nothing", act: "joinFinished", input, end: /^nothing / },
];

/** The events that come. */
const following: readonly (Scene & { readonly why: string; readonly events: readonly string[] })[] = [
  {
    name: "second run",
    why: "on the same thread",
    act: "secondRun",
    input,
    streamMode: "values",
    events: ["metadata", "values", "values", "values", "values"],
  },
  {
    name: "resumed",
    why: "behind the last event but one",
    act: "resume",
    input,
    streamMode: "values",
    events: ["values"],
  },
  {
    name: "join",
    why: "those after it, without metadata and the custom data from before; the delay is the time to come and join",
    act: "join",
    input: { ...input, delay_ms: 2000 },
    streamMode: ["updates", "custom"],
    events: ["custom", "updates", "updates", "updates"],
  },
];

describe("what the official client for JavaScript sees of the emulator", () => {
  let seen: Seen;
  let strangers: Seen;
  beforeAll(async () => {
    const { url, emulator } = await agentUnderTest();
    const asked = recorded.map(({ body: _body, ...scene }) => scene);
    seen = await play([...asked, ...ending, ...following], { url, apiKey: emulator.apiKey });
    strangers = await play([{ name: "wrong key", act: "stateless", input }], { url, apiKey: "canary-key" });
  });

  /** The chunks of a scene that was not refused. */
  function chunksOf(name: string): readonly Chunk[] {
    const { chunks, error } = seen[name] ?? { chunks: [], error: { message: "was not played" } };
    if (error !== undefined) throw new Error(`${name}: ${error.message}`);
    return chunks;
  }
  function endOf(all: Seen, name: string): string {
    const { chunks = [], error } = all[name] ?? {};
    if (error !== undefined) return `${error.status ?? ""} ${error.message}`;
    const last = chunks.at(-1);
    return `${last?.event ?? "nothing"} ${JSON.stringify(last?.data)}`;
  }

  test.each(recorded)("$name: as recorded", ({ name, body }) => {
    expect(essence(chunksOf(name))).toEqual(essence(framesOf(body)));
  });

  test.each(ending)("$name: $why", ({ name, end }) => expect(endOf(seen, name)).toMatch(end));

  test.each(following)("$name: $why", ({ name, events }) => {
    expect(chunksOf(name).map(({ event }) => event)).toEqual(events);
  });

  test("a wrong key is refused", () => expect(endOf(strangers, "wrong key")).toMatch(/^401 /));
});
