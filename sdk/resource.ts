import * as pulumi from "@pulumi/pulumi";
import { providerString, type Kind } from "../provider/kinds";

/** The names of a resource's properties. */
export interface Properties {
  /** Those that are arguments too. */
  readonly inputs: readonly string[];
  /** Those that the platform alone fills in. */
  readonly computed: readonly string[];
}

/**
 * What a resource registers: its code is named by a constant, not captured (engine-facts.md). These are functions, not a base
 * class: the engine takes the third constructor's caller for the program's line that made the resource.
 *
 * @param args The arguments; undefined for `X.get`, where everything is filled in by the platform.
 */
export function registered(
  kind: Kind,
  args: pulumi.Inputs | undefined,
  { inputs, computed }: Properties,
): pulumi.Inputs {
  const filled = args === undefined ? [...inputs, ...computed] : computed;
  const empty = Object.fromEntries(filled.map((property) => [property, undefined]));
  return { ...empty, ...args, __provider: providerString(kind) };
}

/** What is not declared is not managed, and so known to be absent, also at preview, where the engine would call it unknown. */
export function knowAbsent(
  resource: pulumi.CustomResource,
  args: pulumi.Inputs | undefined,
  { inputs }: Properties,
): void {
  const absent = args === undefined ? [] : inputs.filter((property) => args[property] === undefined);
  Object.assign(resource, Object.fromEntries(absent.map((property) => [property, pulumi.output(undefined)])));
}

/** The options of a resource whose name can be taken: the old object has to go before the new one comes, also where the engine does not ask (`--target-replace`). */
export function deletingBeforeReplace(
  options: pulumi.CustomResourceOptions,
  additionalSecretOutputs: string[] = [],
): pulumi.CustomResourceOptions {
  return pulumi.mergeOptions({ deleteBeforeReplace: true, additionalSecretOutputs }, options);
}

/** A value, encrypted in state and hidden in output as a whole; absent stays absent. */
export function secret<T>(value: pulumi.Input<T> | undefined): pulumi.Output<pulumi.Unwrap<T>> | undefined {
  return value === undefined ? undefined : pulumi.secret(value);
}
