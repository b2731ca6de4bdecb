import { createParser } from "eventsource-parser";
import { isObject, isParsedJson, type Json } from "../lifecycle/json";
import { RunError, StreamError, type RunIdentity } from "./errors";
import { eventOf, modeOf, type RunEvent, type StreamMode } from "./events";

/** Of a single event, in characters: a server that never ends one must not fill the memory. */
const LONGEST_EVENT = 64 * 1024 * 1024;
/** What a RunError keeps. */
const KEPT = 10;

/**
 * Bytes of an event stream in, events out; pure. Bytes may be split anywhere, also inside of a character. Line ends, comments and data
 * of several lines are the parser's; what the names mean is ours.
 */
export class Frames {
  /** From the first event; a join may have none. */
  run: RunIdentity | undefined;
  /** An `end` event came: what follows is not read. */
  ended = false;
  private readonly decoder = new TextDecoder();
  private frames: { readonly event: string; readonly data: string }[] = [];
  private readonly parser = createParser({
    onEvent: ({ event = "message", data }) => this.frames.push({ event, data }),
    onError: ({ type }) => {
      if (type !== "max-buffer-size-exceeded") return;
      throw new StreamError(this.run, `has an event of more than ${LONGEST_EVENT / 2 ** 20} MiB`);
    },
    maxBufferSize: LONGEST_EVENT,
  });
  private readonly last: RunEvent[] = [];
  /** Whether bytes came after the last blank line. */
  private tail = "";

  /** @param onlyAsked Leaves out what is of another mode: who joins a run gets all that it was started with. */
  constructor(
    private readonly asked: ReadonlySet<StreamMode>,
    private readonly onlyAsked = false,
  ) {}

  /** The events that are whole by now. Throws RunError and StreamError; what came before them was yielded. */
  *feed(bytes: Uint8Array): Generator<RunEvent> {
    const text = this.decoder.decode(bytes, { stream: true });
    this.parser.feed(text);
    this.tail = (this.tail + text).slice(-4);
    const frames = this.frames;
    this.frames = [];
    for (const { event: name, data } of frames) {
      const event = this.read(name, data);
      if (this.ended) return;
      if (event === undefined) continue;
      this.last.push(event);
      if (this.last.length > KEPT) this.last.shift();
      yield event;
    }
  }

  /** After the last byte. Throws where that is in the middle of an event. */
  end(): void {
    if (this.ended || this.tail === "" || /(\n\n|\r\r|\r\n\r\n|\n\r\n)$/.test(this.tail)) return;
    throw new StreamError(this.run, "ended in the middle of an event");
  }

  private read(name: string, text: string): RunEvent | undefined {
    if (name === "end") {
      this.ended = true;
      return undefined;
    }
    const data = this.parse(name, text);
    if (name === "metadata") {
      this.run = identityOf(data) ?? this.run;
      return undefined;
    }
    if (name === "error") throw this.failed(data);
    const event = eventOf(name, data, this.asked);
    if (!this.onlyAsked || event.mode !== "other") return event;
    // Of a mode that was asked for, but of another shape, it is passed on.
    const mode = modeOf(event.event);
    return mode === undefined || this.asked.has(mode) ? event : undefined;
  }

  private parse(name: string, text: string): Json {
    try {
      const data: unknown = JSON.parse(text);
      if (isParsedJson(data)) return data;
    } catch (cause) {
      throw new StreamError(this.run, `has an event "${name}" whose data is no JSON (${text.length} characters)`, {
        cause,
      });
    }
    throw new StreamError(this.run, `has an event "${name}" without data`);
  }

  private failed(data: Json): RunError {
    const { error, message } = isObject(data) ? data : { error: undefined, message: data };
    const detail = typeof message === "string" ? message : JSON.stringify(message ?? data);
    return new RunError(this.run, typeof error === "string" ? error : undefined, detail, [...this.last]);
  }
}

function identityOf(data: Json): RunIdentity | undefined {
  if (!isObject(data) || typeof data["run_id"] !== "string") return undefined;
  return { runId: data["run_id"], attempt: typeof data["attempt"] === "number" ? data["attempt"] : undefined };
}
