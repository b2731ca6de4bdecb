// What the pages show, as data: made by the server, sent as events, and drawn by the components on both sides. Times are milliseconds
// since the epoch by the emulator's clock.

/** How something looks; its name always stands beside it. */
export type Tone = "good" | "bad" | "warn" | "idle" | "busy";

/** Something that is switched on, and where to switch it off. */
export interface SwitchedOn {
  readonly id: string;
  readonly what: string;
  readonly detail: string;
  readonly isSpent: boolean;
  readonly off: string;
  /** Where to let go what it holds; undefined unless it holds requests. */
  readonly release: string | undefined;
}

/** One page of a list. */
export interface Section<R> {
  readonly rows: readonly R[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

/** Which revision serves, and what the latest one does about it. */
export interface WhatServes {
  readonly text: string;
  readonly tone: Tone;
}

export interface ObjectRow {
  readonly id: string;
  readonly name: string;
  /** Of a deployment. */
  readonly serving: WhatServes | undefined;
  readonly cells: readonly string[];
}

/** The objects of one type. */
export interface ObjectList {
  readonly collection: string;
  readonly title: string;
  readonly head: readonly string[];
  readonly section: Section<ObjectRow>;
}

export interface EnvironmentView {
  readonly kind: "environment";
  readonly lists: readonly ObjectList[];
  readonly address: string;
  /** The file that holds the API key; undefined where the emulator was not told of one. */
  readonly keyFile: string | undefined;
}

/** A setting of an object, by its path. */
export interface ShownSetting {
  readonly path: string;
  readonly value: string;
  /** Its path on the wire, where that is another one. */
  readonly wire?: string | undefined;
}

export interface ShownLine {
  readonly id: string;
  readonly at: number;
  readonly level: string;
  readonly message: string;
}

export interface RevisionRow {
  readonly id: string;
  /** Counted from 1, oldest first. */
  readonly number: number;
  readonly status: string;
  /** How long it was in each status, so far. */
  readonly times: string;
  /** The number of the one that it deploys once more. */
  readonly again: number | undefined;
  readonly createdAt: number;
  readonly image: string | null;
  readonly commit: string | null;
  readonly isActive: boolean;
  /** Whether its log is what to look at first: it failed, and no newer revision serves. */
  readonly hasFailed: boolean;
  /** What comes back if it is deployed once more; undefined unless it was DEPLOYED, and another one serves. */
  readonly comesBack: string | undefined;
  readonly log: readonly ShownLine[];
}

export interface ObjectView {
  readonly kind: "object";
  readonly id: string;
  readonly name: string;
  readonly serving: WhatServes | undefined;
  /** Of a deployment: why its agent cannot be asked; undefined if it can. */
  readonly silence: string | undefined;
  readonly settings: readonly ShownSetting[];
  /** The latest, newest first; none but of a deployment. */
  readonly revisions: readonly RevisionRow[];
  /** How many there are in all. */
  readonly made: number;
  /** The latest requests for it. */
  readonly requests: readonly RequestRow[];
}

/** What a page says once its object is gone. */
export interface GoneView {
  readonly kind: "gone";
  readonly what: string;
}

export interface RequestRow {
  readonly seq: number;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** null until it is answered. */
  readonly status: number | null;
  /** The kind of the fault that struck it. */
  readonly fault: string | null;
}

export interface RequestsView {
  readonly kind: "requests";
  readonly requests: Section<RequestRow>;
}

export interface RequestView {
  readonly kind: "request";
  readonly request: RequestRow;
  readonly query: readonly { readonly parameter: string; readonly value: string }[];
  readonly phase: string;
  readonly tenant: string | null;
  readonly body: string | null;
}

/** The page that breaks things: only what is switched on is live. */
export interface BreakView {
  readonly kind: "break";
}

export type Shown = EnvironmentView | ObjectView | GoneView | RequestsView | RequestView | BreakView;
export type View = Shown & { readonly switchedOn: readonly SwitchedOn[] };
