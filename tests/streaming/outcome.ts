import { z } from "zod";
import { textOf, type RunEvent } from "../../provider/streaming/events";
import type { RunStream } from "../../provider/streaming/run-stream";

const Thrown = z.object({ name: z.string(), message: z.string() });

/** Everything that a loop over a run saw, and how it ended. */
interface Outcome {
  readonly events: readonly RunEvent[];
  readonly runId: string | undefined;
  /** "ErrorName: message"; undefined where it ended well. */
  readonly error: string | undefined;
}

/** Reads a run to its end. */
export async function outcomeOf(stream: RunStream): Promise<Outcome> {
  const events: RunEvent[] = [];
  let error: string | undefined;
  try {
    for await (const event of stream) events.push(event);
  } catch (thrown) {
    const { name, message } = Thrown.parse(thrown);
    error = `${name}: ${message}`;
  }
  return { events, runId: stream.run?.runId, error };
}

/** The subgraph keeps no log. */
const Values = z.object({ log: z.array(z.string()).default([]) });
const Debug = z.object({ type: z.string(), payload: z.object({ name: z.string().optional() }) });
const Traced = z.object({ event: z.string(), name: z.string() });

/** One line of an event, without what differs from run to run: ids, times, versions. */
export function lineOf(event: RunEvent): string {
  const from = event.namespace.map((step) => `${step.replace(/:.*/, "")}>`).join("");
  return from + withoutNamespace(event);
}

function withoutNamespace(event: RunEvent): string {
  if (event.mode === "values") return `values ${Values.parse(event.data).log.join()}`;
  if (event.mode === "updates") return `updates ${Object.keys(event.data).join()}`;
  if (event.mode === "messages-tuple") return `token ${textOf(event.data[0])}`;
  if (event.mode === "custom") return `custom ${JSON.stringify(event.data)}`;
  if (event.mode === "other") return `other ${event.event}`;
  if (event.mode === "events") {
    const { event: what, name } = Traced.parse(event.data);
    return `${what} ${name}`;
  }
  const { type, payload } = Debug.parse(event.data);
  return payload.name === undefined ? type : `${type} ${payload.name}`;
}
