import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { newFolder } from "../tests/support/new-folder";
import { inDatabase } from "./ask";

test("a mistyped fleet file is refused, and nothing is made beside it", async () => {
  const file = join(newFolder(), "typo", "fleet.yaml");
  const opening = inDatabase({ file }, false, () => Promise.reject(new Error("it was opened")));
  await expect(opening).rejects.toThrow(`${file} does not exist: name the fleet's file with --file`);
  expect(existsSync(dirname(file))).toBe(false);
});
