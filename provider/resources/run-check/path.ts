import type { Path } from "../../lifecycle/fields/fields";

// A name; a position in brackets; a name in brackets and quotes, which may hold anything else.
const STEP = /^(?:\.?([^.[\]"]+)|\[(\d+)\]|\["([^"]+)"\])/;

/** The path that a text spells (`messages[0].content`, `["a.b"]`); undefined unless it is a path. */
export function parsePath(text: string): Path | undefined {
  const path: (string | number)[] = [];
  for (let rest = text; rest !== "";) {
    const step = STEP.exec(rest);
    if (step === null || (path.length === 0 && rest.startsWith("."))) return undefined;
    const [whole, name, position, quoted] = step;
    path.push(position === undefined ? (name ?? quoted ?? "") : Number(position));
    rest = rest.slice(whole.length);
  }
  return path.length === 0 ? undefined : path;
}
