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
): ReadingFunction<ListOutputArgs, AsyncGenerator<Result, void, undefined>> {
  const name = `list${pluralOf(kind)}`;
  return {
    name,
    checked: (args) => {
      checkNames(name, args, ["maximum"]);
      const maximum = atMost(name, "maximum", args.maximum);
      return async function* (platform) {
        for await (const found of first(maximum, platform.reader(kind).list())) yield resultOf(found);
      };
    },
  };
}

/** The plain form: throws at once if the arguments are wrong, and reads a page when it is needed. */
export function listItems<Args, Result>(
  { name, checked }: ReadingFunction<Args, AsyncGenerator<Result, void, undefined>>,
  args: pulumi.Unwrap<Args>,
  options: FunctionOptions,
): AsyncGenerator<Result, void, undefined> {
  const read = checked(args);
  return (async function* () {
    yield* read(await openReader(name, options));
  })();
}

/** The Output form, as one array: unknown at preview if an argument or a setting of the connection is. */
export function listOutput<Args, Result>(
  { name, checked }: ReadingFunction<Args, AsyncGenerator<Result, void, undefined>>,
  args: Args,
  options: FunctionOptions,
): pulumi.Output<Result[]> {
  const readAll = (given: pulumi.Unwrap<Args>) => {
    const read = checked(given);
    return (platform: PlatformReader) => collect(Infinity, read(platform));
  };
  return invokeOutput({ name, checked: readAll }, args, options);
}
