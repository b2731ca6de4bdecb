import { AgentPlatformError } from "../base/errors";
import { isObject } from "../base/json";

/** Throws for an unknown property: a misspelt argument must not count as left out. */
export function checkNames(where: string, given: unknown, names: readonly string[]): void {
  if (!isObject(given)) throw new AgentPlatformError(`${where}: give an object with ${names.join(", ")}`);
  const other = Object.keys(given).find((name) => !names.includes(name));
  if (other !== undefined) {
    throw new AgentPlatformError(`${where}: ${other} is not known; it takes ${names.join(", ")}`);
  }
}

export function optionalText(where: string, name: string, given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== "string") throw new AgentPlatformError(`${where}: ${name} must be a string`);
  if (given.trim() === "") {
    throw new AgentPlatformError(`${where}: ${name} must not be empty; check that its value is set`);
  }
  return given;
}

export function optionalTexts(where: string, name: string, given: unknown): readonly string[] | undefined {
  if (!Array.isArray(given)) {
    const one = optionalText(where, name, given);
    return one === undefined ? undefined : [one];
  }
  if (given.length === 0) throw new AgentPlatformError(`${where}: ${name} is an empty list; leave it out to get all`);
  return given.map((each: unknown) => requiredText(where, name, each));
}

export function requiredText(where: string, name: string, given: unknown): string {
  const value = optionalText(where, name, given);
  if (value === undefined) throw new AgentPlatformError(`${where}: ${name} is missing; give it`);
  return value;
}

/** Exactly one of `id` and the natural key. */
export function idOrName(where: string, args: object, naturalKey = "name"): { id: string } | { name: string } {
  checkNames(where, args, ["id", naturalKey]);
  const given: ReadonlyMap<string, unknown> = new Map(Object.entries(args));
  const id = optionalText(where, "id", given.get("id"));
  const name = optionalText(where, naturalKey, given.get(naturalKey));
  if (id !== undefined && name !== undefined) {
    throw new AgentPlatformError(`${where}: id and ${naturalKey} are both given; give one of them`);
  }
  if (id !== undefined) return { id };
  if (name !== undefined) return { name };
  throw new AgentPlatformError(`${where}: neither id nor ${naturalKey} is given; give one of them`);
}

/** A whole number above 0. @default Infinity */
export function atMost(where: string, name: string, given: unknown): number {
  if (given === undefined || given === null) return Infinity;
  if (typeof given === "number" && Number.isSafeInteger(given) && given > 0) return given;
  throw new AgentPlatformError(`${where}: ${name} must be a whole number above 0; leave it out to get all`);
}
