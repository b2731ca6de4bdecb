import type * as pulumi from "@pulumi/pulumi";
import type { ManagedType, PlatformReader, ReadObject } from "../../provider/functions/reading";
import { pluralOf } from "../../provider/lifecycle/fields/table";
import { collect, first } from "../../provider/functions/values";
import { atMost, checkNames } from "../../provider/functions/arguments";
import { invokeOutput, openReader, type ReadingFunction } from "./invoke";
import type { FunctionOptions, ListOutputArgs } from "./options";

/** All objects of a managed type in the tenant: `list<kinds>`. */
export function objectsOf<Result>(
  kind: ManagedType,
  resultOf: (found: ReadObject) => Result,
): ReadingFunction<ListOutputArgs, number, AsyncGenerator<Result, void, undefined>> {
  const name = `list${pluralOf(kind)}`;
  return {
    name,
    check: (args) => {
      checkNames(name, args, ["maximum"]);
      return atMost(name, "maximum", args.maximum);
    },
    async *read(platform, maximum) {
      for await (const found of first(maximum, platform.reader(kind).list())) yield resultOf(found);
    },
  };
}

/** The plain form: throws at once if the arguments are wrong, and reads a page when it is needed. */
export function listItems<Args, Key, Result>(
  { name, check, read }: ReadingFunction<Args, Key, AsyncGenerator<Result, void, undefined>>,
  args: pulumi.Unwrap<Args>,
  options: FunctionOptions,
): AsyncGenerator<Result, void, undefined> {
  const key = check(args);
  return (async function* () {
    yield* read(await openReader(name, options), key);
  })();
}

/** The Output form, as one array: unknown at preview if an argument or a setting of the connection is. */
export function listOutput<Args, Key, Result>(
  { name, check, read }: ReadingFunction<Args, Key, AsyncGenerator<Result, void, undefined>>,
  args: Args,
  options: FunctionOptions,
): pulumi.Output<Result[]> {
  const readAll = (platform: PlatformReader, key: Key): Promise<Result[]> => collect(Infinity, read(platform, key));
  return invokeOutput({ name, check, read: readAll }, args, options);
}
