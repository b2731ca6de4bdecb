import type { JsonObject } from "../base/json";
import { within, type Tracer } from "../base/spans";
import type { Call } from "./context";
import type { Verb } from "./named-error";
import { urnIn } from "./own-outputs";

/** One call of a verb, as its span shows it. */
export interface Work {
  readonly verb: Verb | "check";
  readonly kind: string;
  /** The name of the object, where it has one. */
  readonly name: string | undefined;
  /** The inputs or outputs: they may know the row that the call does not name. */
  readonly props: JsonObject;
  readonly call?: Call | undefined;
}

/** Does the work of a verb as a span of its own. @param outcomeOf How it ended, in a word, unless it failed. */
export function tracedVerb<T>(
  tracer: Tracer,
  { verb, kind, name, props, call }: Work,
  outcomeOf: (result: T) => string,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer.start(`${verb} ${kind}`, {
    "agent_platform.verb": verb,
    "agent_platform.kind": kind,
    "agent_platform.name": name,
    "pulumi.urn": call?.urn ?? urnIn(props),
  });
  return within(span, async () => {
    let outcome = "failed";
    try {
      const result = await work();
      outcome = outcomeOf(result);
      return result;
    } finally {
      span?.add({ "agent_platform.outcome": outcome });
    }
  });
}
