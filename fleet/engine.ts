import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { jsonText } from "../cli/base/printable";
import { backendFolder, stateReader } from "../cli/base/states";
import { compareAll, type StackRow } from "../cli/drift/many";
import type { StackObject } from "../cli/drift/report";
import { leniently } from "../provider/base/errors";
import { safeText } from "../provider/base/masker";
import { locksIn, lockText, makerOf, type EngineRow, type Lock } from "./locks";
import { placeOf, type FleetStack } from "./plan";
import { environmentOfPrograms, hasEnded } from "./process";
import { failedBy, logOf, reasonOf, type FleetCommand, type Outcome } from "./runs";
import type { EngineEnd } from "./supervisor";
import type { EngineCall, Worker } from "./worker";

/** What is to be done to a stack: the input of its workflow. */
export interface Task {
  readonly run: string;
  readonly stack: FleetStack;
  readonly command: FleetCommand;
  /** Of a rotation: the secret that it sets. */
  readonly key?: string | undefined;
  /** Nothing begins after so many failures. */
  readonly failures?: number | undefined;
}

/** An engine that dies again and again is no accident. */
const MOST_DEATHS = 5;

/** Does to a stack what a run does. Fails for nothing that the engine says. @param secret The new value, in a rotation. */
export async function perform(task: Task, worker: Worker, secret?: string): Promise<Outcome> {
  const { run, stack, command, key } = task;
  const log = logOf(worker.root, run, stack.id);
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  const folder = placeOf(stack, worker.root);
  if (command === "drift") return driftOf(task, folder, worker.root);
  const call = { run, stack, folder, log, secret };
  if (key !== undefined) {
    const set = { ...call, args: ["config", "set", "--secret", key], input: secret ?? "" };
    const done = await engine(set, worker);
    if (done.state !== "succeeded") return done;
  }
  const consent = command === "preview" ? [] : ["--yes", "--skip-preview"];
  return engine({ ...call, args: [command === "rotate" ? "up" : command, ...consent] }, worker);
}

async function engine(call: EngineCall, worker: Worker): Promise<Outcome> {
  for (;;) {
    const end = await endOf(call, worker);
    if (end.code === 0) return { state: "succeeded", reason: summaryOf(end.tail) };
    const locks = locksIn(end.errors);
    if (locks !== undefined) {
      const makers = await makersOf(locks, call.stack, worker);
      if (makers === undefined) return { state: "locked", reason: lockText(locks) };
      if (!makers.every(hasEnded)) {
        while (!makers.every(hasEnded)) await pause(500);
        // It may have removed its lock by itself, and a person may have taken one since.
        continue;
      }
      const files = locks.flatMap(({ file = "" }) => (existsSync(file) ? file : []));
      // The engine would remove all locks of the stack: also what a person has taken by now.
      if (files.length === locks.length) {
        for (const file of files) rmSync(file, { force: true });
        continue;
      }
      const removal = await endOf({ ...call, args: ["cancel", "--yes"], input: "" }, worker);
      if (removal.code !== 0) return failedBy(firstError(removal));
    } else if (!/failed to load checkpoint: .*EOF/.test(end.errors) || !(await removeCutOff(call.stack, call.folder))) {
      return failedBy(firstError(end));
    }
  }
}

/** Runs an engine again and again, until it ends by itself. */
async function endOf(call: EngineCall, worker: Worker): Promise<EngineEnd> {
  for (let deaths = 0; ;) {
    const end = await worker.runEngine(call);
    if (!end.isStopped && end.signal === null) return end;
    // One that was stopped for want of the database runs again here, unless another worker has taken over meanwhile.
    if (!end.isStopped && ++deaths > MOST_DEATHS)
      throw new Error(`the engine was killed ${deaths} times, last by ${end.signal ?? ""}`);
  }
}

/** The engines of this fleet that made these locks; undefined if somebody else made one. */
async function makersOf(locks: readonly Lock[], { id }: FleetStack, worker: Worker): Promise<EngineRow[] | undefined> {
  const engines = await worker.engines("stack = $1", id);
  const makers = locks.flatMap((lock) => makerOf(lock, engines) ?? []);
  return locks.length === 0 || makers.length < locks.length ? undefined : makers;
}

/** A kill while a folder backend writes a state can leave its attributes empty (docs/internals/engine.md, trap 48). */
async function removeCutOff({ id }: FleetStack, project: string): Promise<boolean> {
  const backend = await backendFolder({ folder: project, environment: process.env });
  if (backend === undefined) return false;
  const folder = join(backend, ".pulumi", "stacks", dirname(id));
  const empty = readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(id)}.json`) && name.endsWith(".attrs"))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size === 0);
  for (const path of empty) rmSync(path);
  return empty.length > 0;
}

/** The first error in an engine's words. */
export function firstError({ errors, tail, code }: EngineEnd): string {
  const lines = (errors || tail).split("\n").map((line) => line.trim());
  const error = lines.find((line) => /(^|\s)error: ./.test(line)) ?? lines.filter((line) => line !== "").at(-1);
  return reasonOf(error?.replace(/^.*?error: /, "") ?? `the engine ended with ${code ?? "no code"}`);
}

/** What an engine has done, from the end of its output: "2 created, 1 unchanged". */
export function summaryOf(tail: string): string {
  const [, last = ""] = tail.split(/Resources:\s*\n/).slice(-2);
  const [counted = ""] = last.trim().split(/\n\s*\n/);
  return reasonOf(counted.replace(/^\s*[-+~]* ?/gm, "").replaceAll("\n", ", "));
}

/** Compares a stack with the platform, by the product's own read: it needs no engine, unless the state does. */
async function driftOf({ run, stack: { id, stack } }: Task, folder: string, root: string): Promise<Outcome> {
  const target = { folder, environment: environmentOfPrograms() };
  const log = (row: StackRow, warnings: readonly string[]): void => {
    const text = safeText([...warnings, jsonText(row)].join("\n"));
    // A full disk costs the log, as of an engine (supervisor.ts), and not the answer.
    leniently(() => appendFileSync(logOf(root, run, id), text, { mode: 0o600 }));
  };
  const { stacks } = await compareAll([{ name: id, fullName: stack }], await stateReader(target), 1, target, log);
  const [row] = stacks;
  if (row === undefined || row.outcome === "failed") return failedBy(row?.reason);
  const named = (those: readonly StackObject[]): string => those.map(({ name }) => name).join(", ");
  if (row.outcome === "none") return { state: "succeeded", reason: "no drift" };
  if (row.outcome === "drift") return { state: "drifted", reason: reasonOf(`drifted: ${named(row.drifted)}`) };
  return failedBy(`could not be read: ${named(row.unread)}`);
}
