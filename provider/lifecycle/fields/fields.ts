import { isObject, ownValue, type Json, type JsonObject } from "../../base/json";
import { noteSecrets } from "../../base/masker";
import type { FieldRule, FieldRules, Path, Problem } from "./table";

export type { FieldRule, FieldRules, Path, Problem };

/** A path as a person writes it: `proxyConfig.rules[1].matchHosts`. */
export function showPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (!/^[A-Za-z_$][\w$-]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}

/** `path: reason`, the form of a check failure. */
export const showProblem = ({ path, reason }: Problem): string =>
  path.length === 0 ? reason : `${showPath(path)}: ${reason}`;

/** What is one step below a value: the entries of an object, or the elements of a list. */
export const stepsIn = (value: Json | undefined): (readonly [Path[number], Json | undefined])[] =>
  Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];

export function valueAt(inputs: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((value, step) => {
    if (Array.isArray(value)) return typeof step === "number" ? value[step] : undefined;
    return isObject(value) ? ownValue(value, String(step)) : undefined;
  }, inputs);
}

/** Registers the values of the secret fields with the masker: from now on, no text of this process shows them. */
export function noteSecretFields(rules: FieldRules, values: JsonObject): void {
  for (const [name, value] of Object.entries(values)) if (ruleAt(rules, [name]).secret) noteSecrets(value);
}

/** The rule that applies at a path: its own, else the nearest ancestor's. */
export function ruleAt(rules: FieldRules, path: Path): FieldRule {
  for (let length = path.length; length > 0; length--) {
    const rule = ownValue(rules, path.slice(0, length).join("."));
    if (rule) return rule;
  }
  return {};
}

/** The inputs without the provider-only arguments that outputs do not keep. */
export const withoutProviderOnly = (rules: FieldRules, inputs: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(inputs).filter(([key]) => rules[key]?.providerOnly !== true));
