import { isOnAgent } from "../base/managed-types";
import { shortText } from "../base/printable";
import { titleOf } from "./consequences";
import { someOf } from "../../provider/base/plain-text";
import { OPERATIONS, type Review, type ReviewedObject, type Risk } from "./review";

type Facts = Pick<Review, "stack" | "result" | "risk" | "refusals" | "objects" | "unchanged">;

/** How many objects of the highest risk are named. */
const NAMED = 3;
const LONGEST_NAME = 100;

/** One line: what came of it, the risk and the objects that have it, and how many change. */
export function headlineOf({ objects, ...rest }: Facts): string {
  // An object that belongs to another one is reported with it.
  const facts: Facts = { ...rest, objects: objects.filter(({ partOf }) => partOf === undefined) };
  const { stack, result, refusals, unchanged } = facts;
  switch (result) {
    case "failed":
      return `The preview of stack ${stack} failed: what pulumi up would do is not known.`;
    case "no changes":
      return `No changes: ${stayingOf(stack, unchanged, facts.objects.length)}.`;
    case "refused":
      return `Refused (${refusals.join("; ")}). ${changesOf(facts)}`;
    case "changes":
      return changesOf(facts);
  }
}

/** @param renamed How many objects only have another place in the program. */
function stayingOf(stack: string, unchanged: number, renamed: number): string {
  const all = unchanged + renamed;
  if (all === 0) return `stack ${stack} has no objects`;
  const stay = all === 1 ? `the one object of stack ${stack} stays` : `all ${all} objects of stack ${stack} stay`;
  return `${stay} as declared${renamed === 0 ? "" : `, ${renamed} renamed`}`;
}

const LEADS: Readonly<Record<Risk, string>> = {
  none: "nothing that runs is at risk",
  "new revision": "new revision of",
  replacement: "replacement of",
  deletion: "deletion of",
};

const AT_ONCE = "takes effect at once, without a new revision:";

/** What an agent keeps has no revision: users meet its change at once. */
const actsAtOnce = ({ type, operation, requests }: ReviewedObject): boolean =>
  operation === "update" && requests.length > 0 && isOnAgent(type);

function changesOf({ stack, risk, objects, unchanged }: Facts): string {
  const subjects = objects.filter((object) => (risk === "none" ? actsAtOnce(object) : object.risk === risk));
  const titles = subjects.map((object) => shortText(titleOf(object), LONGEST_NAME));
  const lead =
    subjects.length === 0 ? LEADS.none : `${risk === "none" ? AT_ONCE : LEADS[risk]} ${someOf(titles, NAMED)}`;
  return `Stack ${stack}: ${lead}. ${countsOf(objects, unchanged)}.`;
}

function countsOf(objects: readonly ReviewedObject[], unchanged: number): string {
  const certain = Object.entries(OPERATIONS).flatMap(([operation, { counted }]) => {
    const count = objects.filter((object) => object.certain && object.operation === operation).length;
    return count === 0 ? [] : [`${count} ${counted}`];
  });
  const open = objects.filter((object) => !object.certain).length;
  return [...certain, ...(open === 0 ? [] : [`${open} may change`]), `${unchanged} unchanged`].join(", ");
}
