import { spawn, type ChildProcess } from "node:child_process";
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { noteSecrets, safeText } from "../provider/base/masker";
import { birthOf, environmentOfPrograms, LEASE, noteEnvironment, signalEngine } from "./process";

/**
 * The parent of one engine. It ends the engine when the worker is gone, or has not reached the database for too long: another worker may then run
 * an engine for the same stack. It uses no database itself.
 */

/** An engine to run. */
export interface Engine {
  readonly args: readonly string[];
  readonly folder: string;
  readonly log: string;
  readonly input?: string;
  /** What the log must not show, beside the environment's. */
  readonly secret?: string | undefined;
}

/** A worker's messages: the engine to run; then whether its process is recorded, so it may begin; then how long ago the database was reached. */
export type ToSupervisor = Engine | { readonly go: boolean } | { readonly age: number };

/** How an engine ended. */
export interface EngineEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Its supervisor has ended it, or died. */
  readonly isStopped: boolean;
  /** Its output from the first error on, and the end of it; both masked and bounded. */
  readonly errors: string;
  readonly tail: string;
}
/** A supervisor's messages: the engine's process, which waits, and its end. */
export type FromSupervisor = { readonly pid: number; readonly birth: string } | EngineEnd;

/** How much of an engine's output goes back to the worker. */
const KEPT = 8_000;
const lease = LEASE * 1000;
let lastBeat = performance.now();
let engine: ChildProcess | undefined;
let input = "";
let isStopped = false;

function end(name: NodeJS.Signals): void {
  // A second SIGINT would kill plugins in the middle of a call.
  if (engine?.pid === undefined || (isStopped && name === "SIGINT")) return;
  isStopped = true;
  signalEngine(engine.pid, name);
}

/** Tells the worker, if it is there. */
const say = (message: FromSupervisor, said = (): void => undefined): unknown => process.send?.(message, said);

function start({ args, folder, log, secret, ...given }: Engine): void {
  input = given.input ?? "";
  noteEnvironment();
  noteSecrets(secret);
  // The shell waits until the worker has recorded its pid, which the engine keeps.
  const child = spawn("/bin/sh", ["-c", 'read -r go && exec pulumi "$@"', "sh", ...args], {
    cwd: folder,
    env: environmentOfPrograms(),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  engine = child;
  child.stdin.on("error", () => undefined);
  let errors = "";
  let tail = "";
  // A full disk costs the log, and not the engine in the middle of its work.
  const file = createWriteStream(log, { flags: "a", mode: 0o600 }).on("error", () => undefined);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      // Masked before it is cut.
      const text = `${safeText(line).slice(0, 20_000)}\n`;
      file.write(text);
      if (errors !== "" || /(^|\s)error: /.test(text)) errors = (errors + text).slice(0, KEPT);
      tail = (tail + text).slice(-KEPT);
    });
  }
  const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
    say({ code, signal, isStopped, errors, tail }, () => file.end(() => process.exit()));
  };
  child.once("error", ({ message }) => {
    errors += `error: the engine cannot be started: ${message}`;
    ended(null, null);
  });
  child.once("close", ended);
  // What an engine leaves behind keeps the pipes open.
  child.once("exit", (code, signal) => setTimeout(() => ended(code, signal), 2_000));
  if (child.pid !== undefined) say({ pid: child.pid, birth: birthOf(child.pid) });
}

process.on("message", (message: ToSupervisor) => {
  if ("folder" in message) start(message);
  else if ("age" in message) lastBeat = Math.max(lastBeat, performance.now() - message.age);
  else if (message.go) engine?.stdin?.end(`go\n${input}`);
  else end("SIGKILL");
});
process.on("disconnect", () => {
  if (engine === undefined) process.exit();
  end("SIGINT");
  setTimeout(() => end("SIGKILL"), lease / 6);
  setTimeout(() => process.exit(), lease / 3);
});
// The terminal's Ctrl-C is the worker's business.
process.on("SIGINT", () => undefined).on("SIGTERM", () => undefined);

// In time before another worker may take over, which is after a whole lease.
setInterval(() => {
  const since = performance.now() - lastBeat;
  if (since > (lease * 2) / 3) end("SIGKILL");
  else if (since > lease / 3) end("SIGINT");
}, lease / 30);
