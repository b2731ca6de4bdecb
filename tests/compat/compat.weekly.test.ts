import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithEngine } from "../support/with-engine";
import { newFolder } from "../support/new-folder";
import { combinations } from "./combinations";
import { report } from "./report";

describeWithEngine("`npm run compat`", () => {
  test("plays the pinned SDK of Pulumi, and writes what it found into a page", async () => {
    const folder = newFolder();
    const page = join(folder, "page.md");
    // A newer SDK may fail the weekly run of all combinations, but no commit of ours.
    const [pinned] = combinations();
    expect(await report(pinned === undefined ? [] : [pinned], page)).toBe(true);
    const { node = "", sdk = "", typescript = "" } = pinned ?? {};
    const row = `| ${[node, sdk, typescript, "CommonJS", "works", "works"].join(" | ")} |`;
    expect(readFileSync(page, "utf8").match(/^\| \d.*$/gm)).toEqual([row]);
  });
});
