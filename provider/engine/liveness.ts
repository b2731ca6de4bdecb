import { connect } from "node:net";
import { type Tracer, UNTRACED } from "../base/spans";

/** How often an idle plugin checks that its engine is there. */
const WATCH_MS = 1000;
/** A connection on the loopback interface takes well under a millisecond; a busy machine gets more. */
const PATIENCE_MS = 2000;

/**
 * Ends this process when the engine that started it is gone: a plugin whose CLI was killed lives on (docs/internals/engine.md, trap 18),
 * and its further work would not be recorded. @param engine Its address; where none is known, nothing is done.
 */
export function watchEngine(engine: string | undefined): () => Promise<void> {
  const check = async (): Promise<void> => {
    if (await isGone(engine)) process.exit(1);
  };
  setInterval(() => void check(), WATCH_MS).unref();
  return check;
}

/** Whether no engine listens there any more: only if the address refuses, since a slow engine is not a dead one. */
export function isGone(address: string | undefined): Promise<boolean> {
  const [, host, port] = /^(.*):(\d+)$/.exec(address ?? "") ?? [];
  if (host === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) });
    const finish = (gone: boolean): void => {
      socket.destroy();
      resolve(gone);
    };
    socket.setTimeout(PATIENCE_MS, () => finish(false));
    socket.once("connect", () => finish(false));
    socket.once("error", (error: NodeJS.ErrnoException) => finish(error.code === "ECONNREFUSED"));
  });
}

/**
 * Sends the last spans when the engine ends a plugin of dynamic resources, which it does with SIGINT. Returns the check before each change: once
 * the end has begun it never passes, since nothing would record the change (docs/internals/engine.md, trap 10). Without spans the signal keeps its
 * meaning, as a handler of it costs time (docs/internals/engine.md, trap 11).
 */
export function sendingLastSpans(
  tracer: Tracer,
  engine: string | undefined,
  checkAlive: () => Promise<void>,
): () => Promise<void> {
  if (tracer === UNTRACED || engine === undefined) return checkAlive;
  let isEnding = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      isEnding = true;
      void tracer.flush().then(() => process.exit(0));
    });
  }
  return () => (isEnding ? new Promise(() => undefined) : checkAlive());
}
