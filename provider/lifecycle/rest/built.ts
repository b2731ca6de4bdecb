import { z } from "zod";
import type { Live } from "./addressed";

// Objects that the platform builds in its own time: it answers "building" until it is "ready" or "failed".

/** The fields that every answer about such an object has. */
export const BUILT = { id: z.string(), status: z.string().nullish(), status_message: z.string().nullish() };

/** Why an object is unusable; undefined while it is built and once it is ready. Kept in state, so it leaves out the platform's reason, which may contain a secret. */
export function buildProblem(live: Live): string | undefined {
  const { status } = z.object(BUILT).parse(live);
  if (status === "deleting") return "is being deleted";
  return status === "failed" ? "its build failed" : undefined;
}
