import { isObject, sameJson, UNKNOWN, type Json, type JsonObject } from "../base/json";
import type { FieldRules } from "./fields";

// The engine masks a secret field as a whole, and shows a changed one like an unchanged one (docs/engine.md, trap 27). So a check tells the
// names of what differs on the row of the resource, in a line that a tool can read back.

const VERBS = ["changes", "is new", "is removed", "is known at up"] as const;

/** How one secret differs from the state; "is known at up": whether it differs is not known yet. */
export interface SecretChange {
  /** The field that holds it: `secrets`, `clientSecret`. */
  readonly field: string;
  /** Its name in the field; undefined for a field that is one secret. */
  readonly name: string | undefined;
  readonly verb: (typeof VERBS)[number];
}

/** The secrets that differ, by name, never by value. Of a field that is not known as a whole, no name is. */
export function secretChanges(rules: FieldRules, before: JsonObject, after: JsonObject): SecretChange[] {
  const fields = Object.entries(rules).filter(([field, rule]) => rule.secret && !rule.control && !field.includes("."));
  return fields.flatMap(([field]) => {
    const [from, to] = [before[field], after[field]];
    if (to === UNKNOWN) return [{ field, name: undefined, verb: "is known at up" as const }];
    if (!isObject(from ?? to)) return changeOf(field, undefined, from, to);
    const [old, now] = [isObject(from) ? from : {}, isObject(to) ? to : {}];
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
    return names.flatMap((name) => changeOf(field, name, old[name], now[name]));
  });
}

function changeOf(field: string, name: string | undefined, from?: Json, to?: Json): SecretChange[] {
  if (sameJson(from, to)) return [];
  const [changes, isNew, isRemoved, isUnknown] = VERBS;
  const verb = to === undefined ? isRemoved : from === undefined ? isNew : to === UNKNOWN ? isUnknown : changes;
  return [{ field, name, verb }];
}

/** One line for each field: `secrets: MODEL_API_KEY changes, SLACK_TOKEN is new`; `clientSecret: changes`. */
export function secretLines(changes: readonly SecretChange[]): string[] {
  return [...new Set(changes.map(({ field }) => field))].map((field) => {
    const own = changes.filter((change) => change.field === field);
    return `${field}: ${own.map(({ name, verb }) => (name === undefined ? verb : `${shownName(name)} ${verb}`)).join(", ")}`;
  });
}

const PLAIN = /^[A-Za-z_][\w.-]*$/;
const shownName = (name: string): string => (PLAIN.test(name) ? name : JSON.stringify(name));

const LINE = /^([A-Za-z]\w*): (.+)$/s;
const ITEM = new RegExp(`^(?:([A-Za-z_][\\w.-]*|"(?:[^"\\\\]|\\\\.)*") )?(${VERBS.join("|")})(?:, |$)`);

/** What a line of {@link secretLines} says; undefined for any other line. */
export function readSecretLine(line: string): SecretChange[] | undefined {
  const [, field = "", items = ""] = LINE.exec(line.trim()) ?? [];
  const changes: SecretChange[] = [];
  for (let rest = items; rest !== "";) {
    const [whole, name, said] = ITEM.exec(rest) ?? [];
    const verb = VERBS.find((each) => each === said);
    if (whole === undefined || verb === undefined) return undefined;
    changes.push({ field, name: name?.startsWith('"') ? String(JSON.parse(name)) : name, verb });
    rest = rest.slice(whole.length);
  }
  return changes.length === 0 ? undefined : changes;
}
