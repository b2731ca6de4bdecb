import type { Readable } from "node:stream";
import { safeText } from "../base/masker";
import { AgentPlatformError, messageOf } from "../base/errors";
import { StreamError, type RunIdentity } from "./errors";
import type { RunEvent, StreamMode } from "./events";
import type { Frames } from "./frames";

interface StreamSource {
  readonly frames: Frames;
  readonly open: () => Promise<{ readonly body: Readable; readonly contentType: string }>;
  readonly signal: AbortSignal | undefined;
  /** Throws if a stream that ended between two events, without an `end`, was cut off: a proxy ends one as the server does. */
  readonly confirmOver: () => Promise<void>;
  /** Silence after which the stream is given up, in milliseconds; heartbeats end a silence. */
  readonly idleTimeoutMs: number;
}

/** The events of a run; `mode` says which type each has. Events of modes that were not requested are {@link OtherEvent}s. */
export interface RunStream<Mode extends StreamMode = StreamMode> extends AsyncIterable<RunEvent<Mode>> {
  /** Which run this is, known from its first event on; a join may never say. */
  readonly run: RunIdentity | undefined;
}

/**
 * The events of a run, once: the request is sent when the loop begins, and what has been read is not kept. A slow loop slows the run
 * down; leaving it closes the connection. Errors: HttpError, TransportError, RunError, StreamError, the signal's reason.
 */
export class EventStream implements RunStream {
  private begun = false;

  constructor(private readonly source: StreamSource) {}

  get run(): RunIdentity | undefined {
    return this.source.frames.run;
  }

  [Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, undefined> {
    if (this.begun)
      throw new AgentPlatformError("a stream can only be read once: a second loop would start the run again");
    this.begun = true;
    return this.read();
  }

  private async *read(): AsyncGenerator<RunEvent, void, undefined> {
    const { frames, open, confirmOver, signal, idleTimeoutMs } = this.source;
    const { body, contentType } = await open();
    const stop = () => body.destroy();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      signal?.throwIfAborted();
      if (!/^text\/event-stream\b/i.test(contentType)) {
        throw new StreamError(
          undefined,
          `cannot be read: its type is "${safeText(contentType).slice(0, 100)}", not "text/event-stream". Is the url the agent's address?`,
        );
      }
      const parts: AsyncIterator<unknown> = body[Symbol.asyncIterator]();
      while (!frames.ended) {
        const part = await this.next(parts, body, idleTimeoutMs);
        if (part === undefined) break;
        for (const event of frames.feed(part)) {
          yield event;
          signal?.throwIfAborted();
        }
      }
      frames.end();
      if (!frames.ended) await confirmOver();
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
      body.destroy();
    }
  }

  /** The next bytes; undefined at the end. Time counts only while we wait for the server, not while the reader works. */
  private async next(
    parts: AsyncIterator<unknown>,
    body: Readable,
    idleTimeoutMs: number,
  ): Promise<Uint8Array | undefined> {
    const idle = new StreamError(
      this.run,
      `was silent for ${idleTimeoutMs / 1000} seconds; the run may still be going`,
    );
    const timer = setTimeout(() => body.destroy(idle), idleTimeoutMs);
    try {
      const next: { readonly done?: boolean; readonly value: unknown } = await parts.next();
      return next.value instanceof Uint8Array ? next.value : undefined;
    } catch (cause) {
      if (cause === idle) throw idle;
      const reason = safeText(messageOf(cause));
      // The cause is not kept: it is axios' own, which may have the request on it, and the key with that.
      throw new StreamError(this.run, `was cut off: ${reason}; the run may still be going`);
    } finally {
      clearTimeout(timer);
    }
  }
}
