import type { Clock } from "../base/clock";
import type { Run } from "./run";
import { frame, type StreamMode } from "./sse";
import type { RunIdentity, RunPath } from "./task";

type Fields = Readonly<Record<string, unknown>>;

/** Something that begins and ends within a run: the run itself, a node, a subgraph, a model call. */
export interface RunSpan {
  readonly id: string;
  readonly name: string;
  readonly kind: "chain" | "chat_model";
  readonly tags: readonly string[];
  readonly metadata: Fields;
  /** Outermost first. */
  readonly parents: readonly string[];
}

/** Sends the chunks of a graph. Builds only those of requested modes, and only while the run has readers. */
export class ChunkEmitter {
  constructor(
    private readonly run: Run,
    readonly clock: Clock,
    readonly identity: RunIdentity,
    private readonly wanted: { readonly modes: readonly StreamMode[]; readonly subgraphs: boolean },
  ) {}

  /** undefined when there is nothing to wait for. */
  emit(
    mode: StreamMode,
    path: RunPath,
    build: () => unknown,
    name: string = mode === "messages-tuple" ? "messages" : mode,
  ): Promise<unknown> | undefined {
    if (!this.takes(mode, path) || !this.run.isHeard) return undefined;
    // Chunks of these modes name their place in their metadata, if at all.
    const namespace = ["events", "messages"].includes(mode) ? [] : path;
    return this.run.send(mode, frame([name, ...namespace].join("|"), build()));
  }

  /** The chunk of mode events: `on_<kind>_<moment>` of a span. */
  emitSpan(span: RunSpan, moment: "start" | "stream" | "end", data: () => Fields): Promise<unknown> | undefined {
    return this.emit("events", [], () => ({
      event: `on_${span.kind}_${moment}`,
      data: data(),
      name: span.name,
      tags: span.tags,
      run_id: span.id,
      metadata: span.metadata,
      parent_ids: span.parents,
    }));
  }

  /** The same token over and over, at the pace of the readers. Ends when the last of them goes. */
  async flood(path: RunPath, token: (last: boolean) => unknown, count: number, signal: AbortSignal): Promise<void> {
    if (!this.takes("messages-tuple", path)) return;
    await this.run.firstReader;
    const name = ["messages", ...path].join("|");
    const bytes = frame(name, token(false));
    for (let sent = 1; sent <= count && this.run.hasReaders && !signal.aborted; sent += 1) {
      const waiting = this.run.send("messages-tuple", sent === count ? frame(name, token(true)) : bytes);
      if (waiting !== undefined) await waiting;
      // Even when no reader wants tokens: the emulator must stay able to answer.
      else if (sent % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** A pause by the emulator's clock; rejects at once when the signal aborts. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve) => {
      const end = () => {
        stop();
        signal.removeEventListener("abort", end);
        resolve();
      };
      const stop = this.clock.after(ms, end);
      signal.addEventListener("abort", end);
    });
    signal.throwIfAborted();
  }

  private takes(mode: StreamMode, path: RunPath): boolean {
    const { modes, subgraphs } = this.wanted;
    // As on the Python server: pairs of messages take the place of messages.
    if (mode === "messages" && modes.includes("messages-tuple")) return false;
    return modes.includes(mode) && (path.length === 0 || subgraphs || mode === "events");
  }
}

/** Waits for both, if there is anything to wait for. */
export function both(one: Promise<unknown> | undefined, other: Promise<unknown> | undefined) {
  return one === undefined || other === undefined ? (one ?? other) : Promise.all([one, other]);
}
