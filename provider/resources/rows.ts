import { addressProblem, sameAddress } from "../base/address";
import type { Field, Fields } from "../lifecycle/fields/table";
import { checkedText, duration, inPath, nullable, text } from "../lifecycle/fields/types";

type Computed<F extends Fields> = { readonly [Name in keyof F]: F[Name] & { readonly computed: true } };

/** Rows that only the platform fills in. */
export function outputs<const F extends Fields>(rows: F): Computed<F>;
export function outputs(rows: Fields): Fields {
  return marked(rows, { computed: true });
}

/** Outputs that no author sees: what a later run has to know. */
export function remembered<const F extends Fields>(rows: F): Computed<F>;
export function remembered(rows: Fields): Fields {
  return marked(rows, { computed: true, seenAs: "nothing" });
}

const marked = (rows: Fields, mark: Partial<Field>): Fields =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, ...mark }]));

/** The row of a name that a program may leave out. */
export const pulumiName = (description: string) =>
  ({ type: text(255, inPath), description, required: true, defaultText: "the Pulumi name" }) as const satisfies Field;

/** For {@link outputs}: when the platform created an object, and when it was last changed. */
export const createdAt = {
  type: nullable(text()),
  description: "When the platform created it.",
  isStable: true,
} as const satisfies Field;
export const updatedAt = {
  type: nullable(text()),
  description: "When it was last changed.",
} as const satisfies Field;

export const address = {
  type: checkedText({ most: 4096 }, addressProblem),
  equal: (a, b) => typeof a === "string" && typeof b === "string" && sameAddress(a, b),
} as const satisfies Partial<Field>;

/** The row of a duration for the provider alone. */
export const providersTime = (description: string, defaultText: string) =>
  ({ type: duration(), description, defaultText, providerOnly: true }) as const satisfies Field;
