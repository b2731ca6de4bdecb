import { z } from "zod";
import { agentUnderTest, AgentUnderTest, deployed } from "../../tests/support/agent-under-test";
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
    ["by name", { name: "boom" }, ["boom"]],
    ["by metadata that each has", { metadata: { created_by: "system" } }, ["boom", "agent"]],
    ["by other metadata", { metadata: { created_by: "me" } }, []],
    ["one page", { limit: 1 }, ["boom"]],
    ["the next page", { limit: 1, offset: 1 }, ["agent"]],
    ["null is not set", { graph_id: null, metadata: null }, ["boom", "agent"]],
  ])("a search %s", async (_reason, body, found) => {
    expect(await graphsOf(body)).toEqual(found);
  });

  test("a search for an unknown graph answers 404, and names those that are there", async () => {
    const answer = await agent.post("/assistants/search", { graph_id: "other" });
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { detail: "Graph 'other' not found. Expected one of: agent, boom" },
    ]);
  });

  test("a search says where the next page begins, and on the last one nothing", async () => {
    const next = async (body: object) =>
      (await agent.post("/assistants/search", body)).headers.get("x-pagination-next");
    expect([await next({ limit: 1 }), await next({ limit: 1, offset: 1 }), await next({})]).toEqual(["1", null, null]);
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

describe("threads", () => {
  const own = "3f1c6d0e-8a54-4b0e-9a39-0c7f2f0f8a01";
  const made = async (body: object) => object.parse(await (await agent.post("/threads", body)).json())["thread_id"];
  const found = async (body: object) => {
    const list = z.array(object).parse(await (await agent.post("/threads/search", body)).json());
    return list.map((thread) => thread["thread_id"]);
  };

  test("may bring their own id, once, unless it is fine that there is one", async () => {
    expect(await made({ thread_id: own, metadata: { first: true } })).toBe(own);
    expect((await agent.post("/threads", { thread_id: own })).status).toBe(409);
    const again = await agent.post("/threads", { thread_id: own.toUpperCase(), if_exists: "do_nothing" });
    expect(await again.json()).toMatchObject({ thread_id: own, metadata: { first: true } });
    expect((await agent.post("/threads", { thread_id: "mine" })).status).toBe(422);
  });

  test("with the id of another deployment's thread are refused, and leave that one as it is", async () => {
    await made({ thread_id: own });
    const other = new AgentUnderTest(agent.emulator, await deployed(agent.emulator, "agent:1", "other"));
    const answer = await other.post("/threads", { thread_id: own, if_exists: "do_nothing" });
    expect(answer.status).toBe(409);
    expect((await agent.get(`/threads/${own}`)).status).toBe(200);
  });

  test("are found by metadata, ids and status, newest first, page by page", async () => {
    const ids = [await made({ metadata: { mark: 1 } }), await made({ metadata: { mark: 1 } }), await made({})];
    const newest = [...ids].reverse();
    expect(await found({})).toEqual(newest);
    expect(await found({ metadata: { mark: 1 } })).toEqual(newest.slice(1));
    expect(await found({ ids: [ids[0], ids[2]] })).toEqual([ids[2], ids[0]]);
    expect(await found({ status: "busy" })).toEqual([]);
    expect(await found({ limit: 1, offset: 1 })).toEqual([ids[1]]);
    expect((await agent.post("/threads/search", { limit: 0 })).status).toBe(422);
  });
});

describe("runs", () => {
  const slow = { assistant_id: "agent", input: { topic: "cats", delay_ms: 1000 } };

  test("are read and listed while and after they run, newest first, as they were answered at first", async () => {
    const thread = await agent.thread();
    const first = object.parse(await (await agent.post(`/threads/${thread}/runs`, slow)).json());
    const path = `/threads/${thread}/runs`;
    const second = await agent.background(thread, slow);
    const statusOf = async (id: unknown) => (await get(`${path}/${String(id)}`))["status"];
    expect(["pending", "running"]).toContain(await statusOf(first["run_id"]));
    for (const id of [first["run_id"], second]) {
      await until(() => clock.waiting > 0);
      clock.advance(1000);
      await until(async () => (await statusOf(id)) === "success");
    }
    const { status: _status, updated_at: _updatedAt, ...same } = first;
    expect(await get(`${path}/${String(first["run_id"])}`)).toMatchObject(same);
    const list = z.array(object).parse(await (await agent.get(path)).json());
    expect(list.map((run) => run["run_id"])).toEqual([second, first["run_id"]]);
  });

  test("an unknown one answers 404, and so do the runs of an unknown thread", async () => {
    const thread = await agent.thread();
    for (const below of ["", "/join"]) {
      expect((await agent.get(`/threads/${thread}/runs/${unknownId}${below}`)).status).toBe(404);
    }
    expect((await agent.get(`/threads/${unknownId}/runs`)).status).toBe(404);
    expect((await agent.get(`/threads/${thread}/runs/x`)).status).toBe(422);
  });

  test("a wait and a join answer the state at the end, or the error", async () => {
    const thread = await agent.thread();
    const waited = async (path: string, graph: string) => {
      const answer = await agent.post(path, { assistant_id: graph, input: { topic: "cats" } });
      return object.parse(await answer.json());
    };
    for (const path of ["/runs/wait", `/threads/${thread}/runs/wait`]) {
      expect(await waited(path, "agent")).toMatchObject({ topic: "cats", log: ["chat", "side", "last"] });
      expect(await waited(path, "boom")).toEqual({ __error__: { error: "TypeError", message: "boom" } });
    }
    const run = await agent.background(thread, { input: { topic: "dogs" } });
    expect(await get(`/threads/${thread}/runs/${run}/join`)).toMatchObject({ topic: "dogs" });
  });

  test("may make the thread that is missing, if asked to", async () => {
    const path = `/threads/${unknownId}/runs/stream`;
    const body = { assistant_id: "agent", input: { topic: "cats" } };
    expect((await agent.post(path, body)).status).toBe(404);
    await (await agent.post(path, { ...body, if_not_exists: "create" })).text();
    expect(await get(`/threads/${unknownId}`)).toMatchObject({ values: { topic: "cats" } });
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
