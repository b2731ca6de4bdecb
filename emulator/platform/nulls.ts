import type { z } from "zod";

type Fields = Readonly<Record<string, unknown>>;

/** null means "not sent" to the platform: it clears nothing. */
export function withoutNulls(value: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null && item !== undefined));
}

export function allNull(keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, null]));
}

/** A field of a body for which null counts as left out. */
export const defaulting = <T extends z.ZodType>(field: T, value: z.output<T>) =>
  field.nullish().transform((given) => given ?? value);
