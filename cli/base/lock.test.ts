import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../tests/support/new-folder";
import { lockOf } from "./lock";

test("one process at a time has a folder, whatever the way to it and its folder for temporary files", async () => {
  const [folder, link] = [newFolder(), join(newFolder(), "link")];
  symlinkSync(folder, link);
  const lock = await lockOf(folder, "a");
  const { TMPDIR: before } = process.env;
  process.env["TMPDIR"] = newFolder();
  try {
    expect(lock).toBeDefined();
    expect(await lockOf(link, "a")).toBeUndefined();
    (await lockOf(link, "b"))?.close();
    lock?.close();
    (await lockOf(link, "a"))?.close();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});
