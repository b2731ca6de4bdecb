/**
 * A message as the engine prints it unchanged. It takes `<{%fg 1%}>` for a colour, also in a text from elsewhere that a message repeats, and
 * panics at one that it does not know (docs/internals/engine.md, trap 39).
 */
export const engineText = (message: string): string => message.replaceAll("<{%", "< {%");

/** The same, with such a message in its error. */
export async function withEngineText<T>(act: Promise<T>): Promise<T> {
  try {
    return await act;
  } catch (error) {
    if (error instanceof Error) error.message = engineText(error.message);
    throw error;
  }
}
