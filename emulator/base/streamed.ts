const streamed = new WeakSet<Response>();

/** Marks an answer whose body comes in parts of its own time, perhaps without an end. */
export function asStream(response: Response): Response {
  streamed.add(response);
  return response;
}

/** Whether the body comes in parts of its own time: nobody may read it but the client. */
export const isStream = (response: Response): boolean => streamed.has(response);
