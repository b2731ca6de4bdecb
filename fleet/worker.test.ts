import { fakeDatabase, workflow } from "../tests/fleet/database";
import { Worker } from "./worker";

/** A worker whose database answers so, by the beginnings of statements. */
const workerOn = async (answers: Record<string, object> = {}, asked: string[] = []): Promise<Worker> => {
  const database = await fakeDatabase((text) => {
    asked.push(text);
    return Object.entries(answers).find(([begin]) => text.startsWith(begin))?.[1] ?? { rows: [], rowCount: 1 };
  });
  return new Worker(database, "/fleet", "1");
};
const handedTo = (executorId: string) => workflow("up-1/a/prod", { executorId, queueName: "stacks" });

test.each([
  ["has removed it goes on with what it did", 1],
  ["comes too late leaves that to the other", 0],
])("of two processes that find one dead worker, whoever %s", async (_, rowCount) => {
  const dead = { id: "dead", machine: "elsewhere", pid: 1, birth: "1", isSilent: true };
  const worker = await workerOn({ "SELECT *, beat": { rows: [dead] }, DELETE: { rowCount } });
  jest.spyOn(worker.database.client, "listWorkflows").mockResolvedValue([handedTo("dead")]);
  const resume = jest.spyOn(worker.database.client, "resumeWorkflow").mockImplementation();
  await worker.takeOver();
  expect(resume).toHaveBeenCalledTimes(rowCount);
});

test("what was handed to a worker that is not known is left to it until the next look", async () => {
  const worker = await workerOn();
  jest.spyOn(worker.database.client, "listWorkflows").mockResolvedValue([handedTo("new")]);
  const resume = jest.spyOn(worker.database.client, "resumeWorkflow").mockImplementation();
  await worker.takeOver();
  expect(resume).not.toHaveBeenCalled();
  await worker.takeOver();
  expect(resume).toHaveBeenCalledWith("up-1/a/prod", { queueName: "stacks" });
});

test("a stack that is handed to its worker again after an outage belongs to the newer turn: the older one runs no engine", async () => {
  const asked: string[] = [];
  const answers = { "SELECT nextval": { rows: [{ number: "7" }] }, "WITH new": { rows: [{ id: "7" }] } };
  const worker = await workerOn(answers, asked);
  jest.spyOn(worker.database.client, "getWorkflow").mockImplementation(() => Promise.resolve(handedTo(worker.id)));
  const stack = { id: "a/prod", stack: "prod", folder: "a", labels: {} };
  const call = { run: "up-1", stack, args: ["up"], folder: "/", log: "/dev/null" };
  let isBack = (): void => undefined;
  const outage = new Promise<void>((resolve) => (isBack = resolve));
  const older = worker.run(async () => {
    expect(await worker.isOurs()).toBe(true);
    await outage;
    return [await worker.isOurs(), await worker.runEngine(call).catch(String)];
  });
  await worker.run(async () => {
    isBack();
    expect(await older).toEqual([false, "Error: another worker goes on with this"]);
    // The stack is free for the engine of the newer one.
    expect(asked.at(-1)).toMatch(/^UPDATE fleet.engines SET ended/);
    expect(await worker.isOurs()).toBe(true);
  });
});
