// Writes docs/reliability.md from what the suites recorded (record.ts): the sections that are named, and otherwise all of them.
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

/** The text of each section. */
const SECTIONS = {
  "What it means for you":
    () => `- **You can stop a run at any moment.** Press Ctrl-C, pull the plug, lose the network: just run \`pulumi up\` again. It finds what the first run created, and
  creates nothing twice. If the run died at the very moment of a create, the error names the object, and \`adopt: true\` takes it over.
- **Green means that it runs.** \`up\` ends with 0 only if the revision that you declared serves.
- **If the platform has a bad day, you lose time, not objects.** Errors, timeouts, incomplete answers and gateways never count as "deleted".
- **Mistakes cost nothing.** The preview refuses wrong arguments before any request.
- **Secrets do not leak.** We searched everything that a run writes for them, and found none.

[The end of this page](#what-cannot-be-promised-and-why) says what we cannot promise. The rest shows how we know.`,
  "How it is measured":
    () => `\`npm run reliability\` writes this page from its own run: do not edit it. \`npm run upgrades\`, \`npm run interleavings\` and \`npm run chaos:engine\` play more of
one part, and write its sections. (\`CHAOS_ENGINE=1 npm run reliability\` tries the whole grid of cut-off runs and 300 stories on the real engine;
\`npm run chaos -- --runs N\` plays as many random programs as you like.)`,
  Faults: () => {
    const played = read("programs");
    const kinds = Object.entries(played.kinds);
    const columns = kinds.length > 0 ? Object.keys(kinds[0][1]) : [];
    return `${played.programs} random programs of all types, ${played.commands} commands of one or two stacks, under random faults and on platforms with quirks, play through the real handlers
over real HTTP, while somebody changes, deletes and makes objects by hand. After each command, we check that nothing is lost, doubled, falsely green or another's; after each refresh,
that the state says what is there; and ${played.plans} times that a plan names what is sent. In the end, an \`up\` without faults makes the platform match the program, another one sends
no request, and \`destroy\` leaves nothing. A fault counts as survived if the operation succeeded in spite of it, and as failed cleanly if it ended in an error of ours.

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
    return `One player runs the plain CLI on the real engine, with programs of every type. ${sum(empty, "stories")} stories began empty, and ${sum(made, "stories")} with a state as the engine could have
left it: creates, updates, deletes, reads and imports that were cut off before or after their request; replacements cut off halfway; rows without objects and
objects without rows; resources under another name, parent or plugin; failed in part, protected, retained. About half of each were on dynamic resources, half on
the native plugin. ${sum(all, "commands")} commands were judged; ${sum(all, "failedCommands")} of them failed, as they should if a revision failed, a fault lasted or an object was in the way. After
every command, we check: each object that the provider made is in state (or a failed command named it); each row has its object, exactly once; what others made is
untouched; each field holds what the program declares, or what a hand has written there and no command has seen; what nobody declares stays; the state is true;
and \`up\` exited with 0 only if the declared revision serves. In the end, with the advice of each error followed, \`up\` makes the platform match the program, a
second one sends nothing, nothing drifts, and \`destroy\` leaves nothing of ours. Lost: ${sum(all, "lost")}. Doubled: ${sum(all, "doubled")}. Orphaned: ${sum(all, "orphaned")}. Falsely green: ${sum(all, "falselyGreen")}. Any
other promise broken: ${sum(all, "otherwiseBroken")}.

${table(
  ["what was played", ...FRONTS.map(([front]) => front.toLowerCase())],
  words.map((word) => [word, ...FRONTS.map((_, front) => played(word, front))]),
)}`;
  },
  Upgrades: () => {
    const upgrades = onBoth("engine-older");
    const moments = [...new Set(upgrades.flatMap((counts) => Object.keys(counts.moments)))];
    return `${sum(upgrades, "stories")} stories, ${sum(upgrades, "commands")} commands, which an earlier version of this package begins (its packed artefact is in \`tests/upgrade\`) and this one goes on with,
between any two commands. The first preview by this version, of the unchanged program, shows what the last one before it did, but for what the changelog names, and
sends nothing. After every command, and in the end, we check what we check of all stories. (\`npm run upgrades\`)

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
)}

One upgrade can come after several of these.`;
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
    return `${plans} changes of single objects in random programs, also with values that a preview does not know, were compared with what was sent in one process: each request is in the
plan of its change, and each that a plan calls certain was sent. On the real engine, ${sum(reviews, "reviews")} times \`up\` was reviewed first (aliases, adoptions, targets, values
that only \`up\` knows). Stories in which a request was sent that no review said, or one was not sent that a review called certain: ${sum(reviews, "lies")}.`;
  },
  "Going back": () => {
    const rollBack = read("player-roll-back");
    return `What a check with \`rollBack\` does, with all that can happen around it: two revisions, a check that passes, fails or cannot be asked, at any moment one act of
somebody else (a push that is built, a revision that serves at once, a redeploy) and one kill, and one more command (\`up\`, \`up --refresh\`, another image,
another \`redeployTrigger\`, another expectation, a program without the check); or two checks at once, in every order that either can tell apart. The explorer of the next section holds each request to the
platform and to the agent, the end of each sleep and each state that is written. These are ${rollBack.stories} stories in ${rollBack.schedules} schedules, played with the
real handlers over real HTTP. After each command, \`up\` was green only if the declared revision serves and its checks passed on it; no failure was
followed by two redeploys; nothing went back without a run that failed; and in the end a good image made all of it green. Stories in which one of these
was broken: ${rollBack.broken}.`;
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
    return `What happens during a command, not only between commands. Our stack creates, updates, replaces, renames, deletes or refreshes a deployment, a template, an OAuth
provider, a listener, a registry, a snapshot, or an assistant or a cron of an agent. At every point of that, another stack that declares the same name creates, adopts, updates, replaces or deletes it; or
somebody deletes it, makes it anew, changes it, takes its name, deploys another image, rolls back, or shifts the pages of a list; or a request or an answer gets lost, an answer is older than the last
one, a list does not show the last request that wrote (also after an answer that was lost), a request is carried out only after the next look, the process is killed (between two requests, or before a state is written; then the program stays, changes or goes), or the platform begins to refuse the key. A lost or an old answer is
played beside another stack, too. The real handlers talk to the emulator over HTTP, and every request, and the end of every sleep, is held until the explorer
lets it through. Of schedules that differ only in the order of what nobody can tell apart (two reads, two objects, an answer and another's request), one is played.
(\`npm run interleavings\`)

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

In each of them: a green command was true; no object was there twice; nothing that another made was deleted or changed by a command that had not looked; each error
named its object; then \`up --refresh\`, alone in the room and with the advice of its error followed, reached its wish and stayed there; no object was left that no stack holds and nobody else made; and
\`destroy\` left what others made. Snapshots have a window that no request can close: what somebody gives a tag between our look and our POST loses it, and our next refresh or theirs shows it.

Alone, each command of each type with objects (create, adopt, \`.get\`, refresh, update, replace, rename, delete, roll out) meets an answer that is spoiled, at any of its requests, once or from there on: errors,
limits, cut connections, pages of gateways, refusals, lists that lack the object, and a 404 that is not true. That is played under both contracts, and where the platform offers less than the provider expects:
${sum(spoiled, "stories")} commands, ${sum(spoiled, "schedules")} spoiled answers; ${sum(spoiled, "broken")} commands broke a promise.`;
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
  "What cannot be promised, and why":
    () => `- **A run that dies between a POST and its answer** leaves an object that no state records. The next \`up\` does not create a second one: it fails and
  names the object, and \`adopt: true\` takes it over. \`up\` cannot do that by itself, because the object could also be another user's.
- **An assistant, a cron or a snapshot of such a run** is taken over by itself for 15 minutes, because it carries a key of its resource; later the error names its id. On
  the native plugin the key is the stack's own. **On dynamic resources it is made from the URN alone:** two stacks of one project and stack name in two backends that create
  the same resource within 15 minutes share its object, and the row of the second one says so. A resource that \`pulumi state move\` takes to another stack within
  15 minutes of its creation, and that stays in the program, is taken over likewise, on both plugins.
- **A POST that the platform carries out more than 7 seconds after its gateway gave up** is not seen before it is sent again. One look follows the second POST; what comes to
  light even later is in no state.
- **Under contract \`documented\`**, an OAuth provider and a deployment cannot be looked up. If the outcome of a POST is unknown, \`up\` says so, and
  what to check. If the platform accepts a second deployment with the same name, there could then be two.
- **An equal object that another user created within two seconds** before or after an unclear POST counts as ours: the platform's clock is no finer.
- **A PATCH of secrets whose outcome is unknown** leaves no visible trace, because the platform never shows secrets. \`up\` says so. Sending it once
  more makes at worst one more revision with the same content.
- **After SIGKILL of the CLI**, the plugin notices within a second, and before every request. The platform still carries out what was sent by then.
- **An update of \`environmentVariables\` alone that was cut off, and then reverted in the program**, shows no diff if the platform hides the values:
  the new values keep serving until the next change of the deployment.
- **After the API key was rotated**, "not there" may mean "in another workspace". If the platform names no workspace to compare, an object that was
  deleted by hand in the meantime needs \`allowOriginChange: true\` once, and the error says so. Templates never name their workspace.
- **What somebody deletes and makes anew between our look and our next request**: the platform changes and deletes templates and OAuth providers by name, and takes
  no condition. That is a window of one request. The answer to a change shows it, and \`up\` fails; the answer to a delete does not.
- **A field that a program changes, and somebody else too since the last refresh**: \`up\` compares with the state, like every provider, so the program wins. \`up --refresh\`
  shows the other's value first; then the window is from that read to the change.
- **A revision that somebody makes between the check's last look and its redeploy** is taken over by the copy of the earlier one: the platform takes no
  condition with a redeploy. Between the two are the list of the revisions and the redeploy itself.
- **A redeploy of a killed run that reaches the platform after the next \`up\` has looked** comes as one more revision; \`up\` looks again after its checks.
- **A platform that ignores \`offset\` and also cuts pages shorter than requested** looks like one whose list ends there.
- **The engine's own lines at \`-v=9\`**, and debug events of Pulumi's Node SDK in an event log, show secrets that the program contains as literals. They
  mask secrets from the configuration, so use those.`,
};

const file = join(root, "docs", "reliability.md");
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
writeFileSync(file, `${["# Reliability", ...there].join("\n\n")}\n`);
