import type { Clock } from "../base/clock";
import { AgentPlatformError } from "../base/errors";
import type { Call } from "../lifecycle/observe/context";

/** What the calls of a plugin share: the clock, and the end that a person may set to all of them. */
export class PluginRun {
  private readonly controller = new AbortController();
  private underWay = 0;
  private idle: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  /** Aborted when the run is cancelled. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Ends the waits. Requests under way are answered first: an object that was made must reach the state. */
  cancel(): void {
    this.controller.abort(new AgentPlatformError("the run was cancelled"));
  }

  /** @param seconds How long the call may take (customTimeouts); 0: as long as the resource's own limits allow. */
  call(urn: string, seconds = 0): Call {
    const deadline = seconds > 0 ? this.clock.now() + seconds * 1000 : undefined;
    return { urn, deadline, signal: this.signal };
  }

  /** Counts the calls that are not answered yet. */
  async track<T>(work: Promise<T>): Promise<T> {
    this.underWay += 1;
    try {
      return await work;
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0) this.idle?.();
    }
  }

  /** Resolves once every call is answered. */
  ended(): Promise<void> {
    return this.underWay === 0 ? Promise.resolve() : new Promise((resolve) => (this.idle = resolve));
  }
}
