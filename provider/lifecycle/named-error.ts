import { AgentPlatformError, isAnswerError, isHttpError, isTransportError, isTransient } from "../base/errors";

/** The verb that failed, for the message. */
export type Verb = "create" | "read" | "update" | "delete";

/**
 * Turns the error of a bare request into one that names the object and the next step; our own errors already do. Several objects can
 * share the request and so its error, which is left unchanged.
 */
export function nameObject(error: unknown, what: string, verb: Verb): unknown {
  if (!isHttpError(error) && !isTransportError(error) && !isAnswerError(error)) return error;
  if (isHttpError(error) && error.subject === what) return error;
  const end = /[.!?]$/.test(error.message) ? "" : ".";
  return new AgentPlatformError(`${what}: ${verb} failed: ${error.message}${end} ${nextStep(error, verb)}`, {
    cause: error,
  });
}

function nextStep(error: Error, verb: Verb): string {
  const isRefused = isHttpError(error) && !isTransient(error);
  if (isRefused && (error.status === 401 || error.status === 403))
    return "Correct the connection (key, tenant or address), and run the command again";
  if (verb === "read") return "The state is unchanged; run the command again";
  if (verb === "delete") return "It stays in the state: run the command again";
  return isRefused
    ? "Correct the arguments, and run `pulumi up` again"
    : "Run `pulumi up` again: it checks what exists before it repeats anything";
}
