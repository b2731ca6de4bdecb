/** The first bytes of a stream; then its clean end ("end"), or a call that cuts the connection once those bytes are written. */
export function cutAfter(
  body: ReadableStream<Uint8Array>,
  bytes: number,
  then: "end" | (() => void),
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = bytes;
  const stop = () => void reader.cancel().catch(() => undefined);
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (left === 0) {
          stop();
          if (then === "end") controller.close();
          else then();
          return;
        }
        const next = await reader.read();
        if (next.done) {
          controller.close();
          return;
        }
        const part = next.value.subarray(0, left);
        left -= part.length;
        controller.enqueue(part);
      },
      cancel: stop,
    },
    // Nothing is sent early: a pull means that the previous part is on the socket.
    { highWaterMark: 0 },
  );
}

/** The content of a stream, in slices of at most that many bytes. */
export function sliced(body: ReadableStream<Uint8Array>, bytes: number): AsyncIterable<Uint8Array> {
  const reader = body.getReader();
  let rest = new Uint8Array();
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    while (rest.length === 0) {
      const read = await reader.read();
      if (read.done) return { done: true, value: undefined };
      rest = new Uint8Array(read.value);
    }
    const value = rest.subarray(0, bytes);
    rest = rest.subarray(bytes);
    return { done: false, value };
  };
  // Not a generator: a generator that waits for the next part of a silent stream cannot be stopped.
  const stop = async (): Promise<IteratorResult<Uint8Array>> => {
    await reader.cancel().catch(() => undefined);
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: stop }) };
}
