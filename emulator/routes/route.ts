import type { AgentSettings } from "../agents/options";
import type { Runs } from "../agents/runs";
import type { Clock } from "../base/clock";
import type { Contract, Tenant } from "../base/exchange";
import type { EmulatedPlatform } from "../platform/platform";
import type { Store } from "../store/store";
import type { ResponseSettings } from "./options";

export interface RouteServices {
  readonly clock: Clock;
  /** Collections are opened while the routes are made, so that broken stored data is found at startup. */
  readonly store: Store;
  readonly platform: EmulatedPlatform;
  readonly runs: Runs;
  readonly agents: AgentSettings;
  readonly responses: ResponseSettings;
  /** The emulator's own address; known once it listens. */
  readonly publicUrl: () => string;
}

/** One request as a route sees it. */
export interface ApiRequest {
  readonly tenant: Tenant;
  /** The time of this request, the same for everything it does. */
  readonly now: number;
  /** A part of the path, decoded. */
  readonly param: (name: string) => string;
  readonly query: (name: string) => string | undefined;
  /** The whole query. */
  readonly search: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  /** All values of a name in the query: repeated, separated by commas, or both. */
  readonly queryList: (name: string) => readonly string[];
  readonly body: string;
  /** The JSON body; throws ApiError 422 unless the body is valid JSON. */
  readonly json: () => unknown;
}

/** One endpoint. Paths are written with `:name` for a part that varies. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** "documented": in both contracts. "extended": marked + in docs/internals/platform.md, Endpoints. */
  readonly contract: Contract;
  readonly handle: (request: ApiRequest) => Response;
}

export type RouteFactory = (services: RouteServices) => readonly Route[];
