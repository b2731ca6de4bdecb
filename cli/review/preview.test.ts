import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../tests/support/new-folder";
import { readPreview, writeOutput } from "./preview";

test.each<[what: string, earlier: string | undefined]>([
  ["a new file", undefined],
  ["an earlier file that others can read", "earlier, and longer"],
])("a saved preview is for its user alone: %s", (_what, earlier) => {
  const file = join(newFolder(), "preview");
  if (earlier !== undefined) writeFileSync(file, earlier, { mode: 0o644 });
  writeOutput("--save", file, "text", 0o600);
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["text", 0o600]);
});

test("what the engine prints without streaming is no preview to review, and the error says how to save one", () => {
  const digest = JSON.stringify({ config: {}, steps: [{ op: "same" }] }, undefined, 4);
  for (const text of [digest, "{}", ""])
    expect(() => readPreview(text)).toThrow(/no events of a preview: save them with/);
});
