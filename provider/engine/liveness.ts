import { connect } from "node:net";
import type { EngineAddress } from "./address";

/** How often an idle plugin checks that its engine is there. */
const WATCH_MS = 1000;
/** A connection on the loopback interface takes well under a millisecond; a busy machine gets more. */
const PATIENCE_MS = 2000;

/**
 * Ends this process when the engine that started it is gone: a plugin whose CLI was killed lives on (docs/engine.md, trap 18),
 * and its further work would not be recorded. Does nothing while no engine is known.
 */
export function watchEngine(engine: EngineAddress): () => Promise<void> {
  const check = async (): Promise<void> => {
    const [, host, port] = /^(.*):(\d+)$/.exec(engine() ?? "") ?? [];
    if (host === undefined || (await answers(host, Number(port)))) return;
    process.exit(1);
  };
  setInterval(() => void check(), WATCH_MS).unref();
  return check;
}

/** False only if the address refuses: a slow engine is not a dead one. */
function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const finish = (alive: boolean): void => {
      socket.destroy();
      resolve(alive);
    };
    socket.setTimeout(PATIENCE_MS, () => finish(true));
    socket.once("connect", () => finish(true));
    socket.once("error", (error: NodeJS.ErrnoException) => finish(error.code !== "ECONNREFUSED"));
  });
}
