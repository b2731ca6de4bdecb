import type { LogEntry } from "../base/log-entry";
import type { FaultInput } from "./fault";

/** A fault that is switched on. */
export interface ActiveFault {
  /** How many requests it has struck. */
  readonly fired: number;
  /** Resolves with the log entry of the first request that it strikes, at that moment. Never rejects. */
  readonly reached: Promise<LogEntry>;
  /** Lets all requests go on that it holds now (kind "hold"), also those whose client has gone. */
  release(): void;
  /** Switches it off and releases what it holds. */
  remove(): void;
}

/** Switches the faults of an emulator on and off. */
export interface FaultSwitch {
  /**
   * Switches a fault on. All that fit a request strike it, in the order of adding, up to one that leaves nothing to strike: a
   * cut connection, or a throttled body. Throws EmulatorError on a fault that is not valid.
   */
  add(fault: FaultInput): ActiveFault;
  /** Switches all faults off, also those of the options, and releases what they hold. */
  clear(): void;
}
