import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeLock, type LockOptions } from "./lock";
import { newFolder } from "../../tests/support/new-folder";

let folder: string;
let file: string;
let log: string[];
beforeEach(() => {
  folder = newFolder();
  file = join(folder, "engine.lock");
  log = [];
});

/** A clock that only a wait moves. `onSleep` is what others do meanwhile. */
function options(alive: (pid: number) => boolean, onSleep: (now: number) => void = () => undefined): LockOptions {
  let now = Date.now();
  const sleep = (milliseconds: number): Promise<void> => {
    now += milliseconds;
    onSleep(now);
    return Promise.resolve();
  };
  return { log: (line) => log.push(line), now: () => now, sleep, alive };
}

const take = (alive = true, onSleep?: (now: number) => void) =>
  takeLock(
    file,
    options(() => alive, onSleep),
  );

function heldBy(pid: number): void {
  writeFileSync(file, JSON.stringify({ pid, since: Date.now() }));
}

test("a free lock is taken at once and is gone after release", async () => {
  const lock = await take();
  expect(readdirSync(folder)).toEqual(["engine.lock"]);
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
  expect(log).toEqual([]);
});

test("a lock of a process that lives is waited for, and its pid is said every five seconds", async () => {
  heldBy(4711);
  let sleeps = 0;
  const lock = await take(true, () => {
    sleeps += 1;
    if (sleeps === 24) rmSync(file);
  });
  lock.release();
  expect(log.map((line) => line.slice(0, line.indexOf(";")))).toEqual(
    ["0 s", "5 s", "10 s"].map((time) => `waiting for process 4711, which is getting the engine already (${time})`),
  );
});

test.each([
  ["whose process is gone", () => heldBy(4711), false],
  ["whose content cannot be read", () => writeFileSync(file, ""), true],
])("a lock %s is taken over without waiting", async (_name, prepare, alive) => {
  prepare();
  const lock = await take(alive, () => {
    throw new Error("waited");
  });
  expect(readdirSync(folder)).toEqual(["engine.lock"]);
  lock.release();
});

test("a lock that its process has not touched for minutes is taken over: the pid belongs to another program now", async () => {
  heldBy(4711);
  const old = new Date(Date.now() - 180_000);
  utimesSync(file, old, old);
  (await take()).release();
  expect(log).toEqual([]);
});

test("release leaves a lock alone that another process has taken over", async () => {
  const lock = await take();
  heldBy(4711);
  lock.release();
  expect(existsSync(file)).toBe(true);
});
