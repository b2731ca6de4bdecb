import { createHash } from "node:crypto";
import type { Exchange, Layer } from "../base/exchange";
import type { LogEntry } from "../base/log-entry";
import type { IdentityKey } from "../limits/limits-table";
import { KeptAnswers, type KeptAnswer } from "./kept-answers";

/** What the log does not say about a request. */
export interface Seen {
  /** Its User-Agent; "" for none. */
  readonly client: string;
  /** The identities by which limits can count it. */
  readonly identities: readonly IdentityKey[];
  /** The number of the failed request that it repeats. */
  readonly repeats: number | undefined;
  /** Milliseconds of real time until its answer had gone out, or its connection was cut; undefined until then. */
  ms: number | undefined;
  /** What went out to the client. */
  readonly answer: () => KeptAnswer;
}

interface Failed {
  readonly seq: number;
  readonly at: number;
  readonly body: string;
}

/** The same request after a failure counts as its repetition for this long, in milliseconds of real time. */
const REPEATED_WITHIN = 10 * 60 * 1000;
const MOST_FAILED = 1000;
/** Clients wait and try again after these; and after no answer at all. */
const isPassing = (status: number | null): boolean =>
  status === null || status >= 500 || status === 429 || status === 408;

/** Watches every request go by, as the outermost layer. What it learns is kept as long as the log keeps the request. */
export class Traffic implements Layer {
  private readonly seen = new WeakMap<LogEntry, Seen>();
  private readonly failed = new Map<string, Failed>();
  private readonly answers = new KeptAnswers();

  /** `changed` is called when a request comes, and when it is over. */
  constructor(private readonly changed: () => void) {}

  of(entry: LogEntry): Seen | undefined {
    return this.seen.get(entry);
  }

  clear(): void {
    this.failed.clear();
    this.answers.clear();
  }

  beforeRoute(exchange: Exchange): Promise<undefined> {
    const { entry, incoming, outgoing } = exchange;
    const began = performance.now();
    const { headers } = incoming;
    const hasKey = headers["x-api-key"] !== undefined || headers.authorization?.startsWith("Bearer ") === true;
    const seen: Seen = {
      client: headers["user-agent"] ?? "",
      identities: ["IP", ...(hasKey ? (["x-api-key"] as const) : []), ...userIdentity(headers["x-user-id"])],
      repeats: this.repeatedBy(exchange, began),
      ms: undefined,
      answer: this.answers.record(outgoing),
    };
    this.seen.set(entry, seen);
    outgoing.once("close", () => {
      seen.ms = performance.now() - began;
      if (isPassing(entry.status)) this.remember(exchange, began);
      this.changed();
    });
    this.changed();
    return NOTHING;
  }

  private repeatedBy(exchange: Exchange, now: number): number | undefined {
    const key = keyOf(exchange);
    const failed = this.failed.get(key);
    if (failed === undefined || failed.body !== digestOf(exchange.body)) return undefined;
    this.failed.delete(key);
    return now - failed.at < REPEATED_WITHIN ? failed.seq : undefined;
  }

  private remember(exchange: Exchange, at: number): void {
    this.failed.set(keyOf(exchange), { seq: exchange.entry.seq, at, body: digestOf(exchange.body) });
    const [oldest] = this.failed.keys();
    if (this.failed.size > MOST_FAILED && oldest !== undefined) this.failed.delete(oldest);
  }
}

const NOTHING = Promise.resolve(undefined);
const userIdentity = (user: unknown): readonly IdentityKey[] => (user === undefined ? [] : ["x-user-id + IP"]);
const keyOf = ({ request, url }: Exchange): string => `${request.method} ${url.pathname}${url.search}`;
const digestOf = (body: string): string => createHash("sha1").update(body).digest("base64");
