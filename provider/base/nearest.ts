import { NAMESPACE, PLUGIN_SETTING, SETTINGS } from "./settings";

/** The known name that was most likely meant by a mistyped one: it differs by at most a third of its letters. Undefined if none is close. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  // A name can only be as near as their lengths are.
  const [first] = known
    .filter((name) => Math.abs(given.length - name.length) <= Math.max(1, name.length / 3))
    .map((name) => ({ name, distance: distanceOf(given.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance);
  return first !== undefined && first.distance <= Math.max(1, first.name.length / 3) ? first.name : undefined;
}

/** The end of a message about an unknown name: the nearest known one, if one is close. */
export function didYouMean(given: string, known: readonly string[]): string {
  const close = nearest(given, known);
  return close === undefined ? "" : `; did you mean ${close}?`;
}

/** The edit distance: how many letters have to be added, removed or changed. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(one).entries()) {
    const next = [i + 1];
    for (const [j, wanted] of Array.from(other).entries()) {
      const [above = 0, diagonal = 0, left = 0] = [row[j + 1], row[j], next[j]];
      next.push(Math.min(above + 1, left + 1, diagonal + (letter === wanted ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const OURS: readonly string[] = [...SETTINGS, PLUGIN_SETTING];
/** The inputs that the engine itself adds to a provider. */
const OF_THE_ENGINE: readonly string[] = ["version", "pluginDownloadURL"];

/** What is wrong with the name of a setting in the namespace of this provider, with the nearest right one; undefined for one that exists. */
export function unknownSetting(name: string): string | undefined {
  if (OURS.includes(name) || OF_THE_ENGINE.includes(name)) return undefined;
  return `${NAMESPACE}:${name} is not a setting of this provider${didYouMean(name, OURS)}`;
}
