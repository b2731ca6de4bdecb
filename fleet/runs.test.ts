import { fakeDatabase, workflow } from "../tests/fleet/database";
import type { Database } from "./database";
import type { FleetStack } from "./plan";
import { logOf, rowsOf, runOf, type Row, type Run } from "./runs";

const stack = (id: string, doneBy?: string): FleetStack => ({
  ...{ id, stack: "prod", folder: id, labels: {} },
  ...(doneBy !== undefined && { doneBy }),
});
const lasting: Run = {
  id: "up-1",
  plan: {
    command: "up",
    file: { path: "/fleet/fleet.yaml", says: "{}" },
    waves: [
      { name: "canary", stacks: [stack("a/prod"), stack("b/prod")] },
      { name: "rest", stacks: [stack("c/prod"), stack("d/prod", "up-0")] },
    ],
    limits: { concurrency: 2, failures: 1 },
  },
  version: "0.2.0",
  began: new Date(),
  ended: null,
  verdict: null,
  at: null,
  approved: {},
};
const ended: Run = { ...lasting, ended: new Date(), verdict: "cancelled" };
const shown = (rows: readonly Row[]) => rows.map(({ stack: id, state, reason }) => [id, state, reason]);

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

test("what was begun, and left by its worker, waits for another one; once the run has ended, it has failed, and the rest is untouched", async () => {
  const begun = [
    workflow("up-1/a/prod", { executorId: "dead" }),
    workflow("up-1/b/prod", { executorId: "alive", dequeuedAt: 2 }),
  ];
  jest.spyOn(database.client, "listWorkflows").mockResolvedValue(begun);
  expect(shown(await rowsOf(database, lasting, "/fleet"))).toEqual([
    ["a/prod", "waiting", ""],
    ["b/prod", "running", "on alive"],
    ["c/prod", "waiting", ""],
    ["d/prod", "succeeded", "by up-0"],
  ]);
  expect(shown(await rowsOf(database, ended, "/fleet"))).toEqual([
    ["a/prod", "failed", "it was cut off, and then the run was cancelled"],
    ["b/prod", "running", "on alive"],
    ["c/prod", "untouched", "cancelled"],
    ["d/prod", "succeeded", "by up-0"],
  ]);
});

test("whoever follows a run asks for what is new", async () => {
  const done = (id: string, completedAt: number, output: object) =>
    workflow(`up-1/${id}`, { status: "SUCCESS", dequeuedAt: completedAt - 1500, completedAt, output });
  const [later, earlier] = [
    done("a/prod", 5000, { state: "succeeded", reason: "1 created" }),
    done("b/prod", 3000, { state: "locked", reason: "by anna" }),
  ];
  const listed = jest.spyOn(database.client, "listWorkflows").mockResolvedValue([later, earlier]);
  const since = "1970-01-01T00:00:02.000Z";
  expect(await rowsOf(database, lasting, "/fleet", since)).toMatchObject([
    { state: "succeeded", reason: "1 created", seconds: 1.5, ended: "1970-01-01T00:00:05.000Z" },
    { state: "locked", reason: "by anna", seconds: 1.5, ended: "1970-01-01T00:00:03.000Z" },
    { state: "waiting", ended: null },
    { state: "succeeded", ended: null },
  ]);
  const asked = { parentWorkflowID: "up-1", completedAfter: since, loadInput: false };
  expect(listed).toHaveBeenCalledWith(expect.objectContaining(asked));
});

test("the log of a stack that an earlier run has done is that run's; no two stacks share one", async () => {
  jest.spyOn(database.client, "listWorkflows").mockResolvedValue([]);
  const rows = await rowsOf(database, lasting, "/fleet");
  expect(rows.at(-1)?.log).toBe("/fleet/.state/fleet/up-0/d/prod.log");
  expect(logOf("/fleet", "up-1", "desk.eu/prod")).not.toBe(logOf("/fleet", "up-1", "desk/eu.prod"));
});
