import { AgentPlatformError, isNotFound, isNotOffered } from "../../provider/base/errors";
import type { JsonObject } from "../../provider/base/json";
import type { PlatformReader, ReadObject } from "../../provider/functions/reading";
import type { ManagedTypeSpec } from "./managed-types";
import type { ProgressLine } from "./style";

/**
 * All objects of a kind in the tenant. Throws if a list that the platform offers cannot be read to its end.
 * @param declared What counts as declared (Reader.list).
 */
export async function wholeList(
  platform: PlatformReader,
  spec: ManagedTypeSpec,
  progress: Pick<ProgressLine, "show">,
  declared?: JsonObject,
): Promise<ReadObject[] | "no list"> {
  const documented = platform.connection.contract === "documented";
  if (documented && spec.table.undocumented?.includes("list")) return "no list";
  // By id, because pages shift while others delete objects, so an object may come twice.
  const found = new Map<string, ReadObject>();
  try {
    for await (const object of platform.reader(spec.kind).list(declared)) {
      found.set(object.id, object);
      progress.show(`reading: ${found.size} ${spec.many}`);
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
