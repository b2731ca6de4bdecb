import type { Clock } from "../base/clock";
import { heartbeat } from "./sse";

/** How many bytes wait for a slow reader before the run waits too. */
const BUFFER_BYTES = 256 * 1024;

/** The time of all streams. */
export interface StreamSettings {
  readonly clock: Clock;
  /** Milliseconds between heartbeats, counted from the start of the stream, as the Python server does. */
  readonly heartbeatMs: number;
}

/** One client of a run: a body with a bounded queue. */
export class RunReader {
  readonly body: ReadableStream<Uint8Array>;
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  private waitingWriters: (() => void)[] = [];
  private stopHeartbeat: () => void = () => undefined;

  /** `wants` says which modes the client wants; `onClientGone` is called when the client leaves before the end; `beat` keeps the connection open. */
  constructor(
    settings: StreamSettings,
    readonly wants: (mode: string) => boolean,
    private readonly onClientGone: () => void,
    private readonly beat: Uint8Array = heartbeat,
  ) {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.controller = controller),
        pull: () => this.resumeWriters(),
        cancel: () => this.onCancel(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
    );
    this.scheduleHeartbeat(settings);
  }

  push(bytes: Uint8Array): void {
    this.controller?.enqueue(bytes);
  }

  get isFull(): boolean {
    return (this.controller?.desiredSize ?? 1) <= 0;
  }

  /** Resolves when there is room again, or the client has gone. */
  drained(): Promise<void> {
    return this.isFull ? new Promise((resolve) => this.waitingWriters.push(resolve)) : Promise.resolve();
  }

  end(): void {
    this.stop()?.close();
  }

  private scheduleHeartbeat(settings: StreamSettings): void {
    this.stopHeartbeat = settings.clock.after(settings.heartbeatMs, () => {
      if (!this.isFull) this.push(this.beat);
      this.scheduleHeartbeat(settings);
    });
  }

  private onCancel(): void {
    if (this.stop() !== undefined) this.onClientGone();
  }

  /** The controller, but only the first time. */
  private stop(): ReadableStreamDefaultController<Uint8Array> | undefined {
    const controller = this.controller;
    this.controller = undefined;
    this.stopHeartbeat();
    this.resumeWriters();
    return controller;
  }

  private resumeWriters(): void {
    for (const resume of this.waitingWriters.splice(0)) resume();
  }
}
