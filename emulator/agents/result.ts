import type { StreamSettings } from "./reader";
import type { Run } from "./run";

const encoded = (text: string): Uint8Array => Buffer.from(text);

/**
 * The state that a run leaves behind, or its error, as JSON. While the run goes on, line breaks keep the connection open, as on the
 * Python server. `onClientGone`: the client left before the end.
 */
export function resultBody(
  run: Run,
  { clock, heartbeatMs }: StreamSettings,
  onClientGone: () => void,
): ReadableStream<Uint8Array> {
  let stopWaiting: () => void = () => undefined;
  let isGone = false;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const waitOn = () => {
        stopWaiting = clock.after(heartbeatMs, () => {
          controller.enqueue(encoded("\n"));
          waitOn();
        });
      };
      waitOn();
      void run.over.then(() => {
        if (isGone) return;
        stopWaiting();
        controller.enqueue(
          encoded(JSON.stringify(run.failure === undefined ? run.values : { __error__: run.failure })),
        );
        controller.close();
      });
    },
    cancel: () => {
      isGone = true;
      stopWaiting();
      onClientGone();
    },
  });
}
