import type { JsonObject } from "../../base/json";

// Apart from reader.ts: the SDK's declarations name these types, and must not lead to zod.

/** An object as a reader shows it. */
export interface ReadObject {
  readonly id: string;
  /** Its declaration, as far as the platform shows it; null if the platform has no value. */
  readonly inputs: JsonObject;
  /** The inputs, and what no input declares. */
  readonly outputs: JsonObject;
  /** What else the platform shows, if anything: the status of a deployment. */
  readonly details: JsonObject;
}

/**
 * Which object: by its id (of a template also its name) with what a state knows of it, or by its name (of an OAuth provider its providerId).
 * Without outputs there is only the id; `inputs` are what else is known: of a resource that is about to adopt it, to be made, or that only reads it.
 */
export type Key =
  | { readonly id: string; readonly outputs?: JsonObject; readonly inputs?: JsonObject }
  | { readonly name: string; readonly inputs?: JsonObject };
