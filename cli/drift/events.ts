import { z } from "zod";
import { CliError } from "../base/cli-error";

const Properties = z.record(z.string(), z.unknown());
export type Properties = z.infer<typeof Properties>;

const State = z.object({
  custom: z.boolean().default(false),
  external: z.boolean().default(false),
  id: z.string().default(""),
  inputs: Properties.nullish(),
  outputs: Properties.nullish(),
});

const Outcome = z.object({
  op: z.string(),
  urn: z.string(),
  type: z.string(),
  old: State.nullish(),
  new: State.nullish(),
});
/** How the refresh of one resource ended: `same`, `update` or `delete`, with its state before and after. */
export type Outcome = z.infer<typeof Outcome>;

const Diagnostic = z.object({ urn: z.string().default(""), message: z.string(), severity: z.string() });

const Line = z.object({
  resourcePreEvent: z.object({ metadata: z.object({ urn: z.string() }) }).optional(),
  resOutputsEvent: z.object({ metadata: Outcome }).optional(),
  diagnosticEvent: Diagnostic.optional(),
  summaryEvent: z.object({ result: z.string().optional() }).optional(),
});
type Line = z.infer<typeof Line>;

/** The events of one run of the engine. */
export interface EngineEvents {
  readonly outcomes: readonly Outcome[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Whether every resource that the run began with has an outcome, and the run finished. */
  readonly complete: boolean;
}

/** Reads engine events, one JSON object a line. Throws CliError for any other line. */
export function parseEvents(text: string): EngineEvents {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const events = lines.map(parseLine);
  const outcomes = events.flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? []);
  const begun = events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata.urn ?? []);
  const ended = new Set(outcomes.map(({ urn }) => urn));
  const summary = events.find(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent;
  return {
    outcomes,
    errors: messages(events, "error"),
    warnings: messages(events, "warning"),
    complete:
      summary !== undefined && (summary.result ?? "succeeded") === "succeeded" && begun.every((urn) => ended.has(urn)),
  };
}

function parseLine(line: string): Line {
  try {
    return Line.parse(JSON.parse(line));
  } catch (error) {
    // The line itself is left out: it may hold secrets.
    throw new CliError(
      "the engine's answer is not the stream of events that this command reads; it is tested with Pulumi 3.246.0, " +
        "so compare with `pulumi version`",
      { cause: error },
    );
  }
}

/** The messages of a severity, each once, with the name of its resource. */
function messages(events: readonly Line[], severity: string): string[] {
  const found = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  const texts = found
    .filter((diagnostic) => diagnostic.severity === severity)
    .map(({ urn, message }) => (urn === "" ? message.trim() : `${kindOf(urn)} ${nameOf(urn)}: ${message.trim()}`));
  return [...new Set(texts)];
}

/** The name in a URN; a name may itself have "::" in it. */
export function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** The last part of the type in a URN, such as `Deployment`. */
export function kindOf(urn: string): string {
  return urn.split("::")[2]?.split(":").at(-1) ?? "";
}
