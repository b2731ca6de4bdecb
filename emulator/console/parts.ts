import type { Tenant } from "../base/exchange";
import type { FaultSwitch } from "../faults/fault-switch";
import type { RevisionOutcomes } from "../platform/revision-outcomes";
import type { RouteServices } from "../routes/route";
import type { OwnRequest } from "../server/own-requests";
import type { SocketEnds } from "../server/request-handler";
import type { RequestLog } from "../server/request-log";

/** The parts of the emulator that the console looks at and works. */
export interface ConsoleParts extends RouteServices {
  readonly log: RequestLog;
  readonly faults: FaultSwitch;
  readonly outcomes: RevisionOutcomes;
  readonly tenants: readonly Tenant[];
  /** The file that holds the first tenant's key: commands on the pages name it, and never the key. */
  readonly keyFile: string | undefined;
  /** Resolves once everything in the store is safe. */
  readonly commit: () => Promise<void>;
  /** Asks the routes, all of them, whatever contract the emulator serves. */
  readonly ask: (request: OwnRequest, connection: SocketEnds) => Promise<Response>;
}
