import { SECRET, type Field } from "./fields";
import type { DriftedObject, Report } from "./report";

/** A row of the report for people. */
export interface Row {
  readonly field: string;
  /** A remark about the field; usually empty. */
  readonly note: string;
  /** Empty if that side lacks the field. */
  readonly declared: string;
  readonly live: string;
}

const GONE = "gone: the next `pulumi up` makes it again";
const UNNAMED = "changed; the engine names no field";

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

const isMasked = ({ declared, live }: Field): boolean => declared === SECRET && live === SECRET;
const liveText = (field: Field): string => ("live" in field ? valueText(field.live) : "");

const LONGEST = 60;

function valueText(value: unknown): string {
  if (value === SECRET) return SECRET;
  const characters = Array.from(printable(JSON.stringify(value)));
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : characters.join("");
}

/** Escapes control characters: an answer of the platform must not steer a terminal, or hide in a comment. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** A name or an id: escaped like a string in JSON, without its quotes. */
export const nameText = (text: string): string => printable(JSON.stringify(text).slice(1, -1));
