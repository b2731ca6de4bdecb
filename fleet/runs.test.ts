import { fakeDatabase, workflow } from "../tests/fleet/database";
import type { Database } from "./database";
import { progressOf, runOf } from "./runs";

let database: Database;
beforeEach(async () => {
  database = await fakeDatabase(() => ({ rows: [{ id: "alive" }] }));
});

test("a database without a run has none, in whatever language it says so; any other error is one", async () => {
  const missing = Object.assign(new Error("Relation »dbos.workflow_status« existiert nicht"), { code: "42P01" });
  const listed = jest.spyOn(database.client, "listWorkflows").mockRejectedValueOnce(missing);
  expect(await runOf(database.client)).toBeUndefined();
  listed.mockRejectedValueOnce(new Error("it does not answer"));
  await expect(runOf(database.client)).rejects.toThrow("it does not answer");
});

test("how a run stands is asked without its plan, which can have thousands of stacks", async () => {
  const listed = jest.spyOn(database.client, "listWorkflows").mockResolvedValue([workflow("up-1")]);
  jest.spyOn(database.client, "getEvent").mockResolvedValue(null);
  const limits = { concurrency: 1, failures: 1 };
  const plan = { command: "up", file: { path: "f", says: "" }, waves: [], limits } as const;
  expect(await runOf(database.client, { id: "up-1", plan })).toMatchObject({ id: "up-1", plan, ended: null });
  expect(listed).toHaveBeenCalledWith(expect.objectContaining({ workflowIDs: ["up-1"], loadInput: false }));
});

test("what was begun, and left by its worker, waits for another one; once the run has ended, it has failed", async () => {
  const begun = [
    workflow("up-1/a/prod", { executorId: "dead" }),
    workflow("up-1/b/prod", { executorId: "alive", dequeuedAt: 2 }),
  ];
  jest.spyOn(database.client, "listWorkflows").mockResolvedValue(begun);
  const lasts = await progressOf(database, { id: "up-1", ended: null });
  expect([...lasts].map(([id, { state, reason }]) => [id, state, reason])).toEqual([
    ["a/prod", "waiting", ""],
    ["b/prod", "running", "on alive"],
  ]);
  const cancelled = await progressOf(database, { id: "up-1", ended: new Date() });
  expect(cancelled.get("a/prod")).toMatchObject({
    state: "failed",
    reason: "it was cut off, and then the run was cancelled",
  });
});

test("what has ended comes in the order of its ends; whoever follows a run asks for what is new", async () => {
  const ended = (id: string, completedAt: number, output: object) =>
    workflow(`up-1/${id}`, { status: "SUCCESS", dequeuedAt: completedAt - 1500, completedAt, output });
  const [later, earlier] = [
    ended("a/prod", 5000, { state: "succeeded", reason: "1 created" }),
    ended("b/prod", 3000, { state: "locked", reason: "by anna" }),
  ];
  const listed = jest.spyOn(database.client, "listWorkflows").mockResolvedValue([later, earlier]);
  const since = "1970-01-01T00:00:02.000Z";
  const found = await progressOf(database, { id: "up-1", ended: null }, since);
  expect([...found]).toEqual([
    ["b/prod", { state: "locked", reason: "by anna", seconds: 1.5, ended: "1970-01-01T00:00:03.000Z" }],
    ["a/prod", { state: "succeeded", reason: "1 created", seconds: 1.5, ended: "1970-01-01T00:00:05.000Z" }],
  ]);
  const asked = { parentWorkflowID: "up-1", completedAfter: since, loadInput: false };
  expect(listed).toHaveBeenCalledWith(expect.objectContaining(asked));
});
