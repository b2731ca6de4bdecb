import { spawn, type ChildProcess } from "node:child_process";
import { createWriteStream, openSync } from "node:fs";
import { createInterface } from "node:readline";
import { noteSecrets, safeText } from "../provider/base/masker";
import { birthOf } from "./process";
import type { FromSupervisor, ToSupervisor } from "./protocol";

/**
 * The parent of a worker's engines. It ends them when the worker is gone, or has not reached the database for too long: another worker may then
 * run an engine for the same stack. It uses no database itself.
 */

/** How much of an engine's output goes back to the worker. */
const KEPT = 8_000;
interface Engine {
  readonly process: ChildProcess;
  /** Whether it was told to end. */
  isStopped: boolean;
}
const engines = new Map<number, Engine>();
const lease = Number(process.env["FLEET_LEASE_SECONDS"] ?? 30) * 1000;
let lastBeat = performance.now();

const say = (message: FromSupervisor): void => {
  if (process.connected) process.send?.(message);
};

// The group: the engine and what it has started.
function signal(engine: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (engine.pid !== undefined) process.kill(-engine.pid, name);
  } catch {
    // It has ended.
  }
}

function endAll(name: NodeJS.Signals): void {
  for (const engine of engines.values()) {
    // A second SIGINT would kill plugins in the middle of a call.
    if (!engine.isStopped || name === "SIGKILL") signal(engine.process, name);
    engine.isStopped = true;
  }
  if (engines.size === 0 && !process.connected) process.exit();
}

function start({ key, command, args, folder, log }: Extract<ToSupervisor, { type: "start" }>): void {
  // The shell waits until the worker has recorded its pid, which the engine keeps.
  const engine = spawn("/bin/sh", ["-c", 'read -r go && exec "$@"', "sh", command, ...args], {
    cwd: folder,
    env: process.env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const known: Engine = { process: engine, isStopped: false };
  engines.set(key, known);
  engine.stdin.on("error", () => undefined);
  let head = "";
  let tail = "";
  const file = createWriteStream("", { fd: openSync(log, "a", 0o600) });
  for (const stream of [engine.stdout, engine.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      // Masked before it is cut.
      const text = `${safeText(line).slice(0, 20_000)}\n`;
      file.write(text);
      if (head !== "" || /(^|\s)error: /.test(text)) head = (head + text).slice(0, KEPT);
      tail = (tail + text).slice(-KEPT);
    });
  }
  const ended = (code: number | null, by: NodeJS.Signals | null, problem = ""): void => {
    if (!engines.delete(key)) return;
    file.end();
    say({ type: "ended", key, code, signal: by, isStopped: known.isStopped, errors: head + problem, tail });
    if (!process.connected) endAll("SIGINT");
  };
  engine.once("error", (error) => ended(null, null, `error: the engine cannot be started: ${error.message}`));
  engine.once("close", ended);
  // What an engine leaves behind keeps the pipes open.
  engine.once("exit", (code, by) => setTimeout(() => ended(code, by), 2_000).unref());
  if (engine.pid !== undefined) say({ type: "spawned", key, pid: engine.pid, birth: birthOf(engine.pid) });
}

process.on("message", (message: ToSupervisor) => {
  if (message.type === "start") start(message);
  if (message.type === "go") engines.get(message.key)?.process.stdin?.end(`go\n${message.input}`);
  if (message.type === "drop") engines.get(message.key)?.process.stdin?.end();
  if (message.type === "secret") noteSecrets(message.value);
  if (message.type === "beat") lastBeat = Math.max(lastBeat, performance.now() - message.age);
});
process.on("disconnect", () => {
  endAll("SIGINT");
  setTimeout(() => endAll("SIGKILL"), lease / 6);
  setTimeout(() => process.exit(), lease / 3);
});
// The terminal's Ctrl-C is the worker's business.
process.on("SIGINT", () => undefined).on("SIGTERM", () => undefined);

// In time before another worker may take over, which is after a whole lease.
setInterval(() => {
  const since = performance.now() - lastBeat;
  if (since > (lease * 2) / 3) endAll("SIGKILL");
  else if (since > lease / 3) endAll("SIGINT");
}, lease / 30);

for (const [name, value] of Object.entries(process.env)) {
  if (/KEY|TOKEN|SECRET|PASS/.test(name) && value !== undefined && value.length > 5) noteSecrets(value);
}
