import type { LogEntry } from "../base/log-entry";
import type { FaultInput } from "./fault";

/** A fault that is switched on. */
export interface ActiveFault {
  /** How many requests it has struck. */
  readonly fired: number;
  /** Resolves with the log entry of the first request that it strikes, at that moment. Never rejects. */
  readonly reached: Promise<LogEntry>;
  /** Lets all requests that it holds now (kind "hold") go on, even those whose client has left. */
  release(): void;
  /** Switches it off and releases what it holds. */
  remove(): void;
}

/** Switches the faults of an emulator on and off. */
export interface FaultSwitch {
  /**
   * Switches a fault on. All faults that fit a request strike it, in the order in which they were added, up to one that leaves nothing to strike: a
   * cut connection, or a throttled body. Throws EmulatorError on a fault that is not valid.
   */
  add(fault: FaultInput): ActiveFault;
  /** Switches all faults off, including those of the options, and releases what they hold. */
  clear(): void;
}
