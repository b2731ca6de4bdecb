import { sameJson, type JsonObject } from "../../base/json";

/** The paths of `ignoreChanges`, kept beside the inputs of an object. Only the native protocol passes them. */
export const IGNORED = "__ignored";

/** What a resource may know of the program. */
export interface Declared {
  /**
   * The inputs of an object of this platform: those in state, then the declared ones. Under its id, they include the outputs. Empty if this process has
   * not seen the object. @param key Its name, or its id.
   */
  of(kind: string, key: string): readonly JsonObject[];
}

/** A resource of the program, as far as the engine has asked about it. */
export interface Registered {
  readonly kind: string;
  readonly urn: string;
  readonly inputs: JsonObject;
  /** The id, if this run creates or changes the resource; unknown at a preview that creates it. */
  readonly id?: string;
  /** The outputs that the run gives it or changes, as far as a preview knows. */
  readonly outputs?: JsonObject;
}

/**
 * The program's declarations, as the checks of this process have seen them. The engine checks a resource before it creates any that depends on it, so
 * a resource can find out here what the platform does not show about another one: which values are secret.
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
