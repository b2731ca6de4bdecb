import { asObject, isObject, type JsonObject } from "../../base/json";
import type { DeploymentWire } from "./wire";

/** The environment of a deployment, as far as a process knows it. */
export interface EnvironmentSecrets {
  /** Values that must not be shown. */
  readonly values: readonly string[];
  /** The variables whose values this process cannot know and so cannot mask; undefined if even their names are unknown. */
  readonly unknown: readonly string[] | undefined;
}

/** @param declared The deployment's declarations that this process has seen; empty if it has seen none. */
export function secretsInEnvironment(live: DeploymentWire, declared: readonly JsonObject[]): EnvironmentSecrets {
  const plain = declared.map(({ environmentVariables }) => asObject(environmentVariables));
  const all = [...plain, ...declared.map(({ secrets }) => asObject(secrets))];
  const references = (live.secret_references ?? []).map(({ name }) => name);
  // If the answer does not show the environment, only the declared variables are known; undeclared ones are not.
  const declaresIt = declared.some(
    ({ environmentVariables, secrets }) => isObject(environmentVariables) || isObject(secrets),
  );
  if (live.secrets == null) return { values: [], unknown: declaresIt ? references : undefined };
  const values: string[] = [];
  const unknown = [...references];
  for (const { name, value } of live.secrets) {
    if (typeof value !== "string") {
      if (!all.some((map) => Object.hasOwn(map, name))) unknown.push(name);
      // Only the program shows which variables are not secret.
    } else if (!plain.some((map) => map[name] === value)) values.push(value);
  }
  return { values, unknown };
}
