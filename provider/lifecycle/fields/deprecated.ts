import { isObject, type Json, type JsonObject } from "../../base/json";
import { showPath, stepsIn, type Path } from "./fields";
import type { Fields, Shape } from "./table";

/** A sentence for each deprecated field that these inputs give, also inside objects, and what to use instead. */
export const deprecatedIn = (fields: Fields, inputs: JsonObject): string[] =>
  inside({ kind: "object", fields }, inputs, []);

function inside(shape: Shape, value: Json | undefined, path: Path): string[] {
  if (shape.kind === "nullable") return inside(shape.of, value, path);
  if (shape.kind === "list" || shape.kind === "map")
    return stepsIn(value).flatMap(([step, each]) => inside(shape.of, each, [...path, step]));
  if (shape.kind !== "object" || !isObject(value)) return [];
  return Object.entries(shape.fields).flatMap(([name, { type, deprecationMessage }]) => {
    if (value[name] === undefined) return [];
    const at = [...path, name];
    const own = deprecationMessage === undefined ? [] : [`${showPath(at)} is deprecated: ${deprecationMessage}`];
    return [...own, ...inside(type, value[name], at)];
  });
}
