import type { LogEntry } from "../base/exchange";
import type { Fault, FaultInput } from "./fault";

/** A fault that is switched on, as a list shows it. */
export interface ListedFault {
  /** Distinguishes it from every other fault of this emulator. */
  readonly id: number;
  readonly fault: Fault;
  /** How many requests it has struck. */
  readonly fired: number;
  /** Whether it will strike no more: it has struck as often as it should, or its time is up. */
  readonly isSpent: boolean;
  /** Lets all requests that it holds now (kind "hold") go on, even those whose client has left. */
  release(): void;
  /** Switches it off and releases what it holds. */
  remove(): void;
}

/** A fault that was switched on. */
export interface ActiveFault extends ListedFault {
  /** Resolves with the log entry of the first request that it strikes, at that moment. Never rejects. */
  readonly reached: Promise<LogEntry>;
}

/** Switches the faults of an emulator on and off. */
export interface FaultSwitch {
  /** All that are on, in the order in which they were added. */
  readonly list: readonly ListedFault[];
  /**
   * Switches a fault on. All faults that fit a request strike it, in the order in which they were added, up to one that leaves nothing to strike: a
   * cut connection, or a throttled body. Throws EmulatorError on a fault that is not valid.
   */
  add(fault: FaultInput): ActiveFault;
  /** Switches all faults off, including those of the options, and releases what they hold. */
  clear(): void;
}
