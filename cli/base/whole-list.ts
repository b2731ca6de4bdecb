import { AgentPlatformError, type HttpError, isForbidden, isNotFound, isNotOffered } from "../../provider/base/errors";
import type { JsonObject } from "../../provider/base/json";
import type { PlatformReader, ReadObject } from "../../provider/functions/reading";
import { type ManagedTypeSpec, SPECS } from "./managed-types";
import type { ProgressLine } from "./style";

/** A kind, and its objects; or why they are not known, as the end of a sentence about them. */
interface Whole {
  readonly spec: ManagedTypeSpec;
  readonly found: readonly ReadObject[];
  readonly unlisted?: string;
  /** That is because the key may not list them. */
  readonly isRefused?: boolean;
}

/**
 * All objects of the tenant, a kind at a time. Throws if a list that the platform offers cannot be read to its end, unless the key may list other kinds.
 * @param declared What counts as declared (Reader.list).
 */
export async function* wholeLists(
  platform: PlatformReader,
  progress: Pick<ProgressLine, "show">,
  declared?: JsonObject,
): AsyncGenerator<Whole> {
  const isDocumented = platform.connection.contract === "documented";
  let [isAnyListed, refusal]: [boolean, HttpError?] = [false];
  for (const spec of SPECS) {
    const found = await wholeList(platform, spec, progress, declared);
    if (Array.isArray(found)) {
      isAnyListed = true;
      yield { spec, found };
    } else if (found === "no list")
      yield {
        spec,
        found: [],
        unlisted: `${isDocumented ? "contract `documented`" : "this platform"} has no list of them`,
      };
    else {
      refusal ??= found;
      const { method, path, status } = found;
      yield {
        spec,
        found: [],
        unlisted: `the key may not list them (${method} ${path} answered ${status})`,
        isRefused: true,
      };
    }
  }
  if (!isAnyListed && refusal !== undefined) throw refusal;
}

async function wholeList(
  platform: PlatformReader,
  spec: ManagedTypeSpec,
  progress: Pick<ProgressLine, "show">,
  declared?: JsonObject,
): Promise<ReadObject[] | "no list" | HttpError> {
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
    if (isForbidden(error)) return error;
    const cause = error instanceof AgentPlatformError ? error.cause : undefined;
    if (isNotFound(cause) || isNotOffered(cause)) return "no list";
    throw error;
  }
}
