import type { Runs } from "../agents/runs";
import type { Clock } from "../base/clock";
import type { Settings, Tenant } from "../options";
import type { RevisionOutcomes } from "../platform/revision-outcomes";
import type { Store } from "../store/store";

/** What the routes are made from. */
export interface Services {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly outcomes: RevisionOutcomes;
  readonly runs: Runs;
  /** The emulator's own address; known once it listens. */
  publicUrl(): string;
}

/** One authenticated request as a route sees it. */
export interface Call {
  readonly tenant: Tenant;
  /** The time of this request, the same for all that it does. */
  readonly now: number;
  /** A part of the path, decoded. */
  param(name: string): string;
  query(name: string): string | undefined;
  /** The body as it came. */
  readonly body: string;
  /** The JSON body; 422 when there is none. */
  json(): unknown;
}

/** One endpoint. Paths are written with `:name` for a part that varies. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** "documented": in both contracts. "extended": marked + in docs/platform.md, Endpoints. */
  readonly contract: "documented" | "extended";
  readonly handle: (call: Call) => Response | Promise<Response>;
}

/** The endpoints of one noun. Opens its collections at once, so that broken stored data is found at start. */
export type Noun = (services: Services) => readonly Route[];
