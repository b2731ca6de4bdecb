import type { FaultInput } from "./fault";

/** Faults that are on from the start. */
export interface FaultOptions {
  /** `emulator.faults` switches more (faults/fault.ts). @default none */
  readonly faults?: readonly FaultInput[];
  /** Seeds all that faults draw: probability and jitter. @default 1 */
  readonly seed?: number;
}

/** The options with every default filled in. */
export interface FaultSettings {
  readonly faults: readonly FaultInput[];
  readonly seed: number;
}

export function faultSettings(options: FaultOptions): FaultSettings {
  return { faults: options.faults ?? [], seed: options.seed ?? 1 };
}
