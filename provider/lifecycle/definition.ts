import type { z } from "zod";

import type { Kind } from "../kinds";
import type { Clock } from "../base/clock";
import type { Connection } from "../base/connection";
import type { Change } from "./diff";
import type { FieldRules } from "./fields";
import type { JsonObject } from "../base/json";
import type { KeptList, Listing, Writes } from "./kept-list";
import type { Lookup } from "./lookup";
import type { Problem } from "./schema";
import type { Workspace, Workspaces } from "./workspace";
import type { Send } from "../http/request";

/** The inputs of a resource: a schema that accepts unknown values at every node (`inputsSchema`), and the names of its properties. */
export interface InputsSchema<Inputs> {
  readonly schema: z.ZodType<Inputs>;
  readonly properties: readonly string[];
}

/** What a verb of a definition works with. */
export interface Context {
  readonly connection: Connection;
  /** Sends to the API that the definition names. */
  readonly send: Send;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** Those of this process. */
  readonly writes: Writes;
  /** What the answers to this connection have told of the workspace that its key opens. */
  readonly workspaces: Workspaces;
  /** Makes sure that somebody still records what is done; `send` does so by itself. */
  readonly checkAlive: () => Promise<void>;
}

/** Where a wait is. */
export interface Progress {
  /** What is waited for, and its status: "desk: revision r is BUILDING". */
  readonly status: string;
  readonly waitedMs: number;
  /** What a person who watches should know. */
  readonly note?: string;
  readonly urn?: string;
}

/** What a person sees while a verb runs. */
export interface Log {
  /**
   * A line that is replaced by the next one, and gone at the end. Shown where the status is another one than before, or every 15 seconds.
   * @param urn The resource on whose row it stands; the stack's where absent.
   */
  progress(progress: Progress): void;
  /** A lasting line. */
  warn(message: string): void;
}

/** What the state holds of an object: the declared inputs, and the outputs that no input declares. */
export interface State {
  readonly id: string;
  readonly outputs: JsonObject;
}

/** One object of the platform, as a verb found or left it. */
export interface Found<Live> {
  readonly id: string;
  readonly live: Live;
}

/** How a delete ended: the object was there and is gone, it was not there, or the platform cannot delete it: with what is left. */
export type Deletion = "deleted" | "absent" | { readonly left: string };

/**
 * A resource: data and a few functions. Everything else (check, diff, what is declared, identity of the origin, the shape of
 * state) is written once in handler.ts. Each verb may assume that its arguments were checked.
 */
export interface ResourceDefinition<Inputs, Live> {
  readonly kind: Kind;
  /** Which base URL its requests go to. */
  readonly api: "control" | "sandbox";
  readonly inputs: InputsSchema<Inputs>;
  readonly fields: FieldRules;
  /** The input whose value can be taken by another object of the tenant; undefined where there is none. */
  readonly naturalKey: (keyof Inputs & string) | undefined;
  /** Verbs that contract `documented` has no endpoint for. */
  readonly undocumented: readonly ("list" | "read" | "update" | "delete")[];
  /** Rules that need the inputs before and after; for what data cannot say. Runs at preview: values may be unknown. */
  readonly refuse?: (before: JsonObject, after: JsonObject, changes: readonly Change[]) => Problem[];

  /** True for a difference that is none in the light of the outputs; for what a rule on one field cannot say. */
  readonly isSettled?: (change: Change, state: JsonObject, after: JsonObject) => boolean;

  /** Looks for an object by its id, else by its natural key. Absent only where it surely does not exist. */
  readonly find?: (
    context: Context,
    key: { readonly name: string; readonly id: string | undefined },
  ) => Promise<Lookup<Found<Live>>>;

  /** All objects of the tenant. Answers reads, so that a refresh takes a request a page and none per object. */
  readonly list?: KeptList<Live>;

  /** Makes the object, surely at most once (docs/design.md, Creating once). */
  create(context: Context, inputs: Inputs): Promise<Found<Live>>;
  /**
   * Looks, without changing anything. Absent only where the object surely is; unsupported where this platform cannot tell: the
   * state is then kept. With empty outputs (`X.get`) there is only the id.
   * @param listed The list in which the object was not; undefined where none was looked at.
   */
  read(context: Context, state: State, listed?: Listing<Live>): Promise<Lookup<Found<Live>>>;
  /** Makes the object equal to the inputs; the id stays. */
  update(context: Context, state: State, inputs: Inputs, changes: readonly Change[]): Promise<Live>;
  /** Removes the object, and returns when it is gone. */
  delete(context: Context, state: State): Promise<Deletion>;
  /** Outputs that states of earlier versions lack: to gain one is no drift of an object that is only read. @default none */
  readonly laterOutputs?: readonly string[];
  /** The workspace that an object is in, as far as its answer says; undefined where answers never say. */
  readonly workspaceOf?: (live: Live) => Workspace;
  /** False where the name alone says that it is the object of the state: under another key it may be another workspace's. @default true */
  isSurely?(live: Live, state: State): boolean;

  /** What is live, in the vocabulary of the inputs; absent where the answer does not say. `outputs` so far tell apart what the wire mixes. */
  toInputs(live: Live, outputs: JsonObject): JsonObject;
  /** What is wrong with a live object, on a line, and calls for the next `up`; undefined unless something is. */
  toProblem?(live: Live, outputs: JsonObject): string | undefined;
  /** True where an answer shows the values of a write-only field: it can then be compared like any other. */
  showsWriteOnly?(live: Live): boolean;
  /** The outputs that no input declares; undefined where the answer does not say. `before`: the outputs so far, empty after a create. */
  toComputed(live: Live, before: JsonObject): JsonObject;
}
