import { z } from "zod";
import { leniently } from "../../provider/base/errors";
import { nameInUrn, typeOf } from "../../provider/base/engine-format";
import { someOf } from "../../provider/base/plain-text";
import { readSecretData } from "../../provider/lifecycle/fields/secret-names";
import { CliError } from "./cli-error";
import { groupedBy } from "./printable";

const EventProperties = z.record(z.string(), z.unknown());
export type EventProperties = z.infer<typeof EventProperties>;

const EventState = z.object({
  urn: z.string().default(""),
  type: z.string().default(""),
  custom: z.boolean().default(false),
  external: z.boolean().default(false),
  retainOnDelete: z.boolean().default(false),
  id: z.string().default(""),
  parent: z.string().default(""),
  provider: z.string().default(""),
  inputs: EventProperties.nullish(),
  outputs: EventProperties.nullish(),
});
export type EventState = z.infer<typeof EventState>;

const Step = z.object({
  op: z.string(),
  urn: z.string(),
  type: z.string(),
  /** The properties that make this a replacement. */
  keys: z.array(z.string()).default([]),
  /** By path, what differs for the plugin, also where both sides are masked. Dynamic resources have none. */
  detailedDiff: z.record(z.string(), z.unknown()).nullish(),
  old: EventState.nullish(),
  new: EventState.nullish(),
});
/** What the engine does to one resource: the operation (`same`, `update`, `delete` ...), with its state before and after. */
export type Step = z.infer<typeof Step>;

const Diagnostic = z.object({
  urn: z.string().default(""),
  message: z.string(),
  severity: z.string(),
  ephemeral: z.boolean().default(false),
});
/** A line that the engine, the program or a plugin prints, on the row of a resource or, without a URN, on the stack's. */
export type Diagnostic = z.infer<typeof Diagnostic>;

const Violation = z.object({
  resourceUrn: z.string().default(""),
  message: z.string(),
  policyName: z.string(),
  policyPackName: z.string(),
  enforcementLevel: z.string(),
});
/** A policy that a resource, or the stack, violates. */
export type Violation = z.infer<typeof Violation>;

const Line = z.object({
  preludeEvent: z.object({ config: z.record(z.string(), z.string()).nullish() }).optional(),
  resourcePreEvent: z.object({ metadata: Step }).optional(),
  resOutputsEvent: z.object({ metadata: Step }).optional(),
  diagnosticEvent: Diagnostic.optional(),
  policyEvent: Violation.optional(),
  summaryEvent: z.object({ result: z.string().optional() }).optional(),
});
type Line = z.infer<typeof Line>;

/** The events of one run of the engine. */
export type EngineEvents = Readonly<ReturnType<typeof parseEvents>>;

/** Reads engine events, one JSON object a line. Throws CliError for any other line. */
export function parseEvents(text: string) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const events = lines.map(parseLine);
  const outcomes = events.flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? []);
  const begun = events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []);
  const diagnostics = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  const ended = new Set(outcomes.map(({ urn }) => urn));
  const summary = events.find(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent;
  const succeeded = summary !== undefined && (summary.result ?? "succeeded") === "succeeded";
  return {
    /** Of the stack; secrets are masked. */
    configuration: events.find(({ preludeEvent }) => preludeEvent !== undefined)?.preludeEvent?.config ?? {},
    /** The steps that the engine began, in its order, and how they ended. */
    begun,
    outcomes,
    diagnostics,
    violations: events.flatMap(({ policyEvent }) => policyEvent ?? []),
    /** Each once, with the names of its resources. */
    errors: messagesOf(diagnostics.filter(({ severity }) => severity === "error")),
    warnings: messagesOf(diagnostics.filter(({ severity }) => severity === "warning")),
    /** Whether the run came to its end, and succeeded. */
    succeeded,
    /** Whether, besides, every resource that it began with has an outcome. */
    complete: succeeded && begun.every(({ urn }) => ended.has(urn)),
  };
}

/**
 * The events that a review needs, one per line. Of debug lines, only the plugin's data are kept: the others are meant for the engine's developers and
 * may contain anything (docs/internals/engine.md, trap 26).
 */
export function essentialEvents(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.flatMap((line) => {
    const { resOutputsEvent: _, ...event } = parseLine(line);
    const { severity, ephemeral, message = "" } = event.diagnosticEvent ?? {};
    const isOther = severity === "debug" && readSecretData(message) === undefined;
    const isKept = Object.keys(event).length > 0 && !isOther && ephemeral !== true;
    return isKept ? [JSON.stringify(event)] : [];
  });
}

/** The events of a run that failed; undefined if it printed something else. */
export const eventsIn = (text: string): EngineEvents | undefined => leniently(() => parseEvents(text));

function parseLine(line: string): Line {
  try {
    return Line.parse(JSON.parse(line));
  } catch (error) {
    // The line itself is left out: it may hold secrets.
    throw new CliError(
      "the output of `pulumi` is not the stream of events that this command reads; it was tested with Pulumi 3.246.0, " +
        "so check `pulumi version`",
      { cause: error },
    );
  }
}

/** The messages, with the name of their resource. What differs only in that name is one message. */
export function messagesOf(those: readonly Pick<Diagnostic, "urn" | "message">[]): string[] {
  return groupedBy(those, ({ urn, message }) => [kindOf(urn), withoutSelf(message, urn)]).map(([first, ...others]) => {
    const message = first.message.trim();
    if (first.urn === "") return message;
    const [name = "", ...more] = new Set([first, ...others].map(({ urn }) => nameInUrn(urn)));
    const same = more.length === 0 ? "" : ` (the same of ${someOf(more, 10)})`;
    return `${kindOf(first.urn)} ${name}: ${message}${same}`;
  });
}

/** The name on the platform, and the id, as they stand behind the type of a resource. */
const SELF = /^(?:"([^"]*)")? ?\(?([0-9a-f-]{36})?/i;

/** The message without what only its own resource has: its name in the program, and its name and id on the platform. */
function withoutSelf(message: string, urn: string): string {
  if (urn === "") return message.trim();
  const [, behind = ""] = message.split(`${kindOf(urn)} `, 2);
  const [, name = "", id = ""] = SELF.exec(behind) ?? [];
  const own = [`"${nameInUrn(urn)}"`, `"${name}"`, `/${name} `, id];
  return own.reduce((text, each) => text.replaceAll(each, ""), message.trim());
}

/** The last part of the type in a URN, such as `Deployment`. */
export function kindOf(urn: string): string {
  return typeOf(urn).split(":").at(-1) ?? "";
}
