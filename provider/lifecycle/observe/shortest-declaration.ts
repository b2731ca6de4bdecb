import type { Connection } from "../../base/connection";
import { asObject, compact, isObject, sameJson, UNKNOWN, type Json, type JsonObject } from "../../base/json";
import type { FieldRules, Path, Problem } from "../fields/fields";
import type { ReadObject } from "./read-object";
import { problemsOfInputs, type ExpectedRefusals } from "../fields/schema";
import { filledInputs, inputRows, isFilledIn, isWriteOnly, type Table } from "../fields/table";

/** A live object; its inputs are null where the platform has no value. */
type LiveInputs = Pick<ReadObject, "id" | "inputs">;

/** The paths of inputs that the platform of this connection has given to an object. */
export type FilledIn = (object: LiveInputs, connection: Connection) => readonly Path[];

/** A live object as a program is to declare it. */
export interface Declaration {
  /** The shortest arguments that describe the live object, without `adopt` and without properties that a check would refuse. */
  readonly inputs: JsonObject;
  /** The reasons for which properties were left out. */
  readonly refused: readonly Problem[];
  /** Required properties that no answer shows: a program has to give them. */
  readonly needs: readonly string[];
  /** A check refuses the arguments even without the refused properties and with the needed ones. */
  readonly isRefused: boolean;
}

interface Subject {
  readonly table: Table;
  readonly expectedRefusals?: ExpectedRefusals | undefined;
  readonly filledIn?: FilledIn | undefined;
}

/** The shortest declaration of a live object that is taken as it is. */
export function declarationOf(subject: Subject, live: LiveInputs, connection: Connection): Declaration {
  const { table, expectedRefusals = () => [], filledIn = () => [] } = subject;
  const rows = inputRows(table.fields);
  const own = filledIn(live, connection).reduce<JsonObject>(without, live.inputs);
  const declared = withoutRefused(expectedRefusals, asObject(needed(table.fieldRules, "", own)));
  const filled = filledInputs(table);
  const pick = (valueOf: (key: string) => Json | undefined): JsonObject =>
    compact(Object.fromEntries(rows.map(([key]) => [key, valueOf(key)])));
  const problems = (inputs: JsonObject): readonly Problem[] => [
    ...problemsOfInputs(table, inputs),
    ...(connection.checks === "strict" ? expectedRefusals(inputs) : []),
  ];
  const needs = neededIn(table, declared);
  const given = (inputs: JsonObject): JsonObject => ({
    ...inputs,
    ...Object.fromEntries(needs.map((key) => [key, UNKNOWN])),
  });
  const whole = pick((key) => declared[key] ?? filled[key]);
  const refused = problems(given(whole));
  const names = new Set(refused.map(({ path }) => path[0]));
  const inputs = pick((key) => (names.has(key) ? undefined : whole[key]));
  return { inputs, refused, needs, isRefused: problems(given(inputs)).length > 0 };
}

/** The required properties that no answer shows. */
export const neededIn = ({ fields }: Table, inputs: JsonObject): string[] =>
  inputRows(fields).flatMap(([key, field]) =>
    field.required && isWriteOnly(field) && !isFilledIn(field, inputs) ? [key] : [],
  );

/** Those of them that an import could not read and the program leaves out as well: the object keeps its own. @param before Empty for a new object. */
export const unreadIn = (table: Table, before: JsonObject, inputs: JsonObject): string[] =>
  Object.keys(before).length === 0
    ? []
    : neededIn(table, inputs).filter(
        (name) => (inputs[name] ?? before[name]) === undefined && !isFilledIn(table.fields[name], before),
      );

/** Without what the platform has filled in, and a program must not declare: the address of a deployment that it builds itself. */
function withoutRefused(refused: ExpectedRefusals, inputs: JsonObject): JsonObject {
  const inside = [...refused(inputs)].filter(({ path }) => path.length > 1);
  return inside.reduce<JsonObject>((left, { path }) => without(left, path), inputs);
}

function without(object: JsonObject, [step, ...rest]: Path): JsonObject {
  const { [String(step)]: value, ...others } = object;
  if (rest.length === 0 || !isObject(value)) return rest.length === 0 ? others : object;
  const below = without(value, rest);
  return Object.keys(below).length === 0 ? others : { ...object, [String(step)]: below };
}

/** The value without what is null, empty, hidden by the platform, or equal to its default (but for {@link Field.isStated}). */
function needed(fields: FieldRules, path: string, value: Json | undefined): Json | undefined {
  const rule = fields[path] ?? {};
  if (value === null || value === undefined || rule.notReturned === "values" || rule.notReturned === "always")
    return undefined;
  const { equal = sameJson } = rule;
  if (rule.default !== undefined && !rule.isStated && equal(value, rule.default)) return undefined;
  if (rule.equal) return shortest(value, (candidate) => equal(candidate, value));
  if (!isObject(value)) return value;
  const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
  const below = compact(
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, needed(fields, at(key), each)])),
  );
  return Object.keys(below).length === 0 ? undefined : below;
}

/** The value without the keys, at any depth, that do not affect its equality: the defaults in a proxy rule. */
function shortest(value: Json, isSame: (candidate: Json) => boolean): Json {
  if (Array.isArray(value)) {
    return value.reduce<Json[]>(
      (list, element, index) =>
        list.with(
          index,
          shortest(element, (each) => isSame(list.with(index, each))),
        ),
      value,
    );
  }
  if (!isObject(value)) return value;
  return Object.entries(value).reduce<JsonObject>((object, [key, each]) => {
    const { [key]: _key, ...others } = object;
    if (each === undefined || isSame(others)) return others;
    return { ...object, [key]: shortest(each, (shorter) => isSame({ ...object, [key]: shorter })) };
  }, value);
}
