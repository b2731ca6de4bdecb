import type { Connection } from "../../base/connection";
import type { JsonObject } from "../../base/json";
import type { SendOptions } from "../../http/client";
import type { Send } from "../../http/request";
import type { Declared } from "./declarations";
import type { Workspaces } from "./workspace";

export interface Context extends Pick<SendOptions, "clock" | "random" | "checkAlive" | "writes" | "signal"> {
  readonly connection: Connection;
  /** Sends to the API that the definition names. */
  readonly send: Send;
  /** Sends to the sandbox API, whichever the definition names: for an object there that it refers to. */
  readonly sendToSandboxes: Send;
  /** Sends to another server: the agent of a deployment. @param apiKey The key for that server, which gets no other credential. */
  readonly sendTo: (url: string, apiKey: string | undefined) => Send;
  readonly log: Log;
  /** The workspaces that answers to this connection have named. */
  readonly workspaces: Workspaces;
  readonly program: Declared;
  /** True for the first resource of the run that asks; the others leave the act to it. @param act Identifies the act on this platform. */
  readonly isFirstTo: (act: string) => boolean;
  readonly call: Call;
}

/** What the user can do when a wait fails, in whole sentences. */
export interface WaitAdvice {
  readonly failed: string;
  readonly timedOut: string;
  /** An error that waiting cannot change ended the wait. */
  readonly stopped: string;
}

/** One call of a verb. The dynamic protocol passes none of this, the native one all of it. */
export interface Call {
  readonly urn?: string | undefined;
  /** When the caller gives up, in milliseconds of the session's clock; no wait lasts longer. */
  readonly deadline?: number | undefined;
  /** What the user can do when a wait fails, for its message. @default the advice for `pulumi up` */
  readonly advice?: WaitAdvice | undefined;
}

export interface Progress {
  /** Comes first on the row, because a narrow terminal shows nothing else. */
  readonly status: string;
  /** The object with this status, for who has no row that names it: "desk: revision r". */
  readonly of?: string;
  readonly waitedMs: number;
  /** A hint for the person who watches. */
  readonly note?: string;
  /** The resource on whose row it is shown; the stack's if absent. */
  readonly urn?: string;
}

/** The lines that a person sees while a verb runs. */
export interface Log {
  /** A line that the next one replaces; the last one stays until the run is over. Shown when the status changes, or every 15 seconds. */
  progress(progress: Progress): void;
  /**
   * The last progress line: how the wait ended, without a time where there was nothing to wait for. Resolves once the engine has it, so that it is shown
   * before the engine's own line about the result; never rejects.
   */
  finishProgress(ended: Pick<Progress, "status" | "urn"> & { readonly waitedMs: number | undefined }): Promise<void>;
  /** A lasting line that warns of something. */
  warn(message: string): void;
  /** A lasting line that is worth knowing. @param urn As in {@link Progress}. */
  info(message: string, urn?: string): void;
  /** A lasting line about a resource that others may have, too: it is shown once for all of them. @param name The resource's. */
  alike(message: string, name: string): void;
  /** A line for tools and for debugging, shown only in the engine's debug log. @param urn As in {@link Progress}. */
  debug(message: string, urn?: string): void;
}

/** An object in state: its outputs are the declared inputs, and values that no input declares. */
export interface State {
  readonly id: string;
  readonly outputs: JsonObject;
  /** The declared inputs, if the protocol passes them with the outputs (the native one does); outputs may then contain more. */
  readonly inputs?: JsonObject | undefined;
}

/** One object of the platform, as a verb found or left it. */
export interface Found<Live> {
  readonly id: string;
  readonly live: Live;
}
