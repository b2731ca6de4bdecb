import { code, commentText } from "../base/markdown";
import { columns, jsonText, nameText, sentenceLines } from "../base/printable";
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

/** For a terminal: one paragraph per object, with columns aligned across all of them. */
function table(report: Report): string {
  const servers = serverLines(report).map((line) => `${serverHead(line)} ${line.names.join(", ")}: ${line.text}`);
  const below = servers.length === 0 ? [] : [servers.join("\n")];
  if (outcomeOf(report) === "none") {
    return `${[cleanSentence(report), ...below].join("\n\n")}\n`;
  }
  const objects = partsOf(report).map(({ object, rows, next }) => ({
    head: `${kindText(object)} ${nameText(object.name)}  ${nameText(object.id)}`,
    rows,
    end: next === "" ? [] : [`  next: ${next}`],
  }));
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
  return `${[title, ...(all.length === 0 ? [] : [heads]), ...paragraphs, ...below].join("\n\n")}\n`;
}

const inColumns = (rows: Part["rows"]): readonly DriftRow[] =>
  typeof rows === "string" ? [] : rows.filter(({ isSentence }) => !isSentence);

const sentencesIn = (rows: Part["rows"]): readonly string[] =>
  typeof rows === "string"
    ? [`  ${rows}`]
    : rows.flatMap(({ field, live, isSentence }) => (isSentence ? sentenceLines(`${field}: ${live}`) : []));
