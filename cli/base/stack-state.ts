import { z } from "zod";
import { SECRET_SIGNATURE, SIGNATURE } from "../../provider/base/engine-format";
import { isObject, isParsedJson, type Json, type JsonObject } from "../../provider/base/json";
import { noteSecrets } from "../../provider/base/masker";
import { CliError } from "./cli-error";
import { outputOf, type Target } from "./pulumi";

const Properties = z.record(z.string(), z.unknown()).nullish();
const Resource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  /** False for a component, and for the stack itself. */
  custom: z.boolean().optional(),
  external: z.boolean().optional(),
  pendingReplacement: z.boolean().optional(),
  /** True if a run was cut off before it deleted this object. */
  delete: z.boolean().optional(),
  /** The URN of another resource: if that one is deleted as well, the engine sends no separate delete for this one. */
  deletedWith: z.string().optional(),
  /** `<URN>::<id>` of the resource that is its connection. */
  provider: z.string().default(""),
  inputs: Properties,
  outputs: Properties,
});
/** A resource in the state of a stack. */
export type StateResource = z.infer<typeof Resource>;

const Deployment = z
  .object({
    resources: z.array(Resource).nullish(),
    pending_operations: z.array(z.object({ type: z.string(), resource: Resource })).nullish(),
  })
  .nullish();
const Export = z.object({ deployment: Deployment });
/** The same in a file of the backend. */
const Checkpoint = z.object({ checkpoint: z.object({ latest: Deployment }) });

/** The resources in the state of a stack, in its order, and those that a run was creating or importing when it was cut off. */
export interface StackState {
  readonly resources: readonly StateResource[];
  readonly begun: readonly StateResource[];
}

/**
 * The state of a stack, else of the selected one. Secrets are encrypted unless `args` asks for them. Throws CliError with the reason where the
 * state cannot be read.
 */
export async function stateOf(stack: string | undefined, target: Target, ...args: string[]): Promise<StackState> {
  const named = stack === undefined ? [] : [`--stack=${stack}`];
  return stateIn(await outputOf(["stack", "export", ...named, ...args], target));
}

/** The state from the text of an export, or of a file of the backend. If its secrets are decrypted, they are registered with the masker, so no message shows them. */
export function stateIn(text: string): StackState {
  const { resources, pending_operations: pending } = parse(text) ?? {};
  for (const { inputs, outputs } of resources ?? []) noteOpen([inputs, outputs]);
  const begun = (pending ?? []).filter(({ type }) => type === "creating" || type === "importing");
  return { resources: resources ?? [], begun: begun.map(({ resource }) => resource) };
}

function noteOpen(value: unknown): void {
  if (Array.isArray(value)) value.forEach(noteOpen);
  if (!isObject(value)) return;
  const secret = secretIn(value);
  if (secret === undefined) Object.values(value).forEach(noteOpen);
  else noteSecrets(secret);
}

/** A secret of a state, as JSON; undefined for any other value, and where it is encrypted. */
export function secretIn({ [SIGNATURE]: mark, plaintext }: JsonObject): Json | undefined {
  if (mark !== SECRET_SIGNATURE || typeof plaintext !== "string") return undefined;
  const value: unknown = JSON.parse(plaintext);
  return isParsedJson(value) ? value : undefined;
}

function parse(text: string): z.infer<typeof Deployment> {
  try {
    const json: unknown = JSON.parse(text);
    const file = Checkpoint.safeParse(json);
    return file.success ? file.data.checkpoint.latest : Export.parse(json).deployment;
  } catch (error) {
    // The text itself is left out: it may hold secrets.
    throw new CliError("the state is not in a form that this command can read", { cause: error });
  }
}
