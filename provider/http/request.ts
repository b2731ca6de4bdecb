import { z } from "zod";
import { isParsedJson, type Json } from "../base/json";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** One request to the platform. */
export interface Request {
  readonly method: Method;
  /** Path below the base URL; its variable segments encoded with `segment`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>> | undefined;
  readonly body?: unknown;
  /** Whether a second one does no harm, so that it may follow an unclear outcome. @default true for GET, DELETE and what only reads */
  readonly repeatable?: boolean;
  /** It changes nothing, whatever its method. @default true for GET */
  readonly isRead?: boolean;
  /** Not worth a wait: sent once, and given up at `until`, even while it is under way. @default false */
  readonly isBrief?: boolean;
  /** Worth a minute: while the platform is in trouble, it is tried for its whole budget, however often. @default false */
  readonly isPatient?: boolean;
  /** One of many polls of something that takes time: all polls together get half of the rate limit. @default false */
  readonly isPoll?: boolean;
  /** What the request carries for a graph of somebody's own, which may be secret: its answer and its log do not show that. */
  readonly secrets?: readonly string[];
}

/** An answer with a status of success, its body parsed. */
export interface Answer<T> {
  readonly data: T;
  /** The platform's clock when it answered (Date header), in milliseconds; undefined if it does not say. */
  readonly date: number | undefined;
  /** 200, 201, 204 ... @default 200 */
  readonly status?: number;
}

/**
 * A request function for one base URL, with retries (retry.ts) and within the rate limit (limiter.ts). Errors:
 * {@link HttpError}, {@link TransportError}, {@link AnswerError}; after more than one attempt their message says how many.
 * @param until When to give up, in milliseconds since the epoch; at the latest a minute after it was first sent (retry.ts).
 */
export type Send = <T>(request: Request, answer: z.ZodType<T>, until?: number) => Promise<Answer<T>>;

/** An answer whose content does not matter: no body, or any JSON. A page of HTML comes from a gateway: nothing was done. */
export const NO_BODY = z.unknown();

/** Any JSON in an answer, as it was read: what is sent back keeps every digit (UnsafeInteger). */
export const ANY_JSON = z.custom<Json>(isParsedJson);
