import type { Pool } from "pg";
import { z } from "zod";
import type { Plan } from "./plan";
import type { Serving } from "./rotate";

/** After so many seconds without a sign a worker counts as dead. Its supervisor has ended its engines by then. */
export const LEASE = Number(process.env["FLEET_LEASE_SECONDS"] ?? 30);

/** What a run does to each stack. */
export const COMMANDS = ["preview", "up", "destroy", "drift", "rotate"] as const;
export type FleetCommand = (typeof COMMANDS)[number];

/** How a stack of a run stands: the first two while it lasts. */
export type State = "waiting" | "running" | "succeeded" | "drifted" | "failed" | "locked" | "untouched";

/** What became of a stack. */
export interface Outcome {
  readonly state: State;
  /** What it has changed, or why it failed, in a line. */
  readonly reason: string;
  readonly seconds: number;
}

/** Where a run stands: in a wave, or at the gate behind it. */
export interface Place {
  readonly wave: string;
  /** What the gate waits for. */
  readonly gate?: "checks" | "drift" | "approve";
}

/** JSON that this package has written itself. */
const json = z.string().transform((text): unknown => JSON.parse(text));

const nullable = z.string().nullable();
const when = z.date().nullable();
const Run = z.object({
  id: z.string(),
  command: z.enum(COMMANDS),
  plan: json.pipe(z.custom<Plan>()),
  details: json.pipe(z.custom<RunDetails>()),
  sealed: nullable,
  stopped: z.boolean(),
  began: z.date(),
  ended: when,
  verdict: nullable,
  at: json.pipe(z.custom<Place>()).nullable(),
});
/** A run as the database has it. */
export type Run = z.output<typeof Run>;

/** What else a run needs. */
export interface RunDetails {
  /** The key of the configuration that a rotation sets. */
  readonly key?: string;
  /** Who started it: user@host. */
  readonly by?: string;
  /** The run that this one does again. */
  readonly again?: string;
  /** The waves whose gates that run has passed. */
  readonly passed?: readonly string[];
}

const StackRow = z.object({
  task: z.string(),
  stack: z.string(),
  state: z.string(),
  reason: z.string(),
  seconds: z.number(),
  report: json.pipe(z.custom<readonly Serving[]>()).nullable(),
});
/** A stack's outcome as the database has it. */
export type StackRow = z.output<typeof StackRow>;

const EngineRow = z.object({
  id: z.coerce.number(),
  run: z.string(),
  stack: z.string(),
  command: z.string(),
  worker: z.string(),
  host: z.string(),
  machine: z.string(),
  pid: z.number().nullable(),
  birth: nullable,
  began: z.date(),
  ended: when,
  how: nullable,
});
/** An engine that ran, or runs. */
export type EngineRow = z.output<typeof EngineRow>;

/** The tables of a fleet. */
export class Store {
  constructor(readonly pool: Pool) {}

  async rows<Row>(row: z.ZodType<Row>, text: string, ...values: unknown[]): Promise<Row[]> {
    const { rows } = await this.pool.query(text, values);
    return rows.map((each) => row.parse(each));
  }

  async count(text: string, ...values: unknown[]): Promise<number> {
    return (await this.pool.query(text, values)).rowCount ?? 0;
  }

  /** The newest run, or that of an id. */
  async run(id?: string): Promise<Run | undefined> {
    const where = id === undefined ? "ORDER BY began DESC LIMIT 1" : "WHERE id = $1";
    const [run] = await this.rows(Run, `SELECT * FROM fleet.runs ${where}`, ...(id === undefined ? [] : [id]));
    return run;
  }

  /** Records a new run; false if another one has not ended. */
  async begin(
    id: string,
    command: FleetCommand,
    plan: Plan,
    details: RunDetails,
    sealed: string | null,
  ): Promise<boolean> {
    const insert =
      "INSERT INTO fleet.runs (id, command, plan, details, sealed) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    return (await this.count(insert, id, command, JSON.stringify(plan), JSON.stringify(details), sealed)) > 0;
  }

  /** Ends a run; what was sealed for it is forgotten. */
  end(id: string, verdict: string): Promise<number> {
    return this.count(
      "UPDATE fleet.runs SET ended = now(), verdict = $2, sealed = NULL WHERE id = $1 AND ended IS NULL",
      id,
      verdict,
    );
  }

  /** Where a run stands: its wave or gate. */
  at(id: string, place: Place): Promise<number> {
    return this.count("UPDATE fleet.runs SET at = $2 WHERE id = $1", id, JSON.stringify(place));
  }

  stop(id: string): Promise<number> {
    return this.count("UPDATE fleet.runs SET stopped = true WHERE id = $1 AND ended IS NULL", id);
  }

  record(
    run: string,
    task: string,
    stack: string,
    { state, reason, seconds }: Outcome,
    report?: string,
  ): Promise<number> {
    return this.count(
      `INSERT INTO fleet.stacks (run, task, stack, state, reason, seconds, report) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (run, task) DO UPDATE SET state = $4, reason = $5, seconds = $6, report = $7, ended = now()`,
      run,
      task,
      stack,
      state,
      reason,
      seconds,
      report ?? null,
    );
  }

  outcomes(run: string): Promise<StackRow[]> {
    return this.rows(StackRow, "SELECT * FROM fleet.stacks WHERE run = $1 ORDER BY ended", run);
  }

  /** How many stacks of a run have failed. */
  async failures(run: string): Promise<number> {
    const of = "SELECT 1 FROM fleet.stacks WHERE run = $1 AND task = stack AND state IN ('failed', 'locked')";
    return this.count(of, run);
  }

  /** How many workers have given a sign of late. */
  workers(): Promise<number> {
    return this.count(`SELECT 1 FROM fleet.workers WHERE beat > now() - make_interval(secs => ${LEASE})`);
  }

  engines(where: string, ...values: unknown[]): Promise<EngineRow[]> {
    return this.rows(EngineRow, `SELECT * FROM fleet.engines WHERE ${where} ORDER BY id`, ...values);
  }
}
