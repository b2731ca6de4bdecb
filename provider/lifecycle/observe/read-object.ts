import type { JsonObject } from "../../base/json";

// Not in reader.ts: the SDK's type declarations use these types, and must not import zod.

/** An object as a reader shows it. */
export interface ReadObject {
  readonly id: string;
  /** Its declaration, as far as the platform shows it; null if the platform has no value. */
  readonly inputs: JsonObject;
  /** The inputs and the computed outputs. */
  readonly outputs: JsonObject;
  /** What else the platform shows, if anything: the status of a deployment. */
  readonly details: JsonObject;
}

/**
 * Identifies an object by its id (for a template also its name) with its outputs in state, or by its name (for an OAuth provider its providerId).
 * `outputs` are absent if no state holds it; `inputs` are those of the resource that creates, adopts or only reads it.
 */
export type Key =
  | { readonly id: string; readonly outputs?: JsonObject; readonly inputs?: JsonObject }
  | { readonly name: string; readonly inputs?: JsonObject };
