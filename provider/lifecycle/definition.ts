import type { Connection } from "../base/connection";
import type { JsonObject } from "../base/json";
import type { Declared } from "./observe/declarations";
import type { Change } from "./fields/diff";
import type { Path, Problem } from "./fields/fields";
import { problemsOfInputs, type ExpectedRefusals } from "./fields/schema";
import type { Context, Found, State } from "./observe/context";
import type { FilledIn } from "./observe/shortest-declaration";
import type { Observable } from "./observe/observable";
import type { Observation } from "./observe/observation";

/** An input that references an object of the platform by its id. */
export interface Reference {
  readonly path: Path;
  /** The noun for such an object: "listener". */
  readonly one: string;
  /** Looks for it. @param inputs The whole declaration; values may be unknown. */
  readonly observe: (context: Context, id: string, inputs: JsonObject) => Promise<Observation<unknown>>;
  /** What to do where it does not exist: a whole sentence. */
  readonly remedy: string;
}

/** What {@link ResourceDefinition.refuse} judges. Values may be unknown. */
export interface Proposed {
  /** What the state holds; empty for a new object. */
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Empty for a new object. */
  readonly changes: readonly Change[];
  /** Undefined until it is known. */
  readonly connection: Connection | undefined;
  readonly program: Declared;
}

/** A resource that is about to be created. */
export interface Wanted<Inputs, Live> {
  readonly type: ResourceDefinition<Inputs, Live>;
  readonly inputs: Inputs;
  /** The inputs as the program declares them, with its controls (`adopt`). */
  readonly declared: JsonObject;
  /** The resource for messages: `SandboxTemplate "code"`. */
  readonly what: string;
  /** The object that an earlier create of this run made for this resource but did not finish: an error hook has made the engine call create again. */
  readonly begunId: string | undefined;
  /** Whether this program is about to delete the object, because a new one takes its place. */
  readonly isBeingReplaced: (object: Found<Live>) => boolean;
  /** Whether another resource of this program has the object. */
  readonly isHeld: (object: Found<Live>) => boolean;
  /** Records that this resource holds the object. Throws if another one holds it. */
  readonly claim: (object: Found<Live>, what: string) => void;
}

/** An object that was made or taken over. */
export interface Made<Live> extends Found<Live> {
  /** Why it already existed: the program adopts it, or an attempt that was cut off created it. @default this create made it */
  readonly origin?: "adopted" | "cut off";
}

/** How a delete ended: the object was there and is gone, it was not there, or the platform cannot delete it and `left` stays. */
export type Deletion = "deleted" | "absent" | { readonly left: string };

/**
 * A resource type: a table and a few functions. Everything else (check, diff, ownership, origin, the shape of state) is written once for all types,
 * around these functions. Code that several types share is a helper that they call (create.ts, rest/rest-resource.ts, wait/wait.ts). Each
 * function may assume that its arguments were checked.
 */
export interface ResourceDefinition<Inputs, Live> extends Observable<Live> {
  /**
   * Creates the object, or takes it over, and returns when it can be used. Types with an object on the platform call {@link createObject}. Throws
   * `UnfinishedError` if the object exists but is not finished: the next `up` then calls `update`.
   */
  create(context: Context, wanted: Wanted<Inputs, Live>): Promise<Made<Live>>;
  /** Makes the object equal to the inputs, with the body of `patch`; the id stays. Without changes, it only finishes an unfinished create. */
  update(context: Context, state: State, inputs: Inputs, changes: readonly Change[]): Promise<Live>;
  /** Removes the object, and returns when it is gone. */
  delete(context: Context, state: State): Promise<Deletion>;
  /**
   * The bodies of a creation: that of the POST, and that of the PATCH with the inputs that the POST does not accept. Pure: a preview also calls it, with
   * unknown values. @param key The resource's own key ({@link OwnKey}), or empty. @default nothing is sent
   */
  readonly creation?: (inputs: Inputs, key: string) => readonly JsonObject[];
  /**
   * The body of the PATCH that makes only these changes; empty if there is nothing to send. Pure, as `creation`.
   * @param live Undefined if nothing was read: the previous declaration then stands in for it. @default nothing is sent
   */
  readonly patch?: (inputs: Inputs, changes: readonly Change[], before: JsonObject, live?: Live) => JsonObject;
  /** True if a PATCH with this body makes a revision. @default none does */
  readonly makesRevision?: (body: JsonObject) => boolean;
  /** Whether a PATCH that makes a revision may also send this unchanged field, depending on the live object. @default none does */
  readonly goesAlong?: (change: Change, outputs: JsonObject) => boolean;

  /** Rules that the table cannot express, because they need the connection, or the inputs before and after. Runs at preview. */
  readonly refuse?: (proposed: Proposed) => Iterable<Problem>;
  /**
   * Inputs that the platform is known to refuse although the schema accepts them. Runs at preview: values may be unknown. Under
   * `checks: platform` these are warnings, so that a platform that accepts more stays usable.
   */
  readonly expectedRefusals?: ExpectedRefusals;
  /** The inputs that reference other objects by id; an online preview checks that these exist (online-preview.ts). @default nothing */
  readonly references?: readonly Reference[];
  /** The values of a live object that the platform filled in by itself: a declaration written for it leaves them out. @default nothing */
  readonly filledIn?: FilledIn;
  /**
   * The computed outputs that an update to these inputs does not change, beside those that never change: a preview then does not show resources that
   * use them as changed. Values may be unknown. @param before The outputs in state. @default none
   */
  readonly stableOutputs?: (inputs: JsonObject, program: Declared, before: JsonObject) => readonly string[];
  /** True if the outputs show that a difference is not a change; for cases that a rule on one field cannot express. */
  readonly suppressDiff?: (change: Change, state: JsonObject, after: JsonObject) => boolean;
}

/** Whether the table has nothing against these inputs. It accepts unknown values everywhere. @param unread As in {@link unreadIn}. */
export const areInputs = <Inputs, Live>(
  { table }: ResourceDefinition<Inputs, Live>,
  inputs: JsonObject,
  unread: readonly string[] = [],
): inputs is JsonObject & Inputs =>
  problemsOfInputs(table, inputs).every(({ path }) => unread.includes(String(path[0])));
