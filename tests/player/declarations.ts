import { isObject, type Json, type JsonObject } from "../../provider/base/json";
import { RESOURCES } from "../../provider/resources/registry";
import { objectPlaceOf, type ResourceType } from "../../provider/resources/resource-types";
import { differences, merged, PLAYED, type ObjectType, type Played } from "../conformance/cases";

/** One resource of a program: numbers, which its case turns into arguments. */
export interface Declaration {
  readonly type: ObjectType;
  /** Its name in Pulumi. @default "it" */
  readonly key?: string;
  readonly name: number;
  /** What only a replacement changes. */
  readonly fixed: number;
  /** Those that are declared. */
  readonly fields: Readonly<Record<string, number>>;
}

export const isObjectType = (type: string): type is ObjectType => type in PLAYED;
export const TYPES: readonly ObjectType[] = Object.keys(PLAYED).filter(isObjectType);
export const caseOf = ({ type }: Pick<Declaration, "type">): Played => PLAYED[type];
export const keyOf = ({ key = "it" }: Declaration): string => key;

/** An agent keeps them: each has an id that is its own, whatever its name. */
export const isOfAgent = (type: ResourceType): boolean => objectPlaceOf(type) === "agent";
/** Several objects can have one name: each stack makes its own, and the class gives its row. */
export const canRepeat = (type: ObjectType): boolean => isOfAgent(type) || RESOURCES[type].table.namesRepeat === true;
/** What only a replacement changes: of an agent's object that can be whose it is. */
export const canBeReplaced = (type: ObjectType): boolean => PLAYED[type].fixed !== undefined || isOfAgent(type);
/** A change makes a revision, which a Rollout waits for. */
export const hasRevisions = (type: ResourceType): boolean => type === "Deployment";
/** The fields whose values answers show. */
export const shownFields = (type: ObjectType): string[] =>
  Object.keys(PLAYED[type].fields).filter((each) => !(PLAYED[type].hidden ?? []).includes(each));

/** The arguments, without what says whose agent is meant. */
export function argumentsOf(declaration: Declaration): JsonObject {
  const { program, named, fixed, fields } = caseOf(declaration);
  const parts = Object.entries(declaration.fields).map(([field, n]) => fields[field]?.(n) ?? {});
  return merged(program, named(declaration.name), fixed?.(declaration.fixed) ?? {}, ...parts);
}

/** The request that makes the object. */
export const bodyOf = (declaration: Declaration): JsonObject => caseOf(declaration).body(argumentsOf(declaration));

/** What the object is called. */
export const nameOf = (declaration: Declaration): string => firstText(caseOf(declaration).named(declaration.name));

const firstText = (value: Json | undefined): string => {
  if (typeof value === "string") return value;
  const [first] = isObject(value) ? Object.values(value) : [];
  return first === undefined ? "" : firstText(first);
};

/** The parts of the second one's body in which it is not like the first one's. */
export const changedPart = (one: Declaration, other: Declaration): JsonObject => {
  const before = bodyOf(one);
  return Object.fromEntries(Object.entries(bodyOf(other)).filter(([name, value]) => !isSame(value, before[name])));
};

/** The names of a body's parts that an object does not hold. */
export const partsNotHeld = (body: JsonObject, live: JsonObject): string[] =>
  Object.entries(body).flatMap(([name, value]) =>
    differences({ [name]: value ?? null }, live).length > 0 ? [name] : [],
  );

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
