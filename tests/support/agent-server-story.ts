import { z } from "zod";

/** A request of the story. `{name}` in its path stands for an id that an earlier answer gave. */
export interface AgentStep {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown;
  /** The name of the id that its answer gives. */
  readonly keep?: string;
  readonly key?: "wrong" | "none";
}

/** What came back: ids that the server made and times as placeholders. */
export interface AgentStepAnswer {
  readonly request: string;
  readonly status: number;
  readonly pages?: readonly string[];
  readonly body?: unknown;
}

const A = "a0000000-0000-5000-8000-000000000001";
const B = "a0000000-0000-5000-8000-000000000002";
const C = "a0000000-0000-5000-8000-000000000003";
const GONE = "a0000000-0000-5000-8000-00000000000f";
const THREAD = "b0000000-0000-5000-8000-000000000001";
const NINE = "0 9 * * *";

type Row = readonly [request: string, body?: unknown, more?: Pick<AgentStep, "keep" | "key">];

const ABOUT_THE_SERVER: readonly Row[] = [
  ["GET /ok"],
  ["GET /info"],
  ["GET /assistants/" + A, undefined, { key: "wrong" }],
  ["POST /assistants/search", {}, { key: "none" }],
  ["GET /nope"],
  ["GET /assistants"],
  ["PUT /runs/crons/" + GONE, {}],
];

const ABOUT_ASSISTANTS: readonly Row[] = [
  ["POST /assistants/search", { limit: 100, offset: 0 }],
  ["POST /assistants", { name: "x" }],
  ["POST /assistants", []],
  ["POST /assistants", "{bad"],
  ["POST /assistants", ""],
  ["POST /assistants", { graph_id: "agent", name: 7 }],
  ["POST /assistants", { graph_id: "agent", name: null }],
  ["POST /assistants", { graph_id: "agent", description: 7 }],
  ["POST /assistants", { graph_id: "agent", if_exists: "x" }],
  ["POST /assistants", { graph_id: "agent", config: { recursion_limit: "x" } }],
  ["POST /assistants", { graph_id: "agent", config: { configurable: [] } }],
  ["POST /assistants", { graph_id: "agent", config: { configurable: { a: 1 } }, context: { a: 1 } }],
  ["POST /assistants", { assistant_id: "not", graph_id: "agent" }],
  ["POST /assistants", { graph_id: "zip" }],
  [
    "POST /assistants",
    { graph_id: "agent", assistant_id: A, name: "t", metadata: { a: 1, b: { c: 1, d: 2 } }, context: { x: 1 } },
  ],
  ["POST /assistants", { graph_id: "agent", assistant_id: A }],
  ["POST /assistants", { graph_id: "boom", assistant_id: A, if_exists: "do_nothing", name: "another" }],
  ["GET /assistants/" + A],
  ["GET /assistants/" + A.toUpperCase()],
  ["PATCH /assistants/" + A, {}],
  ["PATCH /assistants/" + A, { context: { y: 2 } }],
  ["PATCH /assistants/" + A, { context: {} }],
  ["PATCH /assistants/" + A, { config: { tags: ["a"], recursion_limit: 5 } }],
  ["PATCH /assistants/" + A, { config: { configurable: { z: 1 } } }],
  ["PATCH /assistants/" + A, { config: { tags: ["b"] } }],
  ["PATCH /assistants/" + A, { config: { tags: ["c"] }, context: { y: 3 } }],
  ["PATCH /assistants/" + A, { config: { configurable: {} } }],
  ["PATCH /assistants/" + A, { config: {} }],
  ["PATCH /assistants/" + A, { config: { configurable: {} }, context: {} }],
  ["PATCH /assistants/" + A, { metadata: { b: { c: 2 }, e: null, cron_id: "x" } }],
  ["PATCH /assistants/" + A, { metadata: {} }],
  ["PATCH /assistants/" + A, { description: "d" }],
  ["PATCH /assistants/" + A, { description: "" }],
  ["PATCH /assistants/" + A, { name: "" }],
  ["PATCH /assistants/" + A, { name: null }],
  ["PATCH /assistants/" + A, { description: null }],
  ["PATCH /assistants/" + A, { context: null }],
  ["PATCH /assistants/" + A, { metadata: null }],
  ["PATCH /assistants/" + A, { config: null }],
  ["PATCH /assistants/" + A, { config: { configurable: { a: 1 } }, context: { a: 1 } }],
  ["PATCH /assistants/" + A, { graph_id: "zip" }],
  ["PATCH /assistants/" + A, { graph_id: "boom", name: "moved" }],
  ["PATCH /assistants/" + GONE, { name: "x" }],
  ["PATCH /assistants/not", { name: "x" }],
  [
    "POST /assistants",
    { assistant_id: B, graph_id: "agent", name: "Second", config: { configurable: { q: 1 }, tags: ["k"] }, zork: 1 },
  ],
  ["POST /assistants", { graph_id: "agent", metadata: { m: "1" } }, { keep: "third" }],
  ["POST /assistants", { graph_id: "agent", assistant_id: C.toUpperCase(), name: "", description: null }],
  ["DELETE /assistants/" + C],
  ["POST /assistants/search", { limit: 2, offset: 0 }],
  ["POST /assistants/search", { limit: 2, offset: 2 }],
  ["POST /assistants/search", { limit: 2, offset: 4 }],
  ["POST /assistants/search", { limit: 2, offset: 6 }],
  ["POST /assistants/search", { metadata: { b: { d: 2 } } }],
  ["POST /assistants/search", { metadata: { m: 1 } }],
  ["POST /assistants/search", { metadata: { m: "1" }, graph_id: "agent" }],
  ["POST /assistants/search", { graph_id: "zip" }],
  ["POST /assistants/search", { name: "sECOn" }],
  ["POST /assistants/search", { limit: 0 }],
  ["POST /assistants/search", { limit: 1001 }],
  ["POST /assistants/search", { offset: -1 }],
  ["GET /assistants/{third}"],
  ["DELETE /assistants/{third}"],
  ["GET /assistants/{third}"],
  ["DELETE /assistants/{third}"],
  ["GET /assistants/not"],
  ["DELETE /assistants/not"],
];

const ABOUT_CRONS: readonly Row[] = [
  ["POST /runs/crons", { schedule: NINE }],
  ["POST /runs/crons", { assistant_id: "agent" }],
  ["POST /runs/crons", { assistant_id: "zip", schedule: NINE }],
  ["POST /runs/crons", { assistant_id: GONE, schedule: NINE }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: "0 9 * *" }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: "" }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: "0 0 31 2 *" }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, timezone: "Mars" }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, timezone: null }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, input: null }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, input: "x" }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, end_time: null }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, webhook: null }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, webhook: "http://localhost:9/x" }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, webhook: "http://127.0.0.1:9/x" }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, webhook: "https://host.invalid/x" }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, webhook: "/x" }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, webhook: "x" }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, on_run_completed: "x" }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: "@hourly", end_time: "soon" }, { keep: "soon" }],
  ["DELETE /runs/crons/{soon}"],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, enabled: "x" }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, config: { recursion_limit: "x" } }],
  ["POST /runs/crons", { assistant_id: "agent", schedule: "@daily", input: { topic: "a" } }, { keep: "daily" }],
  [
    "POST /runs/crons",
    {
      assistant_id: A,
      schedule: NINE,
      enabled: false,
      timezone: "Europe/Berlin",
      end_time: "2090-01-01T00:00:00Z",
      metadata: { m: "1", n: "2", cron_id: "x" },
      config: { tags: ["x"], configurable: { q: 1 } },
      context: { k: 1 },
      on_run_completed: "keep",
      zork: 1,
    },
    { keep: "cron" },
  ],
  ["GET /runs/crons/{cron}"],
  ["PATCH /runs/crons/{cron}", {}],
  ["PATCH /runs/crons/{cron}", { schedule: "0 10 * * *" }],
  ["PATCH /runs/crons/{cron}", { enabled: true }],
  ["PATCH /runs/crons/{cron}", { timezone: "UTC" }],
  ["PATCH /runs/crons/{cron}", { input: { topic: "b" } }],
  ["PATCH /runs/crons/{cron}", { context: {} }],
  ["PATCH /runs/crons/{cron}", { config: {} }],
  ["PATCH /runs/crons/{cron}", { config: { tags: ["y"], configurable: { cron_id: "x", v: 1 } } }],
  ["PATCH /runs/crons/{cron}", { metadata: { n: null, o: "3" } }],
  ["PATCH /runs/crons/{cron}", { end_time: null }],
  ["PATCH /runs/crons/{cron}", { on_run_completed: "delete" }],
  ["PATCH /runs/crons/{cron}", { assistant_id: B, zork: 2 }],
  ["PATCH /runs/crons/{cron}", { context: null }],
  ["PATCH /runs/crons/{cron}", { timezone: null }],
  ["PATCH /runs/crons/{cron}", { input: null }],
  ["PATCH /runs/crons/{cron}", { webhook: null }],
  ["PATCH /runs/crons/{cron}", { webhook: "http://localhost:9/x" }],
  ["PATCH /runs/crons/{cron}", { end_time: 7 }],
  ["PATCH /runs/crons/{cron}", { timezone: "Mars" }],
  ["PATCH /runs/crons/{cron}", { timezone: "Asia/Tokyo", schedule: "bad" }],
  ["GET /runs/crons/{cron}"],
  ["PATCH /runs/crons/{cron}", { schedule: "0 0 31 2 *" }],
  ["GET /runs/crons/{cron}"],
  ["PATCH /runs/crons/{cron}", { schedule: "0 9 * * * *" }],
  ["PATCH /runs/crons/" + GONE, { enabled: true }],
  ["PATCH /runs/crons/not", { enabled: true }],
  ["GET /runs/crons/not"],
  ["GET /runs/crons/" + GONE],
  ["DELETE /runs/crons/" + GONE],
  ["DELETE /runs/crons/not"],
  ...Object.entries({
    multitask_strategy: ["x", null],
    interrupt_before: ["x", [7], null],
    interrupt_after: [7],
    stream_mode: ["x", ["values", "x"], [], null],
    stream_subgraphs: ["x", null],
    stream_resumable: ["x", null],
    durability: ["x", null],
  }).flatMap(([name, wrong]) =>
    wrong.map((each): Row => ["POST /runs/crons", { assistant_id: "agent", schedule: NINE, [name]: each }]),
  ),
  [
    "POST /runs/crons",
    {
      assistant_id: "agent",
      schedule: NINE,
      multitask_strategy: "reject",
      interrupt_before: ["node"],
      interrupt_after: "*",
      stream_mode: "updates",
      stream_subgraphs: true,
      stream_resumable: true,
      durability: "sync",
    },
    { keep: "streamed" },
  ],
  ["PATCH /runs/crons/{streamed}", { multitask_strategy: "rollback" }],
  ["PATCH /runs/crons/{streamed}", { multitask_strategy: "x" }],
  ["PATCH /runs/crons/{streamed}", { interrupt_before: [], interrupt_after: [] }],
  ["PATCH /runs/crons/{streamed}", { stream_mode: ["values", "custom"], stream_subgraphs: false }],
  ["PATCH /runs/crons/{streamed}", { stream_resumable: false, durability: "exit" }],
  ["PATCH /runs/crons/{streamed}", { interrupt_before: null }],
  ["PATCH /runs/crons/{streamed}", { stream_mode: null }],
  ["PATCH /runs/crons/{streamed}", { durability: null }],
  ["GET /runs/crons/{streamed}"],
  ["DELETE /runs/crons/{streamed}"],
  ["POST /threads", { thread_id: THREAD, metadata: { a: 1 } }],
  ["POST /threads", { thread_id: THREAD }],
  ["POST /threads", { thread_id: THREAD, if_exists: "do_nothing" }],
  ["POST /threads", { thread_id: "not" }],
  ["POST /threads", {}, { keep: "thread" }],
  ["POST /threads/" + GONE + "/runs/crons", { assistant_id: A, schedule: NINE }],
  ["POST /threads/not/runs/crons", { assistant_id: A, schedule: NINE }],
  ["POST /threads/" + THREAD + "/runs/crons", { assistant_id: "boom", schedule: NINE, on_run_completed: "keep" }],
  [
    "POST /threads/{thread}/runs/crons",
    { assistant_id: A, schedule: NINE, metadata: { m: "7" } },
    { keep: "ofThread" },
  ],
  ["POST /runs/crons/search", { limit: 3, offset: 0 }],
  ["POST /runs/crons/search", { limit: 3, offset: 3 }],
  ["POST /runs/crons/search", { metadata: { m: "7" } }],
  ["POST /runs/crons/search", { assistant_id: A, limit: 1 }],
  ["POST /runs/crons/search", { thread_id: THREAD }],
  ["POST /runs/crons/search", { enabled: false }],
  ["POST /runs/crons/search", { enabled: true, limit: 1, offset: 1 }],
  ["POST /runs/crons/search", { assistant_id: "agent" }],
  ["POST /runs/crons/search", { limit: 1001 }],
  ["DELETE /runs/crons/{daily}"],
  ["GET /runs/crons/{daily}"],
  ["DELETE /assistants/" + A],
  ["GET /runs/crons/{cron}"],
  ["GET /runs/crons/{ofThread}"],
];

/** What is asked of an agent server with the graphs "agent" and "boom" that nobody has used yet. */
export const AGENT_STORY: readonly AgentStep[] = [...ABOUT_THE_SERVER, ...ABOUT_ASSISTANTS, ...ABOUT_CRONS].map(
  ([request, body, more]) => {
    const [method = "", path = ""] = request.split(" ");
    return { method, path, body, ...more };
  },
);

const MadeId = z
  .object({ cron_id: z.string() })
  .or(z.object({ thread_id: z.string() }))
  .or(z.object({ assistant_id: z.string() }));

const Refusal = z.object({ detail: z.string() });

/** Plays the story, one request after the other. */
export async function playAgentStory(url: string, apiKey: string): Promise<AgentStepAnswer[]> {
  const ids = new Map<string, string>();
  const placeholders = new Map<string, string>();
  const answers: AgentStepAnswer[] = [];
  for (const step of AGENT_STORY) {
    const { method, body, key, keep } = step;
    const path = step.path.replace(/\{(\w+)\}/, (_, name: string) => ids.get(name) ?? name);
    const keys = { wrong: "another-key", none: undefined, own: apiKey }[key ?? "own"];
    const headers = { "content-type": "application/json", ...(keys === undefined ? {} : { "x-api-key": keys }) };
    const sent = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const answer = await fetch(url + path, { method, headers, body: sent });
    const text = await answer.text();
    if (keep !== undefined) ids.set(keep, Object.values(MadeId.parse(JSON.parse(text)))[0] ?? "");
    const pages = ["total", "next"].flatMap((name) => {
      const value = answer.headers.get(`x-pagination-${name}`);
      return value === null ? [] : [`${name} ${value}`];
    });
    const request = `${method} ${step.path} ${sent ?? ""}`.trim();
    const known = step.path === "/info" ? new Map<string, string>() : placeholders;
    const content = contentOf(normalised(text, known));
    const shown = answer.ok ? content : refusalOf(content);
    answers.push({
      request,
      status: answer.status,
      ...(pages.length > 0 ? { pages } : {}),
      ...(text === "" ? {} : { body: shown }),
    });
  }
  return answers;
}

/** Ids that are chosen, or derived from a name, have version 5; those that a server makes have another. */
function normalised(text: string, placeholders: Map<string, string>): string {
  return text
    .replace(/"(created_at|updated_at|state_updated_at|next_run_date)":"[^"]*"/g, '"$1":"<time>"')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[^5][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      const placeholder = placeholders.get(id) ?? `<id ${placeholders.size + 1}>`;
      placeholders.set(id, placeholder);
      return placeholder;
    });
}

/** In which words a server refuses matters to nobody, but "Not Found" may be of one that does not know the path. */
function refusalOf(content: unknown): unknown {
  const { data } = Refusal.safeParse(content);
  return data === undefined ? "<words>" : { detail: data.detail === "Not Found" ? data.detail : "<words>" };
}

function contentOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
