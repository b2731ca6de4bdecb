import { AgentPlatformError, isAnswerError, isHttpError, isTransportError, isTransient } from "../base/errors";
import { hasUnknown, isObject, leavesOf, UNKNOWN, type JsonObject } from "../base/json";
import { within, type Tracer } from "../base/spans";
import type { Table, Verb } from "./fields/table";
import type { Call, State } from "./observe/context";
import { urnIn } from "./state";

// How messages and spans name an object.

/** The object's name in its inputs or outputs, or the property that replaces it: "desk (production)". */
export function naturalNameIn({ naturalKey = "", fields }: Table, props: JsonObject): string | undefined {
  const name = props[naturalKey];
  if (typeof name === "string" && name !== UNKNOWN) return name;
  const { [fields[naturalKey]?.unlessGiven ?? ""]: instead } = props;
  if (!isObject(instead) || hasUnknown(instead)) return undefined;
  const [first = "", ...rest] = Object.keys(instead)
    .sort()
    .flatMap((key) => leavesOf(instead[key]));
  return `${first} (${rest.join(", ")})`;
}

/** The type, and the name where it has one: `Deployment "desk"`. */
export function describe(table: Table, props: JsonObject): string {
  const name = naturalNameIn(table, props);
  return name === undefined ? table.kind : `${table.kind} "${name}"`;
}

/** As {@link describe}, for an object in state, with its id if that is not its name. */
export function nameOf(table: Table, { id, outputs }: State): string {
  const name = naturalNameIn(table, outputs);
  return `${describe(table, outputs)}${name === undefined ? ` ${id}` : name === id ? "" : ` (${id})`}`;
}

export type NamedVerb = Exclude<Verb, "list">;

/**
 * Turns the error of a request into one that names the object and the next step, as our own errors already do. The original error is not
 * modified, because several objects can share a request.
 */
export function nameObject(error: unknown, what: string, verb: NamedVerb): unknown {
  if (!isHttpError(error) && !isTransportError(error) && !isAnswerError(error)) return error;
  if (isHttpError(error) && error.subject === what) return error;
  const advice = nextStep(error, verb);
  return new AgentPlatformError(`${what}: ${verb} failed: ${error.message}`, { cause: error, advice });
}

function nextStep(error: Error, verb: NamedVerb): string {
  const isRefused = isHttpError(error) && !isTransient(error);
  if (isRefused && (error.status === 401 || error.status === 403))
    return (
      "Correct the connection (key, tenant or address), and run the command again. Refresh and destroy use the one that the state remembers: " +
      "after `pulumi config set` of a new key run `pulumi up` first"
    );
  if (verb === "read") return "The state is unchanged; run the command again";
  if (verb === "delete") return "It stays in the state: run the command again";
  if (isRefused && (error.status === 404 || error.status === 405))
    return "See in the answer what is missing, and run `pulumi up` again";
  return isRefused
    ? "Correct the arguments, and run `pulumi up` again"
    : "Run `pulumi up` again: it checks what exists before it repeats anything";
}

/** One call of a verb, as its span shows it. */
interface Work {
  readonly table: Table;
  readonly verb: NamedVerb | "check";
  /** The inputs or outputs, which may contain the URN if the call does not. */
  readonly props: JsonObject;
  readonly call?: Call | undefined;
}

/** Runs the work of a verb in a span of its own. @param outcomeOf One word for how it ended, unless it failed. */
export function tracedVerb<T>(
  tracer: Tracer,
  { table, verb, props, call }: Work,
  outcomeOf: (result: T) => string,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer.start(`${verb} ${table.kind}`, {
    "agent_platform.verb": verb,
    "agent_platform.kind": table.kind,
    "agent_platform.name": naturalNameIn(table, props),
    "pulumi.urn": urnIn(props, call),
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
