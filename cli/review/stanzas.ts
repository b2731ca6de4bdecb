import { SECRET } from "../base/changed-fields";
import { groupedBy, printable, problemText, sideTexts } from "../base/printable";
import {
  type Consequence,
  OPERATIONS,
  type Review,
  type ReviewedField,
  type ReviewedObject,
  type ReviewedPolicy,
} from "./review";
import { pluralOf } from "../../provider/lifecycle/fields/table";

/** A field as people read it. */
interface ShownField {
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

/** A field in its columns. Values are JSON, on one line, of at most so many characters; of a secret only what happens to it is said. */
export function shownField(field: ReviewedField, longest: number): ShownField {
  const { change, secret, unknown } = field;
  const mark = field.replaces ? " (replaces)" : "";
  const path = printable(field.path) + mark;
  const [whole, after] = sideTexts(field.before, field.after, longest);
  const before = problemText(field.path, field.before) ?? whole;
  if (unknown) return { path, before, after: unknownText(field), inWords: true };
  if (secret) return { path, before: change === "new" ? "" : SECRET, after: SECRETS[change], inWords: true };
  return { path, before, after, inWords: false };
}

/** Objects of one kind with the same change for the same reason, which are reported together. */
export interface Stanza {
  /** At least one; all are named in the report. */
  readonly objects: readonly ReviewedObject[];
  /** The object, if it is the only one. */
  readonly only: ReviewedObject | undefined;
  /** The names of several. */
  readonly names: readonly string[];
  /** "Deployment", "10 Deployments" */
  readonly kind: string;
  /** What happens to them: "will be updated". */
  readonly verb: string;
  readonly consequences: readonly Consequence[];
  /** The fields that change alike in all of them. */
  readonly shared: readonly ReviewedField[];
  /** The others, by object; only objects that have some. */
  readonly own: readonly { readonly object: ReviewedObject; readonly fields: readonly ReviewedField[] }[];
}

/** The objects of a review grouped for the reader: a part with its whole, and equal changes together. In the order of the review. */
export function stanzasOf({ objects }: Pick<Review, "objects">): Stanza[] {
  const urns = new Set(objects.map(({ urn }) => urn));
  const alone = objects.filter(({ partOf }) => partOf === undefined || !urns.has(partOf));
  return groupedBy(alone, ({ kind, operation, certain, risk, consequences }) => [
    kind,
    operation,
    certain,
    risk,
    consequences,
  ]).map(stanzaOf);
}

function stanzaOf(objects: readonly [ReviewedObject, ...ReviewedObject[]]): Stanza {
  const [first] = objects;
  const { kind, operation, certain, consequences } = first;
  const verb = certain ? OPERATIONS[operation].verb : operation === "replace" ? "may be replaced" : "may change";
  const news = objects.map(({ fields }) => new Set(fields.map((field) => JSON.stringify(newsOf(field)))));
  // Once, and not for each of thousands.
  const common = new Set([...(news[0] ?? [])].filter((each) => news.every((all) => all.has(each))));
  const isShared = (field: ReviewedField): boolean => common.has(JSON.stringify(newsOf(field)));
  const isEqual = (field: ReviewedField): boolean =>
    objects.every(({ fields }) => fields.some((other) => JSON.stringify(other) === JSON.stringify(field)));
  const shared = first.fields.filter(isShared).map((field) => (isEqual(field) ? field : newsOf(field)));
  // That a new object has the name that its heading has is no news.
  const isNamed = ({ change, after }: ReviewedField, { name }: ReviewedObject): boolean =>
    change === "new" && after === name;
  const own = objects.map((object) => ({
    object,
    fields: object.fields.filter((field) => !isNamed(field, object) && !isShared(field)),
  }));
  return {
    objects,
    consequences,
    shared,
    own: own.filter(({ fields }) => fields.length > 0),
    ...(objects.length === 1
      ? { only: first, names: [], kind, verb }
      : {
          only: undefined,
          // Which object becomes which resource is what there is to review in an import.
          names: objects.map(({ name, id = "" }) => (operation === "import" ? `${name} (${id})` : name)),
          kind: `${objects.length} ${pluralOf(kind)}`,
          verb: verb.replace(/^leaves /, "leave "),
        }),
  };
}

/** What there is to say of a field in a group: of a value that only `up` makes known neither what it was nor what it waits for. */
function newsOf(field: ReviewedField): ReviewedField {
  const { before: _before, waitsFor: _waitsFor, ...news } = field;
  return field.unknown === true ? news : field;
}

/** A rule, and all that violate it. */
export interface ViolatedPolicy extends Pick<ReviewedPolicy, "pack" | "policy" | "level"> {
  /** The messages, and which objects each is about; none for the stack as a whole. */
  readonly messages: readonly { readonly message: string; readonly objects: readonly string[] }[];
}

/** The violated policies of a review, each once. In its order. */
export const violatedPolicies = ({ policies }: Pick<Review, "policies">): ViolatedPolicy[] =>
  groupedBy(policies, ({ level, pack, policy }) => [level, pack, policy]).map((all) => {
    const [{ pack, policy, level }] = all;
    const messages = groupedBy(all, ({ message }) => message).map((same) => ({
      message: same[0].message,
      objects: same.flatMap(({ object }) => object ?? []),
    }));
    return { pack, policy, level, messages };
  });

/** Equal warnings, each once. */
export const warningsOf = ({ warnings }: Pick<Review, "warnings">): readonly string[] => [...new Set(warnings)];
