import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { z } from "zod";
import type { Clock } from "../base/clock";
import type { Tenant } from "../base/exchange";
import type { FaultSwitch } from "../faults/fault-switch";
import type { RevisionOutcomes } from "../platform/revision-outcomes";
import type { RouteServices } from "../routes/route";
import type { OwnRequest } from "../server/own-requests";
import type { SocketEnds } from "../server/request-handler";
import type { RequestLog } from "../server/request-log";
import type { Store } from "../store/store";
import type { KnownSecrets } from "./known-secrets";
import type { OpenPages } from "./live";
import type { SessionAuth } from "./session-auth";
import type { Traffic } from "./traffic";
import type { Shown } from "./views";

/** The parts of the emulator that the console looks at and works. */
export interface ConsoleParts {
  readonly clock: Clock;
  /** The clock of the machine: paces events, even where the emulator's own clock stands still. */
  readonly pace: Clock;
  readonly store: Store;
  readonly log: RequestLog;
  readonly faults: FaultSwitch;
  readonly outcomes: RevisionOutcomes;
  readonly services: RouteServices;
  readonly tenants: readonly Tenant[];
  /** The file that holds the first tenant's key: commands on the pages name it, and never the key. */
  readonly keyFile: string | undefined;
  /** Resolves once everything in the store is safe. */
  readonly commit: () => Promise<void>;
  /** Asks the routes, all of them, whatever contract the emulator serves. */
  readonly ask: (request: OwnRequest, connection: SocketEnds) => Promise<Response>;
}

/** What every request of the console has at hand. */
export interface ConsoleServices extends ConsoleParts {
  readonly traffic: Traffic;
  readonly sessionAuth: SessionAuth;
  readonly secrets: KnownSecrets;
  readonly live: OpenPages;
}

export interface Env {
  Bindings: SocketEnds;
}
export type ConsoleContext = Context<Env>;

/** A query of a page, by name. */
export type Query = (name: string) => string | undefined;

/** Looks anew each time: what a page shows, and when that will change by itself. */
export type Look = () => { readonly shown: Shown; readonly nextAt: number };

/** A request that is refused: its status, and what a person reads. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    readonly title: string,
    readonly reason: string,
    /** To be corrected, and sent again. */
    readonly form?: Child,
  ) {
    super(title);
  }
}

/** More than any form has. */
const MOST_BYTES = 256 * 1024;
const formText = z.string().max(MOST_BYTES);

/** The fields of a form, the last of each name. */
export async function formOf(request: Request): Promise<ReadonlyMap<string, string>> {
  const type = request.headers.get("content-type") ?? "";
  const length = Number(request.headers.get("content-length") ?? 0);
  if (!type.startsWith("application/x-www-form-urlencoded"))
    throw new Refusal(415, "This is not a form", "Send a form.");
  if (length > MOST_BYTES) throw new Refusal(413, "This is too long", "No form is that long.");
  const text = formText.parse(await request.text());
  return new Map(new URLSearchParams(text));
}
