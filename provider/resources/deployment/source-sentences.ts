import { SOURCE_NAMES, sourceRow, type ArgumentPlace, type SourceRow } from "./sources";

/** What the table of sources says of a place, in whole sentences; empty where it says nothing. */
export function sentencesOf(place: ArgumentPlace): string {
  const which = (fits: (row: SourceRow) => boolean): readonly string[] =>
    SOURCE_NAMES.flatMap((name) => (fits(sourceRow(name)) ? [JSON.stringify(name)] : []));
  const isNeeded = ({ needs }: SourceRow): boolean => needs.includes(place);
  const isAlternative = ({ needsOneOf = [] }: SourceRow): boolean => needsOneOf.flat().includes(place);
  const isRefused = ({ refuses }: SourceRow): boolean => refuses.has(place);
  const either = SOURCE_NAMES.map(sourceRow).find(isAlternative)?.needsOneOf ?? [];
  return [
    ...sentence("Needed by", which(isNeeded)),
    ...sentence("For", which(isAlternative), `: ${alternatives(either)}`),
    ...sentence("Refused by", which(isRefused)),
  ].join(" ");
}

const sentence = (begins: string, sources: readonly string[], ends = ""): readonly string[] =>
  sources.length === 0 ? [] : [`${begins} ${listed(sources, "and")}${ends}.`];

/** `imageUri, or sourceTarballPath with langgraphConfigPath`: the places, without the object that they are in. */
export const alternatives = (lists: readonly (readonly ArgumentPlace[])[]): string =>
  lists.map((places) => places.map((place) => place.split(".").at(-1)).join(" with ")).join(", or ");

/** `"a", "b" and "c"` */
export const listed = (names: readonly string[], word: "and" | "or"): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1) ?? ""}`;
