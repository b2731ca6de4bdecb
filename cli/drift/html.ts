import { element, page, preformatted, table, type Content, type Html, type Look } from "../base/html";
import { nameText, printable } from "../base/value-text";
import type { ManyReport, StackRow } from "./many";
import { byOutcome, resultOf, summaryOf } from "./many-shown";
import type { DriftedObject, Report } from "./report";
import { cleanSentence, countText, kindText, rowsOf } from "./shown";

const LOOKS = { none: "calm", drift: "warning", failed: "danger" } as const satisfies Record<StackRow["outcome"], Look>;

/** A page of its own on one stack, for an artifact of a build. */
export function html(report: Report): string {
  const stack = nameText(report.stack);
  const drifted = report.drifted.length > 0;
  return page(`Drift of stack ${stack}`, [
    element("h1", drifted ? `Stack ${stack}: ${countText(report)} drifted.` : cleanSentence(report, stack)),
    element("p", drifted ? badge("drift", "drift") : badge("none", "no drift")),
    ...report.drifted.map((object) => objectSection(object, "h2")),
  ]);
}

/** The same on many stacks: what to look at first stands first. */
export function manyHtml(report: ManyReport): string {
  const rows = byOutcome(report.stacks);
  const lines = rows.map((row): Content[] => [element("code", nameText(row.stack)), badge(row.outcome, resultOf(row))]);
  return page("Drift of many stacks", [
    element("h1", `${summaryOf(report)}.`),
    table(["Stack", "Result"], lines),
    ...rows.flatMap(stackPart),
  ]);
}

const badge = (outcome: StackRow["outcome"], text: string): Html => element("span", text, `badge ${LOOKS[outcome]}`);

function stackPart(row: StackRow): Html[] {
  if (row.outcome === "none") return [];
  const stack = element("code", nameText(row.stack));
  if (row.outcome === "failed") {
    return [
      element("h2", ["Stack ", stack, " could not be compared"]),
      element("section", preformatted(row.reason), LOOKS.failed),
    ];
  }
  return [
    element("h2", ["Stack ", stack, `: ${countText(row)} drifted`]),
    ...row.drifted.map((object) => objectSection(object, "h3")),
  ];
}

function objectSection(object: DriftedObject, heading: "h2" | "h3"): Html {
  const rows = rowsOf(object);
  const title = [`${kindText(object)} `, element("code", nameText(object.name))];
  return element(
    "section",
    [
      element(heading, title),
      element("p", element("code", nameText(object.id)), "faint"),
      typeof rows === "string"
        ? element("p", rows)
        : table(
            ["Field", "Declared", "Live"],
            rows.map(({ field, note, declared, live }) => [
              [element("code", field), note === "" ? "" : ` ${printable(note)}`],
              valueOf(declared),
              valueOf(live),
            ]),
          ),
    ],
    object.operation === "delete" ? "danger" : "warning",
  );
}

const valueOf = (text: string): Content => (text === "" ? "" : element("code", text));
