/** One record of a validation error (docs/internals/platform.md, Validation errors). */
export interface ValidationProblem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

type Detail = string | { readonly error: string; readonly message: string } | readonly ValidationProblem[];

/** An answer that is not a success, with status and body as in docs/internals/platform.md, Errors. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    readonly detail: Detail,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${status}`);
  }

  toResponse(): Response {
    return Response.json({ detail: this.detail }, { status: this.status, headers: this.headers });
  }
}

/** `{"detail": "<what> not found"}` */
export function notFound(what: string): ApiError {
  return new ApiError(404, `${what} not found`);
}

/** 422 with the validation error list. */
export function invalid(problems: readonly ValidationProblem[]): ApiError {
  return new ApiError(422, problems);
}

/** The same for one place of a request. */
export const wrong = (loc: ValidationProblem["loc"], msg: string, type = "value_error"): ApiError =>
  invalid([{ loc, msg, type }]);

/** The BadRequest body: well-formed, but refused for its meaning. */
export function badRequest(message: string): ApiError {
  return new ApiError(400, { error: "BadRequest", message });
}

/** The Conflict body: the message states that the resource already exists, or is in use. */
export function conflict(message: string): ApiError {
  return new ApiError(409, { error: "Conflict", message });
}
