import { SECRET } from "../base/changed-fields";
import { printable, valueText } from "../base/printable";
import type { Consequence } from "./consequences";
import type { Review, ReviewedField, ReviewedObject, ReviewedPolicy } from "./review";
import { pluralOf } from "../../provider/lifecycle/fields/table";

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
const verbOf = ({ operation, certain }: ReviewedObject): string =>
  certain ? VERBS[operation] : operation === "replace" ? "may be replaced" : "may change";

/** Objects of one kind with the same change for the same reason, which are reported together. */
export interface Stanza {
  /** At least one; all are named in the report. */
  readonly objects: readonly ReviewedObject[];
  readonly consequences: readonly Consequence[];
  /** The fields that change alike in all of them. */
  readonly shared: readonly ReviewedField[];
  /** The others, by object; only objects that have some. */
  readonly own: readonly { readonly object: ReviewedObject; readonly fields: readonly ReviewedField[] }[];
}

/** The objects of a review grouped for the reader: a part with its whole, and equal changes together. In the order of the review. */
export function stanzasOf({ objects }: Pick<Review, "objects">): Stanza[] {
  const groups = new Map<
    string,
    { readonly consequences: readonly Consequence[]; readonly objects: ReviewedObject[] }
  >();
  const urns = new Set(objects.map(({ urn }) => urn));
  for (const object of objects) {
    if (object.partOf !== undefined && urns.has(object.partOf)) continue;
    const { kind, operation, certain, risk, consequences } = object;
    const key = JSON.stringify([kind, operation, certain, risk, consequences]);
    const group = groups.get(key) ?? { consequences, objects: [] };
    group.objects.push(object);
    groups.set(key, group);
  }
  return [...groups.values()].map(stanzaOf);
}

function stanzaOf({ objects, consequences }: Pick<Stanza, "objects" | "consequences">): Stanza {
  const [first, ...others] = objects;
  const texts = others.map(({ fields }) => new Set(fields.map((field) => JSON.stringify(field))));
  const shared = (first?.fields ?? []).filter((field) => texts.every((all) => all.has(JSON.stringify(field))));
  const isShared = new Set(shared.map((field) => JSON.stringify(field)));
  const own = objects.map((object) => ({
    object,
    fields: object.fields.filter((field) => !isShared.has(JSON.stringify(field))),
  }));
  return { objects, consequences, shared, own: own.filter(({ fields }) => fields.length > 0) };
}

/** What happens to the objects of a stanza: "is updated", "are updated". */
export function verbOfStanza({ objects }: Stanza): string {
  const [first] = objects;
  const verb = first === undefined ? "" : verbOf(first);
  return objects.length < 2 ? verb : verb.replace(/^is /, "are ").replace(/^leaves /, "leave ");
}

/** The kind in the number of the stanza: "Deployment", "10 Deployments". */
export function kindOfStanza({ objects }: Stanza): string {
  const kind = objects[0]?.kind ?? "";
  return objects.length < 2 ? kind : `${objects.length} ${pluralOf(kind)}`;
}

/** A rule, and all that violate it. */
export interface ViolatedPolicy extends Pick<ReviewedPolicy, "pack" | "policy" | "level"> {
  /** The messages, and which objects each is about; none for the stack as a whole. */
  readonly messages: readonly { readonly message: string; readonly objects: readonly string[] }[];
}

/** The violated policies of a review, each once. In its order. */
export function violatedPolicies({ policies }: Pick<Review, "policies">): ViolatedPolicy[] {
  const byRule = new Map<string, ReviewedPolicy[]>();
  for (const each of policies) {
    const key = JSON.stringify([each.level, each.pack, each.policy]);
    byRule.set(key, [...(byRule.get(key) ?? []), each]);
  }
  return [...byRule.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const { pack, policy, level } = first;
    const texts = [...new Set(all.map(({ message }) => message))];
    const messages = texts.map((message) => ({
      message,
      objects: all.flatMap((each) => (each.message === message ? (each.object ?? []) : [])),
    }));
    return [{ pack, policy, level, messages }];
  });
}

/** Equal warnings, each once. */
export const warningsOf = ({ warnings }: Pick<Review, "warnings">): readonly string[] => [...new Set(warnings)];
