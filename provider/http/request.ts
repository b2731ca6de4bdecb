import { z } from "zod";
import { isParsedJson, type Json } from "../base/json";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Request {
  readonly method: Method;
  /** Path below the base URL; its variable segments encoded with `segment`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>> | undefined;
  readonly body?: unknown;
  /** Whether it may be sent again after an unclear outcome, because a second one does no harm. @default true for GET, DELETE and requests that only read */
  readonly repeatable?: boolean;
  /** Even a refusal may have carried out a part of it. @default false */
  readonly isDivisible?: boolean;
  /** It changes nothing, whatever its method. @default true for GET */
  readonly isRead?: boolean;
  /**
   * "once": given up at `until`, even while it is under way. "poll": a poll of a wait; all polls together get half of the rate limit. "patient": while the
   * platform is in trouble, tried for its whole budget, however often.
   */
  readonly effort?: "once" | "poll" | "patient" | undefined;
  /** Texts in the request that are meant for a graph and may be secret: errors and the log do not show them. */
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
 * @param until When to give up, in milliseconds since the epoch; at the latest when `requestBudget` is over (retry.ts).
 */
export type Send = <T>(request: Request, answer: z.ZodType<T>, until?: number) => Promise<Answer<T>>;

/** An answer whose content does not matter: no body, or any JSON. HTML is refused: it comes from a gateway, and the request was not carried out. */
export const NO_BODY = z.unknown();

/** Any JSON in an answer, with every digit kept for sending it back (UnsafeInteger). */
export const ANY_JSON = z.custom<Json>(isParsedJson);
