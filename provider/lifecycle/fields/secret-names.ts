import { z } from "zod";
import { isObject, jsonIn, ownValue, UNKNOWN, type Json, type JsonObject } from "../../base/json";
import { changesBetween } from "./diff";
import type { FieldRules } from "./fields";

// The engine masks a secret field as a whole, and shows a changed one like an unchanged one (docs/internals/engine.md, trap 27). So a check names
// changed secrets: for people in a line on the stack's row, for tools as data in a debug line of the resource.

/** How one secret differs from the state. */
const SecretChange = z.strictObject({
  /** The field that holds it: `secrets`, `clientSecret`. */
  field: z.string(),
  /** Its name in the field; absent if the field is a single secret, or if the whole field is unknown. */
  name: z.string().optional(),
  /** "known at up": whether it differs is not known yet. */
  how: z.enum(["changed", "new", "removed", "known at up"]),
});
export type SecretChange = Readonly<z.infer<typeof SecretChange>>;

/** The names of the secrets that differ, never their values. If the whole field is unknown, so are the names. */
export function secretChanges(rules: FieldRules, before: JsonObject, after: JsonObject): SecretChange[] {
  const fields = Object.entries(rules).filter(
    ([field, rule]) => rule.secret && !rule.providerOnly && !field.includes("."),
  );
  return fields.flatMap(([field]) => {
    const [from, to] = [before[field], after[field]];
    if (to === UNKNOWN) return [{ field, how: "known at up" as const }];
    if (!isObject(from ?? to)) return howChanged(from, to).map((how) => ({ field, how }));
    const [old, now] = [isObject(from) ? from : {}, isObject(to) ? to : {}];
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
    return names.flatMap((name) =>
      howChanged(ownValue(old, name), ownValue(now, name)).map((how) => ({ field, name, how })),
    );
  });
}

function howChanged(from?: Json, to?: Json): SecretChange["how"][] {
  if (changesBetween({}, { each: from }, { each: to }).length === 0) return [];
  return [to === undefined ? "removed" : from === undefined ? "new" : to === UNKNOWN ? "known at up" : "changed"];
}

/** One line for each field: `changed secrets: MODEL_API_KEY; new: SLACK_TOKEN, SLACK_KEY`; `clientSecret: changed`. */
export function secretLines(changes: readonly SecretChange[]): string[] {
  return [...new Set(changes.map(({ field }) => field))].map((field) => {
    const own = changes.filter((change) => change.field === field);
    const [first, ...more] = SecretChange.shape.how.options.flatMap((how) => {
      const names = own.flatMap((change) =>
        change.how === how && change.name !== undefined ? [shownName(change.name)] : [],
      );
      return names.length === 0 ? [] : [{ how, names: names.join(", ") }];
    });
    if (first === undefined) return `${field}: ${own.map(({ how }) => how).join(", ")}`;
    const what = first.how === "known at up" ? `${field} ${first.how}` : `${first.how} ${field}`;
    return [`${what}: ${first.names}`, ...more.map(({ how, names }) => `${how}: ${names}`)].join("; ");
  });
}

const PLAIN = /^[A-Za-z_][\w.-]*$/;
const shownName = (name: string): string => (PLAIN.test(name) ? name : JSON.stringify(name));

const Data = z.strictObject({ secretChanges: z.array(SecretChange) });

/** The same for tools. Without `<`, which may begin a colour of the engine (docs/internals/engine.md, trap 39). */
export const secretData = (changes: readonly SecretChange[]): string =>
  JSON.stringify({ secretChanges: changes }).replaceAll("<", "\\u003c");

/** What {@link secretData} holds; undefined for any other text. */
export const readSecretData = (text: string): readonly SecretChange[] | undefined =>
  Data.safeParse(jsonIn(text)).data?.secretChanges;
