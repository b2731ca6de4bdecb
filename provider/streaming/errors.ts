import { AgentPlatformError } from "../base/errors";
import type { RunEvent } from "./events";

/** Which run a stream shows. */
export interface RunIdentity {
  readonly runId: string;
  /** 1 for the first; undefined if the server does not say. */
  readonly attempt: number | undefined;
}

/** The run itself failed: the stream ended with an `error` event. What came before it was yielded. */
export class RunError extends AgentPlatformError {
  override readonly name = "RunError";

  constructor(
    readonly run: RunIdentity | undefined,
    /** The kind of error, as the graph names it ("ValueError"); undefined if it does not. */
    readonly kind: string | undefined,
    /** The server's message, or its first 10,000 characters. */
    readonly detail: string,
    /** The last events before it: at most ten, of 16 MiB together. */
    readonly last: readonly RunEvent[],
  ) {
    super(`run ${run?.runId ?? "(unnamed)"} failed: ${kind === undefined ? "" : `${kind}: `}${detail}`);
  }
}

/** The stream is incomplete: cut off, silent for too long, or not an event stream. It is not known whether the run is still going. */
export class StreamError extends AgentPlatformError {
  override readonly name = "StreamError";

  constructor(
    readonly run: RunIdentity | undefined,
    problem: string,
  ) {
    super(`${run === undefined ? "the stream" : `the stream of run ${run.runId}`} ${problem}`);
  }
}
