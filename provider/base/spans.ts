import { AsyncLocalStorage } from "node:async_hooks";
import { isHttpError } from "./errors";

// The interface of tracing. Nothing here loads OpenTelemetry; provider/tracing does, if the environment asks for it.

/** The attributes of a span: our own names, numbers and flags. Never text from a body, a query or a message, which may contain a secret. */
export type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  /** A part of it. @param kind "client" for a request. */
  child(name: string, facts: Facts, kind?: "client"): Span;
  add(facts: Facts): void;
  /** Something that happens at this moment. */
  event(name: string, facts: Facts): void;
  /** @param problem The kind of error; undefined if there was none. */
  end(problem?: string): void;
}

export interface Tracer {
  /** Starts a root span; undefined if nothing is recorded. */
  start(name: string, facts: Facts): Span | undefined;
  /** Sends the spans that have ended; takes at most a third of a second. Never rejects. */
  flush(): Promise<void>;
}

export const UNTRACED: Tracer = { start: () => undefined, flush: () => Promise.resolve() };

const current = new AsyncLocalStorage<Span>();

/** The span of the work that this code is part of; undefined if it is not recorded. */
export const currentSpan = (): Span | undefined => current.getStore();

/** Runs the work inside this span, and ends the span. */
export async function within<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  if (span === undefined) return work();
  try {
    const result = await current.run(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end(kindOf(error));
    throw error;
  }
}

/** Without the message: it may quote what the platform answered. */
function kindOf(error: unknown): string {
  if (isHttpError(error)) return String(error.status);
  return error instanceof Error ? error.name : "Error";
}
