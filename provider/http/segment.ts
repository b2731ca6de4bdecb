// Apart from request.ts, which loads zod: the streaming client of a program does without it.
import { AgentPlatformError, ArgumentError } from "../base/errors";

/**
 * One variable segment of a path. Refuses a dot segment, which even encoded would address another object.
 * @param name The argument, for the message.
 */
export function segment(text: string, name?: string): string {
  if (/^\.{0,2}$/.test(text)) {
    const reason = `"${text}" cannot be part of a URL`;
    throw name === undefined ? new AgentPlatformError(reason) : new ArgumentError(name, reason);
  }
  return encodeURIComponent(text);
}
