import { z } from "zod";
import type { JsonObject } from "../../provider/base/json";
import { assistantIdOf } from "../../emulator";
import { startAgentServer, type KeptCron } from "../support/agent-server";
import type { EngineModel } from "../support/engine-model";
import { failureOf } from "../support/platform-under-test";
import { OnAgent } from "./on-agent";
import { ofSuite, ofTest } from "../support/of-suite";

const on = ofSuite(OnAgent.prototype, () => OnAgent.start());

const ASSISTANT = "11111111-1111-5111-8111-111111111111";
const URN = "urn:pulumi:dev::p::agent-platform:index:Cron::digest";
const program = (over: JsonObject = {}): JsonObject => ({
  ...on.place,
  assistantId: "agent",
  schedule: "0 9 * * 1-5",
  input: { topic: "news" },
  __progressUrn: URN,
  ...over,
});
const kept = (): KeptCron[] => [...on.agent.crons.values()];
function only(): KeptCron {
  const [one, ...others] = kept();
  if (one === undefined || others.length > 0) throw new Error(`there are ${kept().length} crons`);
  return one;
}
async function made(over: JsonObject = {}, settings?: Record<string, string>): Promise<EngineModel> {
  const model = await on.model("Cron", settings);
  await model.up(program(over));
  on.changing();
  return model;
}
/** An assistant of somebody, on the server. */
async function assistant(): Promise<void> {
  const body = JSON.stringify({ assistant_id: ASSISTANT, graph_id: "agent" });
  await fetch(`${on.agent.url}/assistants`, { method: "POST", body });
  on.changing();
}

describe("at most once", () => {
  test("it is made with a mark of ours, which is not shown, and then nothing differs", async () => {
    const model = await made({ metadata: { team: "desk" } });
    expect(only()).toMatchObject({ cron_id: model.current.id, assistant_id: assistantIdOf("agent"), enabled: true });
    const { "pulumi-agent-platform": mark, ...others } = only().metadata;
    expect([others, mark]).toEqual([{ team: "desk" }, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(JSON.stringify(model.current)).not.toContain("pulumi-agent-platform");
    expect(await model.refresh()).toBe(false);
    expect(await model.up(program({ metadata: { team: "desk" } }))).toBe("same");
    expect(on.changing()).toEqual([]);
  });

  test("two rows have each their own, and so have two assistants of one row", async () => {
    await assistant();
    await made();
    await made({ __progressUrn: `${URN}-2` });
    await made({ assistantId: ASSISTANT });
    expect(kept()).toHaveLength(3);
  });
});

describe("a change", () => {
  test.each<[what: string, over: JsonObject, sent: JsonObject]>([
    ["of the schedule", { schedule: "@daily" }, { schedule: "@daily" }],
    ["of the timezone", { timezone: "Europe/Berlin" }, { timezone: "Europe/Berlin" }],
    ["of the input", { input: { topic: "cats" } }, { input: { topic: "cats" } }],
    ["of the context, as a whole", { context: { depth: 2 } }, { context: { depth: 2 } }],
    ["of the settings", { config: { tags: ["a"] } }, { config: { tags: ["a"] } }],
    [
      "of what is configurable, where the server puts in the id of the cron",
      { config: { configurable: { tone: "brief" } } },
      { config: { configurable: { tone: "brief" } } },
    ],
    ["of the metadata, of which only that is sent", { metadata: { tier: 2 } }, { metadata: { tier: 2 } }],
    ["that stops it", { enabled: false }, { enabled: false }],
    ["of what a busy thread does", { multitaskStrategy: "reject" }, { multitask_strategy: "reject" }],
    ["of the nodes before which it stops", { interruptBefore: ["node"] }, { interrupt_before: ["node"] }],
    ["of each node, in the server's word", { interruptAfter: ["*"] }, { interrupt_after: "*" }],
    ["of the modes", { streamMode: ["updates", "custom"] }, { stream_mode: ["updates", "custom"] }],
    ["of the subgraphs", { streamSubgraphs: true }, { stream_subgraphs: true }],
    ["of who comes late", { streamResumable: true }, { stream_resumable: true }],
    ["of when its checkpoints are kept", { durability: "exit" }, { durability: "exit" }],
    ["of its end", { endTime: "2031-01-01T00:00:00Z" }, { end_time: "2031-01-01T00:00:00Z" }],
  ])("%s is one PATCH, and can be taken back", async (_what, over, sent) => {
    const model = await made();
    expect(await model.up(program(over))).toBe("update");
    expect(on.agent.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body)).toEqual([sent]);
    expect(await model.refresh()).toBe(false);
    if ("metadata" in over) return;
    await model.up(program());
    expect(await model.refresh()).toBe(false);
    expect(only()).toMatchObject({ schedule: "0 9 * * 1-5", enabled: true, end_time: null });
  });

  test("of the assistant, or the thread, makes another cron, and the old one goes", async () => {
    await assistant();
    const model = await made();
    const { id } = model.current;
    expect(await model.up(program({ assistantId: ASSISTANT }))).toBe("replace");
    expect([only().assistant_id, only().cron_id === id]).toEqual([ASSISTANT, false]);
  });

  test("from the name of a graph to the id of its own assistant is none", async () => {
    const model = await made();
    expect(await model.up(program({ assistantId: assistantIdOf("agent") }))).toBe("same");
    expect(on.changing()).toEqual([]);
  });
});

describe("drift", () => {
  test.each<[what: string, change: (live: KeptCron) => void, isDrift: boolean]>([
    ["another schedule", (live) => (live.schedule = "@hourly"), true],
    ["a stop", (live) => (live.enabled = false), true],
    ["another input", (live) => (live.payload = { ...live.payload, input: { topic: "theirs" } }), true],
    ["a timezone that means the default", (live) => (live.timezone = "UTC"), false],
    ["metadata of others", (live) => (live.metadata = { ...live.metadata, owner: "them" }), false],
    ["the time of the next run", (live) => (live.next_run_date = "2031-01-01T00:00:00+00:00"), false],
  ])("%s", async (_what, change, isDrift) => {
    const model = await made({ enabled: true });
    change(only());
    expect(await model.refresh()).toBe(isDrift);
    await model.up(program({ enabled: true }));
    expect(only()).toMatchObject({ schedule: "0 9 * * 1-5", enabled: true });
    expect(await model.refresh()).toBe(false);
  });

  test("a stop, also where the program does not declare whether it runs: the next up lets it run", async () => {
    const model = await made();
    only().enabled = false;
    expect(await model.refresh()).toBe(true);
    expect(model.current.inputs["problem"]).toBe("is disabled, although the program does not declare `enabled: false`");
    expect(await model.up(program())).toBe("update");
    expect(on.agent.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body)).toEqual([
      { enabled: true },
    ]);
    expect(only().enabled).toBe(true);
    expect(await model.refresh()).toBe(false);
    expect(model.current.inputs["enabled"]).toBeUndefined();
  });

  test("a stop that the program declares is none", async () => {
    const model = await made({ enabled: false });
    expect(await model.refresh()).toBe(false);
    expect(await model.up(program({ enabled: false }))).toBe("same");
  });

  test("a stop that no refresh has seen ends with the next change", async () => {
    const model = await made();
    only().enabled = false;
    await model.up(program({ schedule: "@daily" }));
    expect(only()).toMatchObject({ schedule: "@daily", enabled: true });
  });
});

// It changes one field after the other (docs/internals/platform.md, Crons of an agent).
test.each<[what: string, over: JsonObject]>([
  ["a schedule that never comes", { schedule: "0 0 31 2 *" }],
  ["the timezone, before the schedule is judged", { timezone: "Asia/Tokyo", schedule: "5 7 * *" }],
])(
  "what a server keeps of an update that it refuses is undone by the next up, if the program has reverted it: %s",
  async (_what, over) => {
    const model = await made({}, { checks: "platform" });
    expect(await failureOf(model.up(program(over)))).toMatch(/answered 4\d\d/);
    await model.up(program());
    expect(["UTC", null]).toContain(only().timezone);
    expect(only()).toMatchObject({ schedule: "0 9 * * 1-5" });
    expect(await model.up(program())).toBe("same");
  },
);

describe("before any request", () => {
  test("an input that is taken out is refused", async () => {
    const model = await made();
    const reason = "input: cannot be taken out, since the server keeps its input";
    expect(await failureOf(model.up(program({ input: undefined })))).toContain(reason);
    expect(on.changing()).toEqual([]);
  });

  test("under checks: platform, the server judges a schedule, and its sentence is shown", async () => {
    const model = await on.model("Cron", { checks: "platform" });
    const failure = await failureOf(model.up(program({ schedule: "0 9 * *" })));
    expect(failure).toMatch(
      /^Cron: create failed: POST \/runs\/crons answered 422: Invalid cron schedule: '0 9 \* \*'/,
    );
    expect(on.platform.warnings).toEqual([expect.stringContaining("It is sent as declared: the platform decides.")]);
  });
});

test("a server that says that it has no crons is refused by name", async () => {
  const without = ofTest(await startAgentServer({ crons: false }));

  const model = await on.model("Cron");
  const failure = await failureOf(model.up(program({ url: without.url, customUrl: without.url })));
  expect(failure).toContain(`the agent at ${without.url} has no crons (its GET /info says so): use a server that has`);
});

test("one for a thread goes on with that thread", async () => {
  const answer = await fetch(`${on.agent.url}/threads`, { method: "POST", body: "{}" });
  const { thread_id: thread } = z.looseObject({ thread_id: z.string() }).parse(await answer.json());
  // An answer has it in lower case.
  const model = await made({ threadId: thread.toUpperCase() });
  expect(only()).toMatchObject({ thread_id: thread, on_run_completed: null });
  expect(await model.refresh()).toBe(false);
  expect(await model.up(program({ threadId: thread }))).toBe("same");
});
