import { SECRET } from "../base/changed-fields";
import { printable, valueText } from "../base/value-text";
import type { ReviewedField, ReviewedObject } from "./review";

/** A field as people read it. */
export interface ShownField {
  readonly path: string;
  /** Empty where there was no value. */
  readonly before: string;
  /** Empty where there will be none. */
  readonly after: string;
  /** `after` is not a value, but says something of it. */
  readonly inWords: boolean;
}

/** What stands for a value that only `up` makes known. */
function unknownText({ waitsFor = [], change }: ReviewedField): string {
  const from = waitsFor.length === 0 ? "" : `, from ${waitsFor.map(printable).join(" and ")}`;
  return `${change === "may change" ? "may change: " : ""}known at up${from}`;
}

const SECRETS = { new: "is new", changes: "changes", removed: "is removed", "may change": "may change" } as const;

/** A field in its columns. Values are JSON, on one line and shortened; of a secret only what happens to it is said. */
export function shownField(field: ReviewedField): ShownField {
  const { change, secret, unknown } = field;
  const mark = field.replaces ? " (replaces)" : "";
  const path = printable(field.path) + mark;
  const before = "before" in field ? valueText(field.before) : "";
  if (unknown) return { path, before, after: unknownText(field), inWords: true };
  if (secret) return { path, before: change === "new" ? "" : SECRET, after: SECRETS[change], inWords: true };
  return { path, before, after: "after" in field ? valueText(field.after) : "", inWords: false };
}

const VERBS: Readonly<Record<ReviewedObject["operation"], string>> = {
  create: "is created",
  adopt: "is adopted",
  import: "is imported",
  update: "is updated",
  replace: "is replaced",
  delete: "is deleted",
  leave: "leaves the stack",
  move: "is renamed",
};

/** What happens to an object, in two words. */
export const verbOf = ({ operation, certain }: ReviewedObject): string =>
  certain ? VERBS[operation] : operation === "replace" ? "may be replaced" : "may change";
