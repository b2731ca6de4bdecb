import type { ServerResponse } from "node:http";

/** Longer answers are not kept: only their length is. */
const LONGEST_BYTES = 64 * 1024;
/** All kept answers together. */
const MOST_BYTES = 8 * 1024 * 1024;

/** What went out to a client. */
export interface KeptAnswer {
  readonly bytes: number;
  readonly contentType: string;
  /** undefined when it was too long, or is too old. */
  readonly text: string | undefined;
}

/** The bodies of the latest answers, as they went over the wire. Takes references to what is sent, and copies nothing. */
export class KeptAnswers {
  private readonly kept: Recording[] = [];
  private bytes = 0;

  /** Records what is written to a client from now on. */
  record(outgoing: ServerResponse): () => KeptAnswer {
    const recording = new Recording(outgoing, (more) => (this.bytes += more));
    this.kept.push(recording);
    if (this.bytes > MOST_BYTES || this.kept.length > 10_000) this.dropOldest();
    return () => recording.answer();
  }

  clear(): void {
    this.kept.length = 0;
    this.bytes = 0;
  }

  private dropOldest(): void {
    const half = this.kept.splice(0, Math.ceil(this.kept.length / 2));
    for (const recording of half) this.bytes -= recording.forget();
  }
}

class Recording {
  private chunks: Buffer[] | undefined = [];
  private length = 0;
  private held = 0;
  private contentType = "";

  constructor(
    outgoing: ServerResponse,
    private readonly count: (bytes: number) => void,
  ) {
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

  answer(): KeptAnswer {
    const text = this.chunks === undefined ? undefined : Buffer.concat(this.chunks).toString();
    return { bytes: this.length, contentType: this.contentType, text };
  }

  /** The bytes that it no longer holds. */
  forget(): number {
    const { held } = this;
    this.chunks = undefined;
    this.held = 0;
    return held;
  }

  private pass(target: (...given: never[]) => unknown, given: readonly unknown[]): unknown {
    this.take(given[0]);
    return Reflect.apply(target, undefined, given);
  }

  private take(chunk: unknown): void {
    const part = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    if (!(part instanceof Uint8Array)) return;
    this.length += part.byteLength;
    if (this.chunks === undefined) return;
    if (this.length > LONGEST_BYTES) {
      this.count(-this.forget());
      return;
    }
    this.chunks.push(Buffer.from(part.buffer, part.byteOffset, part.byteLength));
    this.held += part.byteLength;
    this.count(part.byteLength);
  }
}
