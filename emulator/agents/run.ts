import { randomUUID } from "node:crypto";
import type { GraphState } from "./graph";
import { RunReader, type StreamSettings } from "./reader";
import type { StreamMode } from "./stream-modes";

/** The state of a run. */
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
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Why a run failed: the kind of the error, and its text. */
export interface RunFailure {
  readonly error: string;
  readonly message: string;
}

/**
 * A run and its readers. Events are not stored: a reader gets those that are sent after it joins. The slowest reader sets the pace, so
 * that no queue grows; a run without readers does not wait.
 */
export class Run {
  readonly id = randomUUID();
  status: RunStatus = "pending";
  /** The state that it has reached so far. */
  values: GraphState = {};
  failure: RunFailure | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  updatedAt: number;
  /** Resolves when the run is over, however it ends. */
  readonly over: Promise<void>;
  private markOver: () => void = () => undefined;
  private readonly readers = new Set<RunReader>();
  private readonly aborting = new AbortController();
  private readerWaiters: (() => void)[] = [];

  constructor(
    readonly request: RunRequest,
    private readonly settings: StreamSettings,
  ) {
    this.createdAt = settings.clock.now();
    this.updatedAt = this.createdAt;
    this.over = new Promise((resolve) => (this.markOver = resolve));
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

  /** A body with everything that is sent from now on; empty once the run is over. `onClientGone`: the client left before the end. */
  read(filter: (mode: string) => boolean, onClientGone: () => void = () => undefined): ReadableStream<Uint8Array> {
    const reader = new RunReader(this.settings, filter, () => {
      this.readers.delete(reader);
      onClientGone();
    });
    if (this.isOver) reader.end();
    else this.readers.add(reader);
    this.wakeWaiters();
    return reader.body;
  }

  /** Resolves with the first reader, or when the run is aborted. */
  firstReader(): Promise<void> {
    return this.hasReaders || this.signal.aborted
      ? Promise.resolve()
      : new Promise((resolve) => this.readerWaiters.push(resolve));
  }

  /** Sends bytes to all readers of that mode. undefined while all of them have room for more, else resolves when they have. */
  send(mode: StreamMode | "metadata" | "error", bytes: Uint8Array): Promise<unknown> | undefined {
    const full: RunReader[] = [];
    for (const reader of this.readers) {
      if (reader.wants(mode)) reader.push(bytes);
      if (reader.isFull) full.push(reader);
    }
    return full.length === 0 ? undefined : Promise.all(full.map((reader) => reader.drained()));
  }

  abort(): void {
    this.aborting.abort();
    this.wakeWaiters();
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

  private wakeWaiters(): void {
    for (const wake of this.readerWaiters.splice(0)) wake();
  }
}
