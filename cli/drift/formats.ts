import { code, fitting, LONGEST_COMMENT, tableRow } from "../base/markdown";
import { columns, jsonText, LONGEST_VALUE, nameText, sentenceLines } from "../base/printable";
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
export const DRIFT_FORMATS = { text: table, markdown, json: jsonText } as const;

/** For a terminal: one paragraph per object, with columns aligned across all of them. */
function table(report: Report): string {
  const servers = serverLines(report).map((line) => `${serverHead(line)} ${line.names.join(", ")}: ${line.text}`);
  const below = servers.length === 0 ? [] : [servers.join("\n")];
  if (outcomeOf(report) === "none") {
    return `${[cleanSentence(report, nameText(report.stack)), ...below].join("\n\n")}\n`;
  }
  const objects = partsOf(report, LONGEST_VALUE.text).map(({ object, rows, next }) => ({
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

/** What the heading, and the line about what is left out, may take. */
const AROUND = 5_000;

/** For a comment on a pull request: a heading and one table. */
function markdown(report: Report): string {
  const servers = serverLines(report).map(
    (line) => `- ${serverHead(line)} ${line.names.map(code).join(", ")}: ${code(line.text)}`,
  );
  const isClean = outcomeOf(report) === "none";
  const head = [
    `### Stack ${code(nameText(report.stack))}: ${resultText(report)}`,
    "",
    "| Object | Id | Field | Declared | Live | Next |",
    "| --- | --- | --- | --- | --- | --- |",
  ];
  const clean = cleanSentence(report, code(nameText(report.stack)));
  const lines = partsOf(report, LONGEST_VALUE.markdown).flatMap(markdownRows);
  const room = LONGEST_COMMENT - AROUND;
  const shown = fitting(lines, room, 1);
  const told = fitting(servers, room - shown.join(" ").length, 1);
  const left = lines.length + servers.length - shown.length - told.length;
  const rest = left === 0 ? [] : ["", `${left} more rows are left out here; \`--format json\` shows them all.`];
  const below = told.length === 0 ? [] : ["", ...told];
  return `${[...(isClean ? [clean] : [...head, ...shown]), ...below, ...rest].join("\n")}\n`;
}

function markdownRows({ object, rows, next }: Part): string[] {
  const cells = [`${kindText(object)} ${code(nameText(object.name))}`, code(nameText(object.id))];
  if (typeof rows === "string") return [tableRow([...cells, rows, "", "", next])];
  // Once an object: behind its last row.
  return rows.map((row, index) =>
    tableRow([...cells, code(row.field), code(row.declared), code(row.live), index === rows.length - 1 ? next : ""]),
  );
}
