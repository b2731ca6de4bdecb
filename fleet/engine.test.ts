import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import * as states from "../cli/base/states";
import { fakeDatabase } from "../tests/fleet/database";
import { newFolder } from "../tests/support/new-folder";
import { perform } from "./engine";
import { birthOf, thisMachine } from "./process";
import { logOf } from "./runs";
import { Worker } from "./worker";

const stack = { id: "desk/prod", stack: "organization/desk/prod", folder: "desk", labels: {} };

/** A worker of a fleet with this one stack. */
async function workerHere(): Promise<Worker> {
  const root = newFolder();
  mkdirSync(join(root, "desk"));
  writeFileSync(join(root, "desk", "Pulumi.yaml"), "name: desk\nruntime: nodejs\n");
  return new Worker(await fakeDatabase(() => ({ rows: [] })), root, "1");
}

test("a log that cannot be written, as on a full disk, costs no answer about drift", async () => {
  jest.spyOn(states, "stateReader").mockResolvedValue(() => Promise.resolve({ resources: [], begun: [] }));
  const worker = await workerHere();
  mkdirSync(logOf(worker.root, "drift-1", stack.id), { recursive: true });
  const outcome = await perform({ run: "drift-1", stack, command: "drift" }, worker);
  expect(outcome).toEqual({ state: "succeeded", reason: "no drift" });
});

test("an engine of ours that holds the stack is waited for, and removes its lock by itself", async () => {
  const worker = await workerHere();
  const holder = spawn("sleep", ["60"]);
  const { pid = 0 } = holder;
  const began = new Date();
  const row = { machine: thisMachine(), pid, birth: birthOf(pid), began, ended: null };
  jest.spyOn(worker, "engines").mockImplementation(() => {
    setImmediate(() => holder.kill());
    return Promise.resolve([row]);
  });
  const lock = `s3://states/.pulumi/locks/a.json: created by root@${hostname()} (pid ${pid}) at ${began.toISOString()}`;
  const errors = `error: the stack is currently locked by 1 lock(s).\n  ${lock}`;
  const done: string[] = [];
  jest.spyOn(worker, "runEngine").mockImplementation(({ args: [command = ""] }) => {
    const isFree = done.push(command) > 1;
    const end = { signal: null, isStopped: false, tail: "" };
    return Promise.resolve(isFree ? { ...end, code: 0, errors: "" } : { ...end, code: 255, errors });
  });
  expect(await perform({ run: "up-1", stack, command: "up" }, worker)).toMatchObject({ state: "succeeded" });
  expect(done).toEqual(["up", "up"]);
});
