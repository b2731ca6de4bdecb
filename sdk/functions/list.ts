import type * as pulumi from "@pulumi/pulumi";
import type { ManagedType, PlatformReader, ReadObject } from "../../provider/functions/reading";
import { pluralOf } from "../../provider/lifecycle/fields/table";
import { collect, first } from "../../provider/functions/values";
import { atMost, checkNames } from "../../provider/functions/arguments";
import { invokeOutput, openReader } from "./invoke";
import type { FunctionOptions, ListOutputArgs } from "./options";

/** A function that lists, independent of its plain and its Output form. */
export interface ListFunction<Args, Key extends { readonly maximum: number }, Result> {
  readonly name: string;
  /** What to list. Throws, before any request, if the arguments are wrong. */
  readonly check: (args: pulumi.Unwrap<Args>) => Key;
  readonly items: (platform: PlatformReader, key: Key) => AsyncIterable<Result>;
}

/** All objects of a managed type in the tenant: `list<kinds>`. */
export function objectsOf<Result>(
  kind: ManagedType,
  resultOf: (found: ReadObject) => Result,
): ListFunction<ListOutputArgs, { maximum: number }, Result> {
  const name = `list${pluralOf(kind)}`;
  return {
    name,
    check: (args) => {
      checkNames(name, args, ["maximum"]);
      return { maximum: atMost(name, "maximum", args.maximum) };
    },
    async *items(platform) {
      for await (const found of platform.reader(kind).list()) yield resultOf(found);
    },
  };
}

/** The plain form: throws at once if the arguments are wrong, and reads a page when it is needed. */
export function listItems<Args, Key extends { readonly maximum: number }, Result>(
  { name, check, items }: ListFunction<Args, Key, Result>,
  args: pulumi.Unwrap<Args>,
  options: FunctionOptions,
): AsyncGenerator<Result, void, undefined> {
  const key = check(args);
  return (async function* () {
    yield* first(key.maximum, items(await openReader(name, options), key));
  })();
}

/** The Output form, as one array: unknown at preview if an argument or a setting of the connection is. */
export function listOutput<Args, Key extends { readonly maximum: number }, Result>(
  { name, check, items }: ListFunction<Args, Key, Result>,
  args: Args,
  options: FunctionOptions,
): pulumi.Output<Result[]> {
  const read = (platform: PlatformReader, key: Key): Promise<Result[]> => collect(key.maximum, items(platform, key));
  return invokeOutput({ name, check, read }, args, options);
}
