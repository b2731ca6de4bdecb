import { z } from "zod";
import { EmulatorError } from "../base/emulator-error";
import type { Fault, FaultInput } from "./fault";

const phase = z.enum(["before-route", "after-commit"]);

const ms = z.number().min(0).max(3_600_000);
const where = {
  method: z
    .string()
    .regex(/^(\*|[A-Z]+)$/, "a method in capitals, or *")
    .default("*"),
  path: z
    .string()
    .regex(/^(\*$|\*\*|\/)/, "a path that starts with a slash, or *")
    .default("*"),
  nth: z.int().min(1).optional(),
  count: z.int().min(1).optional(),
  probability: z.number().gt(0).max(1).default(1),
  forMs: z.int().min(1).optional(),
};

const after = z.int().min(0).optional();

/** What a fault has to be (fault.ts). */
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
    retryAfter: z.union([z.int().min(0), z.string().regex(/^[\x20-\x7e]+$/)]).optional(),
    echo: z.boolean().default(false),
    body: z.enum(["platform", "text", "html", "json", "empty"]).default("platform"),
    phase: phase.default("before-route"),
    ...where,
  }),
  z.strictObject({ kind: z.literal("reset-before-commit"), ...where }),
  z.strictObject({ kind: z.literal("reset-after-commit"), ...where }),
  z.strictObject({ kind: z.literal("hold"), phase: phase.default("before-route"), ...where }),
  z.strictObject({
    kind: z.literal("truncated-json"),
    by: z.enum(["content-length", "cut"]).default("content-length"),
    after,
    ...where,
  }),
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
    writes: z.int().min(1).max(1000).optional(),
    agoMs: ms.optional(),
    ...where,
  }),
  z.strictObject({ kind: z.literal("duplicate-page"), ...where }),
  z.strictObject({ kind: z.literal("stuck-offset"), ...where }),
  z.strictObject({ kind: z.literal("short-page"), ...where }),
  z.strictObject({ kind: z.literal("ignored-offset"), ...where }),
]) satisfies z.ZodType<Fault, FaultInput>;

/** Parses a fault. Throws an EmulatorError that says what is wrong with it. */
export function readFault(input: unknown): Fault {
  const parsed = faultSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.map(String).join(".")}: ${issue.message}`);
  throw new EmulatorError(`This fault is not valid: ${problems.join("; ")}.`);
}
