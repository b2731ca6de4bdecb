import type { Clock } from "../../base/clock";
import { AgentPlatformError, isConflict, isUnclear, messageOf } from "../../base/errors";
import { instantOf } from "../../base/time";
import type { Observation } from "../observe/observation";
import type { Answer } from "../../http/request";

/** The creation of one object, at most once (docs/internals/design.md, Creating once). */
export interface SingleCreation<Live> {
  readonly kind: string;
  /** The object for messages: `SandboxTemplate "code"`. */
  readonly what: string;
  readonly clock: Clock;
  /** Sends the POST, once. */
  readonly post: () => Promise<Answer<Live>>;
  /** Looks the object up by its natural key. */
  readonly find: () => Promise<Observation<Live>>;
  /** The inputs in which the object found differs from the declaration, as far as they can be read. */
  readonly differing: (found: Live) => readonly string[];
  /** When the object was created, as the platform says. */
  readonly createdAt: (found: Live) => string | null | undefined;
  /** The look-up goes by a key that only this resource gives, and passes over what had it before the POST. */
  readonly own?: { idOf(found: Live): string; readonly isOfInputs: boolean } | undefined;
}

const ATTEMPTS = 3;
const PAUSE_MS = 1000;
/** The Date header has no fractions of a second, and clocks of one platform differ a little. */
const CLOCK_TOLERANCE_MS = 2000;

/**
 * Creates the object. A POST is repeated only after a look-up has shown that the previous one did not happen. An object that exists, is
 * equal, and was created since we began is ours. Any other object in the way is an error that describes it.
 */
export async function createOnce<Live>(creation: SingleCreation<Live>): Promise<Live> {
  const { clock, kind, what } = creation;
  const began = clock.now();
  let unclear: unknown;
  for (let attempt = 1; ; attempt++) {
    try {
      return (await creation.post()).data;
    } catch (error) {
      // After an unclear POST, "already exists" may refer to our own object.
      if (!isUnclear(error) && !isConflict(error)) throw error;
      const conflict = isConflict(error);
      if (!conflict) unclear = error;
      const found = await look(creation, conflict && unclear === undefined ? undefined : error);
      if (found.state === "found") {
        const isMade = unclear !== undefined && isOurs(creation, found.value, found.date, clock.now() - began);
        if (isMade || isOwn(creation, found.value)) return found.value;
        throw taken(creation, found.value, unclear ?? error);
      }
      if (conflict)
        throw new AgentPlatformError(
          `${what} already exists, but no look-up finds it: ${messageOf(error)}. ${remedy(kind, "true")}`,
          { cause: error },
        );
      if (found.state === "unsupported") {
        throw unknownOutcome(what, error, found.cause?.message ?? "this platform cannot look it up");
      }
      if (attempt >= ATTEMPTS) {
        throw new AgentPlatformError(
          `${what} was not created: ${attempt} attempts failed, the last one with: ${messageOf(error)}`,
          { cause: error },
        );
      }
      await clock.sleep(PAUSE_MS * attempt);
    }
  }
}

/** The error for a name that is taken, for a creation that looks before it sends its POST. */
export function taken<Live>(
  creation: Pick<SingleCreation<Live>, "kind" | "what" | "differing" | "createdAt" | "own">,
  found: Live,
  cause?: unknown,
): AgentPlatformError {
  const since = creation.createdAt(found);
  const names = creation.differing(found);
  const compared =
    names.length === 0 ? "equals this declaration" : `differs from this declaration in ${shortList(names)}`;
  const adopt = creation.own === undefined ? "true" : JSON.stringify(creation.own.idOf(found));
  return new AgentPlatformError(
    `${creation.what} already exists on the platform${since ? ` (created ${since})` : ""} and ${compared}. ${remedy(creation.kind, adopt)}. ${IF_FORCED}`,
    { cause },
  );
}

/** How many names a sentence lists. */
const LISTED = 5;

function shortList(names: readonly string[]): string {
  const left = names.length - LISTED;
  return names.slice(0, LISTED).join(", ") + (left > 0 ? ` and ${left} more` : "");
}

/** The engine does not tell a plugin that a creation is half of a forced replacement (docs/internals/engine.md, trap 17). */
const IF_FORCED =
  "If this is a forced replacement (`--target-replace`, `pulumi state taint`) of that object, set the option `deleteBeforeReplace: true` on the resource";

function remedy(kind: string, adopt: string): string {
  const rename = adopt === "true" ? ", delete it on the platform, or declare another name" : ", or delete it there";
  return `Take it over with \`adopt: ${adopt}\` on the ${kind}${rename}`;
}

async function look<Live>(creation: SingleCreation<Live>, unclear: unknown): Promise<Observation<Live>> {
  try {
    return await creation.find();
  } catch (error) {
    throw unknownOutcome(creation.what, unclear ?? error, `the look-up failed: ${messageOf(error)}`);
  }
}

function unknownOutcome(what: string, error: unknown, why: string): AgentPlatformError {
  return new AgentPlatformError(
    `${what}: it is not known whether it was created (${messageOf(error)}), and ${why}. ` +
      `Look for it on the platform before the next \`pulumi up\`: if it exists, delete it there or take it over with \`adopt: "<id>"\``,
    { cause: error },
  );
}

/** Whether an object that has our key is as it is declared. */
export const isOwn = <Live>({ own, differing }: Pick<SingleCreation<Live>, "own" | "differing">, found: Live) =>
  own !== undefined && differing(found).length === 0;

function isOurs<Live>(
  creation: SingleCreation<Live>,
  found: Live,
  serverNow: number | undefined,
  elapsed: number,
): boolean {
  if (creation.own?.isOfInputs === true) return true;
  const created = instantOf(creation.createdAt(found));
  if (serverNow === undefined || created === undefined) return false;
  return creation.differing(found).length === 0 && created >= serverNow - elapsed - CLOCK_TOLERANCE_MS;
}
