import { z } from "zod";
import { agentUnderTest, deployed, type AgentUnderTest } from "../../tests/support/agent-under-test";
import { capture } from "../../tests/support/capture";
import { ManualClock } from "../base/clock";
import { assistantIdOf } from "./assistants";

// What official clients of an agent ask besides its streams, in the shape of the recorded answers.

const unknownId = "00000000-0000-4000-8000-000000000000";
let agent: AgentUnderTest;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  agent = await agentUnderTest({ clock });
});
afterEach(() => agent.emulator.close());

const object = z.record(z.string(), z.unknown());
const recorded = (name: string): unknown => JSON.parse(capture(name).body.toString("utf8"));
const get = async (path: string) => object.parse(await (await agent.get(path)).json());
const keysOf = (value: unknown): string[] => Object.keys(object.parse(value));

describe("assistants", () => {
  const searched = async (body: object) => {
    const answer = await agent.post("/assistants/search", body);
    return { list: z.array(object).parse(await answer.json()), total: answer.headers.get("x-pagination-total") };
  };
  const graphsOf = async (body: object) => (await searched(body)).list.map((assistant) => assistant["graph_id"]);

  test("a search gives those of the graphs, in the shape of a real server, and how many there are", async () => {
    const { list, total } = await searched({});
    const real = z.array(object).parse(recorded("00-assistants-search"));
    expect(list.map(({ graph_id, assistant_id }) => [graph_id, assistant_id])).toEqual(
      real.map(({ graph_id, assistant_id }) => [graph_id, assistant_id]),
    );
    expect(list.map(keysOf)).toEqual(real.map(keysOf));
    expect(total).toBe("2");
  });

  test.each<[reason: string, body: object, found: readonly string[]]>([
    ["by graph", { graph_id: "agent" }, ["agent"]],
    ["by a graph that is not there", { graph_id: "other" }, []],
    ["by name", { name: "boom" }, ["boom"]],
    ["by metadata that each has", { metadata: { created_by: "system" } }, ["boom", "agent"]],
    ["by other metadata", { metadata: { created_by: "me" } }, []],
    ["one page", { limit: 1 }, ["boom"]],
    ["the next page", { limit: 1, offset: 1 }, ["agent"]],
    ["null is not set", { graph_id: null, metadata: null }, ["boom", "agent"]],
  ])("a search %s", async (_reason, body, found) => {
    expect(await graphsOf(body)).toEqual(found);
  });

  test("a search that is not understood answers 422", async () => {
    expect((await agent.post("/assistants/search", { limit: 0 })).status).toBe(422);
  });

  test("one is read by its id; another id answers 404, and what is no id 422", async () => {
    const { list } = await searched({ graph_id: "agent" });
    expect(await get(`/assistants/${assistantIdOf("agent")}`)).toEqual(list[0]);
    expect((await agent.get(`/assistants/${unknownId}`)).status).toBe(404);
    expect((await agent.get("/assistants/agent")).status).toBe(422);
  });
});

describe("a thread", () => {
  test("is read as it was made, and says what happens on it", async () => {
    const made = object.parse(await (await agent.post("/threads", { metadata: { a: 1 } })).json());
    const path = `/threads/${String(made["thread_id"])}`;
    expect(keysOf(made)).toEqual(keysOf(recorded("00-threads-create")));
    expect(await get(path)).toEqual({ ...made, interrupts: {} });
    const id = String(made["thread_id"]);
    await agent.background(id, { input: { topic: "cats", delay_ms: 1000 } });
    expect(await get(path)).toMatchObject({ status: "busy" });
    await until(() => clock.waiting > 0);
    clock.advance(2000);
    await until(async () => (await get(path))["status"] !== "busy");
    expect(await get(path)).toMatchObject({ status: "idle", values: { topic: "cats", log: ["chat", "side", "last"] } });
    await agent
      .post(`/threads/${id}/runs/stream`, { assistant_id: "boom", input: { topic: "x" } })
      .then((r) => r.text());
    await until(async () => (await get(path))["status"] === "error");
  });

  test("has a state: none before the first run, then what the runs left behind", async () => {
    const id = await agent.thread();
    expect(await get(`/threads/${id}/state`)).toEqual({
      values: {},
      next: [],
      tasks: [],
      metadata: {},
      created_at: null,
      checkpoint: { thread_id: id, checkpoint_ns: "", checkpoint_id: null },
      parent_checkpoint: null,
      interrupts: [],
      checkpoint_id: null,
      parent_checkpoint_id: null,
    });
    await agent
      .post(`/threads/${id}/runs/stream`, { assistant_id: "agent", input: { topic: "cats" } })
      .then((r) => r.text());
    const state = await get(`/threads/${id}/state`);
    expect(state).toMatchObject({
      values: { topic: "cats" },
      next: [],
      created_at: new Date(clock.now()).toISOString(),
    });
    expect(await get(`/threads/${id}/state`)).toEqual(state);
  });

  test("is known to its own deployment alone; what is no id is refused", async () => {
    const id = await agent.thread();
    const other = await deployed(agent.emulator, "agent:1", "other");
    for (const path of [`/threads/${id}`, `/threads/${id}/state`]) {
      const url = `${agent.emulator.url}/agents/${other}${path}`;
      expect((await fetch(url, { headers: agent.headers() })).status).toBe(404);
    }
    expect((await agent.get(`/threads/${unknownId}/state`)).status).toBe(404);
    expect((await agent.get("/threads/x")).status).toBe(422);
  });
});

test("GET /info has the fields of a real server, and names deployment, revision and tenant", async () => {
  const info = await get("/info");
  const real = object.parse(recorded("00-info"));
  expect(keysOf(info)).toEqual(keysOf(real));
  for (const part of ["flags", "host"]) expect(keysOf(info[part])).toEqual(keysOf(real[part]));
  expect(info).toMatchObject({ host: { project_id: agent.deploymentId, tenant_id: agent.emulator.tenantId } });
});

/** Resolves when the condition holds: runs go on by themselves, between requests. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 1000; looks += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error("It never came about.");
}
