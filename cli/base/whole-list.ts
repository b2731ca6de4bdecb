import { AgentPlatformError, isNotFound, isNotOffered } from "../../provider/base/errors";
import type { JsonObject } from "../../provider/base/json";
import type { PlatformReader, ReadObject } from "../../provider/functions/reading";
import type { ManagedTypeSpec } from "./managed-types";

/** Called with the number of objects of a kind that were read so far. */
export type CountProgress = (spec: ManagedTypeSpec, count: number) => void;

/**
 * All objects of a kind in the tenant. Throws if a list that the platform offers cannot be read to its end.
 * @param declared What counts as declared (Reader.list).
 */
export async function wholeList(
  platform: PlatformReader,
  spec: ManagedTypeSpec,
  progress: CountProgress,
  declared?: JsonObject,
): Promise<ReadObject[] | "no list"> {
  const documented = platform.connection.contract === "documented";
  if (documented && spec.table.undocumented?.includes("list")) return "no list";
  // By id, because pages shift while others delete objects, so an object may come twice.
  const found = new Map<string, ReadObject>();
  try {
    for await (const object of platform.reader(spec.kind).list(declared)) {
      found.set(object.id, object);
      progress(spec, found.size);
    }
    return [...found.values()];
  } catch (error) {
    const cause = error instanceof AgentPlatformError ? error.cause : undefined;
    if (isNotFound(cause) || isNotOffered(cause)) return "no list";
    throw error;
  }
}

/** The subject of "has no list of them": the contract, or this platform. */
export const whoHasNoList = ({ connection }: PlatformReader): string =>
  connection.contract === "documented" ? "contract `documented`" : "this platform";
