import { join } from "node:path";
import { z } from "zod";
import { agentUnderTest, AgentUnderTest, deployed, until } from "../../tests/support/agent-under-test";
import { capture } from "../../tests/support/capture";
import { newFolder } from "../../tests/support/new-folder";
import { ManualClock } from "../base/clock";
import { startEmulator } from "../start";
import { assistantIdOf } from "./graph";

// What official clients of an agent ask besides its streams, in the shape of the recorded answers.

const unknownId = "00000000-0000-4000-8000-000000000000";
let agent: AgentUnderTest;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  agent = await agentUnderTest({ clock });
});

const object = z.record(z.string(), z.unknown());
const recorded = (name: string): unknown => JSON.parse(capture(name).body.toString("utf8"));
const get = async (path: string) => object.parse(await (await agent.get(path)).json());
const keysOf = (value: unknown): string[] => Object.keys(object.parse(value));

test("null in a search of assistants is not set", async () => {
  const answer = await agent.post("/assistants/search", { graph_id: null, metadata: null });
  const graphs = z
    .array(object)
    .parse(await answer.json())
    .map((assistant) => assistant["graph_id"]);
  expect(graphs).toEqual(["boom", "agent"]);
});

/** A run on a thread, to its end. */
const ran = (thread: string, graph: string, topic = "cats") =>
  agent.post(`/threads/${thread}/runs/stream`, { assistant_id: graph, input: { topic } }).then((r) => r.text());
const searchedThreads = async (body: object) =>
  z.array(object).parse(await (await agent.post("/threads/search", body)).json());
/** The fields of a thread that differ from server to server. */
const OWN = new Set(["thread_id", "created_at", "updated_at", "state_updated_at"]);
const own = "3f1c6d0e-8a54-4b0e-9a39-0c7f2f0f8a01";

describe("a thread", () => {
  test("is read as it was made; while a run is under way it keeps the values of the one before", async () => {
    const made = object.parse(await (await agent.post("/threads", { metadata: { a: 1 } })).json());
    const id = String(made["thread_id"]);
    expect(keysOf(made)).toEqual(keysOf(recorded("00-threads-create")));
    expect(await get(`/threads/${id}`)).toEqual(made);
    expect(keysOf(made)).toEqual(keysOf(recorded("51-thread-before-runs")));
    await agent.background(id, { input: { topic: "cats", delay_ms: 1000 } });
    const names = { graph_id: "agent", assistant_id: assistantIdOf("agent") };
    const begun = { metadata: { a: 1, ...names }, config: { configurable: {} }, error: null, interrupts: {} };
    await until(() => clock.waiting > 0);
    const busy = await get(`/threads/${id}`);
    expect(busy).toEqual({ ...made, ...begun, status: "busy" });
    expect(keysOf(busy)).toEqual(keysOf(recorded("51-thread-busy")));
    clock.advance(2000);
    await until(async () => (await get(`/threads/${id}`))["status"] !== "busy");
    const values = { topic: "cats", log: ["chat", "side", "last"] };
    const updated = new Date(clock.now()).toISOString();
    const times = { updated_at: updated, state_updated_at: updated };
    expect(await get(`/threads/${id}`)).toMatchObject({ ...begun, ...times, status: "idle", values });
  });

  test("says why its last run failed, until the next one", async () => {
    const id = await agent.thread();
    await ran(id, "boom");
    const error = { error: "TypeError", message: "boom" };
    const failed = await get(`/threads/${id}`);
    expect(failed).toMatchObject({ status: "error", error, values: { topic: "cats" } });
    expect(Object.entries(failed).filter(([name]) => !OWN.has(name))).toEqual(
      Object.entries(object.parse(recorded("51-thread-failed"))).filter(([name]) => !OWN.has(name)),
    );
    await ran(id, "agent");
    expect(await get(`/threads/${id}`)).toMatchObject({ status: "idle", error: null });
  });

  test("has a state: none before the first run, then what the runs left behind", async () => {
    const id = await agent.thread();
    expect(await get(`/threads/${id}/state`)).toEqual(recorded("52-state-before-runs"));
    await ran(id, "agent");
    const state = await get(`/threads/${id}/state`);
    const at = new Date(clock.now()).toISOString();
    expect(state).toMatchObject({ values: { topic: "cats" }, next: [], tasks: [], created_at: at });
    expect(state["metadata"]).toMatchObject({ graph_id: "agent", thread_id: id, source: "loop", step: 3 });
    const checkpoint = (name: string) => ({ checkpoint_id: state[name], thread_id: id, checkpoint_ns: "" });
    expect(state["checkpoint"]).toEqual(checkpoint("checkpoint_id"));
    expect(state["parent_checkpoint"]).toEqual(checkpoint("parent_checkpoint_id"));
    expect(await get(`/threads/${id}/state`)).toEqual(state);
    expect(keysOf(state)).toEqual(keysOf(recorded("52-state-after-run")));
  });

  test.each([
    ["the only node", "boom", {}, "boom", "TypeError('boom')"],
    ["the last node", "agent", { fail: "why" }, "last", "RuntimeError('told to fail: why')"],
  ])("after a failure its state names %s as the next, with the error", async (_reason, graph, more, name, error) => {
    const id = await agent.thread();
    const input = { topic: "cats", ...more };
    await agent.post(`/threads/${id}/runs/wait`, { assistant_id: graph, input }).then((r) => r.text());
    const [failed, real] = [await get(`/threads/${id}/state`), recorded("52-state-failed")].map((state) =>
      z.object({ next: z.array(z.string()), tasks: z.array(object) }).parse(state),
    );
    expect(failed?.next).toEqual([name]);
    expect(failed?.tasks).toMatchObject([{ name, path: ["__pregel_pull", name], error }]);
    expect(failed?.tasks.map(keysOf)).toEqual(real?.tasks.map(keysOf));
  });

  test("of another agent may have the same id: each keeps its own", async () => {
    const other = new AgentUnderTest(agent.emulator, await deployed(agent.emulator, "agent:1", "other"));
    for (const [at, by] of [
      [agent, "one"],
      [other, "other"],
    ] as const) {
      expect((await at.post("/threads", { thread_id: own, metadata: { by } })).status).toBe(200);
    }
    await ran(own, "agent");
    expect(await get(`/threads/${own}`)).toMatchObject({ metadata: { by: "one" }, values: { topic: "cats" } });
    const theirs = object.parse(await (await other.get(`/threads/${own}`)).json());
    expect(theirs).toMatchObject({ metadata: { by: "other" }, values: null, status: "idle" });
  });

  test("is known to its own deployment alone; an id that is not a UUID is refused", async () => {
    const id = await agent.thread();
    const other = new AgentUnderTest(agent.emulator, await deployed(agent.emulator, "agent:1", "other"));
    for (const path of [`/threads/${id}`, `/threads/${id}/state`, `/threads/${id}/runs`]) {
      const answer = await other.get(path);
      expect([answer.status, await answer.json()]).toEqual([404, { detail: `Thread with ID ${id} not found` }]);
    }
    expect((await agent.get("/threads/x")).status).toBe(422);
  });

  test("survives a restart with its state, how its last run ended, and its own id", async () => {
    const folder = newFolder();
    const options = { clock, buildSeconds: 0, dataFile: join(folder, "data.json") };
    const first = await agentUnderTest(options);
    await first.post("/threads", { thread_id: own });
    await first.post(`/threads/${own}/runs/wait`, { assistant_id: "boom", input: { topic: "cats" } });
    await first.emulator.close();
    const second = await startEmulator(options);
    try {
      const restarted = new AgentUnderTest(second, first.deploymentId);
      const read = async (path: string) => object.parse(await (await restarted.get(path)).json());
      const error = { error: "TypeError", message: "boom" };
      expect(await read(`/threads/${own}`)).toMatchObject({ status: "error", error, values: { topic: "cats" } });
      expect(await read(`/threads/${own}/state`)).toMatchObject({ next: ["boom"], values: { topic: "cats" } });
    } finally {
      await second.close();
    }
  });
});

describe("a search of threads", () => {
  const idsOf = async (body: object) => (await searchedThreads(body)).map((thread) => thread["thread_id"]);
  let made: readonly string[];
  beforeEach(async () => {
    const create = async (metadata: object) => {
      clock.advance(1);
      return object.parse(await (await agent.post("/threads", { metadata })).json())["thread_id"];
    };
    made = [await create({ user: "ada" }), await create({ user: "ada", tags: ["a", "b"] }), await create({})].map(
      String,
    );
    await ran(made[0] ?? "", "agent");
    await agent.background(made[2] ?? "", { input: { topic: "dogs", delay_ms: 1000 } });
  });

  test.each<[reason: string, body: object, found: readonly number[]]>([
    ["all, the latest change first", {}, [2, 0, 1]],
    ["by a part of the metadata's list", { metadata: { tags: ["b"] } }, [1]],
    ["by metadata that only another value has", { metadata: { user: "eve" } }, []],
    ["by the state", { values: { topic: "cats" } }, [0]],
    ["by status", { status: "busy" }, [2]],
    ["one page", { limit: 1, offset: 1 }, [0]],
    ["in another order", { sort_by: "created_at", sort_order: "asc" }, [0, 1, 2]],
    ["no id counts as not sent", { ids: [] }, [2, 0, 1]],
  ])("%s", async (_reason, body, found) => {
    expect(await idsOf(body)).toEqual(found.map((index) => made[index]));
  });

  test("by ids, and only some fields", async () =>
    expect(await searchedThreads({ ids: [made[1]], select: ["thread_id"] })).toEqual([{ thread_id: made[1] }]));

  test("says where the next page begins, and of the rest only that there is one", async () => {
    const headers = async (body: object) => {
      const answer = await agent.post("/threads/search", body);
      return ["total", "next"].map((name) => answer.headers.get(`x-pagination-${name}`));
    };
    expect(await headers({ limit: 1 })).toEqual(["2", "1"]);
    expect(await headers({ limit: 2, offset: 2 })).toEqual(["3", null]);
  });

  test("422 for what it cannot be, by name", async () => {
    for (const [body, detail] of [
      [{ limit: 1001 }, "body.limit: Too big: expected number to be <=1000"],
      [{ status: "nope" }, 'body.status: Invalid option: expected one of "idle"|"busy"|"interrupted"|"error"'],
      [{ metadata: "x" }, "body.metadata: Invalid input: expected record, received string"],
    ] as const) {
      const answer = await agent.post("/threads/search", body);
      expect([answer.status, await answer.json()]).toEqual([422, { detail }]);
    }
  });
});

describe("a run", () => {
  const slow = { assistant_id: "agent", input: { topic: "cats", delay_ms: 1000 }, stream_mode: ["updates"] };
  const started = async (thread: string) =>
    object.parse(await (await agent.post(`/threads/${thread}/runs`, slow)).json());

  test("is read and listed as it was answered at first; the list begins with the newest", async () => {
    const thread = await agent.thread();
    const path = `/threads/${thread}/runs`;
    const [first, second] = [await started(thread), await started(thread)];
    const [one, two] = [first, second].map((run) => `${path}/${String(run["run_id"])}`);
    const { status: _status, updated_at: _updatedAt, ...same } = first;
    expect(await get(one ?? "")).toMatchObject({ ...same, status: "running" });
    expect(keysOf(first)).toEqual(keysOf(recorded("53-run")));
    expect(await get(two ?? "")).toMatchObject({ status: "pending" });
    const listed = async (query = "") => {
      const list = z.array(object).parse(await (await agent.get(path + query)).json());
      return list.map((run) => run["run_id"]);
    };
    expect(await listed()).toEqual([second["run_id"], first["run_id"]]);
    expect(await listed("?limit=1&offset=1")).toEqual([first["run_id"]]);
    expect(await listed("?status=pending")).toEqual([second["run_id"]]);
    clock.advance(1000);
    await until(async () => (await get(one ?? ""))["status"] === "success");
    expect(await get(one ?? "")).toMatchObject({ ...same, updated_at: new Date(clock.now()).toISOString() });
  });

  test("that is unknown answers 404, and an id that is not a UUID 422", async () => {
    const thread = await agent.thread();
    const unknown = await agent.get(`/threads/${thread}/runs/${unknownId}`);
    expect([unknown.status, await unknown.json()]).toEqual([404, { detail: "Not Found" }]);
    const refused = await agent.get(`/threads/${thread}/runs/x`);
    expect([refused.status, await refused.json()]).toEqual([422, { detail: "Invalid run ID: must be a UUID" }]);
    const error = { error: "HTTPException", message: "404: Run not found" };
    expect(await get(`/threads/${thread}/runs/${unknownId}/join`)).toEqual({ __error__: error });
  });

  test.each([
    ["without a thread", () => Promise.resolve("/runs/wait")],
    ["on a thread", async () => `/threads/${await agent.thread()}/runs/wait`],
  ])("is waited for %s: its last state, or its error, and where to join it", async (_reason, path) => {
    const waited = async (graph: string) => agent.post(await path(), { assistant_id: graph, input: { topic: "cats" } });
    const answer = await waited("agent");
    expect(await answer.json()).toMatchObject({ topic: "cats", log: ["chat", "side", "last"] });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("content-location")).toMatch(/^\/threads\/[0-9a-f-]{36}\/runs\/[0-9a-f-]{36}$/);
    expect(answer.headers.get("location")).toBe(`${answer.headers.get("content-location") ?? ""}/join`);
    expect(await (await waited("boom")).json()).toEqual({ __error__: { error: "TypeError", message: "boom" } });
  });

  test("is joined before and after its end; line breaks keep the connection open meanwhile", async () => {
    const thread = await agent.thread();
    const path = `/threads/${thread}/runs/${await agent.background(thread, { ...slow, input: { delay_ms: 6000 } })}/join`;
    const joined = await agent.get(path);
    await until(() => clock.waiting > 1);
    for (let second = 0; second < 6; second += 1) clock.advance(1000);
    const text = await joined.text();
    expect(text).toMatch(/^\n\{/);
    expect(JSON.parse(text)).toMatchObject({ log: ["chat", "side", "last"] });
    expect(await get(path)).toEqual(JSON.parse(text));
  });

  test.each([
    ["goes on when a waiting client leaves", "", "success"],
    ["ends with it if the client asked for that", "?cancel_on_disconnect=true", "interrupted"],
  ])("%s", async (_reason, query, status) => {
    const thread = await agent.thread();
    const path = `/threads/${thread}/runs/${await agent.background(thread, slow)}`;
    const leaving = new AbortController();
    const joined = await agent.get(`${path}/join${query}`, { signal: leaving.signal });
    const left = expect(joined.text()).rejects.toThrow(/abort/);
    leaving.abort();
    await left;
    if (status === "success") clock.advance(1000);
    await until(async () => (await get(path))["status"] === status);
  });

  test("makes a thread that is missing, if it is asked to", async () => {
    const body = { assistant_id: "agent", input: { topic: "cats" } };
    const path = `/threads/${own}/runs/wait`;
    expect((await agent.post(path, body)).status).toBe(404);
    await agent.post(path, { ...body, if_not_exists: "create" }).then((r) => r.text());
    expect(await get(`/threads/${own}`)).toMatchObject({ values: { topic: "cats" }, status: "idle" });
    expect((await agent.post(path, { ...body, if_not_exists: "perhaps" })).status).toBe(422);
  });
});

test("GET /info has the fields of a real server, and names deployment, revision and tenant", async () => {
  const info = await get("/info");
  const real = object.parse(recorded("00-info"));
  expect(keysOf(info)).toEqual(keysOf(real));
  for (const part of ["flags", "host"]) expect(keysOf(info[part])).toEqual(keysOf(real[part]));
  expect(info).toMatchObject({ host: { project_id: agent.deploymentId, tenant_id: agent.emulator.tenantId } });
});
