import type { FaultKind } from "./fault";
import { faultSchema } from "./fault-schema";

/** All kinds, in the order of the schema. */
export const faultKinds: readonly FaultKind[] = faultSchema.options.map((option) => option.shape.kind.value);
