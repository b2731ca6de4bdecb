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

// For objects whose endpoints only contract `extended` has: a 404 can mean a missing object or an unsupported endpoint. A look-up shows which.

/** Absent only if two look-ups say so: the one by id (unless its 404 may mean an unknown path) and lists. */
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

/** Sends the update. A 404 means either that the object is gone or that this platform lacks the endpoint. */
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
 * @param isPlatforms Whether a success is the platform's own answer; any other one may come from a gateway in between.
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
    // Either the object is already gone, or this platform lacks the endpoint: only a look-up shows which.
    const still = await find();
    // A gateway's 404 for the list says nothing about the object: it is an error, not a platform that cannot delete.
    if (still.state === "unsupported" && isForeignNotFound(still.cause)) requireSupported(still, what);
    return still.state === "absent" ? "absent" : { left: what };
  }
  const still = await find();
  if (still.state === "absent") return "deleted";
  throw notDeleted(what, still.state === "found");
}
