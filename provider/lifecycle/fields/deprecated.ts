import { isObject, type Json, type JsonObject } from "../../base/json";
import { showPath, type Path } from "./fields";
import type { Fields, Shape } from "./table";

/** A sentence for each deprecated field that these inputs give, also inside objects, and what to use instead. */
export function deprecatedIn(fields: Fields, inputs: JsonObject, above: Path = []): string[] {
  return Object.entries(fields).flatMap(([name, { type, deprecationMessage }]) => {
    const value = inputs[name];
    if (value === undefined) return [];
    const path = [...above, name];
    const own = deprecationMessage === undefined ? [] : [`${showPath(path)} is deprecated: ${deprecationMessage}`];
    return [...own, ...inside(type, value, path)];
  });
}

function inside(shape: Shape, value: Json, path: Path): string[] {
  switch (shape.kind) {
    case "object":
      return isObject(value) ? deprecatedIn(shape.fields, value, path) : [];
    case "list":
      return Array.isArray(value) ? value.flatMap((each, at) => inside(shape.of, each, [...path, at])) : [];
    case "map":
      return isObject(value)
        ? Object.entries(value).flatMap(([name, each]) =>
            each === undefined ? [] : inside(shape.of, each, [...path, name]),
          )
        : [];
    case "nullable":
      return inside(shape.of, value, path);
    default:
      return [];
  }
}
