import type { Connection } from "../base/connection";
import type { JsonObject } from "../base/json";
import type { Answer } from "../http/request";
import type { Undeclared } from "./comparison";
import type { Context, Found, State } from "./context";
import type { Declared } from "./declarations";
import type { Change } from "./diff";
import type { FieldRules, Path } from "./fields";
import type { KeptList, Listing } from "./kept-list";
import type { Observation } from "./observation";
import type { InputsSchema, Problem } from "./schema";
import type { Table } from "./table";
import type { Workspace } from "./workspace";

/** Problems that the platform, and not the schema, has with these inputs. */
export type ExpectedRefusals = (inputs: JsonObject) => Problem[];

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

/** A verb that a contract may have no endpoint for. */
export type UndocumentedVerb = "list" | "create" | "read" | "update" | "delete";

/** How a delete ended: the object was there and is gone, it was not there, or the platform cannot delete it and `left` stays. */
export type Deletion = "deleted" | "absent" | { readonly left: string };

/** How to create an object, so that the lifecycle can do it at most once (docs/internals/design.md, Creating once). */
export interface Creation<Inputs, Live> {
  /** The body of the POST. Pure: a preview asks for it, too, with values that are not known yet. */
  body(inputs: Inputs): JsonObject;
  /** Sends the POST, once, with the body of `body`. */
  post(context: Context, inputs: Inputs, body: JsonObject): Promise<Answer<Live>>;
  /** Looks the object up by its natural key. */
  observe(context: Context, inputs: Inputs): Promise<Observation<Live>>;
  /** When the object was created, as the platform says. */
  createdAt(live: Live): string | null | undefined;
  /** The id in the state. */
  idOf(live: Live): string;
  /** The platform may accept a name that is taken, so `find` is called before the POST. @default false */
  readonly looksFirst?: boolean;
  /** Which undeclared live values make an object that was found a different one (comparison.ts). */
  readonly undeclared: Undeclared;
  readonly completion?: Completion<Inputs, Live>;
}

/** The paths of inputs of a live object; null in `inputs` where the platform has no value. */
export type FilledIn = (object: { readonly id: string; readonly inputs: JsonObject }) => readonly Path[];

/**
 * What a POST does not take: sent once the object is there. Where that fails, the object stays, and its outputs lack these inputs, so that
 * the next `up` sends them.
 */
export interface Completion<Inputs, Live> {
  readonly inputs: readonly (keyof Inputs & string)[];
  /** The body of the PATCH. */
  body(inputs: Inputs): JsonObject;
  send(context: Context, live: Live, inputs: Inputs, body: JsonObject): Promise<Live>;
}

/** What follows from the table. */
export interface FromTable<Inputs> {
  readonly kind: string;
  readonly inputs: InputsSchema<Inputs>;
  /** The rules of the diff. */
  readonly fields: FieldRules;
}

/**
 * A resource: data and a few functions. Everything else (check, diff, what is declared, identity of the origin, the shape of
 * state) is written once in resource.ts. Each verb may assume that its arguments were checked.
 */
export interface ResourceDefinition<Inputs, Live> extends FromTable<Inputs> {
  /** Which base URL its requests go to. */
  readonly api: "control" | "sandbox";
  /** Its fields, and the words for its objects. */
  readonly table: Table;
  /** The input whose value can be taken by another object of the tenant; undefined for a kind without names. */
  readonly naturalKey: (keyof Inputs & string) | undefined;
  /** Inputs that other resources of the process may need to know (`context.declared`); for a kind with a natural key. @default none */
  readonly remembered?: readonly (keyof Inputs & string)[];
  /** Inputs that the SDK's class fills in, for programs without it. @param secrets The properties that hold a secret. */
  readonly fill?: (secrets: readonly string[]) => JsonObject;
  /** Verbs that contract `documented` has no endpoint for. */
  readonly undocumented: readonly UndocumentedVerb[];
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

  /** Looks for an object by its id, else by its natural key. Absent only if it surely does not exist. */
  readonly observe?: (
    context: Context,
    key: { readonly name: string; readonly id: string | undefined },
  ) => Promise<Observation<Found<Live>>>;

  /** All objects of the tenant. Answers reads, so that a refresh sends one request per page instead of one per object. */
  readonly list?: KeptList<Live>;

  /** How to create the object: with a POST that the lifecycle sends once, or with a function, for a kind that has no object of its own. */
  readonly create: Creation<Inputs, Live> | ((context: Context, inputs: Inputs) => Promise<Found<Live>>);
  /**
   * Looks, without changing anything. Absent only if the object surely does not exist; unsupported if this platform cannot tell, and
   * the state is then kept. With empty outputs (`X.get`) there is only the id. Not for a kind without anything on the platform.
   * @param listed The list that lacks the object; undefined if no list was read.
   */
  read?(context: Context, state: State, listed?: Listing<Live>): Promise<Observation<Found<Live>>>;
  /**
   * The body of the PATCH that makes only these changes; empty if there is nothing to send. Pure: a preview asks for it, too, with values that are not
   * known yet. @param live Undefined where nothing was read: what was declared then stands for it. @default nothing is sent
   */
  readonly patch?: (inputs: Inputs, changes: readonly Change[], before: JsonObject, live?: Live) => JsonObject;
  /** The platform's names of inputs that share a field of a body. @default none do */
  readonly carriedBy?: Readonly<Record<string, string>>;
  /** True if a PATCH with this body makes a revision. @default none does */
  readonly makesRevision?: (body: JsonObject) => boolean;
  /** Makes the object equal to the inputs, with the body of `patch`; the id stays. */
  update(context: Context, state: State, inputs: Inputs, changes: readonly Change[]): Promise<Live>;
  /** Removes the object, and returns when it is gone. */
  delete(context: Context, state: State): Promise<Deletion>;
  /** Outputs that states of earlier versions lack. When an object that is only read gains one, that is not drift. @default none */
  readonly addedOutputs?: readonly string[];
  /** The output that distinguishes an object from one created later under the same id. @default none: ids are not reused */
  readonly incarnation?: string;
  /** The workspace that an object is in, as far as its answer says; undefined if answers never say. */
  readonly workspaceOf?: (live: Live) => Workspace;
  /** False if only the name identifies the object in state: under another key it may belong to another workspace. @default true */
  isSurely?(live: Live, state: State): boolean;

  /** The live object in the vocabulary of the inputs; a field is absent if the answer leaves it out. The `outputs` so far separate what the wire mixes. */
  toInputs(live: Live, outputs: JsonObject): JsonObject;
  /** The problem of a live object that the next `up` repairs, on one line; undefined unless it has one. */
  toProblem?(live: Live, outputs: JsonObject): string | undefined;
  /** True if an answer shows the values of a write-only field, which can then be compared like any other. */
  showsWriteOnly?(live: Live): boolean;
  /** The outputs that no input declares; undefined if the answer does not say. `before`: the outputs so far, empty after a create. */
  toComputed(live: Live, before: JsonObject): JsonObject;
  /** What a tool may want to know about a live object beyond its inputs and outputs; never in state. */
  toDetails?(live: Live): JsonObject;
}
