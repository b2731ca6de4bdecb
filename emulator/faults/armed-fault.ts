import type { Clock } from "../base/clock";
import type { LogEntry } from "../base/exchange";
import { type Fault, type FaultPhase, phaseOf } from "./fault";
import type { ActiveFault } from "./fault-switch";
import type { EndPause } from "./pauses";
import { pathMatches } from "./trigger";

/** A fault that is on: decides which requests it strikes, and counts them. */
export class ArmedFault implements ActiveFault {
  readonly phase: FaultPhase;
  /** Ends what it holds. */
  readonly held = new Set<EndPause>();
  readonly reached: Promise<LogEntry>;
  /** Tells of the first request that it strikes. */
  reach: (entry: LogEntry) => void = () => undefined;
  fired = 0;
  private candidates = 0;
  private endsAt = Infinity;

  constructor(
    readonly id: number,
    readonly fault: Fault,
    readonly random: () => number,
    private readonly clock: Clock,
    private readonly disarm: (fault: ArmedFault) => void,
  ) {
    this.phase = phaseOf(fault);
    this.reached = new Promise((resolve) => (this.reach = resolve));
  }

  get isSpent(): boolean {
    const { kind, nth, count = kind === "hold" || nth !== undefined ? 1 : Infinity } = this.fault;
    return this.fired >= count || this.clock.now() >= this.endsAt;
  }

  covers(method: string, path: string): boolean {
    const { method: wanted, path: pattern } = this.fault;
    return (wanted === "*" || wanted === method) && pathMatches(pattern, path);
  }

  /** Counts one request that the fault covers and could strike. Returns whether it does. */
  take(): boolean {
    const { nth = 1, probability, forMs = Infinity } = this.fault;
    this.candidates += 1;
    if (this.candidates < nth || this.isSpent) return false;
    // Faults of probability 1 draw no random number, so that adding one does not change the draws of jitter.
    if (probability < 1 && this.random() >= probability) return false;
    if (this.fired === 0) this.endsAt = this.clock.now() + forMs;
    this.fired += 1;
    return true;
  }

  release(): void {
    for (const end of this.held) end(false);
  }

  remove(): void {
    this.disarm(this);
    this.release();
  }
}
