import { z } from "zod";
import { EmulatorError } from "../base/emulator-error";

const phase = z.enum(["before-route", "after-commit"]);
/** When a fault strikes: before anything is read or changed, or once all writes of the request are safe. */
export type FaultPhase = z.infer<typeof phase>;

const ms = z.number().min(0).max(3_600_000);
const where = {
  /** @default "*": every method */
  method: z
    .string()
    .regex(/^(\*|[A-Z]+)$/, "a method in capitals, or *")
    .default("*"),
  /** Without the query. `*` stands for a part between slashes, `**` for any rest, a bare `*` for every path. */
  path: z
    .string()
    .regex(/^(\*$|\*\*|\/)/, "a path that starts with a slash, or *")
    .default("*"),
  /** The first request to strike, counted from 1 among those it could strike. Without count, only that one. */
  nth: z.int().min(1).optional(),
  /** How many requests to strike. @default no end; 1 for a hold, and with nth */
  count: z.int().min(1).optional(),
  /** Chance of each request, drawn from the seed. @default 1 */
  probability: z.number().gt(0).max(1).default(1),
  /** Milliseconds by the emulator's clock, counted from its first strike, after which it ends. @default no end */
  forMs: z.int().min(1).optional(),
};

/** Bytes of the body that are sent. @default half of it; 512 of a stream, whose length is not known */
const after = z.int().min(0).optional();

/** A fault as data: what happens, and to which requests. A stream of events has all but the faults of lists and stale reads. */
export const faultSchema = z.discriminatedUnion("kind", [
  z
    .strictObject({
      kind: z.literal("latency"),
      ms: ms.default(0),
      jitterMs: ms.default(0),
      phase: phase.default("before-route"),
      ...where,
    })
    .refine((latency) => latency.ms + latency.jitterMs > 0, "needs ms or jitterMs"),
  z.strictObject({
    kind: z.literal("status"),
    status: z.int().min(400).max(599),
    /** Value of Retry-After: seconds, or any text. @default no such header */
    retryAfter: z.union([z.int().min(0), z.string().regex(/^[\x20-\x7e]+$/)]).optional(),
    /** Repeat the body of the request in the answer, as careless gateways do. Only with the platform's own body. */
    echo: z.boolean().default(false),
    /**
     * The body of the platform has a `detail`, like all its errors. The others are those of a gateway in between: a line of
     * plain text, a page of HTML, JSON without `detail`, nothing at all.
     */
    body: z.enum(["platform", "text", "html", "json", "empty"]).default("platform"),
    phase: phase.default("before-route"),
    ...where,
  }),
  z.strictObject({ kind: z.literal("reset-before-commit"), ...where }),
  z.strictObject({ kind: z.literal("reset-after-commit"), ...where }),
  z.strictObject({ kind: z.literal("hold"), phase: phase.default("before-route"), ...where }),
  z.strictObject({
    kind: z.literal("truncated-json"),
    /**
     * "content-length": the header promises more than is sent. "cut": no length, and the connection ends in the middle. A
     * stream has no length: both end its connection in the middle.
     */
    by: z.enum(["content-length", "cut"]).default("content-length"),
    after,
    ...where,
  }),
  /** Sends part of the body and ends the answer as if it were complete: a stream looks finished. */
  z.strictObject({ kind: z.literal("malformed-json"), after, ...where }),
  z.strictObject({ kind: z.literal("html"), phase: phase.default("after-commit"), ...where }),
  z.strictObject({ kind: z.literal("empty-body"), ...where }),
  z.strictObject({ kind: z.literal("endless-body"), ...where }),
  z.strictObject({
    kind: z.literal("slow-body"),
    everyMs: ms.default(20),
    bytes: z.int().min(1).default(1),
    ...where,
  }),
  z.strictObject({
    kind: z.literal("wrong-content-type"),
    contentType: z
      .string()
      .regex(/^[\x20-\x7e]+$/)
      .default("text/plain"),
    ...where,
  }),
  z.strictObject({
    kind: z.literal("stale-read"),
    /** Answer from before this many of the last requests that wrote. @default 1, unless agoMs is given */
    writes: z.int().min(1).max(1000).optional(),
    /** Answer from this many milliseconds ago, by the emulator's clock. */
    agoMs: ms.optional(),
    ...where,
  }),
  z.strictObject({ kind: z.literal("duplicate-page"), ...where }),
  z.strictObject({ kind: z.literal("stuck-offset"), ...where }),
  /** Each page lacks one item to its full length, and its offset counts the missing one: 499 of 500, offset 500. No object is missing. */
  z.strictObject({ kind: z.literal("short-page"), ...where }),
  /** The first page at every offset, beside an offset that goes on: such a list never ends by itself. */
  z.strictObject({ kind: z.literal("ignored-offset"), ...where }),
]);

/** A fault with every default filled in. */
export type Fault = z.output<typeof faultSchema>;
/** A fault as written, without defaults. */
export type FaultInput = z.input<typeof faultSchema>;
/** The name of what happens. */
export type FaultKind = Fault["kind"];

/** All kinds, in the order of the schema. */
export const faultKinds: readonly FaultKind[] = faultSchema.options.map((option) => option.shape.kind.value);

/** When the fault strikes. */
export function phaseOf(fault: Fault): FaultPhase {
  if ("phase" in fault) return fault.phase;
  return fault.kind === "reset-before-commit" ? "before-route" : "after-commit";
}

/** Parses a fault. Throws an EmulatorError that says what is wrong with it. */
export function readFault(input: unknown): Fault {
  const parsed = faultSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.map(String).join(".")}: ${issue.message}`);
  throw new EmulatorError(`This fault is not valid: ${problems.join("; ")}.`);
}
