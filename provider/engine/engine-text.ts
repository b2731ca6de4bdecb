import { safeText } from "../base/masker";

/**
 * A message as the engine may print it: the door through which every text goes to it. Nothing in it is a secret that this process knows, or steers a terminal.
 * The engine takes `<{%fg 1%}>` for a colour, also in a text from elsewhere that a message repeats, and panics at one that it does not know
 * (docs/internals/engine.md, trap 39).
 */
export const engineText = (message: string): string => safeText(message).replaceAll("<{%", "< {%");

/** The same, with such a message in its error. */
export async function withEngineText<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    // Where one of ours has no stack, a fault in the code has one, which repeats its message.
    if (error instanceof Error)
      Object.assign(error, { message: engineText(error.message), stack: engineText(error.stack ?? "") });
    throw error;
  }
}
