import { isObject, UNKNOWN, type Json, type JsonObject } from "../base/json";
import { noteSecrets } from "../base/masker";
import { SECRET_SIGNATURE, SIGNATURE } from "../base/engine-format";

// How the engine's protocol marks values that JSON has no word for.
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
/** A value that is not known yet, for each type that a schema may say it has. */
const UNKNOWNS: ReadonlySet<unknown> = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);
/** The property in which state holds the code of a dynamic resource: it moves to the native plugin with it. */
const CODE = "__provider";

/** Properties as plain JSON, and which of them hold a secret. */
export interface PlainProperties {
  /** Unknown values are {@link UNKNOWN}. */
  readonly values: JsonObject;
  /** The properties that are secret, or have a secret anywhere inside. */
  readonly secrets: readonly string[];
}

/** Takes the engine's marks off. @param properties A message's properties; absent ones are none. */
export function unmarshal(properties: unknown): PlainProperties {
  const values: JsonObject = {};
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(isObject(properties) ? properties : {})) {
    if (name === CODE) continue;
    const found = { isSecret: false };
    values[name] = opened(value, () => (found.isSecret = true));
    if (found.isSecret) secrets.push(name);
  }
  return { values, secrets };
}

function opened(given: Json | undefined, onSecret: () => void): Json {
  const value = given ?? null;
  if (UNKNOWNS.has(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map((each) => opened(each, onSecret));
  if (!isObject(value)) return value;
  const mark = value[SIGNATURE];
  if (mark === SECRET_SIGNATURE || (mark === OUTPUT && value["secret"] === true)) {
    noteSecrets(value["value"]);
    onSecret();
  }
  if (mark === SECRET_SIGNATURE) return opened(value["value"], onSecret);
  // An output without a value is not known yet.
  if (mark === OUTPUT) return "value" in value ? opened(value["value"], onSecret) : UNKNOWN;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, opened(each, onSecret)]));
}
