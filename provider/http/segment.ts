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
  // A path may have a colon, and the platform does not see an encoded one between name and tag of a snapshot.
  return encodeURIComponent(text).replaceAll("%3A", ":");
}
