import { AgentPlatformError, isAnswerError, isHttpError, isTransportError, isTransient } from "../base/errors";

/** The verb that failed, for the message. */
export type Verb = "create" | "read" | "update" | "delete";

/**
 * The error of a bare request, as one that says which object it was about and what to do next; an error of our own says so already. Several
 * objects can share the request and so its error, which stays as it is.
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
    return "Correct the connection, and run the command again";
  if (verb === "read") return "The state is as it was; run the command again";
  if (verb === "delete") return "It stays in the state: run the command again";
  return isRefused
    ? "Correct the arguments, and run `pulumi up` again"
    : "Run `pulumi up` again: it looks before it repeats anything";
}
