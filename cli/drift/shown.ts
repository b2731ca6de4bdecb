import { SECRET } from "../base/changed-fields";
import { nameText, printable, valueText } from "../base/value-text";
import type { DriftedObject, Field, Report } from "./report";

/** A row of the report for people. */
export interface Row {
  readonly field: string;
  /** A remark about the field; usually empty. */
  readonly note: string;
  /** Empty if that side lacks the field. */
  readonly declared: string;
  readonly live: string;
}

const GONE = "gone: the next `pulumi up` creates it again";
const UNNAMED = "changed, but the engine does not say which field";

/** The rows of an object, or a sentence instead of them. */
export function rowsOf({ operation, fields, type }: DriftedObject): readonly Row[] | string {
  if (operation === "delete") return GONE;
  if (fields.length === 0) return UNNAMED;
  const unsure = fields.filter(isMasked).length > 1;
  return fields.map((field) => ({
    field: printable(field.path),
    note: type.endsWith(":Rollout") && field.path === "revisionId" ? "(out-of-band revision)" : "",
    declared: "declared" in field ? valueText(field.declared) : "",
    live: isMasked(field) ? `${SECRET} ${unsure ? "may have changed" : "changed"}` : liveText(field),
  }));
}

/** `Deployment` for `pulumi-nodejs:dynamic/agent-platform:Deployment`. */
export const kindText = ({ type }: DriftedObject): string => nameText(type.split(":").at(-1) ?? type);

/** "2 of 9 objects" */
export function countText({ drifted, clean }: Report): string {
  const total = drifted.length + clean;
  return `${drifted.length} of ${total} object${total === 1 ? "" : "s"}`;
}

/** That nothing drifted; `stack` is its name as the format writes it. */
export function cleanSentence({ clean }: Report, stack: string): string {
  if (clean === 0) return `No drift: stack ${stack} has no objects.`;
  const objects = clean === 1 ? "the one object" : `all ${clean} objects`;
  return `No drift: ${objects} of stack ${stack} ${clean === 1 ? "is" : "are"} as declared.`;
}

const isMasked = ({ declared, live }: Field): boolean => declared === SECRET && live === SECRET;
const liveText = (field: Field): string => ("live" in field ? valueText(field.live) : "");
