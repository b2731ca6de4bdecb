import { createHash } from "node:crypto";
import { unanswered, type Exchange, type Layer } from "../base/exchange";
import type { LogEntry } from "../base/log-entry";
import { setLatest } from "../base/set-latest";
import { textOrLength } from "../server/request-log";
import { KeptAnswers, type KeptAnswer } from "./kept-answers";

/** What the log does not say about a request. */
export interface Seen {
  /** The same for the same request. */
  readonly key: string;
  /** Its User-Agent, of a long one its length; "" for none. */
  readonly client: string;
  /** The number of the failed request that it repeats. */
  readonly repeats: number | undefined;
  /** When it came, in milliseconds of this process. */
  readonly began: number;
  /** Milliseconds of real time until it had its answer, or its connection was cut; undefined until then. */
  ms: number | undefined;
  /** What went out to the client; undefined when nobody was looking. */
  readonly answer: (() => KeptAnswer) | undefined;
}

interface Failed {
  readonly seq: number;
  readonly at: number;
  readonly body: string;
}

/** The same request after a failure counts as its repetition for this long, in milliseconds of real time. */
const REPEATED_WITHIN = 10 * 60 * 1000;
/** Requests that failed, or are under way. */
const MOST_REPEATED = 1000;
const LONGEST_CLIENT = 256;
/** Answers are kept for this long after somebody looked, in milliseconds. */
const WATCHED_FOR = 10 * 60 * 1000;
/** Faults that spoil no answer. */
const HARMLESS: readonly (string | null)[] = [null, "latency", "hold"];

/**
 * Watches every request go by, as the outermost layer. What it learns goes with the entry of the log; answers are kept only around the
 * time when somebody looks, so that nobody else pays for them.
 */
export class Traffic implements Layer {
  private seen = new WeakMap<LogEntry, Seen>();
  /** The latest of each kind that is under way. */
  private readonly underWay = new Map<string, Exchange>();
  private readonly failed = new Map<string, Failed>();
  private readonly answers = new KeptAnswers();
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
    for (const part of [this.failed, this.answers]) part.clear();
  }

  beforeRoute(exchange: Exchange): Promise<undefined> {
    const { entry, outgoing, incoming } = exchange;
    const began = performance.now();
    const key = keyOf(exchange);
    const seen: Seen = {
      key,
      client: clientOf(incoming.rawHeaders),
      repeats: this.repeatedBy(key, exchange, began),
      began,
      ms: undefined,
      answer: began < this.watchedUntil ? this.answers.record(outgoing) : undefined,
    };
    this.seen.set(entry, seen);
    setLatest(this.underWay, key, exchange, MOST_REPEATED);
    this.changed();
    return NOTHING;
  }

  afterCommit(exchange: Exchange, response: Response): Promise<Response> {
    const now = performance.now();
    const seen = this.of(exchange.entry);
    if (seen === undefined) return Promise.resolve(response);
    seen.ms = now - seen.began;
    if (this.underWay.get(seen.key) === exchange) this.underWay.delete(seen.key);
    const isCut = response === unanswered || exchange.outgoing.destroyed;
    const { status } = response;
    const isSpoiled = !HARMLESS.includes(exchange.entry.fault);
    if (isCut || isSpoiled || status >= 500 || status === 429 || status === 408) this.fail(seen.key, exchange, now);
    this.changed();
    return Promise.resolve(response);
  }

  private repeatedBy(key: string, exchange: Exchange, now: number): number | undefined {
    const left = this.underWay.get(key);
    // Its client has gone, and is back: a timeout of the client's own.
    if (left?.outgoing.destroyed === true && left.body === exchange.body) return left.entry.seq;
    const failed = this.failed.get(key);
    if (failed === undefined || failed.body !== digestOf(exchange.body)) return undefined;
    this.failed.delete(key);
    return now - failed.at < REPEATED_WITHIN ? failed.seq : undefined;
  }

  private fail(key: string, { entry, body }: Exchange, at: number): void {
    setLatest(this.failed, key, { seq: entry.seq, at, body: digestOf(body) }, MOST_REPEATED);
  }
}

const NOTHING = Promise.resolve(undefined);

/** Straight from what arrived: to parse all headers takes longer than the rest. */
function clientOf(raw: readonly string[]): string {
  const at = raw.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "user-agent");
  return at < 0 ? "" : textOrLength(raw[at + 1] ?? "", LONGEST_CLIENT);
}

const keyOf = ({ request, url }: Exchange): string => digestOf(`${request.method} ${url.pathname}${url.search}`);
const digestOf = (text: string): string => createHash("sha1").update(text).digest("base64");
