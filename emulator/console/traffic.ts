import type { ServerResponse } from "node:http";
import { isStream, type Exchange, type Layer } from "../base/exchange";
import type { LogEntry } from "../base/log-entry";
import { textOrLength } from "../server/request-log";

/** What the log does not say about a request. */
export interface Seen {
  /** Its User-Agent, of a long one its length; "" for none. */
  readonly client: string;
  /** When it came, in milliseconds of this process. */
  readonly began: number;
  /** Milliseconds of real time until it had its answer (a stream: all of it), or its connection was cut; undefined until then. */
  ms: number | undefined;
  /** What went out to the client; undefined when nobody was looking. */
  readonly answer: Pick<Recording, "read"> | undefined;
}

const LONGEST_CLIENT = 256;
/** Answers are kept for this long after somebody looked, in milliseconds. */
const WATCHED_FOR = 10 * 60 * 1000;

/**
 * Watches every request go by, as the outermost layer. What it learns goes with the entry of the log; answers are kept only around the
 * time when somebody looks, so that nobody else pays for them.
 */
export class Traffic implements Layer {
  private seen = new WeakMap<LogEntry, Seen>();
  private readonly answers: Recording[] = [];
  private watchedUntil = -Infinity;

  /** `changed` is called when a request comes, and when it is over. */
  constructor(private readonly changed: () => void) {}

  /** Somebody looks: the answers of the next minutes are kept. */
  watch(): void {
    this.watchedUntil = performance.now() + WATCHED_FOR;
  }

  of(entry: LogEntry): Seen | undefined {
    return this.seen.get(entry);
  }

  clear(): void {
    this.seen = new WeakMap();
    this.answers.length = 0;
  }

  beforeRoute({ entry, outgoing, incoming }: Exchange): Promise<undefined> {
    const began = performance.now();
    const answer = began < this.watchedUntil ? new Recording(outgoing) : undefined;
    if (answer !== undefined && this.answers.push(answer) > MOST_ANSWERS) this.answers.shift()?.forget();
    this.seen.set(entry, { client: clientOf(incoming.rawHeaders), began, ms: undefined, answer });
    this.changed();
    return NOTHING;
  }

  afterCommit({ entry, outgoing }: Exchange, response: Response): Promise<Response> {
    const seen = this.of(entry);
    const over = (): void => {
      if (seen !== undefined) seen.ms = performance.now() - seen.began;
      this.changed();
    };
    if (isStream(response) && !outgoing.destroyed) outgoing.once("close", over);
    else over();
    return Promise.resolve(response);
  }
}

const NOTHING = Promise.resolve(undefined);

/** Straight from what arrived: to parse all headers takes longer than the rest. */
function clientOf(raw: readonly string[]): string {
  const at = raw.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "user-agent");
  return at < 0 ? "" : textOrLength(raw[at + 1] ?? "", LONGEST_CLIENT);
}

/** Longer answers are not kept: only their length is. */
const LONGEST_BYTES = 64 * 1024;
/** So many of the latest answers are kept. */
const MOST_ANSWERS = 500;

/** What went out to a client. */
export interface KeptAnswer {
  readonly bytes: number;
  readonly contentType: string;
  /** undefined when it was too long, or is too old. */
  readonly text: string | undefined;
}

/** One answer, as it goes over the wire. Takes references to what is sent, and copies nothing. */
class Recording {
  private chunks: Buffer[] | undefined = [];
  private length = 0;
  private contentType = "";

  constructor(outgoing: ServerResponse) {
    const write = outgoing.write.bind(outgoing);
    const end = outgoing.end.bind(outgoing);
    // The overloads of both begin with the chunk, if there is one.
    outgoing.write = new Proxy(write, { apply: (target, _of, given: unknown[]) => this.pass(target, given) });
    outgoing.end = new Proxy(end, {
      apply: (target, _of, given: unknown[]) => {
        this.contentType = String(outgoing.getHeader("content-type") ?? "");
        return this.pass(target, given);
      },
    });
  }

  read(): KeptAnswer {
    const text = this.chunks === undefined ? undefined : Buffer.concat(this.chunks).toString();
    return { bytes: this.length, contentType: this.contentType, text };
  }

  forget(): void {
    this.chunks = undefined;
  }

  private pass(target: (...given: never[]) => unknown, given: readonly unknown[]): unknown {
    this.take(given[0]);
    return Reflect.apply(target, undefined, given);
  }

  private take(chunk: unknown): void {
    const part = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    if (!(part instanceof Uint8Array)) return;
    this.length += part.byteLength;
    if (this.length > LONGEST_BYTES) this.forget();
    this.chunks?.push(Buffer.from(part.buffer, part.byteOffset, part.byteLength));
  }
}
