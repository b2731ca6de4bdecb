import { SECRET } from "../base/changed-fields";
import { code, commentText } from "../base/markdown";
import {
  changeLines,
  groupedBy,
  jsonText,
  LONGEST_VALUE,
  nameText,
  printable,
  problemText,
  sentenceLines,
  sideTexts,
} from "../base/printable";
import {
  type DriftedObject,
  type DriftField,
  outcomeOf,
  type Report,
  type ServerChange,
  type StackObject,
} from "./report";
import { someOf } from "../../provider/base/plain-text";
import { resourceTypeOf } from "../../provider/resources/resource-types";

/** The formats of the report; each gives the whole text, with a line end. */
export const DRIFT_FORMATS = {
  text: table,
  markdown: (report: Report) => commentText(`Drift of stack ${code(nameText(report.stack))}`, table(report)),
  json: jsonText,
} as const;

/** For a terminal: the text of the stack, and below it the next steps that several objects share. */
function table(report: Report): string {
  const steps = sharedSteps(report.drifted.map((object) => [objectTitle(object), object]));
  return [reportText(report, steps), ...steps.values()].join("\n");
}

/** The paragraph for each next step that several objects have, by that step. @param named The objects, with their names. */
export function sharedSteps(named: readonly (readonly [name: string, object: DriftedObject])[]): Map<string, string> {
  const shared = groupedBy(named, ([, { next }]) => next).filter((those) => those.length > 1);
  return new Map(
    shared.map((those) => {
      const [, { next }] = those[0];
      const title = sentenceLines(`Next for ${someOf(those.map(([name]) => name))}:`, "", "  ");
      return [next, `${[...title, ...sentenceLines(next)].join("\n")}\n`];
    }),
  );
}

/** One paragraph per object. @param steps The next steps that are printed elsewhere. */
export function reportText(report: Report, steps: ReadonlyMap<string, string>): string {
  const servers = groupedBy(report.servers, serverText).map(serverLine);
  const below = servers.length === 0 ? [] : [servers.flatMap((line) => sentenceLines(line, "", "  ")).join("\n")];
  if (outcomeOf(report) === "none") return `${[cleanSentence(report), ...below].join("\n\n")}\n`;
  const unread = "  could not be read: whether it drifted is not known";
  const parts = [
    ...report.drifted.map((object) => partOf(object, !steps.has(object.next))),
    ...report.unread.map((object) => ({ object, rows: [], end: [unread] })),
  ];
  const paragraphs = parts.map(({ object, rows, end }) =>
    [...changeLines([[objectTitle(object), nameText(object.id), ""]]), ...changeLines(rows), ...end].join("\n"),
  );
  const sides = parts.some(({ rows }) => rows.length > 0) ? " A change is declared -> live." : "";
  const title = `Stack ${nameText(report.stack)}: ${resultText(report)}.${sides}`;
  return `${[sentenceLines(title, "", "  ").join("\n"), ...paragraphs, ...below].join("\n\n")}\n`;
}

/** An object's name in the report. */
export const objectTitle = ({ type, name }: StackObject): string =>
  `${nameText(type.split(":").at(-1) ?? type)} ${nameText(name)}`;

/** What differs in an object, and lines below that. @param hasOwnNext Its next step is printed with it. */
function partOf(object: DriftedObject, hasOwnNext: boolean) {
  const { operation, fields } = object;
  if (operation === "delete")
    return { object, rows: [], end: hasOwnNext ? sentenceLines(`gone: ${object.next}`) : ["  gone"] };
  const unsure = fields.filter(isMasked).length > 1;
  const problemOf = ({ path, live }: DriftField): string | undefined => problemText(path, live);
  const rows = fields
    .filter((field) => problemOf(field) === undefined)
    .map((field) => {
      const [declared, live] = sideTexts(field.declared, field.live, LONGEST_VALUE.text);
      const masked = unsure ? "may have changed" : "changed";
      return [`  ${printable(field.path)}`, declared, `-> ${isMasked(field) ? masked : live}`] as const;
    });
  const problems = fields.flatMap((field) => {
    const problem = problemOf(field);
    return problem === undefined ? [] : sentenceLines(`${printable(field.path)}: ${problem}`);
  });
  const unnamed = fields.length === 0 ? ["  changed, but the engine does not say which field"] : [];
  return { object, rows, end: [...problems, ...unnamed, ...(hasOwnNext ? sentenceLines(`next: ${object.next}`) : [])] };
}

const isMasked = ({ declared, live }: DriftField): boolean => declared === SECRET && live === SECRET;

/** What is not as declared: "2 of 9 objects drifted, 1 could not be read" */
export function resultText({ drifted, unread, clean }: Report): string {
  // A check is not an object: its rollback is reported beside the objects.
  const checks = drifted.filter(({ type }) => resourceTypeOf(type) === "RunCheck").length;
  const total = drifted.length - checks + unread.length + clean;
  const counts = [
    { count: drifted.length - checks, what: "drifted" },
    { count: unread.length, what: "could not be read" },
  ];
  const of = (index: number): string => (index > 0 ? "" : ` of ${total} object${total === 1 ? "" : "s"}`);
  const said = counts.filter(({ count }) => count > 0).map(({ count, what }, index) => `${count}${of(index)} ${what}`);
  const back = checks === 0 ? [] : [`${checks} ${checks === 1 ? "check has" : "checks have"} put a revision back`];
  return [...said, ...back].join(", ");
}

/** The same change of several deployments is one line. */
function serverLine(same: readonly [ServerChange, ...ServerChange[]]): string {
  const names = same.map(({ name }) => nameText(name)).join(", ");
  return `${same.length === 1 ? "Deployment" : "Deployments"} ${names}: ${serverText(same[0])}`;
}

const serverText = ({ before, after, sameCommit, serves }: ServerChange): string =>
  `${sameCommit ? "same commit, " : ""}server ${nameText(before)} -> ${nameText(after)}` +
  (serves ? "" : ", in the latest revision, which does not serve");

/** That nothing drifted. */
function cleanSentence({ clean, ...report }: Report): string {
  const stack = nameText(report.stack);
  if (clean === 0) return `No drift: stack ${stack} has no objects.`;
  const objects = clean === 1 ? "the one object" : `all ${clean} objects`;
  return `No drift: ${objects} of stack ${stack} ${clean === 1 ? "is" : "are"} as declared.`;
}
