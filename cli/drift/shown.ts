import { SECRET } from "../base/changed-fields";
import { groupedBy } from "../base/groups";
import { LONGEST_VALUE, nameText, printable, problemText, sideTexts } from "../base/printable";
import type { DriftedObject, DriftField, Report, ServerChange, StackObject } from "./report";
import { resourceTypeOf } from "../../provider/resources/resource-types";

/** A row of the report for people. */
export interface DriftRow {
  readonly field: string;
  /** Empty if that side lacks the field. */
  readonly declared: string;
  readonly live: string;
  /** `live` is a sentence, which is longer than a column. */
  readonly isSentence: boolean;
}

const UNREAD = "could not be read: whether it drifted is not known";
const UNNAMED = "changed, but the engine does not say which field";

/** What a report says of an object: rows, or a sentence instead of them. */
export interface Part {
  readonly object: StackObject;
  readonly rows: readonly DriftRow[] | string;
  /** What to do about it; empty if that sentence says so already, or nothing is known. */
  readonly next: string;
}

/** What drifted, and then what could not be read. */
export const partsOf = ({ drifted, unread }: Report): readonly Part[] => [
  ...drifted.map((object) => ({ object, ...toldOf(object) })),
  ...unread.map((object) => ({ object, rows: UNREAD, next: "" })),
];

const isCheck = ({ type }: StackObject): boolean => resourceTypeOf(type) === "RunCheck";

function toldOf(object: DriftedObject): Pick<Part, "rows" | "next"> {
  if (object.operation === "delete") return { rows: `gone: ${object.next}`, next: "" };
  // A sentence, which is longer than a column.
  const [problem] = object.fields.map(({ live }) => live);
  if (isCheck(object) && typeof problem === "string") return { rows: printable(problem), next: object.next };
  return { rows: rowsOf(object), next: object.next };
}

function rowsOf({ fields }: DriftedObject): Part["rows"] {
  if (fields.length === 0) return UNNAMED;
  const unsure = fields.filter(isMasked).length > 1;
  return fields.map((field) => {
    const problem = problemText(field.path, field.live);
    const [declared, live] = sideTexts(field.declared, field.live, LONGEST_VALUE.text);
    const masked = `${SECRET} ${unsure ? "may have changed" : "changed"}`;
    const path = printable(field.path);
    if (problem !== undefined) return { field: path, declared: "", live: problem, isSentence: true };
    return { field: path, declared, live: isMasked(field) ? masked : live, isSentence: false };
  });
}

/** `Deployment` for `pulumi-nodejs:dynamic/agent-platform:Deployment`. */
export const kindText = ({ type }: StackObject): string => nameText(type.split(":").at(-1) ?? type);

/** What is not as declared: "2 of 9 objects drifted, 1 could not be read" */
export function resultText({ drifted, unread, clean }: Report): string {
  // A check is not an object: its rollback is reported beside the objects.
  const checks = drifted.filter(isCheck).length;
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

/** Another agent server, and the deployments that it is told of. */
export interface ServerLine {
  readonly text: string;
  /** The names of the deployments. */
  readonly names: readonly string[];
}

/** Reports the same change of several deployments once. */
export const serverLines = ({ servers }: Report): readonly ServerLine[] =>
  groupedBy(servers, serverText).map((same) => ({
    text: serverText(same[0]),
    names: same.map(({ name }) => nameText(name)),
  }));

const serverText = ({ before, after, sameCommit, serves }: ServerChange): string =>
  `${sameCommit ? "same commit, " : ""}server ${nameText(before)} -> ${nameText(after)}` +
  (serves ? "" : ", in the latest revision, which does not serve");

/** `Deployment` or `Deployments` */
export const serverHead = ({ names }: ServerLine): string => (names.length === 1 ? "Deployment" : "Deployments");

/** That nothing drifted. */
export function cleanSentence({ clean, ...report }: Report): string {
  const stack = nameText(report.stack);
  if (clean === 0) return `No drift: stack ${stack} has no objects.`;
  const objects = clean === 1 ? "the one object" : `all ${clean} objects`;
  return `No drift: ${objects} of stack ${stack} ${clean === 1 ? "is" : "are"} as declared.`;
}

const isMasked = ({ declared, live }: DriftField): boolean => declared === SECRET && live === SECRET;
