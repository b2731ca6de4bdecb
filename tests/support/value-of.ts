import * as pulumi from "@pulumi/pulumi";

/** The value of an output, once it has one. */
export const valueOf = <T>(output: pulumi.Output<T>): Promise<pulumi.Unwrap<T>> =>
  new Promise((resolve) => void pulumi.output(output).apply(resolve));
