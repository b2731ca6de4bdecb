// Writes tests/reliability/results.md from what the suites recorded (record.ts): the sections that are named, and otherwise all of them.
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..", "..");
const FRONTS = [
  ["Dynamic resources", ""],
  ["The native plugin", "-native"],
];
const read = (name) => {
  const file = join(root, ".state", "reliability", `${name}.json`);
  if (!existsSync(file)) throw new Error(`nothing was recorded for "${name}": run \`npm run reliability\``);
  return JSON.parse(readFileSync(file, "utf8"));
};
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const onBoth = (name) => FRONTS.map(([, suffix]) => read(`${name}${suffix}`));
const sum = (all, key) => all.reduce((total, counts) => total + counts[key], 0);
const BROKEN = ["lost", "doubled", "orphaned", "falselyGreen", "lies", "otherwiseBroken"];

const INTRO = `# What the reliability tests have found

\`npm run reliability\` writes this file from what it counts; \`npm run interleavings\`, \`npm run chaos:engine\` and \`npm run upgrades\` play more of one part, and write
its sections: do not edit them. A section comes with its first recording. [docs/reliability.md](../../docs/reliability.md) says what the provider promises, and what
it cannot. (\`CHAOS_ENGINE=1 npm run reliability\` tries the whole grid of cut-off runs, and 300 stories on each plugin;
\`npm run chaos -- --runs N\` plays as many random programs as you like.)`;

/** The text of each section. */
const SECTIONS = {
  Faults: () => {
    const played = read("programs");
    const kinds = Object.entries(played.kinds);
    const columns = kinds.length > 0 ? Object.keys(kinds[0][1]) : [];
    return `${played.programs} random programs, ${played.commands} commands, under random faults and on platforms with quirks, while somebody changes, deletes and makes objects by hand; in one
process, over real HTTP (\`tests/player\`). A fault counts as survived if the operation succeeded in spite of it, and as failed cleanly if it ended in an error of ours.

${table(
  ["fault", ...columns],
  kinds.map(([kind, counted]) => [kind, ...columns.map((column) => counted[column])]),
)}`;
  },
  "The player on the real engine": () => {
    const [empty, made] = [onBoth("engine-empty"), onBoth("engine-made")];
    const all = [...empty, ...made];
    const words = [...new Set(all.flatMap((counts) => Object.keys(counts.words)))];
    const played = (word, front) =>
      [empty, made].reduce((total, counts) => total + (counts[front].words[word] ?? 0), 0);
    return `The plain CLI on the real engine, with programs of every type (\`tests/engine/player\`): ${sum(empty, "stories")} stories that began empty, and ${sum(made, "stories")} that began with a state as
the engine could have left it. ${sum(all, "commands")} commands were judged; ${sum(all, "failedCommands")} of them failed, as they should if a revision failed, a fault lasted or an object was in the way. Lost: ${sum(all, "lost")}.
Doubled: ${sum(all, "doubled")}. Orphaned: ${sum(all, "orphaned")}. Falsely green: ${sum(all, "falselyGreen")}. Any other promise broken: ${sum(all, "otherwiseBroken")}.

${table(
  ["what was played", ...FRONTS.map(([front]) => front.toLowerCase())],
  words.map((word) => [word, ...FRONTS.map((_, front) => played(word, front))]),
)}`;
  },
  Upgrades: () => {
    const upgrades = onBoth("engine-older");
    const moments = [...new Set(upgrades.flatMap((counts) => Object.keys(counts.moments)))];
    return `${sum(upgrades, "stories")} stories, ${sum(upgrades, "commands")} commands, which an earlier version of this package begins (its packed artefact is in \`tests/upgrade\`) and this one goes on with,
between any two commands. One upgrade can come after several of these.

${table(
  ["this version took over after", ...FRONTS.map(([front]) => front.toLowerCase())],
  [
    ...moments.map((moment) => [moment, ...upgrades.map((counts) => counts.moments[moment] ?? 0)]),
    ["stories", ...upgrades.map((counts) => counts.stories)],
    [
      "stories that broke a promise",
      ...upgrades.map((counts) => BROKEN.reduce((total, key) => total + counts[key], 0)),
    ],
  ],
)}`;
  },
  "Cut-off runs": () => {
    const cuts = [
      "SIGINT",
      "SIGINT twice",
      "SIGTERM",
      "SIGKILL of the CLI",
      "SIGKILL of the plugin",
      "SIGKILL of both",
    ];
    const fronts = onBoth("cut-offs");
    const cells = fronts.flatMap((phases) => Object.values(phases).flatMap((results) => Object.values(results)));
    const rows = fronts.flatMap((phases, front) =>
      Object.entries(phases).map(([phase, results]) => [
        FRONTS[front][0],
        phase,
        ...cuts.map((cut) => results[cut]?.recovered ?? ""),
      ]),
    );
    return `${cells.length} runs of the real engine, each cut off in a phase that the platform's log proves. After each run, no plugin process is left after
5 seconds; then we run \`pulumi cancel\` and \`up\`. The cells say what repaired everything: \`up\` alone, or \`up\` with the \`adopt\` that its error named.
Lost: ${sum(cells, "lost")}. Doubled: ${sum(cells, "doubled")}.

${table(["plugin", "cut off ...", ...cuts], rows)}`;
  },
  "Plans and reviews": () => {
    const { plans } = read("programs");
    const reviews = ["engine-empty", "engine-made", "engine-older"].flatMap(onBoth);
    return `${plans} changes of single objects in random programs were compared with what was sent in one process. On the real engine, ${sum(reviews, "reviews")} times \`up\` was reviewed first. Stories in
which a request was sent that no review said, or one was not sent that a review called certain: ${sum(reviews, "lies")}.`;
  },
  "Going back": () => {
    const rollBack = read("player-roll-back");
    return `A check with \`rollBack\` that passes, fails or cannot be asked, with one act of somebody else, one kill and one more command at any moment; or two checks at once, in every
order that either can tell apart. ${rollBack.stories} stories in ${rollBack.schedules} schedules, with the real handlers over real HTTP. Stories in which a promise was broken: ${rollBack.broken}.`;
  },
  "Two at once": () => {
    const stories = [
      ["a template, an OAuth provider, a listener or a registry", read("player-objects")],
      ["a deployment that is created, updated or refreshed", read("player-deployments")],
      ["a deployment that is replaced, renamed or deleted", read("player-replacements")],
      ["a deployment that is renamed while another is adopted or replaced", read("player-renames")],
      ["a snapshot, an assistant or a cron", read("player-repeating")],
      ["two stacks of one name in two backends, each with a key", read("player-backends-keys")],
      ["two stacks of one name in two backends, without keys", read("player-backends-no-keys")],
      ["a cron of an older agent server", read("player-older-server")],
    ];
    const spoiled = ["extended-extended", "documented-documented", "extended-documented"].map((each) =>
      read(`player-spoiled-${each}`),
    );
    return `At every point of a command of ours, another stack that declares the same name writes, somebody changes or deletes an object by hand, a request or an answer is lost or late, the
process is killed, or the key is refused. Every request, and the end of every sleep, is held until the explorer lets it through. Of schedules that differ only in the
order of what nobody can tell apart (two reads, two objects, an answer and another's request), one is played. (\`npm run interleavings\`)

${table(
  [
    "about",
    "stories",
    "schedules",
    "stories with more than 3000",
    "something between a look and the next request",
    "broken",
  ],
  stories.map(([about, counts]) => [
    about,
    counts.stories,
    counts.schedules,
    counts.incomplete.join("; ") || "none",
    counts.windows,
    counts.broken,
  ]),
)}

Alone, each command of each type meets an answer that is spoiled, at any of its requests, once or from there on, under both contracts, and where the platform offers less
than the provider expects: ${sum(spoiled, "stories")} commands, ${sum(spoiled, "schedules")} spoiled answers; ${sum(spoiled, "broken")} commands broke a promise.`;
  },
  "Bad input": () => {
    const badInput = read("bad-input");
    return `${badInput.tried} wrong arguments tried, ${badInput.refusedBeforeARequest} refused at preview, before any request.`;
  },
  Secrets: () => {
    const secrets = read("secrets");
    return `${secrets.canaries} canary values (API key, bearer token, client_secret, deployment secrets; as configuration secrets and as literals), each in
${secrets.spellings} spellings, searched for through ${secrets.runs} runs of the engine:

${table(
  ["place", "bytes searched"],
  Object.entries(secrets.places).map(([place, bytes]) => [place, bytes]),
)}

Hits: ${secrets.hits}.`;
  },
};

const file = join(__dirname, "results.md");
const [, ...sections] = readFileSync(file, "utf8").split(/^## /m);
const before = new Map(sections.map((section) => [section.slice(0, section.indexOf("\n")), `## ${section.trimEnd()}`]));
const named = process.argv.slice(2);
const unknown = named.filter((title) => !(title in SECTIONS));
if (unknown.length > 0) throw new Error(`no section of this name: ${unknown.join(", ")}`);
const written = Object.entries(SECTIONS).map(([title, textOf]) =>
  named.length === 0 || named.includes(title) ? `## ${title}\n\n${textOf()}` : before.get(title),
);
// A section that was never written comes with its first run.
const there = written.filter((text) => text !== undefined);
writeFileSync(file, `${[INTRO, ...there].join("\n\n")}\n`);
