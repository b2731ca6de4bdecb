import type { Exchange, Layer } from "../base/exchange";
import type { LogEntry } from "../base/log-entry";
import { textOrLength } from "../server/request-log";
import { KeptAnswers, type KeptAnswer } from "./kept-answers";

/** What the log does not say about a request. */
export interface Seen {
  /** Its User-Agent, of a long one its length; "" for none. */
  readonly client: string;
  /** When it came, in milliseconds of this process. */
  readonly began: number;
  /** Milliseconds of real time until it had its answer, or its connection was cut; undefined until then. */
  ms: number | undefined;
  /** What went out to the client; undefined when nobody was looking. */
  readonly answer: (() => KeptAnswer) | undefined;
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
    this.answers.clear();
  }

  beforeRoute({ entry, outgoing, incoming }: Exchange): Promise<undefined> {
    const began = performance.now();
    const answer = began < this.watchedUntil ? this.answers.record(outgoing) : undefined;
    this.seen.set(entry, { client: clientOf(incoming.rawHeaders), began, ms: undefined, answer });
    this.changed();
    return NOTHING;
  }

  afterCommit({ entry }: Exchange, response: Response): Promise<Response> {
    const seen = this.of(entry);
    if (seen !== undefined) {
      seen.ms = performance.now() - seen.began;
      this.changed();
    }
    return Promise.resolve(response);
  }
}

const NOTHING = Promise.resolve(undefined);

/** Straight from what arrived: to parse all headers takes longer than the rest. */
function clientOf(raw: readonly string[]): string {
  const at = raw.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "user-agent");
  return at < 0 ? "" : textOrLength(raw[at + 1] ?? "", LONGEST_CLIENT);
}
