import { hostname } from "node:os";
import { spawnSync } from "node:child_process";
import { locksIn, lockText, makerOf, type EngineRow } from "./locks";
import { birthOf, hasEnded, thisMachine } from "./process";

const ERROR = `error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.
  file:///b/.pulumi/locks/organization/agent-1/prod/aa.json?no_tmp_dir=true: created by root@${hostname()} (pid 4711) at 2026-11-27T10:00:00Z`;

const engine = (changed: Partial<EngineRow> = {}): EngineRow => ({
  machine: thisMachine(),
  pid: 4711,
  birth: "1",
  began: new Date("2026-11-27T09:59:59Z"),
  ended: new Date("2026-11-27T10:00:30Z"),
  ...changed,
});
const [lock] = locksIn(ERROR) ?? [];
if (lock === undefined) throw new Error("no lock was read");

test("an error names who holds the stack, and any other error no lock", () => {
  const file = "/b/.pulumi/locks/organization/agent-1/prod/aa.json";
  expect(lock).toEqual({ user: "root", host: hostname(), pid: 4711, since: "2026-11-27T10:00:00Z", file });
  expect(locksIn("error: update failed")).toBeUndefined();
  expect(locksIn("error: [409] Conflict: Another update is currently in progress.")).toEqual([]);
  const ofDomain = ERROR.replace("root@", "anna@corp.example@");
  expect(locksIn(ofDomain)).toEqual([{ ...lock, user: "anna@corp.example" }]);
  expect(locksIn(ERROR.replace("file:", "s3:"))).toEqual([{ ...lock, file: undefined }]);
  // The words of an engine may be those of a program: reading them must end.
  const long = "file:///a/.pulumi/locks/".repeat(2000);
  expect(locksIn(`${ERROR}\n${long}`)).toEqual([lock]);
  expect(lockText([{ ...lock, user: "anna", host: "laptop", pid: 1, since: "2026-11-27T10:00:00Z" }])).toMatch(
    /^locked by anna@laptop \(pid 1\) since 2026-11-27T10:00:00Z\./,
  );
});

test.each([
  ["the engine that was recorded", {}, true],
  ["another process of this machine", { pid: 4712 }, false],
  ["an engine of another machine, also of one with the same name", { machine: "elsewhere" }, false],
  [
    "an engine that had the pid long before",
    { began: new Date("2026-11-27T08:00:00Z"), ended: new Date("2026-11-27T08:01:00Z") },
    false,
  ],
])("%s: proved to have made the lock?", (_, changed, isProved) => {
  expect(makerOf(lock, [engine(changed)]) !== undefined).toBe(isProved);
});

test("a lock is left behind only where its maker has surely ended", () => {
  const { pid } = spawnSync("true");
  expect(hasEnded(engine({ pid, birth: "1" }))).toBe(true);
  expect(hasEnded(engine({ pid: process.pid, birth: birthOf(process.pid) }))).toBe(false);
  expect(hasEnded(engine({ pid, machine: "elsewhere" }))).toBe(false);
});

test("a pid that another user's process has got by now is no sign that the maker runs; its own birth is", () => {
  const denied = jest.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error("not permitted"), { code: "EPERM" });
  });
  expect(hasEnded(engine({ pid: process.pid, birth: "1" }))).toBe(true);
  expect(hasEnded(engine({ pid: process.pid, birth: birthOf(process.pid) }))).toBe(false);
  denied.mockRestore();
});
