import { z } from "zod";
import { assistantIdOf } from "../../emulator";
import { agentUnderTest, type AgentUnderTest } from "../support/agent-under-test";

// Beside what the official server was recorded to answer (tests/support/agent-server.test.ts).

let agent: AgentUnderTest;
beforeAll(async () => void (agent = await agentUnderTest()));

const ID = "a0000000-0000-4000-8000-000000000001";
async function asked(method: string, path: string, body?: object): Promise<readonly [status: number, body: unknown]> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(agent.url + path, { method, headers: agent.headers(), ...sent });
  const text = await answer.text();
  return [answer.status, text === "" ? undefined : JSON.parse(text)];
}

test("an older version as the latest brings back all but graph and context, and the next change has a new number", async () => {
  await asked("POST", "/assistants", { assistant_id: ID, graph_id: "agent", name: "one", context: { a: 1 } });
  await asked("PATCH", `/assistants/${ID}`, { graph_id: "boom", name: "two", context: { a: 2 } });
  const [, back] = await asked("POST", `/assistants/${ID}/latest`, { version: 1 });
  expect(back).toMatchObject({ version: 1, name: "one", graph_id: "boom", context: { a: 2 } });
  const detail = `Version 3 not found for assistant ${ID}`;
  expect(await asked("POST", `/assistants/${ID}/latest`, { version: 3 })).toEqual([404, { detail }]);
  const [, changed] = await asked("PATCH", `/assistants/${ID}`, { name: "three" });
  expect(changed).toMatchObject({ version: 3 });
  const [, versions] = await asked("POST", `/assistants/${ID}/versions`, {});
  expect(versions).toMatchObject([
    { version: 3, name: "three" },
    { version: 2, name: "two" },
    { version: 1, name: "one", graph_id: "agent", assistant_id: ID },
  ]);
});

test("a run of an assistant is one of its graph, in its context unless the run has another", async () => {
  await asked("POST", "/assistants", { assistant_id: ID, graph_id: "agent", if_exists: "do_nothing" });
  await asked("PATCH", `/assistants/${ID}`, { graph_id: "agent", context: { greeting: "Hello" } });
  const run = { assistant_id: ID, input: { topic: "cats" } };
  const answers = (content: string) => [200, { messages: [{ content }] }];
  expect(await asked("POST", "/runs/wait", run)).toMatchObject(answers("Hello cats"));
  const bye = { ...run, context: { greeting: "Bye" } };
  expect(await asked("POST", "/runs/wait", bye)).toMatchObject(answers("Bye cats"));
});

test("an assistant goes with the threads of its runs, if that is asked for", async () => {
  const other = "b0000000-0000-4000-8000-000000000001";
  const countOf = async (metadata: object) => {
    const [, found] = await asked("POST", "/threads/search", { metadata });
    return z.array(z.object({ thread_id: z.string() })).parse(found).length;
  };
  for (const id of [ID, other]) {
    await asked("POST", "/assistants", { assistant_id: id, graph_id: "agent", if_exists: "do_nothing" });
    await asked("POST", "/threads", { thread_id: id, if_exists: "do_nothing" });
    await asked("POST", `/threads/${id}/runs/wait`, { assistant_id: id, input: { topic: "cats" } });
  }
  expect(await asked("DELETE", `/assistants/${other}?delete_threads=false`)).toEqual([204, undefined]);
  expect(await asked("DELETE", `/assistants/${ID}?delete_threads=True`)).toEqual([204, undefined]);
  expect(await Promise.all([ID, other].map((id) => countOf({ assistant_id: id })))).toEqual([0, 1]);
});

test("a run takes config.configurable for its context, not both, and says its metadata", async () => {
  const run = { assistant_id: "agent", input: { topic: "cats" }, config: { configurable: { greeting: "Bye" } } };
  expect(await asked("POST", "/runs/wait", run)).toMatchObject([200, { messages: [{ content: "Bye cats" }] }]);
  expect((await asked("POST", "/runs/wait", { ...run, context: { greeting: "Hello" } }))[0]).toBe(400);
  await asked("POST", "/threads", { thread_id: ID, if_exists: "do_nothing" });
  const sent = { ...run, config: { metadata: { a: 1 } }, metadata: { b: 2, assistant_id: ID } };
  expect(await asked("POST", `/threads/${ID}/runs`, sent)).toMatchObject([
    200,
    { metadata: { a: 1, b: 2, assistant_id: assistantIdOf("agent") } },
  ]);
});

test("crons are found by their assistant in upper case, and call no webhook of the server's own machine", async () => {
  const cron = { assistant_id: "agent", schedule: "@daily" };
  expect((await asked("POST", "/runs/crons", { ...cron, webhook: "http://[::1]:9/x" }))[0]).toBe(422);
  const [, made] = await asked("POST", "/runs/crons", cron);
  const search = { assistant_id: assistantIdOf("agent").toUpperCase() };
  expect(await asked("POST", "/runs/crons/search", search)).toEqual([200, [made]]);
});

test.each(["nosuch", "constructor", "toString"])(
  "a cron of the unknown assistant %s is refused by that name",
  async (name) =>
    expect(await asked("POST", "/runs/crons", { assistant_id: name, schedule: "@daily" })).toEqual([
      404,
      { detail: `Assistant '${name}' not found` },
    ]),
);

test("the assistant of a graph can be changed, and stays", async () => {
  const own = `/assistants/${assistantIdOf("boom")}`;
  expect((await asked("DELETE", own))[0]).toBe(403);
  expect(await asked("PATCH", own, { name: "Bang" })).toMatchObject([200, { version: 2, name: "Bang" }]);
  expect(await asked("POST", "/assistants/search", { graph_id: "boom" })).toMatchObject([200, [{ name: "Bang" }]]);
});

test("the store keeps items by namespace and key", async () => {
  const put = (namespace: string[], key: string, value: object) =>
    asked("PUT", "/store/items", { namespace, key, value });
  expect(await put(["users", "ada"], "tea", { sugar: 1 })).toEqual([204, undefined]);
  await put(["users", "ada"], "tea", { sugar: 2 });
  await put(["users", "bob"], "tea", { sugar: 0 });
  expect(await asked("GET", "/store/items?namespace=users.ada&key=tea")).toMatchObject([
    200,
    { namespace: ["users", "ada"], key: "tea", value: { sugar: 2 } },
  ]);
  expect(await asked("GET", "/store/items?namespace=users.ada&key=milk")).toEqual([200, null]);
  const search = { namespace_prefix: ["users"], filter: { sugar: 0 } };
  expect(await asked("POST", "/store/items/search", search)).toMatchObject([
    200,
    { items: [{ namespace: ["users", "bob"] }] },
  ]);
  const namespaces = { prefix: ["users"], max_depth: 1 };
  expect(await asked("POST", "/store/namespaces", namespaces)).toEqual([200, { namespaces: [["users"]] }]);
  expect(await asked("DELETE", "/store/items", { namespace: ["users", "bob"], key: "tea" })).toEqual([204, undefined]);
  expect(await asked("POST", "/store/items/search", search)).toEqual([200, { items: [] }]);
  expect((await put(["a.b"], "x", {}))[0]).toBe(422);
});

test("a search of assistants or crons has the order and the fields that are asked for", async () => {
  agent = await agentUnderTest();
  const search = { sort_by: "name", sort_order: "asc", select: ["name"] };
  expect(await asked("POST", "/assistants/search", search)).toEqual([200, [{ name: "agent" }, { name: "boom" }]]);
  const down = [{ graph_id: "boom" }, { graph_id: "agent" }];
  const byGraph = { sort_by: "graph_id", select: ["graph_id"], limit: 2 };
  expect(await asked("POST", "/assistants/search", byGraph)).toEqual([200, down]);
  for (const schedule of ["@daily", "@yearly"]) await asked("POST", "/runs/crons", { assistant_id: "agent", schedule });
  const crons = { sort_by: "next_run_date", sort_order: "asc", select: ["schedule"] };
  expect(await asked("POST", "/runs/crons/search", crons)).toEqual([
    200,
    [{ schedule: "@daily" }, { schedule: "@yearly" }],
  ]);
  for (const path of ["/assistants/search", "/runs/crons/search"])
    expect((await asked("POST", path, { sort_by: "colour" }))[0]).toBe(422);
});
