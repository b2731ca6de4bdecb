import { compact, withoutNullKeys, type JsonObject } from "../base/json";
import type { ReadObject } from "../lifecycle/observe/read-object";

// The SDK's type declarations use these types, and must not import zod.

/** A revision of a deployment as it is on the platform. */
export type Revision = {
  /** The platform's UUID. */
  readonly id: string;
  readonly deploymentId: string;
  /** "DEPLOYED", "BUILDING", "BUILD_FAILED" ...; "UNKNOWN" if the platform does not say. A replaced revision stays "DEPLOYED". */
  readonly status: string;
  /** When the platform created it (ISO 8601). */
  readonly createdAt: string | null;
  /** The image that it runs, the built one where the platform builds; null if the platform does not say. */
  readonly imageUri: string | null;
  /** The commit that it was built from; null if it was not built from a repository. */
  readonly repoCommitSha: string | null;
};

/** An integration with GitHub as it is on the platform. */
export type Integration = {
  /** The platform's UUID, for a deployment's `sourceConfig.integrationId`. */
  readonly id: string;
  readonly name: string;
  /** GitHub's number of the installation; null if the platform does not say. */
  readonly installationId: number | null;
};

/** What a function shows of an object. Without a value on the platform, an argument is left out, and a property that only the platform sets is null. */
export function valuesOf({ id, inputs, outputs, details }: ReadObject): JsonObject {
  const values: JsonObject = { ...outputs, ...details, id };
  for (const [key, value] of Object.entries(inputs)) values[key] = value == null ? undefined : withoutNullKeys(value);
  return compact(values);
}

/** At most so many items of a list. @param maximum A whole number above 0, or Infinity. */
export async function* first<Item>(maximum: number, items: AsyncIterable<Item>): AsyncGenerator<Item, void, undefined> {
  let left = maximum;
  for await (const item of items) {
    yield item;
    // Checked before the next item is read, which could cost a page.
    left -= 1;
    if (left === 0) return;
  }
}

/** The same as one array. */
export async function collect<Item>(maximum: number, items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of first(maximum, items)) all.push(item);
  return all;
}
