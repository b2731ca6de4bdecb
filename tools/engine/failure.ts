import { z } from "zod";

const systemErrorSchema = z.object({ code: z.string() });
const messageSchema = z.object({ message: z.string() });

/** The system's code of a caught error ("EEXIST"), if it has one. By shape: an error may come from another realm. */
export function errorCode(error: unknown): string | undefined {
  return systemErrorSchema.safeParse(error).data?.code;
}

/** The message of a caught value. */
export function reasonOf(error: unknown): string {
  return messageSchema.safeParse(error).data?.message ?? String(error);
}
