import type { Clock } from "../base/clock";

/** Events of a page come at most this often. */
const EVERY_MS = 100;
/** A change is rarely alone: the others that come with it share its event. */
const GATHER_MS = 20;
const HEARTBEAT_MS = 15_000;
/** Streams that may be open at once: each is a page in front of a person. */
const MOST_STREAMS = 64;
/** A reader that leaves this many bytes unread gets nothing new until it has caught up. */
const BUFFER_BYTES = 64 * 1024;

/** What a page shows at one moment. */
export interface Shown {
  readonly view: unknown;
  /** When it will change by itself, by the emulator's clock: a revision goes on without any request. Infinity: never. */
  readonly nextAt: number;
}

interface Clocks {
  /** The emulator's. */
  readonly clock: Clock;
  /** The machine's: paces the events. */
  readonly pace: Clock;
}

/** The pages that are open, each a stream of events. Costs nothing while there is none. */
export class Live {
  private readonly pages = new Set<Page>();
  private stopListening: (() => void) | undefined;

  constructor(
    private readonly clocks: Clocks,
    /** Called with the first page: begins to listen to changes. */
    private readonly listen: (changed: () => void) => () => void,
  ) {}

  get size(): number {
    return this.pages.size;
  }

  /** A stream of what `show` gives now and after each change; undefined when too many are open. */
  open(show: () => Shown): Response | undefined {
    if (this.pages.size >= MOST_STREAMS) return undefined;
    const page = new Page(this.clocks, show, () => this.forget(page));
    this.pages.add(page);
    this.stopListening ??= this.listen(() => this.changed());
    // The connection ends with the stream: one kept alive would hold up the end of the emulator.
    const headers = {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      connection: "close",
    };
    return new Response(page.body, { headers });
  }

  changed(): void {
    for (const page of this.pages) page.changed();
  }

  /** Ends all streams. */
  close(): void {
    for (const page of [...this.pages]) page.end();
  }

  private forget(page: Page): void {
    this.pages.delete(page);
    if (this.pages.size > 0) return;
    this.stopListening?.();
    this.stopListening = undefined;
  }
}

/** One open page. Keeps one event at most: a slow reader misses states, and never the latest. */
class Page {
  readonly body: ReadableStream<Uint8Array>;
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  private sentAt = -Infinity;
  private sent = "";
  private isLate = false;
  private stopSend: (() => void) | undefined;
  private stopWake: (() => void) | undefined;
  private stopHeartbeat: (() => void) | undefined;

  constructor(
    private readonly clocks: Clocks,
    private readonly show: () => Shown,
    private readonly onGone: () => void,
  ) {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.controller = controller),
        pull: () => this.catchUp(),
        cancel: () => this.stop(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
    );
    this.send();
    this.scheduleHeartbeat();
  }

  changed(): void {
    if (this.stopSend !== undefined) return;
    const { pace } = this.clocks;
    const wait = Math.max(GATHER_MS, this.sentAt + EVERY_MS - pace.now());
    this.stopSend = pace.after(wait, () => {
      this.stopSend = undefined;
      this.send();
    });
  }

  end(): void {
    const { controller } = this;
    this.stop();
    controller?.close();
  }

  private send(): void {
    const { controller } = this;
    if (controller === undefined) return;
    this.isLate = (controller.desiredSize ?? 0) <= 0;
    if (this.isLate) return;
    const { view, nextAt } = this.show();
    this.wakeAt(nextAt);
    const data = JSON.stringify(view);
    if (data === this.sent) return;
    this.sent = data;
    this.sentAt = this.clocks.pace.now();
    controller.enqueue(Buffer.from(`event: view\ndata: {"now":${this.clocks.clock.now()},"view":${data}}\n\n`));
  }

  private catchUp(): void {
    if (this.isLate) this.changed();
  }

  private wakeAt(moment: number): void {
    this.stopWake?.();
    this.stopWake = undefined;
    const { clock } = this.clocks;
    // Longer than any timer can wait is never: the heartbeat looks again.
    const wait = moment - clock.now();
    if (wait < 2 ** 31) this.stopWake = clock.after(Math.max(1, wait), () => this.changed());
  }

  private scheduleHeartbeat(): void {
    this.stopHeartbeat = this.clocks.pace.after(HEARTBEAT_MS, () => {
      // Also shows what changed without a word, such as a fault that a test switched on.
      if ((this.controller?.desiredSize ?? 0) > 0) this.controller?.enqueue(Buffer.from(": heartbeat\n\n"));
      this.changed();
      this.scheduleHeartbeat();
    });
  }

  private stop(): void {
    this.controller = undefined;
    for (const stop of [this.stopSend, this.stopWake, this.stopHeartbeat]) stop?.();
    this.onGone();
  }
}
