import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { goEnvironment } from "../../tools/engine/build";
import { newFolder } from "../support/new-folder";
import { testWithGo } from "../support/with-go";
import { Workflows } from "./rules";

const ROOT = join(__dirname, "..", "..");
/** A Go module that pins the linter, actionlint, by checksum. */
const MODULE = join(ROOT, "tools", "workflows");
const env = goEnvironment(process.env);
const MINUTES = 60_000;

function lint(...files: readonly string[]): { readonly code: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync("go", ["tool", "actionlint", "-no-color", ...files], {
    cwd: MODULE,
    env,
    encoding: "utf8",
  });
  // Go says there what it downloads, and why it failed.
  return { code: status, output: status === 0 ? stdout : stdout + stderr };
}

testWithGo(
  "the linter has nothing to say of any workflow",
  () => {
    const folders = [".github/workflows", "examples/gitops/workflows", "examples/pull-requests/workflows"];
    const files = folders.flatMap((folder) => new Workflows(folder).names.map((name) => join(ROOT, folder, name)));
    expect(files.length).toBeGreaterThan(7);
    expect(lint(...files)).toEqual({ code: 0, output: "" });
  },
  5 * MINUTES,
);

testWithGo("it would say something of a wrong one", () => {
  const folder = newFolder();
  const file = join(folder, "wrong.yml");
  writeFileSync(
    file,
    "on: push\njobs:\n  a:\n    needs: b\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo\n",
  );
  const { code, output } = lint(file);
  expect([code, output]).toEqual([1, expect.stringContaining('job "a" needs job "b"')]);
});
