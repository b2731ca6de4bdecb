import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { CHANGES, type CliStack } from "../support/cli-stack";
import type { Changes } from "./recorded";

const Properties = z.record(z.string(), z.unknown()).nullish();
const Side = z.object({ external: z.boolean().optional(), inputs: Properties, outputs: Properties }).nullish();
const Event = z.object({
  resOutputsEvent: z
    .object({ metadata: z.object({ op: z.string(), urn: z.string(), type: z.string(), old: Side, new: Side }) })
    .optional(),
  diagnosticEvent: z.object({ severity: z.string(), message: z.string() }).optional(),
});
type Event = z.infer<typeof Event>;

/** The changes that the engine would make, and whether its exit code reports them. */
export interface Shown {
  /** 0, or CHANGES; another one where the command failed. */
  readonly code: number;
  readonly changes: Changes;
  /** Errors and warnings. */
  readonly messages: readonly string[];
}

/** Runs a preview or a refresh that changes nothing, and that succeeds. */
export async function shownBy(stack: CliStack, ...command: readonly string[]): Promise<Shown> {
  const { output, ...shown } = await triedBy(stack, ...command);
  if (shown.code !== 0 && shown.code !== CHANGES)
    throw new Error(`pulumi ${command.join(" ")} ended with ${shown.code}:\n${output}`);
  return shown;
}

/** The same of a command that may fail. */
export async function triedBy(
  stack: CliStack,
  ...command: readonly string[]
): Promise<Shown & { readonly output: string }> {
  // Without the variable, --json is a digest that leaves out the outcome of a refresh.
  const environment = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
  const { code, stdout, output } = await stack.run([...command, "--json", "--expect-no-changes"], { environment });
  const events = stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => Event.parse(JSON.parse(line)));
  return {
    code,
    output,
    changes: Object.fromEntries(events.flatMap(changeIn)),
    messages: events.flatMap(({ diagnosticEvent: said }) =>
      said && /error|warning/.test(said.severity) ? [said.message.trim()] : [],
    ),
  };
}

/** Its halves come beside each `replace`; a read is how `X.get` gets its outputs. */
const NO_CHANGES = ["same", "read", "delete-replaced", "create-replacement"];

function changeIn({ resOutputsEvent }: Event): [resource: string, change: string][] {
  if (resOutputsEvent === undefined) return [];
  const { op, urn, type, old, new: now } = resOutputsEvent.metadata;
  // The engine calls a stack the same whatever its outputs are: the program computes them from those of its resources.
  const isStack = type === "pulumi:pulumi:Stack";
  // What is only read has all that is answered, and the platform of today answers more than that of earlier states.
  const isRead = old?.external === true;
  if (isRead && differences(old.outputs, now?.outputs).every((name) => old.outputs?.[name] === undefined)) return [];
  const differing = isStack || isRead ? differences(old?.outputs, now?.outputs) : differences(old?.inputs, now?.inputs);
  if (isStack ? differing.length === 0 : NO_CHANGES.includes(op)) return [];
  return [[resourceOf(urn), [op, ...(old && now ? differing : [])].join(" ")]];
}

function differences(before: z.infer<typeof Properties>, after: z.infer<typeof Properties>): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  return names.filter((name) => !isDeepStrictEqual(before?.[name], after?.[name]));
}

/** "Deployment agent", of a URN. */
export function resourceOf(urn: string): string {
  const [type = "", name = ""] = urn.split("::").slice(2);
  return `${type.split(":").at(-1) ?? type} ${name}`;
}
