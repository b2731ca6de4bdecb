import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CliError, wrongUsage } from "../cli/base/cli-error";
import { byTexts, tableLines } from "../cli/base/printable";
import { outputOf } from "../cli/base/pulumi";
import { leniently, messageOf } from "../provider/base/errors";
import { safeText } from "../provider/base/masker";
import { shellWord } from "../provider/base/shell";
import { checkPassphrases, checkPrograms } from "./checks";
import { openEmbedded, openPostgres, VERSION, type Database } from "./database";
import { folderOf, readFleetFile } from "./file";
import { leftOf, stacksIn, wavesOf } from "./plan";
import { LEASE, say } from "./process";
import { idleText, placeText, REPORT_FORMATS, reportOf, type Report } from "./report";
import { Workflows } from "./workflows";
import { aliveIn, approvalOf, rowsOf, runOf, wordsOf, type FleetCommand, type Plan, type Run } from "./runs";
import { forgetValues, sealed, valueOf } from "./seal";
import { Worker } from "./worker";

/** What every command is given. */
export interface Given {
  readonly file: string;
  /** The address of a Postgres; undefined for the embedded one. */
  readonly database?: string | undefined;
}

/** Where the fleet's file is, unless something else is given. */
export const FLEET_FILE = "fleet.yaml";

/** A command line for people to run, for the same file and database. */
export function lineFor({ file, database }: Given, ...words: string[]): string {
  const isKnown = database === undefined || database === process.env["FLEET_DATABASE_URL"];
  return lineOf([
    ...words,
    ...(file === FLEET_FILE ? [] : ["--file", file]),
    ...(isKnown ? [] : ["--database", database]),
  ]);
}

/** A command line of these words; an address is shown without its password. */
const lineOf = (words: readonly string[]): string =>
  safeText(["agent-platform-fleet", ...words.map(shellWord)].join(" "));

/** The command line that goes on with a run, for people to run. */
const nextFor = (given: Given, { plan }: Pick<Run, "plan">): string => lineFor(given, ...wordsOf(plan));

/** Refuses a lease (FLEET_LEASE_SECONDS) that is none. */
export function checkLease(seconds = LEASE): void {
  if (seconds >= 1 && seconds <= 86_400) return;
  throw wrongUsage("FLEET_LEASE_SECONDS must be a number of seconds from 1 to 86400: correct it, or unset it");
}

/** Opens the database for as long as `act` takes. */
export async function inDatabase(
  given: Given,
  isToWork: boolean,
  act: (database: Database) => Promise<void>,
): Promise<void> {
  const { file, database: url } = given;
  // Beside a mistyped one there is a new database, without a run; and a worker finds no stack there.
  if ((url === undefined || isToWork) && !existsSync(file))
    throw wrongUsage(`${file} does not exist: name the fleet's file with --file`);
  const folder = join(folderOf(file), ".state", "fleet", "database");
  const database = await (url === undefined ? openEmbedded(folder, isToWork) : openPostgres(url));
  await act(database).finally(() => database.close());
}

/** A worker with the runs that it does, and the command line that goes on with what it does now. */
interface Work {
  readonly given: Given;
  readonly worker: Worker;
  readonly workflows: Workflows;
  next: string;
}

/** Does something as a worker, which ends with it or with the process. */
const asWorker = (given: Given, act: (work: Work) => Promise<void>): Promise<void> =>
  inDatabase(given, true, async (database) => {
    say(`database: ${database.shown}`);
    const root = folderOf(given.file);
    const engine = await outputOf(["version"], { folder: root, environment: process.env });
    const worker = new Worker(database, root, `${VERSION} with Pulumi ${engine.trim()}`);
    const work = { given, worker, workflows: new Workflows(worker), next: lineOf(process.argv.slice(2)) };
    let ending: Promise<void> | undefined;
    const end = (): Promise<void> => (ending ??= worker.stop());
    // The one way out: what else ends meanwhile does so because of it.
    const interrupted = new Promise<void>((cut) => {
      const stop = (): void => {
        if (ending !== undefined) process.exit(130);
        say(`interrupted: the engines end; \`${work.next}\` goes on where it was`, process.stderr);
        process.exitCode = 130;
        cut();
      };
      process.on("SIGINT", stop).on("SIGTERM", stop);
    });
    await Promise.race([act(work), worker.unable, interrupted]).finally(end);
  });

/** The command line that ends a run, as advice. */
const endFor = (given: Given): string => `end it with \`${lineFor(given, "cancel")}\``;

/**
 * Starts a run, or goes on with the one that was interrupted, and follows it to its end.
 * @param value The new one of a rotation's key; only asked for where a run begins.
 */
export function roll(given: Given, command: FleetCommand, key?: string, value?: () => Promise<string>): Promise<void> {
  const file = readFleetFile(given.file);
  return asWorker(given, async (work) => {
    const { worker } = work;
    const newest = await runOf(worker.database.client);
    if (newest?.ended === null) {
      const { id, plan } = newest;
      await checkWorker(newest, work);
      refuseFile(newest, given);
      work.next = nextFor(given, newest);
      if (plan.command !== command || plan.key !== key)
        throw new CliError(`${id} has not ended: go on with \`${work.next}\`, or ${endFor(given)}`);
      say(`${id} goes on${key === undefined ? "" : ", with the value that it was started with"}`);
      await worker.start();
      await follow(work, newest);
      return;
    }
    const stacks = await stacksIn(file, worker.root);
    // Looking at stacks harms none: there are no waves and no gates. A preview refuses what `up` would refuse.
    const planned = wavesOf(command === "drift" ? [{ name: "all" }] : file.waves, stacks);
    const waves = command === "preview" ? [{ name: "all", stacks }] : planned;
    const from = { path: resolve(given.file), says: JSON.stringify(file) };
    await begin(work, { command, file: from, waves, limits: file.limits, key }, await value?.());
  });
}

/** Refuses to take part in a run of which this worker could do nothing: DBOS hands out what its own version began. */
async function checkWorker({ id, plan, version = "unknown", ended }: Run, { given, worker }: Work): Promise<void> {
  if (ended !== null) return;
  if (version !== worker.version)
    throw new CliError(
      `version ${version} began ${id}, and this is ${worker.version}: go on with that version, or ${endFor(given)}`,
    );
  checkPassphrases(plan.waves.flatMap(leftOf), worker.root);
  if (plan.key !== undefined) await valueOf(id, worker);
}

/** Refuses a run that another fleet file began, or this one before it was changed, with what to do instead. */
function refuseFile({ id, plan, ended }: Run, given: Given): void {
  const words = wordsOf(plan);
  const instead = ended === null ? endFor(given) : `begin anew with \`${lineFor(given, ...words)}\``;
  const { path, says } = plan.file;
  if (says === JSON.stringify(readFleetFile(given.file))) return;
  if (path === resolve(given.file))
    throw new CliError(`${given.file} has changed since it began ${id}: undo that to go on, or ${instead}`);
  const there = lineFor({ ...given, file: path }, ...(ended === null ? words : ["retry"]));
  throw new CliError(
    `${path} began ${id}, and ${given.file} says something else: go on with \`${there}\`, or ${instead}`,
  );
}

/** Runs again the stacks of the newest run that did not succeed. */
export function retry(given: Given, value?: string): Promise<void> {
  return asWorker(given, async (work) => {
    const { database, root } = work.worker;
    const last = await runOf(database.client);
    if (last === undefined) throw new CliError("there is no run to retry: start one with `up`");
    const { id, plan, ended } = last;
    refuseFile(last, given);
    if (ended === null) throw new CliError(`${id} has not ended: go on with \`${nextFor(given, last)}\``);
    if (plan.command === "rotate" && value === undefined)
      throw new CliError("the value of a rotation is not kept: give it again with --value-file, or by `rotate`");
    if (plan.command !== "rotate" && value !== undefined)
      throw wrongUsage(`--value-file: ${id} is no rotation, so it needs no value: leave it out`);
    const rows = await rowsOf(database, last, root);
    const succeeded = new Set(rows.flatMap(({ stack, state }) => (state === "succeeded" ? stack : [])));
    if (succeeded.size === rows.length) throw new CliError(`all stacks of ${id} succeeded: nothing to retry`);
    // The gate of each wave but the last that it has touched has been passed.
    const reached = plan.waves.findLastIndex(({ name }) =>
      rows.some(({ wave, state }) => wave === name && state !== "untouched"),
    );
    const waves = plan.waves.map((wave, at) => ({
      ...wave,
      stacks: wave.stacks.map((stack) => (succeeded.has(stack.id) ? { doneBy: id, ...stack } : stack)),
      isPassed: wave.isPassed === true || at < reached,
    }));
    await begin(work, { ...plan, waves }, value);
  });
}

async function begin(work: Work, plan: Plan, value?: string): Promise<void> {
  const { worker, workflows } = work;
  const { command, waves, limits } = plan;
  const { database, root } = worker;
  const stacks = waves.flatMap(leftOf);
  checkPassphrases(stacks, root);
  // The others run no program.
  if (["preview", "up", "rotate"].includes(command)) await checkPrograms(stacks, root, limits.concurrency);
  const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const id = `${command}-${time}-${randomBytes(2).toString("hex")}`;
  await worker.start();
  await database.alone(async () => {
    if ((await runOf(database.client))?.ended === null)
      throw new CliError("another run of this fleet has just begun: look at it with `status`");
    // A run that was killed at its beginning may have left some.
    await forgetValues(worker);
    if (value !== undefined)
      await database.pool.query("INSERT INTO fleet.sealed VALUES ($1, $2)", [id, sealed(value, worker)]);
    work.next = nextFor(work.given, { plan });
    await workflows.begin(id, plan);
  });
  const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
  say(`${id}: ${counted(stacks.length, "stack")} in ${counted(waves.length, "wave")}`);
  await follow(work, { id, plan });
}

/** Prints what becomes of a run to its end. */
async function follow({ given, worker: { database, root } }: Work, begun: Pick<Run, "id" | "plan">): Promise<void> {
  const seen = new Set<string>();
  let [place, since] = ["", ""];
  for (;;) {
    // The database may be away for a while.
    const run = await runOf(database.client, begun).catch(() => undefined);
    const rows = run && (await rowsOf(database, run, root, run.ended === null ? since : "").catch(() => undefined));
    await pause(300);
    if (run === undefined || rows === undefined) continue;
    for (const { stack, state, seconds, reason, ended } of [...rows].sort(byTexts((row) => [row.ended ?? ""]))) {
      if (ended === null) continue;
      const line = tableLines([[stack, state, `${seconds?.toFixed(1) ?? "-"} s`, reason]]);
      if (state !== "untouched" && !seen.has(stack)) process.stdout.write(`${line.join("\n")}\n`);
      seen.add(stack);
      // What ends at once is not recorded at once.
      since = new Date(Date.parse(ended) - 60_000).toISOString();
    }
    const at = placeText(run.at);
    if (run.at !== null && at !== place)
      say(run.at.gate === "approve" ? `${at}: run \`${lineFor(given, "approve")}\`` : at);
    place = at;
    // What ran when it was cancelled comes to its end.
    if (run.ended === null || rows.some(({ state }) => state === "running")) continue;
    const report = reportOf(run, rows);
    process.stdout.write(`\n${REPORT_FORMATS.text(report)}`);
    process.exitCode = exitCodeOf(report);
    return;
  }
}

function exitCodeOf(report: Report): number {
  const states = new Set<string>(report.stacks.map(({ state }) => state));
  if (["failed", "locked", "untouched"].some((state) => states.has(state))) return 1;
  if (states.has("drifted")) return 7;
  return report.verdict === "done" ? 0 : 1;
}

/** Takes part in the runs of a database until it is interrupted. */
export function takePart(given: Given): Promise<void> {
  return asWorker(given, async (work) => {
    const { worker } = work;
    const { client } = worker.database;
    let newest = await runOf(client);
    if (newest !== undefined) await checkWorker(newest, work);
    await worker.start();
    say(`worker ${worker.id} takes part`);
    // Of a run that begins later it may be able to do nothing, too.
    for (;;) {
      await pause(LEASE * 1000);
      const found = await runOf(client).catch(() => undefined);
      if (found === undefined || found.id === newest?.id) continue;
      newest = found;
      await checkWorker(found, work).catch((error: unknown) => say(messageOf(error), process.stderr));
    }
  });
}

/** Prints what is to be said about the newest run. */
const ask = (given: Given, act: (run: Run, database: Database) => Promise<string>): Promise<void> =>
  inDatabase(given, false, async (database) => {
    const run = await runOf(database.client);
    if (run === undefined) throw new CliError("there is no run yet: start one with `up`");
    process.stdout.write(await act(run, database));
  });

/** Shows the newest run. */
export const status = (given: Given, format: keyof typeof REPORT_FORMATS): Promise<void> =>
  ask(given, async (run, database) => {
    const { length: workers } = await aliveIn(database.pool);
    const rows = await rowsOf(database, run, folderOf(given.file));
    return REPORT_FORMATS[format](reportOf(run, rows, workers, nextFor(given, run)));
  });

/** In a container, a user can have a number alone. */
const userName = (): string => leniently(() => userInfo().username) ?? String(process.getuid?.());

/** Opens the gate that the newest run waits at. */
export const approve = (given: Given, wave?: string): Promise<void> =>
  ask(given, async (run, { client, pool }) => {
    refuseEnded(run);
    const { id, at } = run;
    if (at?.gate !== "approve") throw new CliError(`${id} waits for no approval: it is at ${placeText(at)}`);
    if ((wave ?? at.wave) !== at.wave)
      throw new CliError(`${id} waits for the approval of ${at.wave}, not of ${wave ?? ""}`);
    await client.send(id, `${userName()}@${hostname()}`, approvalOf(at.wave));
    const { length: workers } = await aliveIn(pool);
    return `${id}: the gate of ${at.wave} is approved${idleText(workers, nextFor(given, run))}\n`;
  });

/** Ends the newest run when what runs now has ended. */
export const cancel = (given: Given): Promise<void> =>
  ask(given, async (run, database) => {
    refuseEnded(run);
    const { id } = run;
    const { client } = database;
    await database.alone(async () => {
      await client.cancelWorkflow(id);
      const queued = await client.listWorkflows({ parentWorkflowID: id, status: "ENQUEUED", loadInput: false });
      await client.cancelWorkflows(queued.map(({ workflowID }) => workflowID));
      await forgetValues({ database, root: folderOf(given.file) });
    });
    return `${id}: cancelled; what runs now ends, the rest stays untouched\n`;
  });

function refuseEnded({ id, ended, verdict }: Run): void {
  if (ended !== null) throw new CliError(`${id} has ended: ${verdict ?? ""}`);
}
