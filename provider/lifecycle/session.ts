import { realClock } from "../base/clock";
import { type Tracer, UNTRACED } from "../base/spans";
import type { SendOptions } from "../http/client";
import { RequestLimits } from "../http/limiter";
import { Ownership } from "./identity/ownership";
import { Declarations } from "./observe/declarations";
import { PreviewSession } from "./preview-session";
import type { Log } from "./observe/context";

/** Shared by all resources of one process, and created in one place. Kept lists belong to its `writes` (kept-list.ts). */
export interface Session extends SendOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly tracer: Tracer;
  readonly ownership: Ownership;
  readonly declarations: Declarations;
  readonly previewSession: PreviewSession;
}

export const SILENT: Log = {
  progress: () => undefined,
  finishProgress: () => Promise.resolve(),
  warn: () => undefined,
  info: () => undefined,
  alike: () => undefined,
  debug: () => undefined,
};

/** A new session. @default a silent log, a `checkAlive` that never fails, and the real clock */
export function createSession(given: Partial<Omit<Session, "limits" | "previewSession">> = {}): Session {
  const { clock = realClock, writes = { count: 0 } } = given;
  return {
    environment: {},
    log: SILENT,
    tracer: UNTRACED,
    random: Math.random,
    checkAlive: () => Promise.resolve(),
    ownership: new Ownership(),
    declarations: new Declarations(),
    ...given,
    clock,
    writes,
    previewSession: new PreviewSession(writes),
    limits: new RequestLimits(clock),
  };
}
