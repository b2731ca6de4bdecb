import { DBOS, type WorkflowStatus } from "@dbos-inc/dbos-sdk";
import { fakeDatabase, workflow } from "../tests/fleet/database";
import { newFolder } from "../tests/support/new-folder";
import * as engine from "./engine";
import { Workflows } from "./workflows";
import { sealed } from "./seal";
import { Worker } from "./worker";

/** How many stacks the run has. */
const MANY = 1000;

type Workflow = (given: object) => Promise<unknown>;
const workflows = new Map<string, Workflow>();
/** A stack by its id. */
const stackOf = (id: string) => ({ id, stack: "prod", folder: ".", labels: {} });

beforeEach(() => {
  jest.spyOn(DBOS, "registerWorkflow").mockImplementation((act, { name = "" } = {}) => {
    workflows.set(name, act);
    return act;
  });
  jest.spyOn(DBOS, "runStep").mockImplementation((act) => act());
});

test("a stack that begins asks how many have failed, and not for all other stacks; after too many, none begins", async () => {
  jest
    .spyOn(engine, "perform")
    .mockImplementation(({ stack: { id } }) =>
      Promise.resolve({ state: id.startsWith("bad") ? "failed" : "succeeded", reason: "" }),
    );
  const failures = new Set<unknown>();
  const ended: WorkflowStatus[] = [];
  let read = 0;
  const database = await fakeDatabase((text, [, stack]) => {
    if (text.startsWith("INSERT INTO fleet.failures")) failures.add(stack);
    else read += failures.size;
    return { rows: [], rowCount: failures.size };
  });
  jest.spyOn(database.client, "listWorkflows").mockImplementation(({ status }) => {
    if (status === "CANCELLED") return Promise.resolve([]);
    read += ended.length;
    return Promise.resolve(ended);
  });
  new Workflows(new Worker(database, "/fleet", "1"));
  const run = async (id: string): Promise<unknown> => {
    const output = await workflows.get("stack")?.({ run: "up-1", stack: stackOf(id), command: "up", failures: 2 });
    ended.push(workflow(`up-1/${id}`, { status: "SUCCESS", completedAt: 1, dequeuedAt: 1, output }));
    return output;
  };
  await run("bad-1/prod");
  for (let at = 0; at < MANY; at++) expect(await run(`agent-${at}/prod`)).toMatchObject({ state: "succeeded" });
  expect(read).toBeLessThan(3 * MANY);
  await run("bad-2/prod");
  expect(await run("last/prod")).toEqual({ state: "untouched", reason: "stopped after 2 failures" });
});

test("a worker with another FLEET_KEY fails no stack of a rotation: it ends, and says why", async () => {
  const place = { root: newFolder(), database: await fakeDatabase(() => ({})) };
  const value = sealed("the-new-value", place);
  const database = await fakeDatabase((text) => ({ rows: text.includes("fleet.sealed") ? [{ value }] : [] }));
  jest.spyOn(database.client, "listWorkflows").mockResolvedValue([]);
  const worker = new Worker(database, newFolder(), "1");
  new Workflows(worker);
  const output = workflows.get("stack")?.({ run: "rotate-1", stack: stackOf("a/prod"), command: "rotate", key: "key" });
  await expect(Promise.race([output, worker.unable])).rejects.toThrow("FLEET_KEY is not the one");
});

test.each(["first/prod", "last/prod"])("drift of %s closes the gate of its wave", async (drifted) => {
  jest.spyOn(DBOS, "setEvent").mockResolvedValue();
  const startWorkflow = (act: Workflow) => (given: object) => Promise.resolve({ getResult: () => act(given) });
  Object.defineProperty(DBOS, "startWorkflow", { value: startWorkflow });
  const done: string[] = [];
  jest.spyOn(engine, "perform").mockImplementation(({ command, stack: { id } }) => {
    if (command === "up") done.push(id);
    return Promise.resolve({ state: command === "drift" && id === drifted ? "drifted" : "succeeded", reason: "desk" });
  });
  const database = await fakeDatabase(() => ({ rows: [] }));
  jest.spyOn(database.client, "listWorkflows").mockResolvedValue([]);
  jest.spyOn(database.client, "getWorkflow").mockResolvedValue(undefined);
  new Workflows(new Worker(database, "/fleet", "1"));
  const waves = [
    { name: "canary", stacks: ["first/prod", "last/prod"].map(stackOf), gate: { drift: "clean" } },
    { name: "all", stacks: [stackOf("later/prod")] },
  ];
  const verdict = await workflows.get("run")?.({ command: "up", waves, limits: { concurrency: 1 } });
  expect(verdict).toBe(`stopped at the gate of canary: ${drifted}: desk`);
  expect(done).toEqual(["first/prod", "last/prod"]);
});
