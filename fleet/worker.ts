import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { z } from "zod";
import { messageOf } from "../provider/base/errors";
import type { Database } from "./database";
import { birthOf, hasEnded, thisMachine } from "./process";
import type { EngineEnd, FromSupervisor, ToSupervisor } from "./protocol";
import { LEASE, Store, type EngineRow } from "./store";

/** Only workers of one version take over from each other. */
export const VERSION = "0.2.0";

/** An engine to run. */
export interface EngineCall {
  readonly run: string;
  /** `<project>/<stack>`: never two engines for one. */
  readonly id: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly log: string;
  readonly input?: string;
}

const WorkerRow = z.object({
  id: z.string(),
  machine: z.string(),
  pid: z.number(),
  birth: z.string(),
  isSilent: z.boolean(),
});
type WorkerRow = z.output<typeof WorkerRow>;

/** The worker that this process is. */
export class Worker {
  readonly id = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  readonly store: Store;
  private supervisor: ChildProcess | undefined;
  private keys = 0;
  private readonly waiting = new Map<
    number,
    { spawned: (pid: number, birth: string) => void; ended: (end: EngineEnd) => void; pid?: number }
  >();
  private readonly secrets = new Set<string>();
  private isClosing = false;

  constructor(
    readonly database: Database,
    /** The fleet file's folder. */
    readonly root: string,
  ) {
    this.store = new Store(database.pool);
  }

  /** Begins to take part: says that it is alive, takes over from the dead, and runs what DBOS hands out. */
  async start(): Promise<void> {
    this.supervise();
    await this.beat();
    void this.every(LEASE / 15, () => this.beat());
    DBOS.setConfig({
      name: "agent-platform-fleet",
      // The pool is used instead; DBOS reads the name of its database here.
      systemDatabaseUrl: "postgresql://postgres@localhost/postgres",
      systemDatabasePool: this.database.pool,
      useListenNotify: false,
      applicationVersion: VERSION,
      executorID: this.id,
      logLevel: "error",
      logger: quiet,
    });
    await this.database.alone(() => DBOS.launch());
    await this.takeOver();
    void this.every(LEASE / 10, () => this.takeOver());
  }

  /** Ends its engines, and lets others take over at once. What it was doing goes on elsewhere, or later. */
  async stop(): Promise<void> {
    this.isClosing = true;
    const { supervisor } = this;
    if (supervisor?.connected !== true) return;
    const gone = once(supervisor, "exit");
    supervisor.disconnect();
    await gone;
    const engines = await this.store.engines("worker = $1 AND ended IS NULL", this.id).catch(() => undefined);
    if (engines?.every(isOver) !== true) return;
    const end = "UPDATE fleet.engines SET ended = now(), how = 'stopped' WHERE worker = $1 AND ended IS NULL";
    await this.store.count(end, this.id).catch(() => 0);
    // As if it had been silent for long.
    const text = "UPDATE fleet.workers SET beat = beat - interval '1 day' WHERE id = $1";
    await this.store.count(text, this.id).catch(() => 0);
  }

  /** What the logs must not show. */
  hide(value: string): void {
    this.secrets.add(value);
    this.tell({ type: "secret", value });
  }

  /** Runs an engine to its end, once no other one runs for its stack. */
  async runEngine(call: EngineCall): Promise<EngineEnd> {
    const row = await this.own(call);
    const key = ++this.keys;
    const { command, args, folder, log, input = "" } = call;
    const end = await new Promise<EngineEnd>((ended) => {
      const spawned = (pid: number, birth: string): void => {
        const record = this.store.count(
          "UPDATE fleet.engines SET pid = $2, birth = $3, began = now() WHERE id = $1 AND ended IS NULL",
          row,
          pid,
          birth,
        );
        // Without a record it must not begin: nobody could prove that its lock is ours.
        void record
          .catch(() => 0)
          .then((count) => {
            this.tell(count > 0 ? { type: "go", key, input } : { type: "drop", key });
            if (count === 0) ended(NOT_BEGUN);
          });
      };
      this.waiting.set(key, { spawned, ended });
      this.tell({ type: "start", key, command, args, folder, log });
    });
    this.waiting.delete(key);
    await this.untilReached(
      "UPDATE fleet.engines SET ended = now(), how = $2 WHERE id = $1 AND ended IS NULL",
      row,
      howOf(end),
    );
    return end;
  }

  /** The row that says that this worker runs the engine of a stack: the database allows one that has not ended. */
  private async own({ run, id, command, args }: EngineCall): Promise<number> {
    const values = [run, id, [command, ...args].join(" ").slice(0, 200), this.id, hostname(), thisMachine()];
    for (;;) {
      const [row] = await this.store
        .rows(
          z.object({ id: z.coerce.number() }),
          `INSERT INTO fleet.engines (run, stack, command, worker, host, machine) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id`,
          ...values,
        )
        .catch(() => []);
      if (row !== undefined) return row.id;
      await pause(500);
    }
  }

  /** Repeats a statement until the database has answered. */
  private async untilReached(text: string, ...values: unknown[]): Promise<void> {
    for (;;) {
      try {
        await this.store.count(text, ...values);
        return;
      } catch {
        await pause(500);
      }
    }
  }

  private supervise(): void {
    const supervisor = fork(join(__dirname, "supervisor.js"), [], {
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.supervisor = supervisor;
    for (const value of this.secrets) this.tell({ type: "secret", value });
    supervisor.on("message", (message: FromSupervisor) => {
      const engine = this.waiting.get(message.key);
      if (engine === undefined) return;
      if (message.type === "ended") {
        engine.ended(message);
        return;
      }
      engine.pid = message.pid;
      engine.spawned(message.pid, message.birth);
    });
    supervisor.once("exit", () => {
      if (this.isClosing) return;
      // Nobody would end its engines any more.
      for (const { pid, ended } of this.waiting.values()) {
        if (pid !== undefined) kill(pid);
        ended({ ...NOT_BEGUN, signal: "SIGKILL" });
      }
      this.supervise();
    });
  }

  private tell(message: ToSupervisor): void {
    if (this.supervisor?.connected === true) this.supervisor.send(message);
  }

  private async every(seconds: number, act: () => Promise<void>): Promise<void> {
    while (!this.isClosing) {
      await pause(seconds * 1000, undefined, { ref: false });
      // The database may be away for a while: the next one may reach it.
      await act().catch(() => undefined);
    }
  }

  private async beat(): Promise<void> {
    const from = performance.now();
    await this.store.count(
      `INSERT INTO fleet.workers (id, host, machine, pid, birth) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO UPDATE SET beat = now()`,
      this.id,
      hostname(),
      thisMachine(),
      process.pid,
      birthOf(process.pid),
    );
    this.tell({ type: "beat", age: performance.now() - from });
  }

  /** Hands the workflows of dead workers to those that are alive. */
  private async takeOver(): Promise<void> {
    const silent = `beat < now() - make_interval(secs => ${LEASE})`;
    const others = await this.store.rows(
      WorkerRow,
      `SELECT id, machine, pid, birth, ${silent} AS "isSilent" FROM fleet.workers WHERE id <> $1`,
      this.id,
    );
    for (const worker of others) if (await this.hasSurelyEnded(worker)) await this.inherit(worker);
  }

  /** Of another machine only its silence can tell: its supervisor has ended its engines. Of this one, it can be seen. */
  private async hasSurelyEnded(worker: WorkerRow): Promise<boolean> {
    if (!worker.isSilent && !hasEnded(worker)) return false;
    const engines = await this.store.engines("worker = $1 AND ended IS NULL", worker.id);
    return engines.every((engine) => isOver(engine) || (engine.machine !== thisMachine() && worker.isSilent));
  }

  private async inherit({ id }: WorkerRow): Promise<void> {
    const claim =
      "UPDATE fleet.workers SET heir = $2 WHERE id = $1 AND (heir IS NULL OR heir = $2 OR NOT EXISTS (SELECT 1 FROM fleet.workers w WHERE w.id = workers.heir))";
    if ((await this.store.count(claim, id, this.id)) === 0) return;
    await this.store.count(
      "UPDATE fleet.engines SET ended = now(), how = 'its worker ended' WHERE worker = $1 AND ended IS NULL",
      id,
    );
    const left = await DBOS.listWorkflows({ executorId: id, status: "PENDING", loadInput: false, loadOutput: false });
    for (const queueName of new Set(left.map((each) => each.queueName))) {
      const those = left.filter((each) => each.queueName === queueName).map(({ workflowID }) => workflowID);
      await DBOS.resumeWorkflows(those, queueName === undefined ? {} : { queueName });
    }
    await this.store.count("DELETE FROM fleet.workers WHERE id = $1", id);
  }
}

/** Without a pid it was never let go. */
const isOver = ({ machine, pid, birth }: EngineRow): boolean =>
  pid === null || hasEnded({ machine, pid, birth: birth ?? "" });

const NOT_BEGUN: EngineEnd = { code: null, signal: null, isStopped: true, errors: "", tail: "" };

const howOf = ({ code, signal, isStopped }: EngineEnd): string =>
  isStopped ? "stopped" : signal === null ? `code ${code ?? "unknown"}` : signal;

function kill(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** DBOS repeats what fails for want of the database; the rest it throws as well. */
const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (said: unknown) => {
    if (process.env["FLEET_DEBUG"] !== undefined) process.stderr.write(`${messageOf(said)}\n`);
  },
};
