import { AsyncLocalStorage } from "node:async_hooks";
import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DBOS, type WorkflowStatus } from "@dbos-inc/dbos-sdk";
import { CliError } from "../cli/base/cli-error";
import { errorCode } from "../provider/base/errors";
import { APPLICATION, type Database } from "./database";
import type { EngineRow } from "./locks";
import type { FleetStack } from "./plan";
import { birthOf, hasEnded, LEASE, say, signalEngine, thisMachine, type ProcessId } from "./process";
import { reasonOf } from "./runs";
import type { Engine, EngineEnd, FromSupervisor, ToSupervisor } from "./supervisor";

/** An engine of a run. */
export interface EngineCall extends Engine {
  readonly run: string;
  /** Never two engines for one. */
  readonly stack: FleetStack;
}

interface WorkerRow extends ProcessId {
  readonly id: string;
  readonly isSilent: boolean;
}

/** The worker that this process is. */
export class Worker {
  readonly id = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  private readonly supervisors = new Set<ChildProcess>();
  /** The workflows that run in this process, each with its newest turn: after an outage, one can be handed out to this worker again. */
  private readonly running = new Map<string, symbol>();
  private readonly turn = new AsyncLocalStorage<symbol>();
  /** Those that the last look found with nobody to run them. */
  private lost = new Set<string>();
  private isClosing = false;
  private refuse: (error: unknown) => void = () => undefined;
  /** Rejects once this worker finds that it cannot do its part. */
  readonly unable = new Promise<never>((_, reject) => (this.refuse = reject));

  constructor(
    readonly database: Database,
    /** The fleet file's folder. */
    readonly root: string,
    /** Only workers of one version do a run, and take over from each other. */
    readonly version: string,
  ) {}

  /** Begins to take part: says that it is alive, takes over from the dead, and runs what DBOS hands out. */
  async start(): Promise<void> {
    await this.beat();
    void this.every(LEASE / 15, () => this.beat(), say);
    DBOS.setConfig({
      name: APPLICATION.applicationName,
      systemDatabaseUrl: APPLICATION.systemDatabaseUrl,
      systemDatabasePool: this.database.pool,
      useListenNotify: false,
      applicationVersion: this.version,
      executorID: this.id,
      logger: quiet,
    });
    await this.database.alone(() => DBOS.launch());
    await this.takeOver();
    void this.every(LEASE / 10, () => this.takeOver());
  }

  /** Ends its engines, and lets others take over at once. What it was doing goes on elsewhere, or later. */
  async stop(): Promise<void> {
    this.isClosing = true;
    const supervisors = [...this.supervisors];
    const gone = supervisors.map((supervisor) => once(supervisor, "exit"));
    for (const supervisor of supervisors) supervisor.disconnect();
    await Promise.all(gone);
    // As if it had been silent for long.
    const silent = "UPDATE fleet.workers SET beat = beat - interval '1 day' WHERE id = $1";
    await this.database.pool.query(silent, [this.id]).catch(() => undefined);
    await DBOS.shutdown({ workflowCompletionTimeoutMS: 0 });
  }

  /** Whether the workflow that asks is still this worker's to run, and in this turn. */
  async isOurs(): Promise<boolean> {
    const { workflowID: id = "" } = DBOS;
    if (this.isClosing || this.running.get(id) !== this.turn.getStore()) return false;
    const status = await this.database.client.getWorkflow(id);
    return status?.status === "PENDING" && status.executorId === this.id;
  }

  /** Runs a workflow of this worker. */
  async run<Result>(act: () => Promise<Result>): Promise<Result> {
    const { workflowID: id = "" } = DBOS;
    const turn = Symbol(id);
    this.running.set(id, turn);
    return this.turn.run(turn, act).finally(() => this.running.get(id) === turn && this.running.delete(id));
  }

  /** Does what ends here only if it came to its own end: while the worker closes, it may have been cut off. */
  async whole<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } finally {
      if (this.isClosing) await new Promise(() => undefined);
    }
  }

  /** What only this worker lacks (CliError) fails no stack: it ends, and others take over. */
  giveUp(error: unknown): Promise<never> {
    if (!(error instanceof CliError)) throw error;
    this.refuse(error);
    return new Promise(() => undefined);
  }

  /** Runs an engine to its end, once no other one runs for its stack. Throws if another worker does this stack by then. */
  async runEngine(call: EngineCall): Promise<EngineEnd> {
    const row = await this.own(call);
    const end = (await this.isOurs()) ? await this.supervised(call, row) : undefined;
    const { code, signal, isStopped = true } = end ?? {};
    const how = isStopped ? "stopped" : (signal ?? `code ${code ?? "unknown"}`);
    await this.reached("UPDATE fleet.engines SET ended = now(), how = $2 WHERE id = $1 AND ended IS NULL", row, how);
    if (end === undefined) throw new Error("another worker goes on with this");
    return end;
  }

  /** The engines that have been begun for a stack, or what else is asked for. */
  async engines(where: string, value: string): Promise<EngineRow[]> {
    const text = `SELECT * FROM fleet.engines WHERE ${where} ORDER BY id`;
    return (await this.database.pool.query<EngineRow>(text, [value])).rows;
  }

  /** The row that says that this worker runs the engine of a stack: the database allows one that has not ended. */
  private async own({ run, stack, args }: EngineCall): Promise<unknown> {
    const said = `pulumi ${args.join(" ")}`.slice(0, 200);
    // Its number first: the answer to an insert can be lost.
    const [row] = await this.reached("SELECT nextval('fleet.engines_id_seq') AS number");
    const insert = `WITH new AS (INSERT INTO fleet.engines (id, run, stack, command, worker, machine) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT DO NOTHING RETURNING id) SELECT id FROM new UNION SELECT id FROM fleet.engines WHERE id = $1 AND ended IS NULL`;
    const values = [row?.["number"], run, stack.id, said, this.id, thisMachine()];
    while ((await this.reached(insert, ...values)).length === 0) await pause(500);
    return row?.["number"];
  }

  private supervised(call: EngineCall, row: unknown): Promise<EngineEnd> {
    const supervisor = fork(join(__dirname, "supervisor.js"), [], {
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.supervisors.add(supervisor);
    supervisor.on("error", () => undefined);
    return new Promise((ended) => {
      let pid = 0;
      supervisor.on("message", (message: FromSupervisor) => {
        if ("code" in message) {
          ended(message);
          return;
        }
        pid = message.pid;
        const begin = "UPDATE fleet.engines SET pid = $2, birth = $3, began = now() WHERE id = $1 AND ended IS NULL";
        // Without a record it must not begin: nobody could prove that its lock is ours.
        const recorded = this.database.pool
          .query(begin, [row, pid, message.birth])
          .then(({ rowCount }) => rowCount === 1);
        void recorded.catch(() => false).then((go) => tell(supervisor, { go }));
      });
      // A message can still be on its way when the process has ended.
      supervisor.once("close", (code, signal) => {
        this.supervisors.delete(supervisor);
        // Nobody would end its engine any more.
        if (pid > 0) signalEngine(pid, "SIGKILL");
        const end = `the end of its supervisor (${code ?? signal ?? "unknown"})`;
        // One that ends before its engine can do so again and again.
        ended({ code: null, signal: end, isStopped: pid > 0, errors: "", tail: "" });
      });
      const args = [...call.args, "--non-interactive", "--color=never", `--stack=${call.stack.stack}`];
      tell(supervisor, { ...call, args });
    });
  }

  /** Repeats a statement until the database can run it. Rejects if it never will. */
  private async reached(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
    for (;;) {
      try {
        return (await this.database.pool.query<Record<string, unknown>>(text, values)).rows;
      } catch (error) {
        // What a statement names is missing or not allowed: this fleet's tables have gone.
        if (/^42/.test(String(errorCode(error)))) throw error;
        await pause(500);
      }
    }
  }

  private async every(seconds: number, act: () => Promise<void>, said?: (text: string) => unknown): Promise<void> {
    for (let isAway = false; ;) {
      await pause(seconds * 1000, undefined, { ref: false });
      if (this.isClosing) return;
      // The database may be away for a while: the next one may reach it.
      const problem = await act().then(() => undefined, reasonOf);
      if ((problem !== undefined) === isAway) continue;
      isAway = !isAway;
      said?.(isAway ? `the database does not answer, and the run waits for it: ${problem ?? ""}` : "it answers again");
    }
  }

  private async beat(): Promise<void> {
    const from = performance.now();
    await this.database.pool.query(
      "INSERT INTO fleet.workers (id, machine, pid, birth) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO UPDATE SET beat = now()",
      [this.id, thisMachine(), process.pid, birthOf(process.pid)],
    );
    for (const supervisor of this.supervisors) tell(supervisor, { age: performance.now() - from });
  }

  /** Forgets the workers that have certainly ended, and puts the workflows that nobody runs back into their queues. */
  takeOver(): Promise<void> {
    const { pool, client } = this.database;
    return this.database.alone(async () => {
      // Before the workers, so that the worker that runs one is among them.
      const pending = await client.listWorkflows({ status: "PENDING", loadInput: false, loadOutput: false });
      const silent = `beat < now() - make_interval(secs => ${LEASE})`;
      const workers = `SELECT *, ${silent} AS "isSilent" FROM fleet.workers`;
      const [known, removed] = [new Set<string>(), new Set<string>()];
      for (const worker of (await pool.query<WorkerRow>(workers)).rows) {
        known.add(worker.id);
        if (worker.id === this.id || !(await this.hasSurelyEnded(worker))) continue;
        const end =
          "UPDATE fleet.engines SET ended = now(), how = 'its worker ended' WHERE worker = $1 AND ended IS NULL";
        await pool.query(end, [worker.id]);
        // Who is alone ends with a connection that breaks: of two that find the same one, only who has removed it goes on.
        const { rowCount } = await pool.query("DELETE FROM fleet.workers WHERE id = $1", [worker.id]);
        if (rowCount === 1) removed.add(worker.id);
      }
      const isLost = ({ workflowID, executorId = "" }: WorkflowStatus): boolean =>
        executorId === this.id ? !this.running.has(workflowID) : removed.has(executorId) || !known.has(executorId);
      const lost = pending.filter(isLost);
      // A database that breaks off can have handed one out without saying so. A look can come between that and its start, or a worker's next sign.
      for (const { workflowID, queueName, executorId = "" } of lost)
        if (removed.has(executorId) || this.lost.has(workflowID))
          await client.resumeWorkflow(workflowID, queueName === undefined ? {} : { queueName });
      this.lost = new Set(lost.map(({ workflowID }) => workflowID));
    });
  }

  /** On another machine, only silence shows that it has ended: its supervisors have stopped its engines by then. On this one, the process list shows it. */
  private async hasSurelyEnded(worker: WorkerRow): Promise<boolean> {
    if (!worker.isSilent && !hasEnded(worker)) return false;
    const engines = await this.engines("worker = $1 AND ended IS NULL", worker.id);
    return engines.every((engine) => hasEnded(engine) || (engine.machine !== thisMachine() && worker.isSilent));
  }
}

function tell(supervisor: ChildProcess, message: ToSupervisor): void {
  if (supervisor.connected) supervisor.send(message);
}

/** DBOS repeats what fails for want of the database; the rest it throws as well. */
const nothing = (): void => undefined;
const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing };
