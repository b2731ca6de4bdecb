import * as pulumi from "@pulumi/pulumi";

/** The value of an output; undefined if it is not known at preview. */
export async function knownValue<T>(output: pulumi.Output<T>): Promise<{ readonly value: T } | undefined> {
  let found: { readonly value: T } | undefined;
  const looked = output.apply((value) => {
    found = { value };
  });
  // Resolves once the function above has run, or never will.
  await pulumi.isSecret(looked);
  return found;
}
