import { compact, type JsonObject } from "./json";

/** The key that marks a special value in the engine's wire format and its states, and its value for a secret. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/** Values for the engine: those with these names are marked as secret, so each is encrypted in state as a whole, and shown as "[secret]". */
export function marshal(values: JsonObject, secrets: Iterable<string>): JsonObject {
  const names = new Set(secrets);
  const mark = (name: string, value: JsonObject[string]): JsonObject[string] =>
    names.has(name) ? { [SIGNATURE]: SECRET_SIGNATURE, value } : value;
  return Object.fromEntries(Object.entries(compact(values)).map(([name, value]) => [name, mark(name, value)] as const));
}

// urn:pulumi:<stack>::<project>::<types of the parents$><type>::<name>

/** The type in a URN, without those of its parents. */
export const typeOf = (urn: string): string => urn.split("::")[2]?.split("$").at(-1) ?? "";

/** The name in a URN; a name may itself have "::" in it. */
export const nameInUrn = (urn: string): string => urn.split("::").slice(3).join("::");
