import { unanswered, type Exchange } from "../base/exchange";

/** Ends one pause; with `cut` the request is cut off. */
export type EndPause = (cut: boolean) => void;

/** Limits the waiting requests: one whose client has disconnected still waits, as on the platform. */
const MOST_WAITING = 4096;
type Waiting = Pick<Exchange, "outgoing">;

/** The requests that faults keep waiting. One beyond the limit is cut off. */
export class Pauses {
  private readonly ends = new Set<EndPause>();

  /** A pause of real time. Resolves with undefined, or with the cut answer when it is cut off. */
  sleep(exchange: Waiting, ms: number): Promise<Response | undefined> {
    return this.pause(exchange, (end) => {
      const timer = setTimeout(() => end(false), ms);
      return () => clearTimeout(timer);
    });
  }

  /** A pause until it is released through `held`. Resolves as `sleep` does. */
  hold(exchange: Waiting, held: Set<EndPause>): Promise<Response | undefined> {
    return this.pause(exchange, (end) => {
      held.add(end);
      return () => held.delete(end);
    });
  }

  cutAll(): void {
    for (const end of [...this.ends]) end(true);
  }

  /** `begin` starts whatever will end the pause, and returns a function that cancels it. */
  private pause({ outgoing }: Waiting, begin: (end: EndPause) => () => void): Promise<Response | undefined> {
    if (this.ends.size >= MOST_WAITING) {
      outgoing.destroy();
      return Promise.resolve(unanswered);
    }
    return new Promise<Response | undefined>((resolve) => {
      const end = (cut: boolean) => {
        forget();
        this.ends.delete(end);
        if (cut) outgoing.destroy();
        resolve(cut ? unanswered : undefined);
      };
      const forget = begin(end);
      this.ends.add(end);
    });
  }
}
