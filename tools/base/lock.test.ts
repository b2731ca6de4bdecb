import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeLeft, takeLock } from "./lock";
import { newFolder } from "../../tests/support/new-folder";

let file: string;
let log: string[];
beforeEach(() => {
  file = join(newFolder(), "x.lock");
  log = [];
});

/** `onSleep` is what others do during a wait. */
const take = (onSleep: () => void = () => log.push("waited")) =>
  takeLock(
    file,
    "at work",
    (line) => log.push(line),
    () => Promise.resolve().then(onSleep),
  );

test("a free lock is taken at once and is gone after release", async () => {
  const release = await take();
  expect([readdirSync(join(file, "..")), readFileSync(file, "utf8")]).toEqual([["x.lock"], String(process.pid)]);
  release();
  expect(readdirSync(join(file, ".."))).toEqual([]);
  expect(log).toEqual([]);
});

test("a lock of a process that lives is waited for, and its pid is said", async () => {
  writeFileSync(file, String(process.ppid));
  let sleeps = 0;
  const release = await take(() => {
    sleeps += 1;
    if (sleeps === 24) rmSync(file);
  });
  release();
  expect(log).toEqual([`waiting for process ${process.ppid}, which is at work; lock: ${file}`]);
});

test("a lock that was released since is not removed: another process may have it by now", async () => {
  // A link to nothing cannot be replaced, or read.
  symlinkSync("nowhere", file);
  const release = await take(() => {
    log.push("waited");
    rmSync(file);
  });
  release();
  expect(log).toEqual(["waited"]);
});

test.each([
  ["whose process is gone", "4194305"],
  ["whose content cannot be read", ""],
])("a lock %s is taken over without waiting", async (_name, content) => {
  writeFileSync(file, content);
  (await take())();
  expect(log).toEqual([]);
});

test("of two processes that find one dead lock, whoever comes second does not remove what the first has made since", async () => {
  writeFileSync(file, "4194305");
  const release = await take();
  removeLeft(file, 4194305);
  expect(readFileSync(file, "utf8")).toBe(String(process.pid));
  release();
  removeLeft(file, 4194305);
  expect(readdirSync(join(file, ".."))).toEqual([]);
});
