// Apart from fault-schema.ts: the package's declarations name these types, and must not lead to zod.

/** When a fault strikes: before anything is read or changed, or once all writes of the request are safe. */
export type FaultPhase = "before-route" | "after-commit";

/** A fault with every default filled in: what happens, and to which requests. A stream of events has all but the faults of lists and stale reads. */
export type Fault = Which & Effect;

/** Which requests a fault strikes. */
interface Which {
  /** @default "*": every method */
  method: string;
  /** Without the query. `*` stands for a part between slashes, `**` for any rest, a bare `*` for every path. @default "*" */
  path: string;
  /** The first request to strike, counted from 1 among those it could strike. Without count, only that one. */
  nth?: number;
  /** How many requests to strike. @default no end; 1 for a hold, and with nth */
  count?: number;
  /** Chance of each request, drawn from the seed. @default 1 */
  probability: number;
  /** Milliseconds by the emulator's clock, counted from its first strike, after which it ends. @default no end */
  forMs?: number;
}

type Effect =
  | { kind: "latency"; ms: number; jitterMs: number; phase: FaultPhase }
  | Status
  | { kind: "reset-before-commit" }
  | { kind: "reset-after-commit" }
  | { kind: "hold"; phase: FaultPhase }
  | TruncatedJson
  /** Sends part of the body and ends the answer as if it were complete: a stream looks finished. */
  | ({ kind: "malformed-json" } & Cut)
  | { kind: "html"; phase: FaultPhase }
  | { kind: "empty-body" }
  | { kind: "endless-body" }
  | { kind: "slow-body"; everyMs: number; bytes: number }
  | { kind: "wrong-content-type"; contentType: string }
  | StaleRead
  | { kind: "duplicate-page" }
  | { kind: "stuck-offset" }
  /** Each page lacks one item to its full length, and its offset counts the missing one: 499 of 500, offset 500. No object is missing. */
  | { kind: "short-page" }
  /** The first page at every offset, beside an offset that goes on: such a list never ends by itself. */
  | { kind: "ignored-offset" };

interface Status {
  kind: "status";
  status: number;
  /** Value of Retry-After: seconds, or any text. @default no such header */
  retryAfter?: number | string;
  /** Repeat the body of the request in the answer, as careless gateways do. Only with the platform's own body. @default false */
  echo: boolean;
  /**
   * The body of the platform has a `detail`, like all its errors. The others are those of a gateway in between: a line of
   * plain text, a page of HTML, JSON without `detail`, nothing at all. @default "platform"
   */
  body: "platform" | "text" | "html" | "json" | "empty";
  phase: FaultPhase;
}

interface Cut {
  /** Bytes of the body that are sent. @default half of it; 512 of a stream, whose length is not known */
  after?: number;
}

interface TruncatedJson extends Cut {
  kind: "truncated-json";
  /**
   * "content-length": the header promises more than is sent. "cut": no length, and the connection ends in the middle. A
   * stream has no length: both end its connection in the middle. @default "content-length"
   */
  by: "content-length" | "cut";
}

interface StaleRead {
  kind: "stale-read";
  /** Answer from before this many of the last requests that wrote. @default 1, unless agoMs is given */
  writes?: number;
  /** Answer from this many milliseconds ago, by the emulator's clock. */
  agoMs?: number;
}

/** What has to be written; all else has a default, or means nothing where it is left out. */
type Needed = "kind" | "status";
type Written<F> = F extends unknown ? Partial<F> & Pick<F, Extract<keyof F, Needed>> : never;

/** A fault as written, without defaults. */
export type FaultInput = Written<Fault>;

/** The name of what happens. */
export type FaultKind = Fault["kind"];

/** When the fault strikes. */
export function phaseOf(fault: Fault): FaultPhase {
  if ("phase" in fault) return fault.phase;
  return fault.kind === "reset-before-commit" ? "before-route" : "after-commit";
}
