// urn:pulumi:<stack>::<project>::<types of the parents$><type>::<name>

/** The type in a URN, without those of its parents. */
export const typeOf = (urn: string): string => urn.split("::")[2]?.split("$").at(-1) ?? "";

/** The name in a URN; a name may itself have "::" in it. */
export const nameInUrn = (urn: string): string => urn.split("::").slice(3).join("::");
