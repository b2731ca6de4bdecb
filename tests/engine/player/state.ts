import { z } from "zod";
import { isObject, type JsonObject } from "../../../provider/base/json";
import { resourceTypeOf } from "../../../provider/resources/resource-types";
import { PLAYED, type ObjectType } from "../../conformance/cases";
import type { StateResource } from "../../support/cli-stack";
import { keyOf, type Live, type Platform } from "./platform";
import { CONNECTIONS, partOf, type Connection, type Declaration } from "./program";
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
/** The row of a declaration, whatever its present name in Pulumi. */
export const rowOf = (
  seen: Pick<Seen, "rows">,
  { handle, type }: Pick<Declaration, "handle" | "type">,
): StateResource | undefined =>
  rowsOf(seen).find(
    (row) => typeOf(row) === type && !row.delete && new RegExp(`::${handle}(-\\d+)?$`, "i").test(row.urn),
  );
/** The object of a declaration. */
export function heldBy(seen: Seen, declaration: Pick<Declaration, "handle" | "type">): Live | undefined {
  const row = rowOf(seen, declaration);
  return row && objectOf(seen, row);
}
export const connectionOf = ({ provider }: StateResource): Connection =>
  CONNECTIONS.find((connection) => provider.includes(`::${connection}::`)) ?? "stack";

/** The names of all arguments that a case knows. */
const argumentNames = (type: ObjectType): Set<string> => {
  const { program, fields, named } = PLAYED[type];
  const parts = [
    program,
    named(1),
    partOf(type, "fixed", 1),
    ...Object.keys(fields).map((name) => partOf(type, name, 1)),
  ];
  return new Set([...parts.flatMap((part) => Object.keys(part)), "source", "sourceConfig", "sourceRevisionConfig"]);
};
/** The mark of an encrypted value (Pulumi's own). */
const SEALED = "4dabf18193072939515e22adb298388d";

const Json = z.record(z.string(), z.json());
const File = z.looseObject({
  checkpoint: z.looseObject({
    latest: z.looseObject({ resources: z.array(z.looseObject({ urn: z.string(), delete: z.boolean().optional() })) }),
  }),
});
/** The state without rows that stand in it twice, though none of them is to be deleted; the same text where there is none. */
export function withoutTwins(text: string): string {
  const file = File.parse(JSON.parse(text));
  const { resources } = file.checkpoint.latest;
  const isFirst = (urn: string, index: number): boolean =>
    resources.findIndex((row) => row.urn === urn && row.delete !== true) === index;
  const kept = resources.filter(({ urn, delete: going }, index) => going === true || isFirst(urn, index));
  if (kept.length === resources.length) return text;
  return JSON.stringify({
    ...file,
    checkpoint: { ...file.checkpoint, latest: { ...file.checkpoint.latest, resources: kept } },
  });
}

/** What a row says of its object, in the terms of a request; encrypted values cannot be compared, and are left out. */
export function bodyOfRow(row: StateResource, type: ObjectType): JsonObject {
  const names = argumentNames(type);
  const inputs = Object.fromEntries(
    Object.entries(row.inputs).filter(([name, value]) => names.has(name) && value !== null && !hasSealed(value)),
  );
  return PLAYED[type].body(Json.parse(inputs));
}
export const sealedArguments = ({ inputs }: StateResource): string[] =>
  Object.keys(inputs).filter((name) => hasSealed(inputs[name]));
const hasSealed = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasSealed)
    : isObject(value) && (SEALED in value || Object.values(value).some(hasSealed));
