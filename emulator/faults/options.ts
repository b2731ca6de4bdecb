import type { FaultInput, FaultKind } from "./fault";
import { faultSchema } from "./fault-schema";

/** All kinds, in the order of the schema. */
export const faultKinds: readonly FaultKind[] = faultSchema.options.map((option) => option.shape.kind.value);

/** The faults of an emulator. */
export interface FaultOptions {
  /** Faults that are on from the start (faults/fault.ts); `emulator.faults` adds more. @default none */
  readonly faults?: readonly FaultInput[];
  /** Seed of all random draws of faults: probability and jitter. @default 1 */
  readonly seed?: number;
}
