// A forge with nothing but Git: each branch is a pull request, and its environment comes from a work tree of that branch.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { down, sweep, up } from "./environments.mjs";
import { ask } from "./pulumi.mjs";

const USAGE = `Usage:
  npm run -s branch -- open BRANCH     make or update the environment of a branch
  npm run -s branch -- close BRANCH    destroy it
  npm run -s branch -- sweep           what deleted branches left over: a dry run
  npm run -s branch -- sweep --yes     destroy it`;

const git = (...args) => ask("git", args);
/** "feature/New_Button" has the environment "pr-feature-new-button". */
const environmentOf = (branch) => `pr-${branch.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;

async function branches() {
  return (await git("for-each-ref", "--format=%(refname:short)", "refs/heads")).trim().split("\n");
}

async function openBranch(branch) {
  const name = environmentOf(branch);
  const other = (await branches()).find((each) => each !== branch && environmentOf(each) === name);
  if (other !== undefined)
    throw new Error(`The branches ${branch} and ${other} both mean ${name}: rename one of them.`);
  const tree = join(process.cwd(), ".state", "trees", name);
  mkdirSync(join(process.cwd(), ".state", "comments"), { recursive: true });
  await remove(tree);
  // Detached: the branch may be checked out elsewhere.
  await git("worktree", "add", "--quiet", "--detach", tree, branch);
  try {
    const here = (await git("rev-parse", "--show-prefix")).trim();
    const { made, comment } = await up(name, join(tree, here));
    const file = join(".state", "comments", `${name}.md`);
    writeFileSync(file, comment);
    console.log(`\n${comment.split("\n")[0]}\nThe comment with the review: ${file}`);
    return made ? 0 : 1;
  } finally {
    await remove(tree);
  }
}

async function remove(tree) {
  rmSync(tree, { recursive: true, force: true });
  await git("worktree", "prune");
}

async function sweepBranches(yes) {
  const open = (await branches()).map(environmentOf);
  const failed = await sweep({ folder: ".", open, olderThanHours: 0, yes });
  return failed === 0 ? 0 : 1;
}

async function main([command, argument]) {
  if (command === "open" && argument) return openBranch(argument);
  if (command === "close" && argument) return down(environmentOf(argument), ".");
  if (command === "sweep" && [undefined, "--yes"].includes(argument)) return sweepBranches(argument === "--yes");
  throw new Error(USAGE);
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code ?? 0),
  (error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
