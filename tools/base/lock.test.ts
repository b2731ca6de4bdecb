import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockHolder, takeLock } from "./lock";
import { newFolder } from "../../tests/support/new-folder";

let folder: string;
let file: string;
let log: string[];
beforeEach(() => {
  folder = newFolder();
  file = join(folder, "x.lock");
  log = [];
});

/** `onSleep` is what others do during a wait. */
const take = (alive = true, onSleep: () => void = () => undefined) =>
  takeLock(file, "at work", {
    log: (line) => log.push(line),
    sleep: () => {
      onSleep();
      return Promise.resolve();
    },
    alive: () => alive,
  });

test("a free lock is taken at once and is gone after release", async () => {
  const release = await take();
  expect(readdirSync(folder)).toEqual(["x.lock"]);
  expect(lockHolder(file)).toBe(process.pid);
  release();
  expect(readdirSync(folder)).toEqual([]);
  expect(log).toEqual([]);
});

test("a lock of a process that lives is waited for, and its pid is said", async () => {
  writeFileSync(file, "4711");
  let sleeps = 0;
  const release = await take(true, () => {
    sleeps += 1;
    if (sleeps === 24) rmSync(file);
  });
  release();
  expect(log).toEqual([`waiting for process 4711, which is at work; lock: ${file}`]);
});

test("a lock that its process has not touched for minutes is taken over: the pid belongs to another program now", async () => {
  writeFileSync(file, "4711");
  const old = new Date(Date.now() - 180_000);
  utimesSync(file, old, old);
  (await take())();
  expect(log).toEqual([]);
});

test.each([
  ["whose process is gone", "4711", false],
  ["whose content cannot be read", "", true],
])("a lock %s is taken over without waiting", async (_name, content, alive) => {
  writeFileSync(file, content);
  const release = await take(alive, () => {
    throw new Error("waited");
  });
  expect(readdirSync(folder)).toEqual(["x.lock"]);
  release();
  expect(existsSync(file)).toBe(false);
});

test("release leaves a lock alone that another process has taken over", async () => {
  const release = await take();
  writeFileSync(file, String(process.ppid));
  release();
  expect(existsSync(file)).toBe(true);
});
