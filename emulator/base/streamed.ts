const streamed = new WeakSet<Response>();

/** Marks an answer whose body is a stream, perhaps without an end. */
export function asStream(response: Response): Response {
  streamed.add(response);
  return response;
}

/** Whether the body is a stream: then only the client may read it. */
export const isStream = (response: Response): boolean => streamed.has(response);
