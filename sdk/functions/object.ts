import type * as pulumi from "@pulumi/pulumi";
import { checkNames, idOrName, requiredText } from "../../provider/functions/arguments";
import type { ManagedType, ReadObject } from "../../provider/functions/reading";
import type { ReadingFunction } from "./invoke";

/** One object of a managed type, by its id or its natural key: `get<kind>`. */
export function objectOf<Args extends object, Result>(
  kind: ManagedType,
  naturalKey: string,
  resultOf: (found: ReadObject) => Result,
): ReadingFunction<Args, Promise<Result>> {
  const name = `get${kind}`;
  return {
    name,
    checked: (args: object) => {
      const key = idOrName(name, args, naturalKey);
      return async (platform) => resultOf(await platform.reader(kind).get(key));
    },
  };
}

/** As {@link objectOf}, for a type whose id is its natural key. */
export function objectByKey<Args extends object, Result>(
  kind: ManagedType,
  naturalKey: keyof pulumi.Unwrap<Args> & string,
  resultOf: (found: ReadObject) => Result,
): ReadingFunction<Args, Promise<Result>> {
  const name = `get${kind}`;
  return {
    name,
    checked: (args) => {
      checkNames(name, args, [naturalKey]);
      const id = requiredText(name, naturalKey, args[naturalKey]);
      return async (platform) => resultOf(await platform.reader(kind).get({ id }));
    },
  };
}
