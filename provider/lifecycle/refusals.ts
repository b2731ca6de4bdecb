import type { Connection, Contract } from "../base/connection";
import { noEndpointFor, toSet } from "../base/settings";
import type { Declared } from "./observe/declarations";
import type { ResourceDefinition } from "./definition";
import { type Change, changesBetween, replaces } from "./fields/diff";
import { type Problem, showProblem, valueAt } from "./fields/fields";
import { sentAfterCreate, type Table } from "./fields/table";
import { offers } from "./observe/observable";
import { type JsonObject, sameJson } from "../base/json";

/**
 * The inputs that the platform is expected to refuse (docs/internals/design.md, Sources), except unchanged ones: those it has already accepted.
 */
export function expectedRefusals(
  { expectedRefusals: refused }: Pick<ResourceDefinition<never, never>, "expectedRefusals">,
  before: JsonObject,
  after: JsonObject,
): Problem[] {
  if (refused === undefined) return [];
  const taken = new Set([...refused(before)].map(showProblem));
  const isTaken = (problem: Problem): boolean =>
    taken.has(showProblem(problem)) && sameJson(valueAt(before, problem.path), valueAt(after, problem.path));
  return [...refused(after)].filter((problem) => !isTaken(problem));
}

/**
 * The changes that the platform cannot make or that the type refuses, for an object that is new or changes. They are known at preview, so they are
 * refused there (docs/internals/design.md, promise 6). Inputs that are already in state are not judged again.
 * @param connection Undefined until it is known: the contract then counts as `extended`.
 */
export function refusals(
  { table, refuse }: Pick<ResourceDefinition<never, never>, "table" | "refuse">,
  connection: Connection | undefined,
  before: JsonObject,
  after: JsonObject,
  program: Declared,
): readonly Problem[] {
  const contract = connection?.contract ?? "extended";
  const isNew = Object.keys(before).length === 0;
  const changes = isNew ? [] : changesBetween(table.fieldRules, before, after);
  if (!isNew && changes.length === 0) return [];
  if (!offers(table, contract, "create")) {
    const paths = isNew ? [[]] : changes.map(({ path }) => path);
    return paths.map((path) => ({ path, reason: noEndpointFor(`a ${table.kind}`) }));
  }
  const replacing = changes.filter((change) => replaces(change, contract));
  const isMade = isNew || replacing.length > 0;
  const gone = replacing.length > 0 ? adoptsReplaced(table, before, after) : [];
  const kept = isMade ? undeletableKey(table, contract, before, after, replacing) : [];
  const own = isMade ? incompletable(table, contract, after) : unclearable(table, changes);
  // A replacement starts afresh: nothing has to be cleared.
  const refused = refuse?.({ before, after, changes: isMade ? [] : changes, connection, program }) ?? [];
  return [...gone, ...(kept.length > 0 ? kept : own), ...refused];
}

/** An id of which nothing would be left to adopt: the delete of the old object comes first, or the new one cannot be the old one. */
const adoptsReplaced = ({ namesRepeat }: Table, { adopt: before }: JsonObject, { adopt }: JsonObject): Problem[] =>
  typeof adopt === "string" && adopt === before && namesRepeat !== true
    ? [
        {
          path: ["adopt"],
          reason: "names the object that this change replaces: leave adopt out, which has done its work",
        },
      ]
    : [];

/** Removed inputs that the platform keeps. @param isLate Those that a PATCH sent: only outputs, which a check lacks, say whether it was taken. */
export const unclearable = ({ fields }: Table, changes: readonly Change[], isLate = false): Problem[] =>
  changes.flatMap(({ path, removed, rule }) =>
    removed && typeof rule.onRemove === "object" && isLate === (fields[String(path[0])]?.afterCreate === true)
      ? [{ path, reason: rule.onRemove.refuse }]
      : [],
  );

/** Inputs that only an update could send to a new object, and contract `documented` has no update. */
function incompletable(table: Table, contract: Contract, after: JsonObject): Problem[] {
  if (offers(table, contract, "update")) return [];
  const given = sentAfterCreate(table).filter((name) => after[name] !== undefined);
  return given.map((name) => ({ path: [name], reason: noEndpointFor("it") }));
}

/** Without a delete, a replacement under the same name would end in a Conflict, with the object lost from state (docs/internals/design.md, The two contracts). */
function undeletableKey(
  table: Table,
  contract: Contract,
  before: JsonObject,
  after: JsonObject,
  replacing: readonly Change[],
): Problem[] {
  const { naturalKey } = table;
  if (offers(table, contract, "delete") || !keepsNaturalKey(table, before, after)) return [];
  return replacing.map(({ path }) => ({
    path,
    reason:
      `cannot change: it needs a replacement, and contract "documented" has no endpoint for a delete, so its ${naturalKey ?? "name"} ` +
      `stays taken. Give it a new ${naturalKey ?? "name"}, or ${toSet("contract", '"extended"')} if the platform offers it`,
  }));
}

/** True if the new object would need the name of the old one. */
export function keepsNaturalKey(
  { naturalKey, namesRepeat, fields }: Table,
  before: JsonObject,
  after: JsonObject,
): boolean {
  if (naturalKey === undefined || namesRepeat) return false;
  const { unlessGiven: instead = naturalKey } = fields[naturalKey] ?? {};
  return [naturalKey, instead].some((key) => before[key] !== undefined && sameJson(before[key], after[key]));
}
