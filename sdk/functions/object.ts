import type * as pulumi from "@pulumi/pulumi";
import { checkNames, idOrName, requiredText } from "../../provider/functions/arguments";
import type { Key } from "../../provider/lifecycle/observe/read-object";
import type { ManagedType, ReadObject } from "../../provider/functions/reading";
import type { ReadingFunction } from "./invoke";

/** One object of a managed type, by its id or its natural key: `get<kind>`. */
export function objectOf<Args extends object, Result>(
  kind: ManagedType,
  naturalKey: string,
  resultOf: (found: ReadObject) => Result,
): ReadingFunction<Args, Key, Promise<Result>> {
  const name = `get${kind}`;
  return {
    name,
    check: (args: object) => idOrName(name, args, naturalKey),
    read: async (platform, key) => resultOf(await platform.reader(kind).get(key)),
  };
}

/** As {@link objectOf}, for a type whose id is its natural key. */
export function objectByKey<Args extends object, Result>(
  kind: ManagedType,
  naturalKey: keyof pulumi.Unwrap<Args> & string,
  resultOf: (found: ReadObject) => Result,
): ReadingFunction<Args, Key, Promise<Result>> {
  const lookup = objectOf<Args, Result>(kind, naturalKey, resultOf);
  return {
    ...lookup,
    check: (args) => {
      checkNames(lookup.name, args, [naturalKey]);
      return { id: requiredText(lookup.name, naturalKey, args[naturalKey]) };
    },
  };
}
