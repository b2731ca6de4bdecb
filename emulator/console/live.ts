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
export interface ShownPage {
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
export class OpenPages {
  private readonly pages = new Map<string, Page>();
  private stopListening: (() => void) | undefined;

  constructor(
    private readonly clocks: Clocks,
    /** Called with the first page: begins to listen to changes. */
    private readonly listen: (changed: () => void) => () => void,
  ) {}

  get size(): number {
    return [...this.pages.values()].reduce((sum, { readers }) => sum + readers.size, 0);
  }

  /**
   * A stream of what `show` gives now and after each change; undefined when too many are open.
   * @param address What is shown there is made once for all that look at it.
   */
  open(address: string, show: () => ShownPage): Response | undefined {
    if (this.size >= MOST_STREAMS) return undefined;
    const page = this.pages.get(address) ?? new Page(this.clocks, show, () => this.forget(address));
    this.pages.set(address, page);
    this.stopListening ??= this.listen(() => this.changed());
    // The connection ends with the stream: one kept alive would hold up the end of the emulator.
    const headers = {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      connection: "close",
    };
    return new Response(page.read(), { headers });
  }

  changed(): void {
    for (const page of this.pages.values()) page.changed();
  }

  /** Ends all streams. */
  close(): void {
    for (const page of [...this.pages.values()]) page.end();
  }

  private forget(address: string): void {
    this.pages.delete(address);
    if (this.pages.size > 0) return;
    this.stopListening?.();
    this.stopListening = undefined;
  }
}

/** Who looks at a page. Keeps one event at most: a slow reader misses states, and never the latest. */
interface Reader {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  sent: string;
  isLate: boolean;
}

/** One page, and all who look at it. */
class Page {
  readonly readers = new Set<Reader>();
  private sentAt = -Infinity;
  private stopSend: (() => void) | undefined;
  private stopWake: (() => void) | undefined;
  private stopHeartbeat: (() => void) | undefined;

  constructor(
    private readonly clocks: Clocks,
    private readonly show: () => ShownPage,
    private readonly onGone: () => void,
  ) {
    this.scheduleHeartbeat();
  }

  /** The events for one more reader, who gets what is there at once. */
  read(): ReadableStream<Uint8Array> {
    let reader: Reader | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          reader = { controller, sent: "", isLate: false };
          this.readers.add(reader);
          try {
            this.send();
          } catch (error) {
            this.leave(reader);
            throw error;
          }
        },
        pull: () => {
          if (reader?.isLate) this.changed();
        },
        cancel: () => {
          if (reader !== undefined) this.leave(reader);
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
    );
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
    for (const reader of [...this.readers]) {
      this.leave(reader);
      reader.controller.close();
    }
  }

  private send(): void {
    for (const reader of this.readers) reader.isLate = (reader.controller.desiredSize ?? 0) <= 0;
    const ready = [...this.readers].filter(({ isLate }) => !isLate);
    if (ready.length === 0) return;
    const { view, nextAt } = this.show();
    this.wakeAt(nextAt);
    const data = JSON.stringify(view);
    const behind = ready.filter(({ sent }) => sent !== data);
    if (behind.length === 0) return;
    this.sentAt = this.clocks.pace.now();
    const event = `event: view\ndata: ${data}\n\n`;
    for (const reader of behind) {
      reader.sent = data;
      reader.controller.enqueue(Buffer.from(event));
    }
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
      for (const { controller } of this.readers)
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(Buffer.from(": heartbeat\n\n"));
      this.changed();
      this.scheduleHeartbeat();
    });
  }

  private leave(reader: Reader): void {
    this.readers.delete(reader);
    if (this.readers.size > 0) return;
    for (const stop of [this.stopSend, this.stopWake, this.stopHeartbeat]) stop?.();
    this.onGone();
  }
}
