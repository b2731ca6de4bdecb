import {
  element,
  htmlList,
  page,
  preformatted,
  htmlTable,
  type Content,
  type Html,
  type ElementStyle,
} from "../base/html";
import { nameText } from "../base/value-text";
import type { ManyReport, StackRow } from "./many";
import { byOutcome, isQuiet, resultOf, manySummary } from "./many-shown";
import { outcomeOf, type Report } from "./report";
import { cleanSentence, kindText, partsOf, resultText, serverHead, serverLines, type Part } from "./shown";

const LOOKS = { none: "calm", drift: "warning", unread: "danger", failed: "danger" } as const satisfies Record<
  StackRow["outcome"],
  ElementStyle
>;

const BADGES = { none: "no drift", drift: "drift", unread: "not all read" } as const;

/** A page of its own on one stack, for an artifact of a build. */
export function driftHtml(report: Report): string {
  const stack = nameText(report.stack);
  const outcome = outcomeOf(report);
  return page(`Drift of stack ${stack}`, [
    element("h1", outcome === "none" ? cleanSentence(report, stack) : `Stack ${stack}: ${resultText(report)}.`),
    element("p", badge(outcome, BADGES[outcome])),
    ...partsOf(report).map((part) => objectSection(part, "h2")),
    ...serverList(report),
  ]);
}

/** The same on many stacks: what to look at first stands first. */
export function manyHtml(report: ManyReport): string {
  const rows = byOutcome(report.stacks);
  const lines = rows.map((row): Content[] => [element("code", nameText(row.stack)), badge(row.outcome, resultOf(row))]);
  return page("Drift of many stacks", [
    element("h1", `${manySummary(report)}.`),
    htmlTable(["Stack", "Result"], lines),
    ...rows.flatMap(stackPart),
  ]);
}

const badge = (outcome: StackRow["outcome"], text: string): Html => element("span", text, `badge ${LOOKS[outcome]}`);

function stackPart(row: StackRow): Html[] {
  if (isQuiet(row)) return [];
  const stack = element("code", nameText(row.stack));
  if (row.outcome === "failed") {
    return [
      element("h2", ["Stack ", stack, " could not be compared"]),
      element("section", preformatted(row.reason), LOOKS.failed),
    ];
  }
  return [
    element("h2", ["Stack ", stack, `: ${row.outcome === "none" ? "no drift" : resultText(row)}`]),
    ...partsOf(row).map((part) => objectSection(part, "h3")),
    ...serverList(row),
  ];
}

function objectSection({ object, rows, next, isSevere }: Part, heading: "h2" | "h3"): Html {
  const title = [`${kindText(object)} `, element("code", nameText(object.name))];
  return element(
    "section",
    [
      element(heading, title),
      element("p", element("code", nameText(object.id)), "faint"),
      typeof rows === "string"
        ? element("p", rows)
        : htmlTable(
            ["Field", "Declared", "Live"],
            rows.map(({ field, declared, live }) => [element("code", field), valueOf(declared), valueOf(live)]),
          ),
      ...(next === "" ? [] : [element("p", `Next: ${next}`)]),
    ],
    isSevere ? "danger" : "warning",
  );
}

function serverList(report: Report): Html[] {
  const items = serverLines(report).map((line) => {
    const names = line.names.flatMap((name, index) => [index === 0 ? "" : ", ", element("code", name)]);
    return [`${serverHead(line)} `, ...names, `: ${line.text}`];
  });
  return items.length === 0 ? [] : [htmlList(items)];
}

const valueOf = (text: string): Content => (text === "" ? "" : element("code", text));
