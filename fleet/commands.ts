import { randomBytes } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import { z } from "zod";
import { CliError } from "../cli/base/cli-error";
import { lineText, paragraphText } from "../cli/base/printable";
import type { Json } from "../provider/base/json";
import { askHolder, openEmbedded, openPostgres, type Database } from "./database";
import { folderOf, readFleetFile } from "./file";
import { checkPassphrases, engineStacks, stacksIn, wavesOf, type FleetStack, type Plan } from "./plan";
import { placeText, REPORT_FORMATS, reportOf, type Report } from "./report";
import { DECISIONS, performBy, registerQueues, RUNS, runWorkflow, type Decision } from "./rollout";
import { seal } from "./seal";
import { Store, type FleetCommand, type Run, type RunDetails } from "./store";
import { Worker } from "./worker";

/** What every command is given. */
export interface Given {
  readonly file: string;
  /** The address of a Postgres; undefined for the embedded one. */
  readonly database?: string | undefined;
}

const say = (text: string): boolean => process.stdout.write(paragraphText(`${text}\n`));
const dataOf = (root: string): string => join(root, ".state", "fleet", "database");

/** What another process may ask for, and the one that has the database open does. */
export const Request = z.discriminatedUnion("command", [
  z.object({ command: z.literal("status"), format: z.enum(["text", "json", "html"]) }),
  z.object({ command: z.literal("approve"), wave: z.string().optional(), by: z.string() }),
  z.object({ command: z.literal("cancel") }),
]);
export type Request = z.output<typeof Request>;

/** Does such a command; what it prints. */
async function answer(database: Database, request: Request, root: string): Promise<string> {
  const store = new Store(database.pool);
  const run = await store.run();
  if (run === undefined) throw new CliError("there is no run yet: start one with `up`");
  if (request.command === "status") return REPORT_FORMATS[request.format](await reportFor(store, run, root));
  if (run.ended !== null) throw new CliError(`${run.id} has ended: ${run.verdict ?? ""}`);
  return request.command === "cancel" ? cancel(database, store, run) : approve(database, run, request);
}

async function approve(
  database: Database,
  { id, at }: Run,
  { wave, by }: Extract<Request, { command: "approve" }>,
): Promise<string> {
  if (at?.gate !== "approve") throw new CliError(`${id} waits for no approval: it is at ${placeText(at)}`);
  const waiting = at.wave;
  if (wave !== undefined && wave !== waiting)
    throw new CliError(`${id} waits for the approval of ${waiting}, not of ${wave}`);
  await decide(database, id, { approve: waiting, by });
  return `${id}: the gate of ${waiting} is approved\n`;
}

async function cancel(database: Database, store: Store, { id }: Run): Promise<string> {
  await store.stop(id);
  if ((await store.workers()) > 0) {
    await decide(database, id, { cancel: true });
    return `${id}: what runs now ends, the rest stays untouched\n`;
  }
  const client = await DBOSClient.create(clientOf(database));
  await client.cancelWorkflow(id, { cancelChildren: true }).finally(() => client.destroy());
  await store.end(id, "cancelled");
  return `${id}: cancelled\n`;
}

const clientOf = ({ pool }: Database) => ({
  systemDatabaseUrl: "postgresql://postgres@localhost/postgres",
  systemDatabasePool: pool,
  applicationName: "agent-platform-fleet",
});

async function decide(database: Database, run: string, decision: Decision): Promise<void> {
  const client = await DBOSClient.create(clientOf(database));
  await client.send(run, decision, DECISIONS).finally(() => client.destroy());
}

async function reportFor(store: Store, run: Run, root: string): Promise<Report> {
  const engines = await store.engines("run = $1 AND ended IS NULL", run.id);
  return reportOf(run, await store.outcomes(run.id), engines, root, await store.workers());
}

/** Opens the database; undefined if another process has the embedded one open. */
async function opened({ file, database: url }: Given): Promise<Database | undefined> {
  if (url !== undefined) return openPostgres(url);
  const root = folderOf(file);
  const database: Promise<Database | undefined> = openEmbedded(dataOf(root), async (request) => {
    const own = await database;
    if (own === undefined) throw new CliError("the database is not open yet: try again");
    return answer(own, Request.parse(request), root);
  });
  return database;
}

/** A `status` has the embedded database open for a moment, and whoever opens it does not answer yet: tries again for a while. */
async function patiently<Found>(act: () => Promise<Found | undefined>): Promise<Found | undefined> {
  const late = Date.now() + 15_000;
  for (;;) {
    const found = await act();
    if (found !== undefined || Date.now() > late) return found;
    await pause(300);
  }
}

/** Looks at the newest run, or decides about it. */
export async function ask(given: Given, request: Request): Promise<void> {
  const root = folderOf(given.file);
  const text = await patiently(async () => {
    const database = await opened(given);
    if (database !== undefined) return answer(database, request, root).finally(() => database.close());
    const said = await askHolder(dataOf(root), request);
    return said === undefined ? undefined : textIn(said);
  });
  if (text === undefined)
    throw new CliError(`the process that has the database in ${dataOf(root)} open gives no answer`);
  process.stdout.write(text);
}

const textIn = (said: Json): string => (typeof said === "string" ? said : "");

const HELD =
  "another process of this fleet has the embedded database open: watch it with `status`, end it with `cancel`, or give all of them a --database";

/** A worker on an open database, which ends with the process. */
async function workerOn(given: Given, command: string): Promise<Worker> {
  const database = await patiently(() => opened(given));
  if (database === undefined) throw new CliError(HELD);
  say(`database: ${database.shown}`);
  const worker = new Worker(database, folderOf(given.file));
  performBy(worker);
  let isEnding = false;
  const interrupted = (): void => {
    if (isEnding) process.exit(130);
    isEnding = true;
    process.stderr.write(`interrupted: the engines end; \`agent-platform-fleet ${command}\` goes on where it was\n`);
    void worker.stop().then(() => process.exit(130));
  };
  process.on("SIGINT", interrupted).on("SIGTERM", interrupted);
  return worker;
}

/** Ends this process's part, with all that is running in it. */
async function finish(worker: Worker): Promise<void> {
  await worker.stop();
  await DBOS.shutdown({ workflowCompletionTimeoutMS: 0 });
  await worker.database.close();
}

/** Starts a run, or goes on with the one that was interrupted, and follows it to its end. */
export async function roll(
  given: Given,
  command: FleetCommand,
  secret?: { readonly key: string; readonly value: string },
): Promise<void> {
  const root = folderOf(given.file);
  const file = readFleetFile(given.file);
  const worker = await workerOn(given, command);
  try {
    const open = await worker.store.run();
    if (open?.ended === null) {
      if (open.command !== command || open.details.key !== secret?.key)
        throw new CliError(`${open.id} has not ended: go on with \`${open.command}\`, or \`cancel\` it`);
      say(`${open.id} goes on${secret === undefined ? "" : ", with the value that it was started with"}`);
      await follow(worker, open);
      return;
    }
    const stacks = await stacksIn(file, root, engineStacks(process.env));
    const isLook = command === "preview" || command === "drift";
    const waves = wavesOf(isLook ? [{ name: "all" }] : file.waves, stacks);
    // Looking at a stack harms no other.
    const limits = isLook ? { ...file.limits, failures: stacks.length + 1 } : file.limits;
    const details = secret === undefined ? {} : { key: secret.key };
    await begin(worker, command, { waves, limits }, details, secret?.value);
  } finally {
    await finish(worker);
  }
}

/** Runs again the stacks of the newest run that did not succeed. */
export async function retry(given: Given, value?: string): Promise<void> {
  const worker = await workerOn(given, "retry");
  try {
    const last = await worker.store.run();
    if (last === undefined) throw new CliError("there is no run to retry: start one with `up`");
    if (last.ended === null) throw new CliError(`${last.id} has not ended: go on with \`${last.command}\``);
    if (last.command === "rotate" && value === undefined)
      throw new CliError("the value of a rotation is not kept: give it again with --value-file, or by `rotate`");
    const report = await reportFor(worker.store, last, worker.root);
    const done = new Set(report.stacks.filter(({ state }) => state === "succeeded").map(({ stack }) => stack));
    if (done.size === report.stacks.length) throw new CliError(`all stacks of ${last.id} succeeded: nothing to retry`);
    const touched = last.plan.waves.map((wave) =>
      report.stacks.some(({ wave: name, state }) => name === wave.name && state !== "untouched"),
    );
    const reached = touched.lastIndexOf(true);
    const passed = last.plan.waves.slice(0, Math.max(reached, 0)).map(({ name }) => name);
    const waves = last.plan.waves.map((wave) => ({
      ...wave,
      done: wave.stacks.map(({ id }) => id).filter((id) => done.has(id)),
    }));
    const details = { ...last.details, again: last.id, passed: [...passed, ...(last.details.passed ?? [])] };
    await begin(worker, last.command, { ...last.plan, waves }, details, value);
  } finally {
    await finish(worker);
  }
}

async function begin(
  worker: Worker,
  command: FleetCommand,
  plan: Plan,
  details: RunDetails,
  value?: string,
): Promise<void> {
  checkPassphrases(stacksOf(plan), worker.root, process.env);
  const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const id = `${command}-${time}-${randomBytes(2).toString("hex")}`;
  const by = `${userInfo().username}@${hostname()}`;
  const sealed = value === undefined ? null : seal(value, worker);
  if (!(await worker.store.begin(id, command, plan, { ...details, by }, sealed)))
    throw new CliError("another run of this fleet has just begun: look at it with `status`");
  const run = await worker.store.run(id);
  if (run === undefined) throw new CliError(`${id} was not recorded`);
  say(`${id}: ${stacksOf(plan).length} stacks in ${plan.waves.length} ${plan.waves.length === 1 ? "wave" : "waves"}`);
  await follow(worker, run);
}

const stacksOf = ({ waves }: Plan): FleetStack[] => waves.flatMap(({ stacks }) => stacks);

/** Takes part in a run, and prints what becomes of it. */
async function follow(worker: Worker, { id, plan }: Run): Promise<void> {
  checkPassphrases(stacksOf(plan), worker.root, process.env);
  await worker.start();
  await registerQueues(plan);
  await DBOS.startWorkflow(runWorkflow, { workflowID: id, queueName: RUNS })(id);
  const { store } = worker;
  const seen = new Set<string>();
  let place = "";
  for (;;) {
    const run = await store.run(id).catch(() => undefined);
    const rows = run === undefined ? [] : await store.outcomes(id).catch(() => []);
    for (const { task, state, seconds, reason } of rows) {
      if (state !== "untouched" && !seen.has(task))
        say(lineText(`  ${task}  ${state}  ${seconds.toFixed(1)} s  ${reason}`));
      seen.add(task);
    }
    const at = run?.at ? placeText(run.at) : place;
    if (at !== place) say(run?.at?.gate === "approve" ? `${at}: run \`agent-platform-fleet approve\`` : at);
    place = at;
    if (run !== undefined && run.ended !== null) break;
    await pause(300);
  }
  const ended = await store.run(id);
  if (ended === undefined) return;
  const report = await reportFor(store, ended, worker.root);
  process.stdout.write(`\n${REPORT_FORMATS.text(report)}`);
  const states = new Set(report.stacks.map(({ state }) => state));
  const isLate = report.stacks.some(({ serving = [] }) =>
    serving.some(({ serves }) => serves === "old" || serves === "unknown"),
  );
  if (["failed", "locked", "untouched"].some((state) => [...states].some((each) => each === state)) || isLate)
    process.exitCode = 1;
  else if (states.has("drifted")) process.exitCode = 7;
  else if (ended.verdict !== "done") process.exitCode = 1;
}

/** Takes part in the runs of a database until it is interrupted; with `once`, or on the embedded database, until no run is left. */
export async function work(given: Given, once: boolean): Promise<void> {
  const worker = await workerOn(given, "worker");
  try {
    await worker.start();
    say(`worker ${worker.id} takes part`);
    for (;;) {
      const run = await worker.store.run().catch(() => null);
      const isIdle = run === undefined || (run !== null && run.ended !== null);
      if (isIdle && (once || worker.database.isEmbedded)) return;
      await pause(1_000);
    }
  } finally {
    await finish(worker);
  }
}
