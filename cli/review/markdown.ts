import { block, code, elementText, fitting, LONGEST_COMMENT, plainMarkdown, tableRow } from "../base/markdown";
import { LONGEST_VALUE, nameText, printable } from "../base/printable";
import type { Review, ReviewedField } from "./review";
import { shownField, type Stanza, stanzasOf, violatedPolicies, type ViolatedPolicy, warningsOf } from "./stanzas";

/** A part of the comment, whole and folded. */
interface Part {
  readonly whole: string;
  readonly folded: string;
}

/** For a comment on a pull request: the headline, then a part for each thing to know, the riskiest object first. Never longer than a comment may be. */
export function markdown(review: Review, longest = LONGEST_COMMENT): string {
  const { headline, errors } = review;
  const head = `### ${plainMarkdown(printable(headline))}`;
  const parts = [
    ...errors.map((error) => textPart("Error", error)),
    ...violatedPolicies(review).map(policyPart),
    ...stanzasOf(review).map(stanzaPart),
    ...warningsOf(review).map((warning) => textPart("Warning", warning)),
  ];
  return `${[head, ...inRoom(parts, longest - head.length - 2)].join("\n\n")}\n`;
}

/** The most characters of the line that says how much is left out. */
const ABOUT_LEFT = 200;

/** The parts in at most so many characters: the larger ones folded; if that is not enough, some are left out. */
function inRoom(parts: readonly Part[], room: number): string[] {
  const between = 2;
  const all = parts.map(({ whole }) => whole);
  if (all.join("").length + between * all.length <= room) return all;
  const share = room / parts.length - between;
  const texts = parts.map(({ whole, folded }) => (whole.length > share ? folded : whole));
  const kept = fitting(texts, room - ABOUT_LEFT, between);
  const left = texts.length - kept.length;
  return left === 0 ? kept : [...kept, `${left} more are left out here: \`--format json\` shows them all.`];
}

/** The longest text that stays when its part is folded. */
const LINE = 200;

function textPart(what: string, text: string): Part {
  const shown = printableLines(text);
  return {
    whole: `**${what}**\n\n${block(shown)}`,
    folded: `**${what}**: ${plainMarkdown(cut(shown.split("\n")[0] ?? ""))}`,
  };
}

const cut = (text: string): string => (text.length > LINE ? `${text.slice(0, LINE)}…` : text);
const printableLines = (text: string): string => text.trim().split("\n").map(printable).join("\n");

function policyPart({ pack, policy, level, messages }: ViolatedPolicy): Part {
  const objects = messages.flatMap((each) => each.objects);
  const by = objects.length === 1 ? ` by ${plainMarkdown(printable(objects[0] ?? ""))}` : "";
  const many = objects.length > 1 ? ` by ${objects.length} objects` : "";
  const title = `**Policy ${code(nameText(policy))} is violated${by}${many}** (${plainMarkdown(printable(`${pack}, ${level}`))})`;
  const blocks = messages.flatMap((each) => [
    ...(each.objects.length > 1 || messages.length > 1 ? [namesIn(each.objects)] : []),
    block(printableLines(each.message)),
  ]);
  return { whole: [title, ...blocks].join("\n\n"), folded: title };
}

const namesIn = (names: readonly string[]): string => names.map((name) => code(nameText(name))).join(", ");

function stanzaPart({ objects, only, names, kind, verb, consequences, shared, own }: Stanza): Part {
  const name = only === undefined ? "" : ` ${code(nameText(only.name))}`;
  const title = `**${plainMarkdown(printable(kind))}${name} ${verb}**`;
  const named = names.length === 0 ? [] : [namesIn(names)];
  const sentences = consequences.map(({ text }) => `- ${sentence(text)}`);
  const paragraphs = [
    ...named,
    ...(sentences.length > 0 ? [sentences.join("\n")] : []),
    ...(shared.length > 0 ? [table(FIELD, cellsOf(shared))] : []),
    ...detailsOf(own),
  ];
  const fields = objects.reduce((sum, object) => sum + object.fields.length, 0);
  const leftOut = fields === 0 ? "" : ` (${fields} ${fields === 1 ? "field" : "fields"}, left out here)`;
  const folded = [`${title}${leftOut}`, ...named, ...sentences].join("\n");
  if (objects[0]?.risk !== "none") return { whole: [title, ...paragraphs].join("\n\n"), folded };
  // Text in a summary is HTML, in which code spans are elements.
  const inSummary = only === undefined ? "" : ` <code>${inHtml(only.name)}</code>`;
  const summary = `<details><summary>${inHtml(kind)}${inSummary} ${verb}</summary>`;
  return { whole: [summary, ...paragraphs, "</details>"].join("\n\n"), folded };
}

/** What differs between the objects of a stanza. */
function detailsOf(own: Stanza["own"]): string[] {
  if (own.length === 0) return [];
  const rows = own.flatMap(({ object, fields }) =>
    cellsOf(fields).map((cells) => [code(nameText(object.name)), ...cells]),
  );
  return ["<details><summary>in detail</summary>", table(["Resource", ...FIELD], rows), "</details>"];
}

/** A sentence of ours, in which commands are code. */
const sentence = (text: string): string =>
  printable(text)
    .split(/`([^`]*)`/)
    .map((part, index) => (index % 2 === 0 ? plainMarkdown(part) : code(part)))
    .join("");

const inHtml = (text: string): string => elementText(nameText(text));

const FIELD = ["Field", "Before", "After"];

const cellsOf = (fields: readonly ReviewedField[]): string[][] =>
  fields
    .map((field) => shownField(field, LONGEST_VALUE.markdown))
    .map(({ path, before, after, inWords }) => [
      code(path),
      code(before),
      inWords ? plainMarkdown(after) : code(after),
    ]);

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map(tableRow).join("\n");
