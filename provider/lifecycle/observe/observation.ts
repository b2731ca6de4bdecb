import { AgentPlatformError, type HttpError, isHttpError, isNotFound, isNotOffered } from "../../base/errors";
import type { Answer } from "../../http/request";

/**
 * The result of a look-up. Found: the object, with the platform's date if the answer has one. Absent: it does not exist; this is never a guess.
 * Unsupported: this platform does not answer such a look-up (405, 501, a gateway's 404, or a contract without it, in which case there is no cause).
 */
export type Observation<T> =
  { readonly state: "found"; readonly value: T; readonly date?: number | undefined } | Absent | Unsupported;

export interface Absent {
  readonly state: "absent";
  /** The answer was the bare "Not Found" that a router gives for an unknown path, so this platform may lack an undocumented path. */
  readonly isBare?: boolean;
}

export interface Unsupported {
  readonly state: "unsupported";
  /** The answer that shows it. If an agent does not answer, an error that describes the agent. */
  readonly cause?: Error | undefined;
}

export const found = <T>(value: T, date?: number): Observation<T> => ({ state: "found", value, date });
export const ABSENT: Absent = { state: "absent" };
export const UNSUPPORTED: Unsupported = { state: "unsupported" };

/** Sends a look-up. Only this function interprets 404, 405 and 501; every other error is thrown. */
export async function observe<T>(ask: () => Promise<Answer<T>>): Promise<Observation<T>> {
  try {
    const { data, date } = await ask();
    return found(data, date);
  } catch (error) {
    if (isNotFound(error)) return { state: "absent", isBare: isBare(error) };
    if (isNotOffered(error)) return { state: "unsupported", cause: error };
    throw error;
  }
}

/** The platform itself says that there is no such object; not a router that does not know the path. */
export const isSurelyAbsent = (seen: Observation<unknown>): boolean => seen.state === "absent" && seen.isBare !== true;

/** A bare answer (docs/internals/glossary.md). */
export const isBare = ({ detail }: HttpError): boolean => /^not found\.?$/i.test(detail);

/** The first item of a list that fits, a page at a time. */
export async function observeInPages<Item>(
  pages: AsyncIterable<Answer<readonly Item[]>>,
  fits: (item: Item) => boolean,
): Promise<Observation<Item>> {
  return firstOf(await observeAll(pages, fits, 1));
}

/** The first of several; absent if there are none. */
export function firstOf<T>(all: Observation<readonly T[]>): Observation<T> {
  if (all.state !== "found") return all;
  const [first] = all.value;
  return first === undefined ? ABSENT : found(first, all.date);
}

/** All items of a list that fit, with the date of its last page. @param enough No further page is read once there are so many. */
export async function observeAll<Item>(
  pages: AsyncIterable<Answer<readonly Item[]>>,
  fits: (item: Item) => boolean,
  enough = Infinity,
): Promise<Observation<readonly Item[]>> {
  const all: Item[] = [];
  let latest: number | undefined;
  const seen = await observe(async () => {
    for await (const { data, date } of pages) {
      all.push(...data.filter(fits));
      latest = date;
      if (all.length >= enough) break;
    }
    return { data: all, date: latest };
  });
  // A collection always exists: its 404 means that this platform cannot list.
  return seen.state === "absent" ? UNSUPPORTED : seen;
}

/** The same look-up, for something derived from the value. */
export function mapFound<T, U>(result: Observation<T>, change: (value: T) => U): Observation<U> {
  return result.state === "found" ? found(change(result.value), result.date) : result;
}

export const valueOf = <T>(result: Observation<T>): T | undefined =>
  result.state === "found" ? result.value : undefined;

/** Throws instead of returning "unsupported", for a look-up that every platform must answer. */
export function requireSupported<T extends { readonly state: string }>(
  result: T | Unsupported,
  what: string,
): Exclude<T, Unsupported>;
export function requireSupported(result: { readonly state: string; readonly cause?: Error }, what: string) {
  if (result.state !== "unsupported") return result;
  const { cause } = result;
  // The cause already has the full message.
  if (cause !== undefined && !isHttpError(cause)) throw new AgentPlatformError(`${what}: ${cause.message}`, { cause });
  const message =
    `${what}: ${cause?.message ?? "the platform cannot look it up"}. That is not the platform's own answer, so it says nothing about the object. ` +
    "Check the base URL and any proxy or gateway in between, then run the command again";
  // Keep the status of the answer: from it, a wait sees whether the error is transient.
  throw cause?.with({ subject: what, message }) ?? new AgentPlatformError(message);
}
