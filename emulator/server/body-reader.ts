import type { IncomingMessage } from "node:http";
import { ApiError } from "../base/api-error";

/** What is kept of a body. Only a body of which nothing is kept has no limit of length. */
export type Kept = "all" | "length" | "nothing";

export interface ReadBody {
  readonly bytes: Uint8Array;
  /** The length in characters of a body of which nothing else is kept. */
  readonly unread: number;
  /** The answer to one that is refused. */
  readonly refusal?: ApiError;
}

const NO_BODY: ReadBody = { bytes: new Uint8Array(), unread: 0 };
/** The bytes that all unfinished bodies may take together. */
const MOST_HELD = 64 * 1024 * 1024;
/** The memory that a part takes besides its bytes, which matters if a client sends one byte at a time. */
const PART_SIZE = 256;

/** Reads the bodies of requests. Once a body is refused, the rest is dropped, and a client that continues to send it is cut off. */
export class BodyReader {
  private held = 0;

  /** @param limit Of each body, in bytes. */
  constructor(private readonly limit: number) {}

  async read(incoming: IncomingMessage, kept: Kept): Promise<ReadBody> {
    const parts: Buffer[] = [];
    const decoder = new TextDecoder();
    let [size, unread, held] = [0, 0, 0];
    try {
      for await (const read of incoming.iterator({ destroyOnReturn: false })) {
        const part: unknown = read;
        if (!Buffer.isBuffer(part) || kept === "nothing") continue;
        size += part.length;
        if (size > this.limit) return { ...NO_BODY, refusal: new ApiError(413, "Request body too large") };
        if (kept === "length") {
          unread += decoder.decode(part, { stream: true }).length;
          continue;
        }
        held += part.length + PART_SIZE;
        this.held += part.length + PART_SIZE;
        if (this.held > Math.max(MOST_HELD, 2 * this.limit)) return { ...NO_BODY, refusal: tooMany() };
        parts.push(part);
      }
    } finally {
      this.held -= held;
    }
    return { bytes: Buffer.concat(parts), unread };
  }
}

const tooMany = (): ApiError => new ApiError(503, "Too many request bodies at once", { "retry-after": "1" });
