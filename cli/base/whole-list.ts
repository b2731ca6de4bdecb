import { AgentPlatformError, type HttpError, isForbidden, isLacking } from "../../provider/base/errors";
import type { JsonObject } from "../../provider/base/json";
import type { PlatformReader, ReadObject } from "../../provider/functions/reading";
import { type ManagedTypeSpec, SPECS } from "./managed-types";
import type { ProgressLine } from "./style";

/** A kind, and its objects; or why they are not known, as the end of a sentence about them. */
interface Whole {
  readonly spec: ManagedTypeSpec;
  readonly found: readonly ReadObject[];
  readonly unlisted?: string;
  /** What the platform answered, where the key may not list them. */
  readonly refusal?: HttpError;
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
  let [isAnyListed, refusal]: [boolean, HttpError?] = [false];
  for (const spec of SPECS) {
    const whole = await wholeList(platform, spec, progress, declared);
    isAnyListed ||= whole.unlisted === undefined;
    refusal ??= whole.refusal;
    yield whole;
  }
  if (!isAnyListed && refusal !== undefined) throw refusal;
}

async function wholeList(
  platform: PlatformReader,
  spec: ManagedTypeSpec,
  progress: Pick<ProgressLine, "show">,
  declared?: JsonObject,
): Promise<Whole> {
  const isDocumented = platform.connection.contract === "documented";
  const where = isDocumented ? "contract `documented`" : "this platform";
  const withoutList = { spec, found: [], unlisted: `${where} has no list of them` };
  if (isDocumented && spec.table.undocumented?.includes("list")) return withoutList;
  // By id, because pages shift while others delete objects, so an object may come twice.
  const found = new Map<string, ReadObject>();
  try {
    for await (const object of platform.reader(spec.kind).list(declared)) {
      found.set(object.id, object);
      progress.show(`reading: ${found.size} ${spec.many}`);
    }
    return { spec, found: [...found.values()] };
  } catch (error) {
    if (isForbidden(error)) {
      const unlisted = `the key may not list them (${error.method} ${error.path} answered ${error.status})`;
      return { spec, found: [], unlisted, refusal: error };
    }
    const cause = error instanceof AgentPlatformError ? error.cause : undefined;
    if (isLacking(cause)) return withoutList;
    throw error;
  }
}
