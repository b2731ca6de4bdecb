import type * as pulumi from "@pulumi/pulumi";
import type { Platform } from "../platform";
import type { PlatformArgs } from "../platform.generated";

// Not in invoke.ts or list.ts: the type declarations of this package's functions use these types, and must not import zod.

/** Where a function reads: at most one of the two. By default, from what the stack's configuration names, else the environment. */
export interface FunctionOptions {
  /** The explicit connection that resources of the same program use. */
  platform?: Platform;
  /** The same settings without a resource, as in a script. What is left out comes from the stack's configuration, then from the environment, as for a {@link Platform}. */
  connection?: PlatformArgs;
}

/** Arguments that may come from resources. */
export type OutputArgs<Args> = { [Name in keyof Args]: pulumi.Input<Args[Name]> };

/** How many objects to list. */
export interface ListArgs {
  /** How many at most, a whole number above 0. @default all of the tenant */
  maximum?: number;
}

/** {@link ListArgs}, which may come from resources. */
export type ListOutputArgs = OutputArgs<ListArgs>;
