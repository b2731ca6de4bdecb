import { spawn, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { type Clock, realClock } from "../base/clock";
import type { DeploymentRecord } from "../platform/deployment-record";
import type { LogLine } from "../platform/options";
import type { EmulatedPlatform } from "../platform/platform";
import { isFinished, progressOf, type RevisionRecord } from "../platform/revision-record";
import { commandEnvironment } from "./environment";

/** How often a starting process is asked whether it is ready, in milliseconds. */
const ASK_EVERY_MS = 250;
/** How long one such question may take. */
const ANSWER_MS = 2_000;
/** How long a process and its children may take to end before they are killed, and how long to wait after that. */
const GRACE_MS = 3_000;
const KILLED_MS = 1_000;
/** How many of the last lines of a log are kept, and how many characters of each. */
const KEPT_LINES = 2_000;
const LONGEST_LINE = 4_096;

interface ProcessSurroundings {
  readonly platform: EmulatedPlatform;
  /** The emulator's clock: it dates statuses and lines. */
  readonly clock: Clock;
  /** Those that open the emulator. */
  readonly keys: readonly string[];
  /** Saves the platform's objects; never rejects. */
  readonly save: () => Promise<void>;
}

/**
 * Starts the command of a deployment's own agent for each of its revisions, and stops it. A revision is DEPLOYED once its process answers
 * GET /ok; the one before it serves until then. A process that ends by itself makes its revision DEPLOY_FAILED.
 */
export class AgentProcesses {
  private readonly byRevision = new Map<string, AgentProcess>();
  private readonly stopListening: () => void;
  private isDue = false;
  private isClosed = false;

  constructor(
    /** By the name of their deployments. */
    private readonly commands: ReadonlyMap<string, string>,
    private readonly around: ProcessSurroundings,
  ) {
    this.stopListening = around.platform.onChange(() => this.later());
    this.later();
    process.on("exit", this.killAll);
  }

  /** Where the process of a revision answers; undefined while it has none. */
  serverOf(revisionId: string): URL | undefined {
    return this.byRevision.get(revisionId)?.url;
  }

  /** The output of a revision's process; undefined for a revision that never had one here. */
  linesOf(revisionId: string): readonly LogLine[] | undefined {
    return this.byRevision.get(revisionId)?.log.lines;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.stopListening();
    await Promise.all([...this.byRevision.values()].map((each) => each.stop()));
    process.off("exit", this.killAll);
  }

  private readonly killAll = (): void => {
    for (const each of this.byRevision.values()) each.kill("SIGKILL");
  };

  /** Runs once for all changes of the current turn, because changes rarely come alone. */
  private later(): void {
    if (this.isDue || this.isClosed) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      if (!this.isClosed) this.catchUp();
    });
  }

  /** Makes the processes fit the revisions. */
  private catchUp(): void {
    const { platform, clock } = this.around;
    const wanted = new Set<string>();
    const known = new Set<string>();
    for (const [name, command] of this.commands) {
      for (const deployment of platform.deployments.named(name)) {
        const all = platform.revisions.all(deployment);
        for (const { id } of all) known.add(id);
        const revisions = deployment.deleted_at === null ? all.filter(isToRun) : [];
        const newest = revisions.at(-1);
        const serving = revisions.findLast((revision) => progressOf(revision, clock.now()).status === "DEPLOYED");
        for (const revision of new Set([serving, newest])) {
          if (revision === undefined) continue;
          wanted.add(revision.id);
          // Also one that was stopped for a newer revision, which has failed since.
          if (this.byRevision.get(revision.id)?.isStopped !== false) this.start(deployment, revision, command);
        }
      }
    }
    for (const [id, running] of this.byRevision) {
      if (wanted.has(id)) continue;
      const stopped = running.stop();
      // A log goes with its revision.
      if (!known.has(id)) void stopped.then(() => this.byRevision.delete(id));
    }
  }

  private start(deployment: DeploymentRecord, revision: RevisionRecord, command: string): void {
    const { platform, clock, keys } = this.around;
    const say = (status: string): void => {
      const now = platform.revisions.all(deployment).find(({ id }) => id === revision.id);
      // Keep the outcome of a revision that has ended in another way meanwhile.
      if (now === undefined || !isToRun(now) || started.isStopped) return;
      platform.revisions.override({ ...now, by_command: true }, status, clock.now());
      void this.around.save();
    };
    const variables = revision.settings?.secrets ?? deployment.secrets;
    const { environment, heldBack } = commandEnvironment(process.env, keys, variables);
    const started = new AgentProcess(command, environment, clock, say);
    this.byRevision.set(revision.id, started);
    const names = heldBack.join(", ");
    if (names !== "")
      started.log.add("WARNING", `Not passed on to the command, because they decide which code runs: ${names}`);
    if (revision.status_override === null) say("DEPLOYING");
    started.run().catch(() => say("DEPLOY_FAILED"));
  }
}

/** A revision whose process may run: it has not failed, and was not superseded before it was finished. */
function isToRun({ outcome, superseded_at: by, status_override: status }: RevisionRecord): boolean {
  if (outcome !== "DEPLOYED") return false;
  if (status !== null && isFinished(status)) return status === "DEPLOYED";
  return by === null;
}

/** One process of a command, with a port of its own. */
class AgentProcess {
  readonly log: ProcessLog;
  url: URL | undefined;
  private child: ChildProcess | undefined;
  /** Resolves once it and every process that writes to its log have ended. */
  private ended: Promise<void> = Promise.resolve();
  private ending: Promise<void> | undefined;
  isStopped = false;
  private isOver = false;

  constructor(
    private readonly command: string,
    private readonly environment: NodeJS.ProcessEnv,
    clock: Clock,
    /** Told that it answers, and that it has ended without a call of `stop`. */
    private readonly say: (status: "DEPLOYED" | "DEPLOY_FAILED") => void,
  ) {
    this.log = new ProcessLog(clock);
  }

  /** Starts it: resolves once it answers GET /ok, or has ended before. Rejects if there is no port for it. */
  async run(): Promise<void> {
    const port = await freePort();
    if (this.isStopped) return;
    const command = this.command.replaceAll("{port}", String(port));
    this.log.add("INFO", `$ ${command}`);
    const child = spawn(command, {
      shell: true,
      // A process group of its own, so that the shell and all its children end together.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...this.environment, PORT: String(port) },
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) this.log.read(stream);
    this.ended = new Promise((resolve) => {
      const over = (how: string): void => {
        if (this.isOver) return;
        this.isOver = true;
        resolve();
        if (this.isStopped) return;
        this.log.add("ERROR", how);
        this.url = undefined;
        this.say("DEPLOY_FAILED");
        void this.end();
      };
      child.once("error", (error) => over(`The command cannot be started: ${error.message}`));
      child.once("close", (code, signal) => over(`The command ended with ${signal ?? `exit code ${code ?? 0}`}`));
    });
    const url = new URL(`http://127.0.0.1:${port}`);
    while (!(await answers(url))) {
      if (this.hasEnded()) return;
      await new Promise<void>((resolve) => realClock.after(ASK_EVERY_MS, resolve));
    }
    this.url = url;
    this.say("DEPLOYED");
  }

  private hasEnded(): boolean {
    return this.isOver || this.isStopped;
  }

  /** Resolves once it and all its children have ended. */
  stop(): Promise<void> {
    this.isStopped = true;
    this.url = undefined;
    return this.end();
  }

  private end(): Promise<void> {
    return (this.ending ??= this.endGroup());
  }

  private async endGroup(): Promise<void> {
    this.kill("SIGTERM");
    await this.endedWithin(GRACE_MS);
    // Also kill children that do not write to the log, which are not waited for.
    this.kill("SIGKILL");
    await this.endedWithin(KILLED_MS);
    // A process that has left the group may keep these open, which would keep the emulator alive.
    this.child?.stdout?.destroy();
    this.child?.stderr?.destroy();
    // From now on, another process group may have this number.
    this.child = undefined;
  }

  private endedWithin(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = realClock.after(ms, resolve);
      void this.ended.then(cancel).then(resolve);
    });
  }

  /** Signals its whole process group. */
  kill(signal: NodeJS.Signals): void {
    const pid = this.child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The group no longer exists.
    }
  }
}

/** The last lines of a process, each as long as a log may be wide. */
class ProcessLog {
  readonly lines: LogLine[] = [];
  private count = 0;

  constructor(private readonly clock: Clock) {}

  add(level: "INFO" | "WARNING" | "ERROR", text: string): void {
    this.lines.push({ level, message: shortened(text), at: this.clock.now(), number: this.count });
    this.count += 1;
    if (this.lines.length > KEPT_LINES) this.lines.shift();
  }

  read(stream: NodeJS.ReadableStream): void {
    let begun = "";
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      const parts = (begun + text).split("\n");
      begun = parts.pop() ?? "";
      for (const part of parts) this.add("INFO", part.endsWith("\r") ? part.slice(0, -1) : part);
      // An endless line must not fill the memory: the part beyond the longest line is not shown.
      begun = begun.slice(0, 2 * LONGEST_LINE);
    });
    stream.on("end", () => (begun === "" ? undefined : this.add("INFO", begun)));
  }
}

/** Cuts a line between words: a part of a secret could not be recognized and masked. */
function shortened(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  const end = line.lastIndexOf(" ", LONGEST_LINE);
  return end > 0 ? `${line.slice(0, end)}…` : `<${line.length} characters>`;
}

const answers = (url: URL): Promise<boolean> =>
  fetch(new URL("/ok", url), { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** A free port below the range that systems assign, so that no other process gets it while the command starts. */
async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(10_000, 30_000);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      await new Promise((resolve) => server.close(resolve));
      return port;
    } catch (error) {
      if (tries >= 20) throw error;
    }
  }
}
