import {
  goneMeanwhile,
  isForeignNotFound,
  isMissing,
  isNotOffered,
  notDeleted,
  noUpdateOffered,
} from "../../base/errors";
import type { Answer } from "../../http/request";
import { ABSENT, requireSupported, type Absent, type Observation, type Unsupported } from "./observation";

/** How a delete ended: the object was there and is gone, it was not there, or the platform cannot delete it and `left` stays. */
export type Deletion = "deleted" | "absent" | { readonly left: string };

// For objects whose endpoints only contract `extended` has: a 404 can mean a missing object or an unsupported endpoint. We look the object up to tell which.

/** Absence has to be seen twice: by the id, unless a router may have answered for a path that it does not know, and in lists. */
export async function confirmAbsent<T>(
  byId: Absent | Unsupported,
  listed: Observation<unknown> | undefined,
  list: () => Promise<Observation<T>>,
): Promise<Observation<T>> {
  let seen = [byId.state === "absent" && byId.isBare !== true, listed?.state === "absent"].filter(Boolean).length;
  for (; seen < 2; seen++) {
    const result = await list();
    if (result.state !== "absent") return result;
  }
  return ABSENT;
}

/** Sends the update. A 404 is either that of the object, which is then gone, or that of a platform without this endpoint. */
export async function updateAndVerify<Live>(
  what: string,
  update: () => Promise<Answer<Live>>,
  find: () => Promise<Observation<unknown>>,
): Promise<Live> {
  try {
    return (await update()).data;
  } catch (error) {
    if (!isMissing(error)) throw error;
    const isGone = !isNotOffered(error) && (await find()).state === "absent";
    throw isGone ? goneMeanwhile(what, error) : noUpdateOffered(what, error);
  }
}

/**
 * Sends the delete.
 * @param isPlatforms Whether an answer of success is the platform's own; any other one may come from something in between.
 */
export async function deleteAndVerify(
  what: string,
  remove: () => Promise<Answer<unknown>>,
  isPlatforms: (answer: Answer<unknown>) => boolean,
  find: () => Promise<Observation<unknown>>,
): Promise<Deletion> {
  try {
    if (isPlatforms(await remove())) return "deleted";
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Already gone, or a platform without this endpoint: only a look-up can tell.
    const still = await find();
    // A gateway's 404 of the list says nothing: it is an error, not a platform that cannot delete.
    if (still.state === "unsupported" && isForeignNotFound(still.cause)) requireSupported(still, what);
    return still.state === "absent" ? "absent" : { left: what };
  }
  const still = await find();
  if (still.state === "absent") return "deleted";
  throw notDeleted(what, still.state === "found");
}
