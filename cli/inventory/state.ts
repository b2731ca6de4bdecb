import { z } from "zod";
import type { JsonObject } from "../../provider/base/json";
import { CliError } from "../base/cli-error";
import { NOUNS, type NounSpec } from "../base/nouns";
import { lines, runPulumi, type Target } from "../base/pulumi";
import { ofThisVersion, ORIGIN } from "../../provider/lifecycle/own-outputs";
import { kindOf } from "../../provider/resources/kinds";

/** An object of ours in the state of a stack. */
export interface StateObject {
  readonly stack: string;
  readonly noun: NounSpec;
  readonly urn: string;
  /** Its id on the platform; undefined while it is being made, or if a run that made it was cut off. */
  readonly id: string | undefined;
  /** Its name on the platform; undefined where the state does not show it. */
  readonly name: string | undefined;
  /** Only read (`X.get`): the stack neither changes nor deletes it. */
  readonly isRead: boolean;
  /** What the state knows of where it is: its origin, `tenantId` and so on. */
  readonly outputs: JsonObject;
}

/** What of an object's outputs says which one it is, and where. None of it is secret. */
const Marks = z.object({
  [ORIGIN]: z.string().optional().catch(undefined),
  tenantId: z.string().optional().catch(undefined),
  organizationId: z.string().optional().catch(undefined),
  uuid: z.string().optional().catch(undefined),
  templateId: z.string().optional().catch(undefined),
});

const Properties = z.record(z.string(), z.unknown()).nullish();
const Resource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  external: z.boolean().optional(),
  inputs: Properties,
  outputs: Properties,
});
const Export = z.object({
  deployment: z
    .object({
      resources: z.array(Resource).nullish(),
      pending_operations: z.array(z.object({ type: z.string(), resource: Resource })).nullish(),
    })
    .nullish(),
});

/**
 * Our objects in the state of a stack, in its order. The engine gives secrets encrypted, so no passphrase is needed. Throws CliError with
 * the reason where the state cannot be read.
 */
export async function objectsOf(stack: string, target: Target): Promise<StateObject[]> {
  const { code, stdout, stderr } = await runPulumi(["stack", "export", `--stack=${stack}`], target);
  if (code !== 0) throw new CliError(lines(stderr).join("\n"));
  return objectsIn(stack, stdout);
}

/** The same of the text of an exported state. */
export function objectsIn(stack: string, text: string): StateObject[] {
  const parsed = parse(text);
  const made = parsed?.resources ?? [];
  const pending = (parsed?.pending_operations ?? []).filter(({ type }) => type === "creating");
  return [...made, ...pending.map(({ resource: { id: _, ...resource } }) => resource)].flatMap((resource) => {
    const noun = NOUNS.find(({ kind }) => kind === kindOf(resource.type));
    return noun === undefined ? [] : [objectOf(stack, noun, resource)];
  });
}

function parse(text: string): z.infer<typeof Export>["deployment"] {
  try {
    return Export.parse(JSON.parse(text)).deployment;
  } catch (error) {
    // The text itself is left out: it may hold secrets.
    throw new CliError("the output of `pulumi stack export` is not a state that this command can read", {
      cause: error,
    });
  }
}

function objectOf(
  stack: string,
  noun: NounSpec,
  { urn, id, external, inputs, outputs }: z.infer<typeof Resource>,
): StateObject {
  const name = outputs?.[noun.naturalKey] ?? inputs?.[noun.naturalKey];
  return {
    stack,
    noun,
    urn,
    id,
    name: typeof name === "string" ? name : undefined,
    isRead: external === true,
    outputs: Marks.parse(ofThisVersion(outputs ?? {})),
  };
}
