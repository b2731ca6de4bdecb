import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../tests/support/new-folder";
import { lockOf, VERSION } from "./database";

test.each(["package.json", "../package.json"])("the version is that of %s", (file) =>
  expect(JSON.parse(readFileSync(join(__dirname, file), "utf8"))).toMatchObject({ version: VERSION }),
);

test("one process at a time has a folder, whatever the way to it and its folder for temporary files", async () => {
  const [folder, link] = [newFolder(), join(newFolder(), "link")];
  symlinkSync(folder, link);
  const lock = await lockOf(folder);
  const { TMPDIR: before } = process.env;
  process.env["TMPDIR"] = newFolder();
  try {
    expect(lock).toBeDefined();
    expect(await lockOf(link)).toBeUndefined();
    lock?.close();
    (await lockOf(link))?.close();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});
