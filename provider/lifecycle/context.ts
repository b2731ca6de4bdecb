import type { Clock } from "../base/clock";
import type { Connection } from "../base/connection";
import type { JsonObject } from "../base/json";
import type { Send } from "../http/request";
import type { Workspaces } from "./workspace";
import type { WriteCounter } from "./writes";

/** What a verb of a definition works with. */
export interface Context {
  readonly connection: Connection;
  /** Sends to the API that the definition names. */
  readonly send: Send;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** Counts what this process has written. */
  readonly writes: WriteCounter;
  /** What the answers to this connection have told of the workspace that its key opens. */
  readonly workspaces: Workspaces;
  /** Ends this process if the engine that records its work is gone; `send` calls it by itself before each change. */
  readonly checkAlive: () => Promise<void>;
  /** The call that the verb answers, as far as the front knows it. */
  readonly call: Call;
}

/** One call of a verb. The dynamic protocol tells none of this; a native plugin's tells all of it. */
export interface Call {
  readonly urn?: string | undefined;
  /** When the caller gives up, in milliseconds of the session's clock; no wait goes on beyond it. */
  readonly deadline?: number | undefined;
  /** Aborted when the run is cancelled: waits then end at once. */
  readonly signal?: AbortSignal | undefined;
  /** The inputs in state, where the protocol passes them beside the outputs. */
  readonly inputs?: JsonObject | undefined;
}

/** Where a wait is. */
export interface Progress {
  /** What is waited for, and its status: "desk: revision r is BUILDING". */
  readonly status: string;
  readonly waitedMs: number;
  /** What a person who watches should know. */
  readonly note?: string;
  readonly urn?: string;
}

/** What a person sees while a verb runs. */
export interface Log {
  /**
   * A line that is replaced by the next one, and gone at the end. Shown where the status is another one than before, or every 15 seconds.
   * @param urn The resource on whose row it stands; the stack's where absent.
   */
  progress(progress: Progress): void;
  /** A lasting line. */
  warn(message: string): void;
}

/** What the state holds of an object: the declared inputs, and the outputs that no input declares. */
export interface State {
  readonly id: string;
  readonly outputs: JsonObject;
}

/** One object of the platform, as a verb found or left it. */
export interface Found<Live> {
  readonly id: string;
  readonly live: Live;
}
