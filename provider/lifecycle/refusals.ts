import type { Contract } from "../base/connection";
import { noEndpointFor } from "../base/contract";
import { configKey } from "../base/settings";
import type { ResourceDefinition } from "./definition";
import { changesBetween, replaces, type Change } from "./fields/diff";
import { valueAt } from "./fields/fields";
import { offers } from "./observe/observable";
import { sameJson, type JsonObject } from "../base/json";
import { showProblem, type Problem } from "./fields/schema";

/** The part of a definition that decides about refusals. */
type Subject = Pick<ResourceDefinition<never, never>, "kind" | "table" | "fields" | "undocumented" | "refuse"> & {
  readonly naturalKey: string | undefined;
  readonly create:
    ((...given: never[]) => unknown) | { readonly completion?: { readonly inputs: readonly string[] } | undefined };
};

/**
 * What the platform is expected to refuse of these inputs (docs/internals/design.md, Sources). What the state has too, the platform has taken: it is
 * not judged again.
 */
export function expectedRefusals(
  { expectedRefusals: refused }: Pick<ResourceDefinition<never, never>, "expectedRefusals">,
  before: JsonObject,
  after: JsonObject,
): Problem[] {
  const taken = new Set((refused?.(before) ?? []).map(showProblem));
  const isTaken = (problem: Problem): boolean =>
    taken.has(showProblem(problem)) && sameJson(valueAt(before, problem.path), valueAt(after, problem.path));
  return (refused?.(after) ?? []).filter((problem) => !isTaken(problem));
}

/** Changes that the platform cannot make. They are known at preview, so they are refused there (docs/internals/design.md, promise 6). */
export function refusals(definition: Subject, contract: Contract, before: JsonObject, after: JsonObject): Problem[] {
  const isNew = Object.keys(before).length === 0;
  const changes = isNew ? [] : changesBetween(definition.fields, before, after);
  if (!offers(definition, contract, "create")) {
    const paths = isNew ? [[]] : changes.map(({ path }) => path);
    return paths.map((path) => ({ path, reason: noEndpointFor(`a ${definition.kind}`) }));
  }
  if (isNew) return incompletable(definition, contract, after);
  const replacing = changes.filter((change) => replaces(change, contract));
  // A replacement starts afresh: nothing has to be cleared.
  if (replacing.length > 0) {
    const kept = undeletableKey(definition, contract, before, after, replacing);
    return kept.length > 0 ? kept : incompletable(definition, contract, after);
  }
  const cleared = changes.flatMap(({ path, removed, rule }) =>
    removed && typeof rule.onRemove === "object" ? [{ path, reason: rule.onRemove.refuse }] : [],
  );
  return [...cleared, ...(definition.refuse?.(before, after, changes) ?? [])];
}

/** Inputs that only an update could send to a new object, and contract `documented` has no update. */
function incompletable({ create, undocumented }: Subject, contract: Contract, after: JsonObject): Problem[] {
  if (offers({ undocumented }, contract, "update") || typeof create === "function") return [];
  const given = create.completion?.inputs.filter((name) => after[name] !== undefined) ?? [];
  return given.map((name) => ({ path: [name], reason: noEndpointFor("it") }));
}

/** A replacement whose first half deletes nothing would end in a Conflict, with the object lost (docs/internals/design.md, The two contracts). */
function undeletableKey(
  definition: Subject,
  contract: Contract,
  before: JsonObject,
  after: JsonObject,
  replacing: readonly Change[],
): Problem[] {
  const { kind, naturalKey, undocumented } = definition;
  if (offers({ undocumented }, contract, "delete") || !keepsNaturalKey(definition, before, after)) return [];
  return replacing.map(({ path }) => ({
    path,
    reason:
      `cannot change: it needs a replacement, and under contract "documented" a ${kind} cannot be deleted, so its ${naturalKey ?? "name"} ` +
      `stays taken. Give it a new ${naturalKey ?? "name"}, or set ${configKey("contract")} to "extended" if the platform offers it`,
  }));
}

/** True where the new object would need the name that the old one has. */
export function keepsNaturalKey(
  { naturalKey, table }: Pick<Subject, "naturalKey" | "table">,
  before: JsonObject,
  after: JsonObject,
): boolean {
  if (naturalKey === undefined || table.namesRepeat) return false;
  return before[naturalKey] !== undefined && sameJson(before[naturalKey], after[naturalKey]);
}
