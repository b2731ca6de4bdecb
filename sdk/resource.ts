import * as pulumi from "@pulumi/pulumi";
import { providerString, typeToken, type Kind } from "../provider/kinds";

/** What every resource of this provider is: a custom resource whose code is named by a constant, not captured (engine-facts.md). */
export abstract class PlatformResource extends pulumi.CustomResource {
  /**
   * @param outputs The outputs that no argument declares: the engine fills them in.
   */
  protected constructor(
    kind: Kind,
    name: string,
    args: pulumi.Inputs,
    outputs: readonly string[],
    options: pulumi.CustomResourceOptions,
  ) {
    const empty = Object.fromEntries(outputs.map((output) => [output, undefined]));
    super(typeToken(kind), name, { ...empty, ...args, __provider: providerString(kind) }, options);
  }
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
