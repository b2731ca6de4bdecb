// Writes docs/reliability.md from what the suites recorded (record.ts). Run by `npm run reliability`.
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..", "..");
const read = (name) => {
  const file = join(root, ".state", "reliability", `${name}.json`);
  if (!existsSync(file)) throw new Error(`nothing was recorded for "${name}": run \`npm run reliability\``);
  return JSON.parse(readFileSync(file, "utf8"));
};
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const faults = read("faults");
const cutOffs = read("cut-offs");
const programs = read("engine-programs");
const badInput = read("bad-input");
const secrets = read("secrets");

const cuts = ["SIGINT", "SIGINT twice", "SIGTERM", "SIGKILL of the CLI", "SIGKILL of the plugin", "SIGKILL of both"];
const cutRows = Object.entries(cutOffs).map(([phase, results]) => [
  phase,
  ...cuts.map((cut) => results[cut]?.recovered ?? ""),
]);
const cells = Object.values(cutOffs).flatMap((results) => Object.values(results));
const sum = (key) => cells.reduce((total, cell) => total + cell[key], 0);
const kinds = Object.entries(faults.kinds);
const columns = kinds.length > 0 ? Object.keys(kinds[0][1]) : [];

const text = `# Reliability

Written by \`npm run reliability\` from the run that it makes: do not edit. (\`CHAOS_ENGINE=1 npm run reliability\` tries the whole grid of
cut-off runs and 200 programs on the real engine; \`npm run chaos -- --runs N\` goes on with random programs for as long as you like.)

## Faults

${faults.runs} random programs, each with random faults of the platform, through the real handlers over real HTTP. After each: a fault-free
\`up\`, then exactly the declared objects, one each, state equal to the platform, and an \`up\` without a request. A fault counts as survived
if the operation succeeded in spite of it, and as failed cleanly if it ended in an error that the next \`up\` mended.

${table(
  ["fault", ...columns],
  kinds.map(([kind, counted]) => [kind, ...columns.map((column) => counted[column])]),
)}

## Random programs on the real engine

${programs.programs} random programs, ${programs.commands} commands of the plain CLI on the real engine; ${programs.failedCommands} of them failed, as they should where a revision
failed, a fault did not pass or an object was in the way, and what their errors advise was done. ${programs.faultsFired} faults struck. After every command: every object made through
the provider is in state (or a failed command named it), every resource in state has its object, each once; what was made by hand is untouched; \`up\` ended
with 0 only where the declared revision serves. In the end: a fault-free \`up\` equals the program, a second one changes nothing, nothing drifts, and \`destroy\`
leaves nothing. Lost: ${programs.lost}. Doubled: ${programs.doubled}. Orphaned: ${programs.orphaned}. Falsely green: ${programs.falselyGreen}. Any other invariant broken: ${programs.otherwiseBroken}.

${table(
  ["what was tried", "operation", "times"],
  Object.entries(programs.operations).map(([key, count]) => [...key.split(": "), count]),
)}

## Cut-off runs

${cells.length} runs of the real engine, cut off at a phase that the platform's log proves. After each: no plugin process is left after 5 seconds; \`pulumi cancel\`;
\`up\`. The cells say what put everything right: \`up\` alone, or \`up\` with the \`adopt\` that its error named. Lost: ${sum("lost")}. Doubled: ${sum("doubled")}.

${table(["cut off ...", ...cuts], cutRows)}

## Bad input

${badInput.tried} wrong arguments tried, ${badInput.refusedBeforeARequest} refused at preview, before any request.

## Secrets

${secrets.canaries} canary values (API key, bearer token, client_secret, deployment secrets; as configuration secrets and as literals), each in
${secrets.spellings} spellings, searched for through ${secrets.runs} runs of the engine:

${table(
  ["place", "bytes searched"],
  Object.entries(secrets.places).map(([place, bytes]) => [place, bytes]),
)}

Hits: ${secrets.hits}.

## What cannot be promised, and why

- **A run that dies between a POST and its answer** leaves an object that no state knows. The next \`up\` does not make a second one: it fails, names the
  object, and \`adopt: true\` takes it over. It cannot do so by itself, since such an object looks like one that another user made.
- **Under contract \`documented\`** an OAuth provider and a deployment cannot be looked up. After a POST whose outcome is unknown, \`up\` says just that, and what
  to check. A platform that accepts a second deployment of the same name could then hold two.
- **An equal object that another user made within the two seconds** before or after an unclear POST is taken for ours: the platform's clock
  has no finer mark.
- **A PATCH of secrets whose outcome is unknown** cannot be told from the outside, since the platform never shows them: \`up\` says so, and sending it once more
  makes at worst one more revision of the same content.
- **After SIGKILL of the CLI** the plugin notices within a second, and before every request. What it has sent by then, the platform does.
- **An update of \`environmentVariables\` alone that was cut off, and then undone in the program**, shows no diff where the platform hides the
  values: the new ones go on serving until the next change of the deployment.
- **After the API key was rotated**, "not there" may mean "in another workspace". If the platform names no workspace that could be compared, an object that
  was deleted by hand meanwhile needs \`allowOriginChange: true\` once, and the error says so. Templates never name their workspace.
- **A platform that ignores \`offset\` and also cuts pages shorter than asked** cannot be told from one whose list ends there.
- **The engine's own lines at \`-v=9\`**, and debug events of Pulumi's Node SDK in an event log, show secrets that stand as literals in the program.
  Secrets of the configuration are masked there: use those.
`;
mkdirSync(join(root, "docs"), { recursive: true });
writeFileSync(join(root, "docs", "reliability.md"), text);
