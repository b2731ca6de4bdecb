import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { CliError } from "../cli/base/cli-error";
import { lineText, paragraphText } from "../cli/base/printable";
import { checkPassphrases, checkPrograms } from "./checks";
import { openEmbedded, openPostgres, type Database } from "./database";
import { folderOf, readFleetFile } from "./file";
import { engineStacks, stacksIn, wavesOf, type FleetStack } from "./plan";
import { notRotated, placeText, REPORT_FORMATS, reportOf, type Report } from "./report";
import { APPROVALS, performBy, registerQueues, RUNS, runWorkflow } from "./rollout";
import { aliveIn, runOf, progressOf, type FleetCommand, type Plan, type Run } from "./runs";
import { sealed } from "./seal";
import { Worker } from "./worker";

/** What every command is given. */
export interface Given {
  readonly file: string;
  /** The address of a Postgres; undefined for the embedded one. */
  readonly database?: string | undefined;
}

const say = (text: string): boolean => process.stdout.write(paragraphText(`${text}\n`));

/** A look at the newest run, or a decision about it. */
type Request =
  | { readonly command: "status"; readonly format: keyof typeof REPORT_FORMATS }
  | { readonly command: "approve"; readonly wave: string | undefined }
  | { readonly command: "cancel" };

/** Does it; what it prints. */
async function answer(database: Database, request: Request, root: string): Promise<string> {
  const { client, pool } = database;
  const run = await runOf(client);
  if (run === undefined) throw new CliError("there is no run yet: start one with `up`");
  const { id, at, ended, verdict } = run;
  if (request.command === "status") return REPORT_FORMATS[request.format](await reportFor(database, run, root));
  if (ended !== null) throw new CliError(`${id} has ended: ${verdict ?? ""}`);
  if (request.command === "cancel") {
    await client.cancelWorkflow(id);
    const queued = await client.listWorkflows({ workflow_id_prefix: id, status: "ENQUEUED", loadInput: false });
    await client.cancelWorkflows(queued.map(({ workflowID }) => workflowID));
    await pool.query("DELETE FROM fleet.sealed WHERE run = $1", [id]);
    return `${id}: cancelled; what runs now ends, the rest stays untouched\n`;
  }
  if (at?.gate !== "approve") throw new CliError(`${id} waits for no approval: it is at ${placeText(at)}`);
  if ((request.wave ?? at.wave) !== at.wave)
    throw new CliError(`${id} waits for the approval of ${at.wave}, not of ${request.wave ?? ""}`);
  await client.send(id, at.wave, APPROVALS);
  return `${id}: the gate of ${at.wave} is approved\n`;
}

async function reportFor(database: Database, run: Run, root: string): Promise<Report> {
  return reportOf(run, await progressOf(database, run.id), root, (await aliveIn(database.pool)).length);
}

const opened = ({ file, database: url }: Given, isToWork: boolean): Promise<Database> =>
  url === undefined ? openEmbedded(join(folderOf(file), ".state", "fleet", "database"), isToWork) : openPostgres(url);

/** Looks at the newest run, or decides about it. */
export async function ask(given: Given, request: Request): Promise<void> {
  const database = await opened(given, false);
  process.stdout.write(await answer(database, request, folderOf(given.file)).finally(() => database.close()));
}

/** Does something as a worker, which ends with it or with the process. */
async function asWorker(given: Given, command: string, act: (worker: Worker) => Promise<void>): Promise<void> {
  const worker = new Worker(await opened(given, true), folderOf(given.file));
  say(`database: ${worker.database.shown}`);
  performBy(worker);
  let isEnding = false;
  const interrupted = (): void => {
    if (isEnding) process.exit(130);
    isEnding = true;
    process.stderr.write(`interrupted: the engines end; \`agent-platform-fleet ${command}\` goes on where it was\n`);
    void worker.stop().then(() => process.exit(130));
  };
  process.on("SIGINT", interrupted).on("SIGTERM", interrupted);
  await act(worker).finally(() => worker.stop());
}

/** Starts a run, or goes on with the one that was interrupted, and follows it to its end. */
export function roll(
  given: Given,
  command: FleetCommand,
  secret?: { readonly key: string; readonly value: string },
): Promise<void> {
  const file = readFleetFile(given.file);
  const key = secret?.key;
  return asWorker(given, command, async (worker) => {
    const newest = await runOf(worker.database.client);
    if (newest?.ended === null) {
      if (newest.plan.command !== command || newest.plan.key !== key)
        throw new CliError(`${newest.id} has not ended: go on with \`${newest.plan.command}\`, or \`cancel\` it`);
      say(`${newest.id} goes on${key === undefined ? "" : ", with the value that it was started with"}`);
      checkPassphrases(allOf(newest.plan), worker.root, process.env);
      await worker.start();
      await follow(worker, newest.id);
      return;
    }
    const stacks = await stacksIn(file, worker.root, engineStacks(process.env));
    const isLook = command === "preview" || command === "drift";
    const waves = wavesOf(isLook ? [{ name: "all" }] : file.waves, stacks);
    await begin(worker, { command, waves, limits: file.limits, key }, secret?.value);
  });
}

/** Runs again the stacks of the newest run that did not succeed. */
export function retry(given: Given, value?: string): Promise<void> {
  return asWorker(given, "retry", async (worker) => {
    const { database, root } = worker;
    const last = await runOf(database.client);
    if (last === undefined) throw new CliError("there is no run to retry: start one with `up`");
    const { id, plan, ended } = last;
    if (ended === null) throw new CliError(`${id} has not ended: go on with \`${plan.command}\``);
    if (plan.command === "rotate" && value === undefined)
      throw new CliError("the value of a rotation is not kept: give it again with --value-file, or by `rotate`");
    const { stacks } = await reportFor(database, last, root);
    const succeeded = new Set(stacks.flatMap(({ stack, state }) => (state === "succeeded" ? stack : [])));
    if (succeeded.size === stacks.length) throw new CliError(`all stacks of ${id} succeeded: nothing to retry`);
    // The gate of each wave but the last that it has touched has been passed.
    const reached = plan.waves.findLastIndex(({ name }) =>
      stacks.some(({ wave, state }) => wave === name && state !== "untouched"),
    );
    const waves = plan.waves.map((wave, at) => {
      const done = wave.stacks.flatMap((stack) =>
        succeeded.has(stack.id) ? [[stack.id, wave.done?.[stack.id] ?? id] as const] : [],
      );
      return { ...wave, done: Object.fromEntries(done), isPassed: wave.isPassed === true || at < reached };
    });
    await begin(worker, { ...plan, waves }, value);
  });
}

const allOf = ({ waves }: Plan): FleetStack[] => waves.flatMap(({ stacks }) => stacks);

async function begin(worker: Worker, plan: Plan, value?: string): Promise<void> {
  const { database, root } = worker;
  const { command, waves, limits } = plan;
  const stacks = allOf(plan);
  checkPassphrases(stacks, root, process.env);
  // The others run no program.
  if (["preview", "up", "rotate"].includes(command)) await checkPrograms(stacks, root, limits.concurrency);
  const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const id = `${command}-${time}-${randomBytes(2).toString("hex")}`;
  const closed = value === undefined ? undefined : sealed(value, worker);
  await worker.start();
  await database.alone(async () => {
    if ((await runOf(database.client))?.ended === null)
      throw new CliError("another run of this fleet has just begun: look at it with `status`");
    await registerQueues(limits);
    if (closed !== undefined) await database.pool.query("INSERT INTO fleet.sealed VALUES ($1, $2)", [id, closed]);
    await DBOS.startWorkflow(runWorkflow, { workflowID: id, queueName: RUNS })(plan);
  });
  say(`${id}: ${stacks.length} stacks in ${waves.length} ${waves.length === 1 ? "wave" : "waves"}`);
  await follow(worker, id);
}

/** Prints what becomes of a run to its end. */
async function follow({ database, root }: Worker, id: string): Promise<void> {
  const seen = new Set<string>();
  let place = "";
  for (;;) {
    // The database may be away for a while.
    const run = await runOf(database.client, id).catch(() => undefined);
    const stacks = await progressOf(database, id).catch(() => undefined);
    await pause(300);
    if (run === undefined || stacks === undefined) continue;
    for (const [stack, { state, seconds, reason }] of stacks.outcomes) {
      if (state !== "untouched" && !seen.has(stack))
        say(lineText(`  ${stack}  ${state}  ${seconds.toFixed(1)} s  ${reason}`));
      seen.add(stack);
    }
    const at = placeText(run.at);
    if (run.at !== null && at !== place)
      say(run.at.gate === "approve" ? `${at}: run \`agent-platform-fleet approve\`` : at);
    place = at;
    // What ran when it was cancelled comes to its end.
    if (run.ended === null || stacks.running.size > 0) continue;
    const report = reportOf(run, stacks, root);
    process.stdout.write(`\n${REPORT_FORMATS.text(report)}`);
    process.exitCode = exitCodeOf(report);
    return;
  }
}

function exitCodeOf(report: Report): number {
  const states = new Set<string>(report.stacks.map(({ state }) => state));
  if (["failed", "locked", "untouched"].some((state) => states.has(state)) || notRotated(report).length > 0) return 1;
  if (states.has("drifted")) return 7;
  return report.verdict === "done" ? 0 : 1;
}

/** Takes part in the runs of a database until it is interrupted. */
export function work(given: Given): Promise<void> {
  return asWorker(given, "worker", async (worker) => {
    await worker.start();
    say(`worker ${worker.id} takes part`);
    await new Promise(() => undefined);
  });
}
