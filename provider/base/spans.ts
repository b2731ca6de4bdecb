import { AsyncLocalStorage } from "node:async_hooks";
import { isHttpError } from "./errors";

// What the rooms know of tracing: nothing here loads OpenTelemetry (provider/tracing does, where the environment asks for it).

/** What a span says: names, numbers and flags of our own. Never a text of a body, a query or a message: it may hold a secret. */
export type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

/** A piece of work that is being recorded. */
export interface Span {
  /** A part of it. @param kind "client" for a request. */
  child(name: string, facts: Facts, kind?: "client"): Span;
  add(facts: Facts): void;
  /** Something that happens at this moment. */
  event(name: string, facts: Facts): void;
  /** @param problem The kind of what went wrong; undefined if nothing did. */
  end(problem?: string): void;
}

/** Begins spans. */
export interface Tracer {
  /** A span that is part of no other one here; undefined if nothing is recorded. */
  start(name: string, facts: Facts): Span | undefined;
  /** Sends what has ended, for a third of a second at most. Never rejects. */
  flush(): Promise<void>;
}

/** Records nothing. */
export const UNTRACED: Tracer = { start: () => undefined, flush: () => Promise.resolve() };

const current = new AsyncLocalStorage<Span>();

/** The span of the work that this code is part of; undefined if it is not recorded. */
export const currentSpan = (): Span | undefined => current.getStore();

/** Does the work as what this span records, and ends it. */
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
