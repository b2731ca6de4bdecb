import type { Clock } from "../../base/clock";
import type { Connection } from "../../base/connection";
import type { JsonObject } from "../../base/json";
import type { Send } from "../../http/request";
import type { Declared } from "../fields/checked-inputs";
import type { Workspaces } from "./workspace";

/** Counts what a process writes: a list from before a write does not answer a read after it. One for all that share a process. */
export class WriteCounter {
  private counted = 0;

  get count(): number {
    return this.counted;
  }

  add(): void {
    this.counted += 1;
  }
}

/** Everything that a verb of a definition works with. */
export interface Context {
  readonly connection: Connection;
  /** Sends to the API that the definition names. */
  readonly send: Send;
  /** Sends to another server: the agent of a deployment. @param apiKey That of the server; no other credential goes there. */
  readonly sendTo: (url: string, apiKey: string | undefined) => Send;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** Counts what this process has written. */
  readonly writes: WriteCounter;
  /** The workspaces that answers to this connection have named. */
  readonly workspaces: Workspaces;
  /** What this process knows of the program. */
  readonly declared: Declared;
  /** True for the first resource of the run that is about to do this: any other one leaves it to that. @param act Names it on this platform. */
  readonly isFirstTo: (act: string) => boolean;
  /** Ends this process if the engine that records its work is gone; `send` calls it before each change. */
  readonly checkAlive: () => Promise<void>;
  /** The call that the verb answers, as far as the protocol passes it along. */
  readonly call: Call;
}

/** What to do when a wait does not end well: whole sentences. */
export interface WaitAdvice {
  /** What was waited for has failed. */
  readonly failed: string;
  /** The time is up. */
  readonly timedOut: string;
  /** An answer that waiting does not change has ended it. */
  readonly stopped: string;
}

/** One call of a verb. The dynamic protocol passes none of this, the native one all of it. */
export interface Call {
  readonly urn?: string | undefined;
  /** When the caller gives up, in milliseconds of the session's clock; no wait lasts longer. */
  readonly deadline?: number | undefined;
  /** Aborted when the run is cancelled; waits then end at once. */
  readonly signal?: AbortSignal | undefined;
  /** What to do when a wait does not end well, for its message. @default what helps at `pulumi up` */
  readonly advice?: WaitAdvice | undefined;
}

/** The progress of a wait. */
export interface Progress {
  /** What a person looks for first: a narrow terminal shows no more of the row. */
  readonly status: string;
  /** What has this status, where the row does not say it: "desk: revision r". */
  readonly of?: string;
  readonly waitedMs: number;
  /** A hint for the person who watches. */
  readonly note?: string;
  readonly urn?: string;
}

/** The lines that a person sees while a verb runs. */
export interface Log {
  /**
   * A line that the next one replaces; the last one stays on the row until the run is over. Shown when the status changes, or every 15 seconds.
   * @param urn The resource on whose row it is shown; the stack's if absent.
   */
  progress(progress: Progress): void;
  /**
   * The last of these lines: how the wait ended. Resolves once the engine has it, so that it stands on the row before what the engine says of
   * the answer; never rejects.
   */
  finishProgress(how: string, urn?: string): Promise<void>;
  /** A lasting line that warns of something. */
  warn(message: string): void;
  /** A lasting line that is worth knowing. @param urn As of {@link Progress}. */
  info(message: string, urn?: string): void;
  /** A line for tools, and for those who look for the cause of something: shown where the engine was asked for its debug log. @param urn As of {@link Progress}. */
  debug(message: string, urn?: string): void;
}

/** An object in state: its outputs are the declared inputs, and values that no input declares. */
export interface State {
  readonly id: string;
  readonly outputs: JsonObject;
  /** What was declared, if the protocol passes it along with the outputs (the native one does): then outputs may show more. */
  readonly inputs?: JsonObject | undefined;
}

/** One object of the platform, as a verb found or left it. */
export interface Found<Live> {
  readonly id: string;
  readonly live: Live;
}
