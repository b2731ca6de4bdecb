import { isObject, ownValue, type Json, type JsonObject } from "../../base/json";
import { noteSecrets } from "../../base/masker";

/** What a resource's definition says about one field. Without rules a field is readable, updatable and compared as is. */
export interface FieldRule {
  /** A change replaces the object: always, or only if the contract cannot update it. */
  readonly replaceOn?: "always" | "documented";
  /** A change takes effect without a new revision of a deployment, or the field itself says whether it needs one. */
  readonly withoutRevision?: true;
  /** The platform's default: an absent field equals it, and removing the field sends it. */
  readonly default?: Json;
  /** Always written by `generate` and `import`, even if it has the default value. */
  readonly isStated?: true;
  /** The platform never returns it, or older versions return null: its value is kept from state and is never drift. */
  readonly notReturned?: "always" | "when-null";
  /** Equality by meaning instead of spelling. The field is then compared as a whole. */
  readonly equal?: (declared: Json, other: Json) => boolean;
  /** Its value is never shown, so it cannot be compared: an adoption always sends it. */
  readonly writeOnly?: true;
  /** Encrypted in state as a whole: the engine shows it as "[secret]", changed or not. */
  readonly secret?: true;
  /** A map that the platform replaces as a whole: a live key that is not declared is drift too. */
  readonly authoritative?: true;
  /**
   * What happens when a declared field is removed. `reset` (the default): an update sets it back to the platform's default. `unmanage`: it keeps
   * its value on the platform and is no longer managed. `refuse`: the platform cannot clear it, so check fails with this reason.
   */
  readonly onRemove?: "reset" | "unmanage" | { readonly refuse: string };
  /** An argument to the provider, not a property of the object: validated, never compared, never in outputs. */
  readonly providerOnly?: true;
  /** A provider-only argument that outputs keep nevertheless: a read receives only outputs, and a refresh has to return it as an input. */
  readonly keptInOutputs?: true;
}

/** Rules by path ("sourceConfig.resourceSpec"). A path without its own rule uses its nearest ancestor's. */
export type FieldRules = Readonly<Record<string, FieldRule>>;

/** Property names and array positions from the root of the inputs. */
export type Path = readonly (string | number)[];

/** One thing wrong with an argument: where, and a reason that stands alone. Never holds the argument's value. */
export interface Problem {
  readonly path: Path;
  readonly reason: string;
}

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
export function withoutProviderOnly(rules: FieldRules, inputs: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(inputs).filter(([key]) => rules[key]?.providerOnly !== true || rules[key].keptInOutputs),
  );
}
