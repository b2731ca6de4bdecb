import type { Connection } from "../base/connection";
import type { JsonObject } from "../base/json";
import type { Declared } from "./fields/declarations";
import type { Change } from "./fields/diff";
import type { Path } from "./fields/fields";
import type { ExpectedRefusals, FromTable, Problem } from "./fields/schema";
import type { Table } from "./fields/table";
import type { Adoptable } from "./identity/adopt";
import type { Creatable } from "./identity/create";
import type { Deletion } from "./observe/confirm-absence";
import type { Context, Found, State } from "./observe/context";
import type { FilledIn } from "./observe/declaration";
import type { Observation } from "./observe/observation";

/** An input that names something of the platform by its id. */
export interface Reference {
  readonly path: Path;
  /** What it is: "listener". */
  readonly one: string;
  /** Looks for it. @param inputs The whole declaration; values may be unknown. */
  readonly observe: (context: Context, id: string, inputs: JsonObject) => Promise<Observation<unknown>>;
  /** What to do where it does not exist: a whole sentence. */
  readonly remedy: string;
}

/**
 * A resource: data and a few functions. Everything else (check, diff, what is declared, identity of the origin, the shape of
 * state) is written once for all of them. How its objects are found, created and adopted is described in the rooms that do it:
 * observe/observable.ts, identity/create.ts and identity/adopt.ts. Each verb may assume that its arguments were checked.
 */
export interface ResourceDefinition<Inputs, Live>
  extends FromTable<Inputs>, Creatable<Inputs, Live>, Adoptable<Inputs, Live> {
  /** Which base URL its requests go to. */
  readonly api: "control" | "sandbox";
  /** Its fields, and the words for its objects. */
  readonly table: Table;
  readonly naturalKey: (keyof Inputs & string) | undefined;
  /** Inputs that other resources of the process may need to know (`context.declared`); for a type with a natural key. @default none */
  readonly remembered?: readonly (keyof Inputs & string)[];
  /** Inputs that the SDK's class fills in, for programs without it. @param secrets The properties that hold a secret. */
  readonly fill?: (secrets: readonly string[]) => JsonObject;

  /** Rules that data cannot express, because they need the inputs before and after. Runs at preview: values may be unknown. */
  readonly refuse?: (before: JsonObject, after: JsonObject, changes: readonly Change[]) => Problem[];
  /**
   * The problems of something that is about to act through this connection: new, or changed. Runs at preview, and before anything is sent: values
   * may be unknown. @default none
   */
  readonly refuseThrough?: (connection: Connection, inputs: JsonObject) => Problem[];
  /**
   * What the platform is known to refuse although the schema takes it. Runs at preview: values may be unknown. A platform that is laxer or
   * newer stays usable: under `checks: platform` these are warnings.
   */
  readonly expectedRefusals?: ExpectedRefusals;
  /** What of a live object the platform has filled in by itself: a declaration written for it leaves that out. @default nothing */
  readonly filledIn?: FilledIn;
  /** What inputs name by the id that the platform has for it. Asked about at a preview that may ask (online-preview.ts). @default nothing */
  readonly references?: readonly Reference[];

  /**
   * The computed outputs that an update to these inputs leaves as they are, beside those that never change: a preview that knows them does not
   * call what uses them changed. Values may be unknown. @default none
   */
  readonly stableOutputs?: (inputs: JsonObject, declared: Declared) => readonly string[];
  /** True if the outputs show that a difference is not a change; for cases that a rule on one field cannot express. */
  readonly suppressDiff?: (change: Change, state: JsonObject, after: JsonObject) => boolean;

  /**
   * The body of the PATCH that makes only these changes; empty if there is nothing to send. Pure: a preview asks for it, too, with values that are not
   * known yet. @param live Undefined where nothing was read: what was declared then stands for it. @default nothing is sent
   */
  readonly patch?: (inputs: Inputs, changes: readonly Change[], before: JsonObject, live?: Live) => JsonObject;
  /** The platform's names of inputs that share a field of a body. @default none do */
  readonly carriedBy?: Readonly<Record<string, string>>;
  /** True if a PATCH with this body makes a revision. @default none does */
  readonly makesRevision?: (body: JsonObject) => boolean;
  /** Whether a PATCH that makes a revision may have an unchanged field in it, because of what is live. @default none has */
  readonly goesAlong?: (change: Change, outputs: JsonObject) => boolean;
  /**
   * Waits until an object that was just made, or taken over, is of use. No state knows of it before that: a run that is cut off has to find it
   * again (`create.own`). @default it is of use at once
   */
  readonly settle?: (context: Context, found: Found<Live>, inputs: Inputs) => Promise<Live>;
  /** Only a new object mends a problem (`toProblem`). @default an update does */
  readonly problemReplaces?: true;
  /** Removes the object, and returns when it is gone. */
  delete(context: Context, state: State): Promise<Deletion>;
}
