/** What a worker tells its supervisor. An engine is known by a number. */
export type ToSupervisor =
  | {
      readonly type: "start";
      readonly key: number;
      readonly command: string;
      readonly args: readonly string[];
      readonly folder: string;
      readonly log: string;
    }
  /** Its process is recorded, so it may begin. The input goes to its standard input. */
  | { readonly type: "go"; readonly key: number; readonly input: string }
  /** Its process could not be recorded, so it must not begin. */
  | { readonly type: "drop"; readonly key: number }
  /** The database was reached so many milliseconds ago. */
  | { readonly type: "beat"; readonly age: number }
  | { readonly type: "secret"; readonly value: string };

/** How an engine ended. */
export interface EngineEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The supervisor has ended it. */
  readonly isStopped: boolean;
  /** Its output from the first error on, and the end of it; both masked and bounded. */
  readonly errors: string;
  readonly tail: string;
}

/** What a supervisor tells its worker. */
export type FromSupervisor =
  | { readonly type: "spawned"; readonly key: number; readonly pid: number; readonly birth: string }
  | ({ readonly type: "ended"; readonly key: number } & EngineEnd);
