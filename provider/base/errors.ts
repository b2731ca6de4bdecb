import { isObject, type JsonObject } from "./json";
import { plainText } from "./plain-text";
import { showDuration } from "./time";

/**
 * Every error of this provider. Code branches on `name` (never on instanceof: the program and the plugin are different
 * realms), so a subclass exists only where something branches on it.
 */
export class AgentPlatformError extends Error {
  override readonly name: string = "AgentPlatformError";
  /** The end of the message that says what to do, where the errors of other objects may end with the same. */
  readonly advice?: string;

  /** @param message May quote text from elsewhere: terminal control sequences are removed. The advice follows it. */
  constructor(message: string, { advice, ...options }: { cause?: unknown; advice?: string } = {}) {
    super(
      plainText(advice === undefined ? message : `${message}${/[.!?]$/.test(message) ? "" : "."} ${advice}`),
      options,
    );
    if (advice !== undefined) this.advice = advice;
    // The plugin prints the stack of an error of read, check, diff or delete on the resource's row. Our messages are written
    // for the user, so the stack is the message alone (docs/internals/engine.md, trap 14).
    this.stack = "";
  }

  /** The message without the advice, for a run that has given it already. */
  get brief(): string {
    return this.advice === undefined ? this.message : this.message.slice(0, -this.advice.length - 1);
  }
}

/** An argument cannot be used, and nothing was sent. The message is `path: reason`. */
export class ArgumentError extends AgentPlatformError {
  override readonly name = "ArgumentError";

  constructor(
    /** The argument, like `streamMode`. */
    readonly path: string,
    /** The problem with it. Never holds a value that may be secret. */
    readonly reason: string,
    /** The option that would allow it. */
    readonly allowedBy?: string,
  ) {
    super(`${path}: ${reason}${allowedBy === undefined ? "" : `, or set ${allowedBy}`}`);
  }
}

/** Somebody has cancelled the run: there is nothing to correct. */
export class CancelledError extends AgentPlatformError {
  override readonly name = "CancelledError";

  constructor() {
    super("the run was cancelled");
  }
}

/** The platform answered with a status that is not a success. */
export class HttpError extends AgentPlatformError {
  override readonly name = "HttpError";
  /** The object that the message names, if any. */
  readonly subject?: string;

  constructor(
    readonly method: string,
    readonly path: string,
    readonly status: number,
    /** The platform's own message, redacted and shortened. */
    readonly detail: string,
    /** Milliseconds to wait, if the answer says so (Retry-After). */
    readonly retryAfterMs?: number,
    /** False if the body is not the platform's own: then a gateway or a proxy answered, which knows nothing about objects. */
    readonly isPlatforms = true,
    /** The id by which the platform's operators find the request in their logs, if the answer has one. */
    readonly requestId?: string,
  ) {
    const wait = retryAfterMs ? ` (Retry-After: ${showDuration(retryAfterMs)})` : "";
    const id = requestId === undefined ? "" : ` (request id ${requestId})`;
    super(`${method} ${path} answered ${status}${detail === "" ? "" : `: ${detail}`}${wait}${id}`);
  }

  /** A copy with these changes. This error stays as it is, because several objects can share an answer. */
  with(changes: Partial<Pick<HttpError, "subject" | "message" | "isPlatforms">>): HttpError {
    const { method, path, status, detail, retryAfterMs, isPlatforms, requestId } = this;
    const copy = new HttpError(method, path, status, detail, retryAfterMs, isPlatforms, requestId);
    return Object.assign(copy, changes);
  }
}

/** The request got no complete answer. */
export class TransportError extends AgentPlatformError {
  override readonly name = "TransportError";

  constructor(
    readonly method: string,
    readonly path: string,
    readonly reason: string,
    /** False if the request certainly never reached the platform (connection refused, name not found). */
    readonly mayHaveHappened: boolean,
    /** The next answer would be the same: this one was too long. */
    readonly isLasting = false,
  ) {
    super(`${method} ${path} got no answer: ${reason}`);
  }
}

/** The platform answered with success, but the body does not match the contract. */
export class AnswerError extends AgentPlatformError {
  override readonly name = "AnswerError";

  constructor(
    readonly method: string,
    readonly path: string,
    readonly status: number,
    problem: string,
  ) {
    super(`${method} ${path} answered ${status}, but ${problem}. Is the base URL the address of the platform's API?`);
  }
}

/**
 * A verb failed after it had done something that the state has to record. The engine's plugin for dynamic resources recognizes such an error by these
 * fields: the engine saves the properties, and the next `up` calls update.
 */
export class UnfinishedError extends AgentPlatformError {
  override readonly name = "UnfinishedError";

  constructor(
    message: string,
    readonly id: string,
    /** The outputs, without those that the next `up` has to set; in an error that a definition throws, these are null. */
    readonly properties: JsonObject,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }

  get reasons(): readonly string[] {
    return [this.message];
  }

  /** Another error, which leaves the same. */
  after(cause: unknown): UnfinishedError {
    return new UnfinishedError(messageOf(cause), this.id, this.properties, { cause });
  }
}

/** What an act gives; undefined where it throws. */
export function leniently<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** The system's code of a caught error ("EEXIST"), if it has one. By shape: an error may come from another realm. */
export const errorCode = (error: unknown): unknown => (isObject(error) ? error["code"] : undefined);

export function messageOf(error: unknown): string {
  // Of a connection to a name with several addresses, which has no message of its own.
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return isObject(error) && typeof error["message"] === "string" ? error["message"] : String(error);
}

const named = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** True for an {@link ArgumentError}, also one of another copy of this package. */
export const isArgumentError = (error: unknown): error is ArgumentError => named(error, "ArgumentError");
/** True for a {@link CancelledError}, likewise. */
export const isCancelled = (error: unknown): error is CancelledError => named(error, "CancelledError");
/** True for an {@link HttpError}, likewise. */
export const isHttpError = (error: unknown): error is HttpError => named(error, "HttpError");
/** True for a {@link TransportError}, likewise. */
export const isTransportError = (error: unknown): error is TransportError => named(error, "TransportError");
/** The reason in an error about an answer, or about a missing one, without the request. */
export function reasonOfAnswer(error: unknown): string {
  if (isHttpError(error)) return `it answers ${error.status}${error.detail === "" ? "" : `: ${error.detail}`}`;
  return isTransportError(error) ? `no answer: ${error.reason}` : messageOf(error);
}

export const isUnfinished = (error: unknown): error is UnfinishedError => named(error, "UnfinishedError");

/** What the work returns; in the error that the engine records, these properties instead of its own. */
export async function recording<T>(work: Promise<T>, propertiesOf: (error: UnfinishedError) => JsonObject): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isUnfinished(error)) throw error;
    throw new UnfinishedError(error.message, error.id, propertiesOf(error), { cause: error });
  }
}

export const isAnswerError = (error: unknown): error is AnswerError => named(error, "AnswerError");

/** The platform's own 404, the only answer that can mean that an object is gone. A gateway's 404 says nothing about the object. */
export const isNotFound = (error: unknown): error is HttpError =>
  isHttpError(error) && error.status === 404 && error.isPlatforms;

/** The key may not do this. */
export const isForbidden = (error: unknown): error is HttpError => isHttpError(error) && error.status === 403;

/** A 404 from a proxy or a gateway in between: the request did not reach the platform. */
export const isForeignNotFound = (error: unknown): error is HttpError =>
  isHttpError(error) && error.status === 404 && !error.isPlatforms;

/** The platform lacks the endpoint. */
const isNoEndpoint = (error: unknown): error is HttpError =>
  isHttpError(error) && (error.status === 405 || error.status === 501);

/** The answer of a platform without the endpoint, or of a gateway in front of it: neither says anything about the object. */
export const isNotOffered = (error: unknown): error is HttpError => isNoEndpoint(error) || isForeignNotFound(error);

/** The platform itself says that the object or the endpoint does not exist; only a look-up shows which. A gateway's 404 says neither. */
export const isMissing = (error: unknown): error is HttpError => isNotFound(error) || isNoEndpoint(error);

/** A platform lacks what always exists where it is offered, such as a list or the logs of a revision: there, its own 404 says so as well. */
export const isLacking = (error: unknown): error is HttpError => isNotFound(error) || isNotOffered(error);

/** An update that only contract `extended` has, on a platform that turns out not to offer it. */
export const noUpdateOffered = (what: string, cause: unknown): AgentPlatformError =>
  new AgentPlatformError(
    `${what} cannot be changed: this platform cannot update it. Set agent-platform:contract to "documented" (or \`contract\` of its \`Platform\`): changes are then refused, or replace the object`,
    { cause },
  );

/** Just before the change, somebody deleted the object and created another one with its name; the platform changes objects by name. */
export const changedAnother = (what: string): AgentPlatformError =>
  new AgentPlatformError(
    `${what} was deleted and made anew outside of this stack while it was updated, so the change went to the new one; run \`pulumi up --refresh\`, which shows what it is now`,
  );

export const goneMeanwhile = (what: string, cause?: unknown): AgentPlatformError =>
  new AgentPlatformError(`${what} no longer exists on the platform; run \`pulumi refresh\`, then \`pulumi up\``, {
    cause,
  });

/** A DELETE was answered with success, but not as the platform does, and the object is still there or cannot be looked up. */
export const notDeleted = (what: string, isThere = true): AgentPlatformError =>
  new AgentPlatformError(
    `${what} ${isThere ? "still exists" : "may still exist"}, although its DELETE succeeded. Perhaps a proxy or gateway answered it instead of the platform. ` +
      "It stays in the state: run the command again",
  );

/** The name is taken: 409, or the 400 of older versions that says so (docs/internals/platform.md, OAuth providers). */
export const isConflict = (error: unknown): error is HttpError =>
  isHttpError(error) && (error.status === 409 || (error.status === 400 && /already exists/i.test(error.detail)));

/** The request may have been carried out, but there is no usable answer: timeouts, resets, any 5xx, an invalid body. */
export function isUnclear(error: unknown): boolean {
  if (isTransportError(error)) return error.mayHaveHappened;
  return isAnswerError(error) || (isHttpError(error) && error.status >= 500);
}

/** True for an error that says nothing about the awaited object and may not occur at the next poll: no answer, a broken answer, an overloaded or failing server. */
export function isTransient(error: unknown): boolean {
  if (isTransportError(error) || isAnswerError(error) || isForeignNotFound(error)) return true;
  return isHttpError(error) && (error.status >= 500 || [408, 425, 429].includes(error.status));
}
