import { groupedBy, jsonText, lineText, paragraphText, sentenceLines, tableLines } from "../base/printable";
import { countsOf } from "../base/managed-types";
import type { HeldObject, Inventory } from "./report";

/** The formats of the report; each gives the whole text, with a line end. */
export const INVENTORY_FORMATS = { text: table, json: jsonText } as const;

/** For a terminal: the objects of the stacks, those that no stack has, and what could not be read. */
function table(report: Inventory): string {
  const parts = [
    filled(`${summaryOf(report)}.`),
    ...groupedBy(report.objects, ({ stack, region, here }) => [stack, region, here === false]).map(placeTable),
    ...orphansOf(report),
    ...report.unlisted.map((sentence) => filled(`Not known for ${sentence}.`)),
    ...report.failed.map(({ stack, reason }) => `Stack ${lineText(stack)} could not be read: ${paragraphText(reason)}`),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** What a stack has in one region, on a platform of this report or elsewhere. */
function placeTable(objects: readonly [HeldObject, ...HeldObject[]]): string {
  const [{ stack, region, here }] = objects;
  const place = region === null ? "" : ` at ${lineText(region)}`;
  const where = here === false ? `${place}, on another platform or tenant` : place;
  return `${filled(`Stack ${lineText(stack)}${where}:`)}\n\n${tableOf(HEAD, objects.map(cellsOf))}`;
}

const HEAD = ["KIND", "NAME", "RESOURCE", "ID", ""];
const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  tableLines([head, ...rows]).join("\n");

/** "3 stacks with 2 deployments and 1 listener" */
function summaryOf({ stacks, objects }: Inventory): string {
  const counts = countsOf(objects.map(({ kind }) => kind));
  const what = counts.length === 0 ? "without an object of the platform" : `with ${counts.join(", ")}`;
  return `${stacks} ${stacks === 1 ? "stack" : "stacks"} ${what}`;
}

function cellsOf({ kind, name, id, resource, url, read, problem }: HeldObject): string[] {
  const notes = [
    ...(url === null ? [] : [url]),
    ...(id === null ? ["being created, or cut off: then `pulumi up` finds or makes it"] : []),
    ...(read ? ["only read"] : []),
    ...(problem === null ? [] : [problem]),
  ];
  return [kind, name ?? "", resource, shownId(name, id), notes.join(", ")];
}

/** None for an object whose name is its id. */
const shownId = (name: string | null, id: string | null): string => (id === null || id === name ? "" : id);

function orphansOf({ orphans, platforms, failed }: Inventory): string[] {
  if (orphans === null) return [];
  const which = failed.length === 0 ? "no stack" : "no stack that could be read";
  const parts = platforms.flatMap(({ baseUrl, tenantId }) => {
    const place = `${baseUrl}${tenantId === null ? "" : `, tenant ${tenantId}`}`;
    const here = orphans.filter((orphan) => orphan.baseUrl === baseUrl && orphan.tenantId === tenantId);
    if (here.length === 0) return [filled(`In ${which}, at ${place}: nothing.`)];
    const rows = here.map(({ kind, name, id, readBy }) => {
      return [kind, name, shownId(name, id), readBy.length === 0 ? "" : `read by ${readBy.join(", ")}`];
    });
    return [filled(`In ${which}, at ${place}: ${here.length}.`), tableOf(["KIND", "NAME", "ID", ""], rows)];
  });
  return orphans.length === 0 ? parts : [...parts, filled(ADVICE)];
}

const filled = (sentence: string): string => sentenceLines(sentence, "").join("\n");

const ADVICE =
  "To take one over, declare it with `adopt: true` (`pulumi-agent-platform generate --orphans` writes such a program). Otherwise delete it by hand.";
