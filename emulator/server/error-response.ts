import { ApiError } from "../base/api-error";

/** The answer to an error: that of an ApiError, or a 500 with `detail` for a mistake of the emulator itself. */
export function errorResponse(error: unknown, detail = "Internal Server Error"): Response {
  if (error instanceof ApiError) return error.toResponse();
  // A mistake of the emulator itself: its author needs the trace.
  console.error(error);
  return new ApiError(500, detail).toResponse();
}
