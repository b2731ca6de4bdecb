import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commitTime } from "./tree";
import { newFolder } from "../../tests/support/new-folder";

const time = new Date("2026-03-01T12:00:00Z");
let checkout: string;
const env = { ...process.env, GIT_COMMITTER_DATE: time.toISOString() };
const git = (...args: readonly string[]): void =>
  void execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...args], { cwd: checkout, env });

beforeEach(() => {
  checkout = newFolder();
  git("init", "--quiet");
  writeFileSync(join(checkout, ".gitignore"), "dist/\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "One");
});

test("a clean tree has the time of its commit", async () => {
  await expect(commitTime({ checkout, env })).resolves.toEqual(time);
});

test("a tree that is not clean is refused: it says what is in no commit, and what to do", async () => {
  writeFileSync(join(checkout, "new.ts"), "");
  await expect(commitTime({ checkout, env })).rejects.toThrow(
    "The tree is not clean: new.ts is in no commit.\n" +
      "A release is made of a commit: commit the changes, or put them away with `git stash -u`.",
  );
  writeFileSync(join(checkout, ".gitignore"), "");
  await expect(commitTime({ checkout, env })).rejects.toThrow("The tree is not clean: .gitignore and 1 more are in no");
});

test.each([[[]], [["--dry-run", "--publish"]], [["--publish"]]])("%j publishes nothing", (args) => {
  const script = join(__dirname, "..", "..", "dist", "tools", "main.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "release", ...args], { encoding: "utf8" });
  expect([status, stdout, stderr]).toEqual([
    1,
    "",
    "Only the forge's workflow publishes, with its own tokens and after a dry run.\n" +
      "To make the artefacts here: npm run release -- --dry-run\n",
  ]);
});
