// Nothing stays behind after a run of jest. Everything that the run makes carries its name: temporary folders lie in TMPDIR, those of stacks
// in .state/tests/<name> (tests/support/cli-stack.ts), and processes have either in their environment or work there.
const { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { basename, join } = require("node:path");
const { setTimeout: pause } = require("node:timers/promises");

/** Where tests make the folders of stacks. Below the checkout: a program finds its packages from there upwards. */
const workplacesOf = (run) => join(__dirname, "..", "..", ".state", "tests", run);

/** What a plugin, or a worker of jest, may need to see that its parent is gone: seconds, and many of them on a busy machine. */
const GRACE = Number(process.env.LEFTOVER_GRACE_MS ?? 60_000);
/** ts-node and a jest within a test keep compiled programs there, for all of their processes. Plugins keep a journal, which those of the next run remove. */
const CACHE = /^(?:ts-node-|jest_|pulumi-agent-platform-)/;

/** Begins a run: gives it its name and its folders. */
function begin() {
  // Short: the path of a socket has at most 108 characters.
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), "tests-"));
  process.env.TEST_RUN = basename(process.env.TMPDIR);
  mkdirSync(workplacesOf(process.env.TEST_RUN), { recursive: true });
}

/** Ends it. Whatever is left a moment later is named, ended and removed, and the run has failed. */
async function end() {
  const run = process.env.TEST_RUN;
  const folders = [process.env.TMPDIR, workplacesOf(run)];
  const late = Date.now() + GRACE;
  let left = leftBehind(run, folders);
  for (; left.names.length > 0 && Date.now() < late; left = leftBehind(run, folders)) await pause(200);
  left.processes.forEach(kill);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (left.names.length === 0) return;
  console.error(`\n!!! The tests left this behind (it is removed now):\n${left.names.join("\n")}\n`);
  // Not by an error: jest would let nobody write after it, and the closing line (closing-line.js) comes last.
  process.env.LEFT_BEHIND = String(left.names.length);
  process.exitCode = 1;
}

function leftBehind(run, folders) {
  const processes = processesOf(run);
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const names = [
    ...processes.map((pid) => `process ${pid}: ${read(pid, "cmdline").replaceAll("\0", " ")}`),
    ...files.filter((file) => !CACHE.test(basename(file))),
  ];
  return { processes, names };
}

/** The processes that know the run; none where the system has no /proc. jest itself does not: it began before. */
function processesOf(run) {
  let all = [];
  try {
    all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return all.map(Number).filter((pid) => `${read(pid, "environ")}\0${folderOf(pid)}`.includes(run));
}

const read = (pid, file) => attempt(() => readFileSync(`/proc/${pid}/${file}`, "utf8"));
const folderOf = (pid) => attempt(() => readlinkSync(`/proc/${pid}/cwd`));
const kill = (pid) => attempt(() => void process.kill(pid, "SIGKILL"));

/** Nothing of a process that has ended meanwhile, or is another user's. */
function attempt(look) {
  try {
    return look();
  } catch {
    return "";
  }
}

module.exports = { begin, end };
