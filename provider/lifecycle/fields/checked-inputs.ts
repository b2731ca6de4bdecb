import { sameJson, type JsonObject } from "../../base/json";

/** Beside the inputs of an object: the paths whose changes the program ignores (`ignoreChanges`). Only the native protocol tells. */
export const IGNORED = "__ignored";

/** What a resource may know of the program. */
export interface Declared {
  /**
   * The inputs of an object of this platform: as they were in state, then as they are declared; by its id also its outputs. Empty if this process has not seen
   * them. @param key Its name, or its id.
   */
  of(kind: string, key: string): readonly JsonObject[];
}

/** A resource of the program, as far as the engine has asked about it. */
export interface Registered {
  readonly kind: string;
  readonly urn: string;
  readonly inputs: JsonObject;
  /** Of one that this run makes or changes; unknown at a preview that makes it. */
  readonly id?: string;
}

/**
 * What the program declares, as the checks of this process have seen it. The engine checks every resource of the program before anything
 * that depends on it is made, so that a resource can know here what the platform does not show of another one: which values are secret.
 */
export class Declarations {
  private readonly byObject = new Map<string, JsonObject[]>();

  /** @param object Identifies it among all that this process handles. */
  note(object: string, inputs: JsonObject): void {
    const known = this.byObject.get(object) ?? [];
    this.byObject.set(object, [...known.filter((each) => !sameJson(each, inputs)), inputs]);
  }

  of(object: string): readonly JsonObject[] {
    return this.byObject.get(object) ?? [];
  }
}
