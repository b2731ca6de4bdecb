import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeWithEngine } from "../support/with-engine";
import { combinations } from "./combinations";
import { report } from "./report";

describeWithEngine("`npm run compat`", () => {
  test("plays the newest SDK of Pulumi, and writes what it found into a page", async () => {
    const folder = mkdtempSync(join(tmpdir(), "compat-"));
    try {
      const page = join(folder, "page.md");
      const numeric = { numeric: true };
      const [newest] = combinations().sort((one, other) => other.sdk.localeCompare(one.sdk, "en", numeric));
      expect(await report(newest === undefined ? [] : [newest], page)).toBe(true);
      const { node = "", sdk = "", typescript = "" } = newest ?? {};
      const row = `| ${[node, sdk, typescript, "CommonJS", "works", "works"].join(" | ")} |`;
      expect(readFileSync(page, "utf8").match(/^\| \d.*$/gm)).toEqual([row]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
