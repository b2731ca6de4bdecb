import { z } from "zod";
import type { JsonObject } from "../../../provider/base/json";
import { resourceTypeOf } from "../../../provider/resources/resource-types";
import { PLAYED, type ObjectType } from "../../conformance/cases";
import type { StateResource } from "../../support/cli-stack";
import { keyOf, type Live, type Platform } from "./platform";
import { CONNECTIONS, partOf, typeOfHandle, type Connection, type Declaration, type IdOf } from "./program";
import type { EngineStack } from "./stack";

/** State and platform at one moment. */
export interface Seen {
  readonly rows: readonly StateResource[];
  readonly objects: readonly Live[];
}
export const see = (stack: EngineStack, platform: Platform): Seen => ({
  rows: stack.resources(),
  objects: platform.objects(),
});

/** The type of a row that has an object. */
export function typeOf({ type }: Pick<StateResource, "type">): ObjectType | undefined {
  const kind = resourceTypeOf(type);
  return kind === undefined || kind === "Rollout" || kind === "RunCheck" ? undefined : kind;
}
export const keyOfRow = (row: StateResource): string => `${typeOf(row) ?? "?"} ${row.id ?? ""}`;

/** The rows that have an object, with their types. */
export const rowsOf = ({ rows }: Pick<Seen, "rows">): StateResource[] =>
  rows.filter((row) => typeOf(row) !== undefined && row.id !== undefined && row.id !== "");
export const objectOf = ({ objects }: Seen, row: StateResource): Live | undefined =>
  objects.find((object) => keyOf(object) === keyOfRow(row));
/** The row of a resource, whatever its present name in Pulumi. */
export const rowOf = (seen: Pick<Seen, "rows">, { handle }: Pick<Declaration, "handle">): StateResource | undefined =>
  rowsOf(seen).find(
    (row) =>
      typeOf(row) === typeOfHandle(handle) && !row.delete && new RegExp(`::${handle}(-\\d+)?$`, "i").test(row.urn),
  );
/** The object of a resource. */
export function heldBy(seen: Seen, resource: Pick<Declaration, "handle">): Live | undefined {
  const row = rowOf(seen, resource);
  return row && objectOf(seen, row);
}
/** The ids that declarations take from others. */
export const idsIn =
  (seen: Pick<Seen, "rows">): IdOf =>
  (handle) =>
    rowOf(seen, { handle })?.id;
/** What exists, and no row has; not what is being deleted. */
export function unheld(seen: Seen): Live[] {
  const held = new Set(rowsOf(seen).map(keyOfRow));
  return seen.objects.filter((each) => !held.has(keyOf(each)) && !each.isBeingDeleted);
}
export const connectionOf = ({ provider }: StateResource): Connection =>
  CONNECTIONS.find((connection) => provider.includes(`::${connection}::`)) ?? "stack";

/** The names of all arguments that a case knows. */
function argumentNames(type: ObjectType): Set<string> {
  const { program, fields, named } = PLAYED[type];
  const parts = [program, named(1), ...["fixed", ...Object.keys(fields)].map((name) => partOf(type, name, 1))];
  return new Set([...parts.flatMap((part) => Object.keys(part)), "source", "sourceConfig", "sourceRevisionConfig"]);
}
/** The mark of an encrypted value (Pulumi's own). */
const SEALED = "4dabf18193072939515e22adb298388d";

const Json = z.record(z.string(), z.json());
export const Row = z.looseObject({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  parent: z.string().optional(),
  provider: z.string().optional(),
  delete: z.boolean().optional(),
});
/** A row of the state file, with all its fields. */
export type Row = z.output<typeof Row>;
const File = z.looseObject({
  checkpoint: z.looseObject({ latest: z.looseObject({ resources: z.array(Row).default([]) }) }),
});
export type StateFile = z.output<typeof File>;

export const readState = (stack: EngineStack): StateFile => File.parse(JSON.parse(stack.stateText()));
/** Puts the file in place, with other rows. */
export function putRows(stack: EngineStack, file: StateFile, resources: readonly Row[], more: object = {}): void {
  const latest = { ...file.checkpoint.latest, ...more, resources };
  stack.putState(JSON.stringify({ ...file, checkpoint: { ...file.checkpoint, latest } }));
}
/** Takes rows out that stand in the state twice, though none of them is to be deleted. */
export function dropTwins(stack: EngineStack): void {
  const file = readState(stack);
  const { resources } = file.checkpoint.latest;
  const isFirst = (urn: string, index: number): boolean =>
    resources.findIndex((row) => row.urn === urn && row.delete !== true) === index;
  const kept = resources.filter(({ urn, delete: going }, index) => going === true || isFirst(urn, index));
  if (kept.length < resources.length) putRows(stack, file, kept);
}

/** What a row says of its object, in the terms of a request; encrypted values cannot be compared, and are left out. */
export function bodyOfRow(row: StateResource, type: ObjectType): JsonObject {
  const names = argumentNames(type);
  const entries = Object.entries(row.inputs);
  const known = entries.filter(([name, value]) => names.has(name) && value !== null && !isSealed(value));
  return PLAYED[type].body(Json.parse(Object.fromEntries(known)));
}
export const isSealed = (value: unknown): boolean => JSON.stringify(value).includes(SEALED);
