import type { Clock } from "../base/clock";
import { AgentPlatformError, CancelledError, messageOf } from "../base/errors";
import type { JsonObject } from "../base/json";
import type { Registered } from "../lifecycle/observe/declarations";
import type { Call } from "../lifecycle/observe/context";

/** What the calls of a plugin share: the clock, what they were asked about, and the end that a person may set to all of them. */
export class PluginRun {
  private readonly byUrn = new Map<string, Registered>();
  private hasFailed = false;
  /** What depends on the resource of that call gets no values from it. */
  hasFailedCall = false;
  private readonly controller = new AbortController();
  readonly signal: AbortSignal = this.controller.signal;
  private readonly given = new Set<string>();
  private underWay = 0;
  private idle: (() => void) | undefined;

  /** Rejects when the run is cancelled: one for all, since Node warns of a signal with many listeners. */
  private readonly cancelled: Promise<never>;

  constructor(private readonly clock: Clock) {
    this.cancelled = new Promise((_, reject) => {
      const reason = new AgentPlatformError("a part of it failed, or the run was cancelled");
      this.signal.addEventListener("abort", () => reject(reason));
    });
    this.cancelled.catch(() => undefined);
  }

  /** Ends the waits. Requests under way are answered first: an object that was made must reach the state. */
  cancel(): void {
    // The engine also cancels a run that has ended, when nothing is under way any more.
    if (this.underWay > 0) this.fail();
    this.controller.abort(new CancelledError());
  }

  /** What a component's parts come to, for as long as the run is there (docs/internals/engine.md, trap 59). */
  ofParts<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.cancelled]);
  }

  /** @param seconds How long the call may take (customTimeouts); 0: as long as the resource's own limits allow. */
  call(urn: string, seconds = 0): Call {
    const deadline = seconds > 0 ? this.clock.now() + seconds * 1000 : undefined;
    return { urn, deadline };
  }

  register(resource: Registered): void {
    this.byUrn.set(resource.urn, resource);
  }

  /** @param outputs Those that the run gives the resource or changes. */
  identify(urn: string, id: string, outputs: JsonObject): void {
    const known = this.byUrn.get(urn);
    if (known !== undefined) this.byUrn.set(urn, { ...known, id, outputs });
  }

  /** What the program registered; undefined if something went wrong, so that the rest of the program may be missing. */
  registered(): Registered[] | undefined {
    return this.hasFailed ? undefined : [...this.byUrn.values()];
  }

  /** Says that the run does not do what the program declares. */
  fail(): void {
    this.hasFailed = true;
  }

  /** What an error says: an advice that the run has given is not repeated, since one cause may meet every resource. */
  tell(error: unknown): string {
    if (!(error instanceof AgentPlatformError) || error.advice === undefined) return messageOf(error);
    if (this.given.has(error.advice)) return error.brief;
    this.given.add(error.advice);
    return error.message;
  }

  /** Counts the calls that are not answered yet. */
  async track<T>(work: Promise<T>): Promise<T> {
    this.underWay += 1;
    try {
      return await work;
    } catch (error) {
      this.hasFailedCall = true;
      this.fail();
      throw error;
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
