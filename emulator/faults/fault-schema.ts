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
const printable = z.string().regex(/^[\x20-\x7e]+$/);

const fault = <K extends string, F extends z.core.$ZodLooseShape>(kind: K, fields: F) =>
  z.strictObject({ kind: z.literal(kind), ...fields, ...where });

/** What a fault has to be (fault.ts). */
export const faultSchema = z.discriminatedUnion("kind", [
  fault("latency", {
    ms: ms.default(0),
    jitterMs: ms.default(0),
    phase: phase.default("before-route"),
  }).refine((latency) => latency.ms + latency.jitterMs > 0, "needs ms or jitterMs"),
  fault("status", {
    status: z.int().min(400).max(599),
    retryAfter: z.union([z.int().min(0), printable]).optional(),
    echo: z.boolean().default(false),
    body: z.enum(["platform", "text", "html", "json", "empty"]).default("platform"),
    phase: phase.default("before-route"),
  }),
  fault("reset-before-commit", {}),
  fault("reset-after-commit", {}),
  fault("hold", { phase: phase.default("before-route") }),
  fault("truncated-json", { by: z.enum(["content-length", "cut"]).default("content-length"), after }),
  fault("malformed-json", { after }),
  fault("html", { phase: phase.default("after-commit") }),
  fault("empty-body", {}),
  fault("endless-body", {}),
  fault("slow-body", { everyMs: ms.default(20), bytes: z.int().min(1).default(1) }),
  fault("wrong-content-type", { contentType: printable.default("text/plain") }),
  fault("stale-read", { writes: z.int().min(1).max(1000).optional(), agoMs: ms.optional() }),
  fault("duplicate-page", {}),
  fault("stuck-offset", {}),
  fault("short-page", {}),
  fault("ignored-offset", {}),
]) satisfies z.ZodType<Fault, FaultInput>;

/** Parses a fault. Throws an EmulatorError that names the problem. */
export function readFault(input: unknown): Fault {
  const parsed = faultSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) =>
    [path.map(String).join("."), message].filter((part) => part !== "").join(": "),
  );
  throw new EmulatorError(`This fault is not valid: ${problems.join("; ")}.`);
}
