import { createParser } from "eventsource-parser";
import { REDACTED, redactKnown, safeText } from "../base/masker";
import { excessOf, isObject, isParsedJson, type Json } from "../base/json";
import { RunError, type RunIdentity, StreamError } from "./errors";
import { eventOf, modeOf, type RunEvent, type StreamMode } from "./events";

/** The longest event, in characters: a server that never ends an event must not fill the memory. */
const LONGEST_EVENT = 64 * 1024 * 1024;
/** The most events that a RunError keeps, and the characters of all of them. */
const [KEPT, LONGEST_KEPT] = [10, 16 * 1024 * 1024];
/** The longest message of a server, and the longest name or id, in characters. */
const [LONGEST_TEXT, LONGEST_NAME] = [10_000, 200];

/**
 * Bytes of an event stream in, events out; pure. Bytes may be split anywhere, even inside a character. The parser handles comments
 * and data of several lines; what the names mean is decided here.
 */
export class Frames {
  /** Known from the first event on; a join may not have it. */
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
  private readonly last: { readonly name: string; readonly data: Json; readonly length: number }[] = [];
  /** The end of the text so far: whether it is a blank line. */
  private tail = "";
  private endsWithCr = false;

  /** @param onlyAsked Drops events of other modes: joining a run yields all modes that it was started with. */
  constructor(
    private readonly asked: ReadonlySet<StreamMode>,
    private readonly onlyAsked = false,
  ) {}

  /** The events that are complete by now. Throws RunError and StreamError; what came before them was yielded. */
  *feed(bytes: Uint8Array): Generator<RunEvent> {
    const text = this.withLineFeeds(this.decoder.decode(bytes, { stream: true }));
    this.parser.feed(text);
    this.tail = (this.tail + text).slice(-2);
    const frames = this.frames;
    this.frames = [];
    for (const { event: name, data } of frames) {
      const event = this.read(name, data);
      if (this.ended) return;
      if (event !== undefined) yield event;
    }
  }

  /** Call after the last byte. Throws if the stream ended in the middle of an event. */
  end(): void {
    if (this.ended || this.tail === "" || this.tail === "\n" || this.tail === "\n\n") return;
    throw new StreamError(this.run, "ended in the middle of an event");
  }

  /** The parser keeps a CR at the end of its input, which may be half of a line end, and would keep the last event with it. */
  private withLineFeeds(text: string): string {
    if (text === "") return text;
    const rest = this.endsWithCr && text.startsWith("\n") ? text.slice(1) : text;
    this.endsWithCr = text.endsWith("\r");
    return rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest;
  }

  private read(name: string, text: string): RunEvent | undefined {
    if (name === "end") {
      this.ended = true;
      return undefined;
    }
    if (isKeepAlive(name, text)) return undefined;
    const data = this.parse(name, text);
    if (name === "metadata") {
      this.run = identityOf(redactJson(data)) ?? this.run;
      return undefined;
    }
    if (name === "error") throw this.failed(data);
    const event = eventOf(name, data, this.asked);
    if (this.onlyAsked && !this.isWanted(event)) return undefined;
    this.last.push({ name, data, length: name.length + text.length });
    while (this.last.length > KEPT || this.last.reduce((sum, { length }) => sum + length, 0) > LONGEST_KEPT)
      this.last.shift();
    return event;
  }

  /** True for events of a requested mode, even if their shape is another one, and for unknown names. */
  private isWanted(event: RunEvent): boolean {
    const mode = event.mode === "other" ? modeOf(event.event) : event.mode;
    return mode === undefined || this.asked.has(mode);
  }

  private parse(name: string, text: string): Json {
    const event = `has an event "${shown(name)}"`;
    const excess = excessOf(text);
    if (excess !== undefined) throw new StreamError(this.run, `${event} that ${excess}`);
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch {
      // The cause is not kept: it quotes the data.
      throw new StreamError(this.run, `${event} whose data is not valid JSON (${text.length} characters)`);
    }
    if (isParsedJson(data)) return data;
    throw new StreamError(this.run, `${event} without data`);
  }

  private failed(data: Json): RunError {
    const { error, message } = isObject(data) ? data : { error: undefined, message: data };
    const detail = typeof message === "string" ? message : JSON.stringify(message ?? data);
    const kind = typeof error === "string" ? shown(error) : undefined;
    const last = this.last.map(({ name, data: lastData }) => eventOf(safeText(name), redactJson(lastData), this.asked));
    return new RunError(this.run, kind, shown(detail, LONGEST_TEXT), last);
  }
}

/** Servers and gateways may send an event without data to keep the connection open, under any name that means nothing else. */
function isKeepAlive(name: string, text: string): boolean {
  const [event = name] = name.split("|");
  const isKnown = ["metadata", "error"].includes(event) || modeOf(event) !== undefined;
  return !isKnown && text.trim() === "";
}

/** Text of a server in an error. */
function shown(text: string, longest = LONGEST_NAME): string {
  const safe = safeText(text);
  return safe.length > longest ? `${safe.slice(0, longest)}...` : safe;
}

function identityOf(data: Json): RunIdentity | undefined {
  if (!isObject(data) || typeof data["run_id"] !== "string" || data["run_id"].length > LONGEST_NAME) return undefined;
  return { runId: data["run_id"], attempt: typeof data["attempt"] === "number" ? data["attempt"] : undefined };
}

/** A copy without the secrets that this process knows, in all texts, numbers and names of fields. */
function redactJson(value: Json): Json {
  if (typeof value === "string") return redactKnown(value);
  if (typeof value === "number") return redactKnown(String(value)) === String(value) ? value : REDACTED;
  if (Array.isArray(value)) return value.map(redactJson);
  if (!isObject(value)) return value;
  const safe = Object.entries(value).map(([name, each]) => [redactKnown(name), each && redactJson(each)] as const);
  return Object.fromEntries(safe);
}
