import { randomUUID } from "node:crypto";
import type { LastRun } from "../platform/agent-records";
import type { GraphState } from "./graph";
import { RunReader, type StreamSettings } from "./reader";
import { withId, type StreamMode } from "./sse";

/** How many events a resumable run keeps, and how many bytes of them beside the latest. */
const MOST_KEPT = 10_000;
const MOST_BYTES = 16 * 1024 * 1024;

export type RunStatus = "pending" | "running" | "success" | "error" | "interrupted";

/** What was asked for, as answers repeat it. */
export interface RunRequest {
  readonly threadId: string;
  readonly graphId: string;
  readonly assistantId: string;
  readonly input: unknown;
  readonly modes: readonly StreamMode[];
  readonly subgraphs: boolean;
  readonly multitaskStrategy: string;
  /** Whether its events have ids, and are kept for those who join. */
  readonly resumable?: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * A run and its readers. A reader gets the events sent after it joins; only a resumable run keeps its latest ones. The slowest reader sets the pace, so
 * that no queue grows; a run without readers does not wait.
 */
export class Run {
  readonly id = randomUUID();
  status: RunStatus = "pending";
  /** The state that it has reached so far. */
  values: GraphState = {};
  failure: LastRun["error"] = null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  updatedAt: number;
  /** Resolves when the run is over, however it ends. */
  readonly over: Promise<void>;
  private markOver: () => void = () => undefined;
  private readonly readers = new Set<RunReader>();
  private readonly kept: { readonly id: string; readonly mode: string; readonly bytes: Uint8Array }[] = [];
  private keptBytes = 0;
  private sent = 0;
  private readonly aborting = new AbortController();
  /** Resolves with the first reader, or when the run is aborted. */
  readonly firstReader: Promise<void>;
  private markRead: () => void = () => undefined;

  constructor(
    readonly request: RunRequest,
    private readonly settings: StreamSettings,
  ) {
    this.createdAt = settings.clock.now();
    this.updatedAt = this.createdAt;
    this.over = new Promise((resolve) => (this.markOver = resolve));
    this.firstReader = new Promise((resolve) => (this.markRead = resolve));
  }

  get signal(): AbortSignal {
    return this.aborting.signal;
  }

  get isOver(): boolean {
    return this.status !== "pending" && this.status !== "running";
  }

  get hasReaders(): boolean {
    return this.readers.size > 0;
  }

  /** Whether anybody gets the events, now or later. */
  get isHeard(): boolean {
    return this.hasReaders || this.request.resumable === true;
  }

  /**
   * A body with everything that is sent from now on, and what is kept after an event; empty once the run is over. `onClientGone`: the client left before
   * the end.
   */
  read(filter: (mode: string) => boolean, onClientGone: () => void, after?: string): ReadableStream<Uint8Array> {
    const reader = new RunReader(this.settings, filter, () => {
      this.readers.delete(reader);
      onClientGone();
    });
    for (const { mode, bytes } of this.keptAfter(after)) if (filter(mode)) reader.push(bytes);
    if (this.isOver) reader.end();
    else this.readers.add(reader);
    this.markRead();
    return reader.body;
  }

  /**
   * A body with the state that the run leaves behind, or its error, as JSON. While the run goes on, line breaks keep the connection open, as on the Python
   * server. `onClientGone`: as of `read`.
   */
  result(onClientGone: () => void): ReadableStream<Uint8Array> {
    const reader = new RunReader(this.settings, () => false, onClientGone, Buffer.from("\n"));
    void this.over.then(() => {
      reader.push(Buffer.from(JSON.stringify(this.failure === null ? this.values : { __error__: this.failure })));
      reader.end();
    });
    return reader.body;
  }

  /** Sends bytes to all readers of that mode. undefined while all of them have room for more, else resolves when they have. */
  send(mode: StreamMode | "metadata" | "error", plain: Uint8Array): Promise<unknown> | undefined {
    const bytes = this.request.resumable === true ? this.keep(mode, plain) : plain;
    const full: RunReader[] = [];
    for (const reader of this.readers) {
      if (reader.wants(mode)) reader.push(bytes);
      if (reader.isFull) full.push(reader);
    }
    return full.length === 0 ? undefined : Promise.all(full.map((reader) => reader.drained()));
  }

  abort(): void {
    this.aborting.abort();
    this.markRead();
    // A slow reader must not keep the run waiting.
    for (const reader of this.readers) reader.end();
    this.readers.clear();
  }

  finish(status: RunStatus): void {
    this.status = status;
    this.updatedAt = this.settings.clock.now();
    for (const reader of this.readers) reader.end();
    this.readers.clear();
    this.markOver();
  }

  private keep(mode: string, plain: Uint8Array): Uint8Array {
    const id = `${this.settings.clock.now()}-${this.sent++}`;
    const bytes = withId(plain, id);
    this.kept.push({ id, mode, bytes });
    this.keptBytes += bytes.length;
    while (this.kept.length > MOST_KEPT || (this.keptBytes > MOST_BYTES && this.kept.length > 1))
      this.keptBytes -= this.kept.shift()?.bytes.length ?? 0;
    return bytes;
  }

  /** As on the Python server, an id that no event has comes before those that are greater as texts. */
  private keptAfter(last: string | undefined) {
    if (last === undefined) return [];
    const at = this.kept.findIndex(({ id }) => id === last);
    return at < 0 ? this.kept.filter(({ id }) => id > last) : this.kept.slice(at + 1);
  }
}
