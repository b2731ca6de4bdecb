import { groupedBy } from "../base/groups";
import { code, commentText } from "../base/markdown";
import { columns, jsonText, nameText, sentenceLines } from "../base/printable";
import { someOf } from "../../provider/base/plain-text";
import { outcomeOf, type Report } from "./report";
import {
  cleanSentence,
  type DriftRow,
  kindText,
  type Part,
  partsOf,
  resultText,
  serverHead,
  serverLines,
} from "./shown";

/** The formats of the report; each gives the whole text, with a line end. */
export const DRIFT_FORMATS = {
  text: table,
  markdown: (report: Report) => commentText(`Drift of stack ${code(nameText(report.stack))}`, table(report)),
  json: jsonText,
} as const;

/** For a terminal: one paragraph per object, with columns aligned across all of them; below them the next steps that several share. */
function table(report: Report): string {
  const servers = serverLines(report).map((line) => `${serverHead(line)} ${line.names.join(", ")}: ${line.text}`);
  const below = servers.length === 0 ? [] : [servers.join("\n")];
  if (outcomeOf(report) === "none") {
    return `${[cleanSentence(report), ...below].join("\n\n")}\n`;
  }
  const parts = partsOf(report);
  const byNext = groupedBy(
    parts.filter(({ next }) => next !== ""),
    ({ next }) => next,
  );
  const shared = byNext.filter((those) => those.length > 1);
  const objects = parts.map(({ object, rows, next }) => ({
    head: `${headOf(object)}  ${nameText(object.id)}`,
    rows,
    end: next === "" || shared.some(([first]) => first.next === next) ? [] : [`  next: ${next}`],
  }));
  const steps = shared.map(
    (those) => `Next for ${someOf(those.map(({ object }) => headOf(object)))}:\n  ${those[0].next}`,
  );
  const all = objects.flatMap(({ rows }) => inColumns(rows));
  const cells = [{ field: "FIELD", declared: "DECLARED", live: "LIVE" }, ...all].map(({ field, declared, live }) => [
    `  ${field}`,
    declared,
    live,
  ]);
  const [heads = "", ...lines] = columns(cells);
  const paragraphs = objects.map(({ head, rows, end }) =>
    [head, ...lines.splice(0, inColumns(rows).length), ...sentencesIn(rows), ...end].join("\n"),
  );
  const title = `Stack ${nameText(report.stack)}: ${resultText(report)}.`;
  return `${[title, ...(all.length === 0 ? [] : [heads]), ...paragraphs, ...steps, ...below].join("\n\n")}\n`;
}

const headOf = (object: Part["object"]): string => `${kindText(object)} ${nameText(object.name)}`;

const inColumns = (rows: Part["rows"]): readonly DriftRow[] =>
  typeof rows === "string" ? [] : rows.filter(({ isSentence }) => !isSentence);

const sentencesIn = (rows: Part["rows"]): readonly string[] =>
  typeof rows === "string"
    ? [`  ${rows}`]
    : rows.flatMap(({ field, live, isSentence }) => (isSentence ? sentenceLines(`${field}: ${live}`) : []));
