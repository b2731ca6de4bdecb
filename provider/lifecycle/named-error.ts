import { isAnswerError, isHttpError, isTransportError, isTransient } from "../base/errors";

/** The verb that failed, for the message. */
export type Verb = "create" | "read" | "update" | "delete";

/**
 * Says in the message of a bare request's error which object it was about, and what to do next; an error of our own says so already. The
 * error stays what it is.
 */
export function nameObject(error: unknown, what: string, verb: Verb): unknown {
  if (!isHttpError(error) && !isTransportError(error) && !isAnswerError(error)) return error;
  if (error.message.includes(what)) return error;
  const end = /[.!?]$/.test(error.message) ? "" : ".";
  error.message = `${what}: ${verb} failed: ${error.message}${end} ${nextStep(error, verb)}`;
  return error;
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
