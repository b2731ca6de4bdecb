import { realClock, type Clock } from "../base/clock";
import { RequestLimits } from "../http/limiter";
import { Claims } from "./claims";
import type { Log } from "./context";
import { WriteCounter } from "./writes";

/** What all resources of one process share. Made in one place a process; nothing in this provider is global beside it. */
export interface Session {
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly clock: Clock;
  /** A number in [0, 1), to spread retries and polls. */
  readonly random: () => number;
  /** Called before each request that changes something: ends the process if the engine that records its work is gone. */
  readonly checkAlive: () => Promise<void>;
  /** What each address and key may send. */
  readonly limits: RequestLimits;
  /** What one resource writes ends what another keeps of a list. */
  readonly writes: WriteCounter;
  /** Which object has which resource. */
  readonly claims: Claims;
}

const SILENT: Log = { progress: () => undefined, warn: () => undefined };

/** A session of its own: silent, alive and on the real clock unless it is given otherwise. */
export function createSession(given: Partial<Omit<Session, "limits">> = {}): Session {
  const { clock = realClock } = given;
  return {
    environment: {},
    log: SILENT,
    random: Math.random,
    checkAlive: () => Promise.resolve(),
    writes: new WriteCounter(),
    claims: new Claims(),
    ...given,
    clock,
    limits: new RequestLimits(clock),
  };
}
