import { join } from "node:path";
import { takeLock } from "./lock";
import { newFolder } from "../../tests/support/new-folder";

test("a lock is waited for until its holder releases it, which is said once", async () => {
  const path = join(newFolder(), "emulator");
  const log: string[] = [];
  const take = (onSleep: () => void) =>
    takeLock(
      path,
      "at work",
      (line) => log.push(line),
      () => Promise.resolve().then(onSleep),
    );
  const release = await take(() => log.push("waited"));
  expect(log).toEqual([]);
  let sleeps = 0;
  const next = await take(() => {
    sleeps += 1;
    if (sleeps === 3) release();
  });
  next();
  expect(log).toEqual([`waiting for another process, which is at work (${path})`]);
  expect(sleeps).toBeGreaterThanOrEqual(3);
});
