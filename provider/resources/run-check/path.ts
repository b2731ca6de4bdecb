import { ownValue, type Json } from "../../base/json";

/** Names and positions on the way into a JSON value. */
export type JsonPath = readonly (string | number)[];

// A name; a position in brackets; a name in brackets and quotes, which may hold anything else.
const STEP = /^(?:\.?([^.[\]"]+)|\[(\d+)\]|\["([^"]+)"\])/;

/** The path that a text spells (`messages[0].content`, `["a.b"]`); undefined unless it is a path. */
export function parsePath(text: string): JsonPath | undefined {
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

export function jsonAt(value: Json, path: JsonPath): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => {
    if (typeof at !== "object" || at === null) return undefined;
    if (Array.isArray(at)) return typeof step === "number" ? at[step] : undefined;
    return ownValue(at, String(step));
  }, value);
}
