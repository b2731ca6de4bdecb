import {
  changeLines,
  LONGEST_VALUE,
  nameLines,
  paragraphText,
  printable,
  problemText,
  sentenceLines,
} from "../base/printable";
import type { Style } from "../base/style";
import type { Review, ReviewedField } from "./review";
import { shownField, type Stanza, stanzasOf, violatedPolicies, type ViolatedPolicy, warningsOf } from "./stanzas";

/** How many fields of new objects are shown besides those that all of a stanza have. */
const NEW_FIELDS = 40;

/**
 * For a terminal: the headline, then one paragraph per group of objects, the riskiest first. Differences between objects of a group follow
 * at the end.
 */
export function terminal(review: Review, style: Style): string {
  const { headline, errors } = review;
  const stanzas = stanzasOf(review);
  const details = detailsOf(stanzas, style);
  const paragraphs = [
    ...errors.map((error) => `${style.wrong("error:")} ${indented(error)}`),
    style.heading(sentenceLines(printable(headline), "", "  ").join("\n")),
    ...violatedPolicies(review).map((policy) => policyText(policy, style)),
    ...stanzas.map((stanza) => stanzaText(stanza, style)),
    ...warningsOf(review).map((warning) => `${style.heading("warning:")} ${indented(warning)}`),
    ...(details.length === 0 ? [] : [style.heading("In detail:"), ...details]),
  ];
  return `${paragraphs.join("\n\n")}\n`;
}

const indented = (text: string): string => paragraphText(text.trim()).replace(/\n/g, "\n  ");

function policyText({ pack, policy, level, messages }: ViolatedPolicy, style: Style): string {
  const title = `${style.wrong(`policy ${printable(policy)}`)} (${printable(pack)}, ${printable(level)}) is violated`;
  const [only, ...more] = messages;
  if (only !== undefined && more.length === 0 && only.objects.length < 2) {
    const of = only.objects.map((object) => ` by ${printable(object)}`).join("");
    return `${title}${of}\n  ${indented(only.message)}`;
  }
  const lines = messages.flatMap(({ message, objects }) => [...nameLines(objects), `  ${indented(message)}`]);
  return [title, ...lines].join("\n");
}

function stanzaText(stanza: Stanza, style: Style): string {
  const { only, names, kind, verb, consequences, shared, own } = stanza;
  const named = printable(only === undefined ? kind : `${kind} ${only.name}`);
  const id = printable(only?.id ?? "");
  const lines = changeLines([[`${named} ${verb}`, id, ""]]).join("\n");
  const title = style.heading(named) + lines.slice(named.length).replace(id, style.faint);
  const sentences = consequences.flatMap(({ text }) => sentenceLines(printable(text), "  * "));
  const note = own.length === 0 ? [] : [`  ${ownNote(stanza)}`];
  return [title, ...nameLines(names), ...sentences, ...fieldRows(shared), ...note].join("\n");
}

/** Where the rest is shown. */
function ownNote({ own }: Stanza): string {
  const count = own.reduce((sum, { fields }) => sum + fields.length, 0);
  return `${count} ${count === 1 ? "field" : "fields"} of their own, in detail below`;
}

/** What differs between the objects of a group: the fields of each, a line each; those of new objects as far as there is room for them. */
function detailsOf(stanzas: readonly Stanza[], style: Style): string[] {
  let room = NEW_FIELDS;
  return stanzas.flatMap(({ objects: [first], own, kind }) => {
    const rows = own.flatMap(({ object, fields }) => cellsOf(fields).map((cells) => [`  ${object.name}`, ...cells]));
    const problems = own.flatMap(({ object, fields }) =>
      problemsOf(fields).flatMap((problem) => sentenceLines(`${printable(object.name)}: ${problem}`)),
    );
    const isNew = first?.operation === "create";
    const shown = isNew ? rows.slice(0, room) : rows;
    if (isNew) room -= shown.length;
    const left = rows.length - shown.length;
    const more = left === 0 ? [] : [`  ${left} more: --format json shows them`];
    return own.length === 0
      ? []
      : [[style.heading(printable(kind)), ...changeLines(shown), ...more, ...problems].join("\n")];
  });
}

const fieldRows = (fields: readonly ReviewedField[]): string[] => [
  ...changeLines(cellsOf(fields).map(([path, ...sides]) => [`  ${path}`, ...sides])),
  ...problemsOf(fields).flatMap((problem) => sentenceLines(problem)),
];

/** Path, before and after of the fields. */
const cellsOf = (fields: readonly ReviewedField[]): [path: string, before: string, after: string][] =>
  fields
    .filter(({ path, before }) => problemText(path, before) === undefined)
    .map((field) => shownField(field, LONGEST_VALUE.text))
    .map(({ path, before, after }) => [path, before, before === "" ? after : `-> ${after}`]);

const problemsOf = (fields: readonly ReviewedField[]): string[] =>
  fields
    .flatMap(({ path, before }) => problemText(path, before) ?? [])
    .map((problem) => `problem to repair: ${problem}`);
