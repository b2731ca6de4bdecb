import { UNTRACED, type Tracer } from "../base/spans";
import type { EngineAddress } from "./liveness";

/**
 * Sends the last spans when the engine ends a plugin of dynamic resources, which it does with SIGINT. Returns the check before each change: once
 * the end has begun it never passes, since nothing would record the change (docs/internals/engine.md, trap 10). Without spans the signal keeps its
 * meaning, as a handler of it costs time (docs/internals/engine.md, trap 11).
 */
export function sendingLastSpans(
  tracer: Tracer,
  engine: EngineAddress,
  checkAlive: () => Promise<void>,
): () => Promise<void> {
  if (tracer === UNTRACED || engine() === undefined) return checkAlive;
  let isEnding = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      isEnding = true;
      void tracer.flush().then(() => process.exit(0));
    });
  }
  return () => (isEnding ? new Promise(() => undefined) : checkAlive());
}
