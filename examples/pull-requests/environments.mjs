// Makes, destroys and sweeps the environments: the workflows and branch.mjs do the same through this file.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, run, show } from "./pulumi.mjs";

/** Only stacks of such names are environments: no other is ever destroyed here. */
const NAME = /^pr-[a-z0-9][a-z0-9-]{0,30}$/;
/** What a comment of a forge holds, less the lines around the review. */
const LONGEST = 65_000;

/** The exit codes of `pulumi-agent-platform review`: nothing to do, changes, refused by a policy. */
const REVIEWED = { unchanged: 0, changes: 8, refused: 9 };

function checked(name) {
  if (NAME.test(name)) return name;
  throw new Error(
    `"${name}" is no environment of a pull request: write "pr-" and 1 to 31 of a-z, 0-9 and "-", like "pr-12".`,
  );
}

/**
 * Brings an environment up to what `folder` declares, and gives the comment to show: its address, and the review.
 * `made` is false where a policy, the preview or `up` stopped it; the comment then says so.
 * @returns {Promise<{ made: boolean, comment: string }>}
 */
export async function up(name, folder) {
  const stack = ["--stack", checked(name)];
  await ask("pulumi", ["stack", "select", "--create", ...stack], { cwd: folder });
  const key = process.env.MODEL_API_KEY;
  if (!key) throw new Error("MODEL_API_KEY is not set: it is the key with which the agent calls its model.");
  await ask("pulumi", ["config", "set", "--secret", "modelApiKey", ...stack], { cwd: folder, input: key });
  const review = await reviewOf(stack, folder);
  if (!review.passed) return { made: false, comment: commentOf(name, "was not changed: see the review.", review) };
  const { code } = await run("pulumi", ["up", "--yes", "--skip-preview", "--non-interactive", ...stack], {
    cwd: folder,
  });
  if (code !== 0) return { made: false, comment: commentOf(name, "is not whole: the job's log says why.", review) };
  const url = (await ask("pulumi", ["stack", "output", "url", ...stack], { cwd: folder })).trim();
  return { made: true, comment: commentOf(name, `runs, and has answered: ${url}`, review) };
}

/** What `up` will do, in the platform's terms, as Markdown. */
async function reviewOf(stack, folder) {
  const room = mkdtempSync(join(tmpdir(), "review-"));
  const file = join(room, "review.md");
  try {
    const args = ["review", ...stack, "--format", "markdown", "--output", file];
    const { code } = await run("agent-platform", args, { cwd: folder });
    const text = existsSync(file) ? readFileSync(file, "utf8") : "There is no review: the job's log says why.\n";
    return { passed: code === REVIEWED.unchanged || code === REVIEWED.changes, text };
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
}

function commentOf(name, outcome, review) {
  const text =
    review.text.length > LONGEST ? "The review is too long for a comment: it is in the job's summary.\n" : review.text;
  return `**Environment ${name}** ${outcome}\n\n${text}`;
}

/** Destroys an environment and forgets its stack. One that does not exist is destroyed already; a kept one is refused. */
export async function down(name, folder) {
  checked(name);
  const exists = (await stacksOf(folder)).some((stack) => stack.name === name);
  if (!exists) return console.log(`There is no stack ${name}: nothing to destroy.`);
  const reason = await keptBy(name, folder);
  if (reason !== undefined) throw new Error(`${name} is not destroyed: ${reason}.`);
  await destroy(name, folder);
}

async function destroy(name, folder) {
  const how = ["--yes", "--non-interactive", "--stack", name];
  await show("pulumi", ["destroy", "--skip-preview", ...how], { cwd: folder });
  await show("pulumi", ["stack", "rm", ...how], { cwd: folder });
}

async function stacksOf(folder) {
  return JSON.parse(await ask("pulumi", ["stack", "ls", "--json"], { cwd: folder }));
}

/** Why this stack must stay, whoever asks; undefined if it need not. */
async function keptBy(name, folder) {
  const stack = ["--stack", name];
  const tags = JSON.parse(await ask("pulumi", ["stack", "tag", "ls", "--json", ...stack], { cwd: folder }));
  if (tags.keep !== undefined && tags.keep !== "false") return "it has the tag keep";
  const state = JSON.parse(await ask("pulumi", ["stack", "export", ...stack], { cwd: folder }));
  const held = (state.deployment.resources ?? []).find(({ protect }) => protect === true);
  return held && `its resource ${held.urn.split("::").at(-1)} is protected`;
}

/**
 * Destroys the environments whose pull request is no longer open. Without `yes` it only says what it would do.
 * @param {{ folder: string, open: readonly string[], named?: RegExp, olderThanHours: number, yes: boolean }} wanted `open`: the names to leave alone;
 * `named`: the only ones that can be destroyed.
 * @returns {Promise<number>} how many could not be destroyed
 */
export async function sweep({ folder, open, named = NAME, olderThanHours, yes }) {
  const rows = [];
  for (const stack of await stacksOf(folder)) {
    const reason = await reasonToKeep(stack, { folder, open, named, olderThanHours });
    rows.push({ name: stack.name, reason });
    console.log(`${stack.name.padEnd(24)} ${reason === undefined ? "destroy" : `keep: ${reason}`}`);
  }
  const left = rows.filter(({ reason }) => reason === undefined).map(({ name }) => name);
  if (!yes) {
    console.log(`\nA dry run: nothing was destroyed. With --yes: ${left.length === 0 ? "nothing" : left.join(", ")}.`);
    return 0;
  }
  let failed = 0;
  for (const name of left) {
    // One that fails, or that someone holds the lock of, does not keep the others.
    await destroy(name, folder).catch((error) => {
      failed += 1;
      console.error(`${name} is still there: ${error.message}`);
    });
  }
  console.log(`\n${left.length - failed} destroyed, ${failed} failed.`);
  return failed;
}

async function reasonToKeep({ name, lastUpdate, updateInProgress }, { folder, open, named, olderThanHours }) {
  if (!named.test(name)) return "it is not the environment of a pull request";
  if (open.includes(name)) return "its pull request is open";
  if (updateInProgress) return "an update is in progress";
  // A pull request may have been opened after the list of them was made.
  const hours = lastUpdate === undefined ? Infinity : (Date.now() - Date.parse(lastUpdate)) / 3_600_000;
  if (hours < olderThanHours) return `it was updated less than ${olderThanHours} h ago`;
  return keptBy(name, folder);
}
