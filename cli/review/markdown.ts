import { block, code, elementText, LONGEST_COMMENT, plainMarkdown, tableRow } from "../base/markdown";
import { nameText, printable } from "../base/value-text";
import type { Review, ReviewedObject, ReviewedPolicy } from "./review";
import { shownField, verbOf } from "./shown";

/** A part of the comment, whole and folded. */
interface Part {
  readonly whole: string;
  readonly folded: string;
}

/** For a comment on a pull request: the headline, then a part for each thing to know, the riskiest object first. Never longer than a comment may be. */
export function markdown(review: Review, longest = LONGEST_COMMENT): string {
  const { headline, errors, policies, objects, warnings } = review;
  const head = `### ${plainMarkdown(printable(headline))}`;
  const parts = [
    ...errors.map((error) => textPart("Error", error)),
    ...policies.map(policyPart),
    ...objects.map(objectPart),
    ...warnings.map((warning) => textPart("Warning", warning)),
  ];
  return `${[head, ...fitting(parts, longest - head.length - 2)].join("\n\n")}\n`;
}

/** How many characters the line about what is left out may take. */
const ABOUT_LEFT = 200;

/** The parts in at most so many characters: the largest fold first; if that is not enough, the last ones are left out. */
function fitting(parts: readonly Part[], room: number): string[] {
  const sizeOf = (text: string): number => text.length + 2;
  let size = parts.reduce((sum, { whole }) => sum + sizeOf(whole), 0);
  const folded = new Set<Part>();
  const bySize = [...parts].sort((a, b) => b.whole.length - a.whole.length);
  for (const part of bySize) {
    if (size <= room) break;
    folded.add(part);
    size -= part.whole.length - part.folded.length;
  }
  const texts = parts.map((part) => (folded.has(part) ? part.folded : part.whole));
  if (size <= room) return texts;
  let used = 0;
  const kept = texts.filter((text) => (used += sizeOf(text)) <= room - ABOUT_LEFT);
  return [
    ...kept,
    `${texts.length - kept.length} more are left out here: \`--format html\` and \`json\` show them all.`,
  ];
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

function policyPart({ pack, policy, level, object, message }: ReviewedPolicy): Part {
  const of = object === undefined ? "" : ` by ${plainMarkdown(printable(object))}`;
  const title = `**Policy ${code(nameText(policy))} is violated${of}** (${plainMarkdown(printable(`${pack}, ${level}`))})`;
  return { whole: `${title}\n\n${block(printableLines(message))}`, folded: title };
}

function objectPart(object: ReviewedObject): Part {
  const { kind, name, risk, consequences, fields } = object;
  const title = `${plainMarkdown(printable(kind))} ${code(nameText(name))} ${verbOf(object)}`;
  const sentences = consequences.map(({ text }) => `- ${plainMarkdown(printable(text))}`);
  const count = `${fields.length} ${fields.length === 1 ? "field" : "fields"}`;
  const leftOut = fields.length === 0 ? "" : ` (${count}, left out here)`;
  const paragraphs = [
    ...(sentences.length > 0 ? [sentences.join("\n")] : []),
    ...(fields.length > 0 ? [fieldTable(object)] : []),
  ];
  const folded = [`**${title}**${leftOut}`, ...sentences].join("\n");
  if (risk !== "none") return { whole: [`**${title}**`, ...paragraphs].join("\n\n"), folded };
  // Text in a summary is HTML, in which code spans are elements.
  const summary = `${inHtml(kind)} <code>${inHtml(name)}</code> ${verbOf(object)}`;
  return { whole: [`<details><summary>${summary}</summary>`, ...paragraphs, "</details>"].join("\n\n"), folded };
}

const inHtml = (text: string): string => elementText(nameText(text));

function fieldTable({ fields }: ReviewedObject): string {
  const rows = fields
    .map(shownField)
    .map(({ path, before, after, inWords }) =>
      tableRow([code(path), code(before), inWords ? plainMarkdown(after) : code(after)]),
    );
  return [tableRow(["Field", "Before", "After"]), tableRow(["---", "---", "---"]), ...rows].join("\n");
}
