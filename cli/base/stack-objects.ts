import { ALL_SPECS, type ManagedTypeSpec } from "./managed-types";
import { recordedSettings, referenceOf } from "./stack-connections";
import type { StackState } from "./stack-state";
import { inParallel } from "./stacks";
import type { ProgressLine } from "./style";
import { nameInUrn } from "../../provider/base/engine-format";
import { messageOf } from "../../provider/base/errors";
import { type JsonObject, textIn } from "../../provider/base/json";
import { ORIGIN } from "../../provider/lifecycle/identity/origin";
import { migrateState } from "../../provider/lifecycle/state";
import { resourceTypeOf } from "../../provider/resources/resource-types";

/** An object of ours in the state of a stack. */
export interface StateObject {
  readonly stack: string;
  readonly spec: ManagedTypeSpec;
  readonly urn: string;
  /** `<URN>::<id>` of the resource that is its connection. */
  readonly provider: string;
  /** Its id on the platform; undefined while it is being made, or if a run that made it was cut off. */
  readonly id: string | undefined;
  /** A run that was cut off was making it, and the state has a row of it since. */
  readonly isMadeSince: boolean;
  /** Its name on the platform; undefined where the state does not show it. */
  readonly name: string | undefined;
  /** Only read (`X.get`): the stack neither changes nor deletes it. */
  readonly isRead: boolean;
  /** The region of its connection, or the address if that names none; undefined where the state does not show it. */
  readonly region: string | undefined;
  /** The address of the agent, of a deployment that is waited for, and of what an agent keeps. */
  readonly url: string | undefined;
  /** Its agent is asked with a key of its own, not with that of the connection. */
  readonly hasOwnKey: boolean;
  /** Why its agent does not show it, if that was asked (cli/inventory). */
  readonly problem?: string | undefined;
  /** The outputs that locate it (origin, `tenantId` and so on). */
  readonly outputs: JsonObject;
}

/** A check of the stack that failed and rolled a deployment back. */
export interface RolledBack {
  /** Its name in the program. */
  readonly check: string;
  readonly deploymentId: string;
  /** Which revision it restored, and why. */
  readonly problem: string;
}

/** The checks whose state records a rollback. */
export function rolledBackIn({ resources }: StackState): RolledBack[] {
  return resources.flatMap(({ type, urn, inputs, outputs }) => {
    const [deploymentId, problem] = [inputs?.["deploymentId"], outputs?.["problem"]];
    const isOne =
      resourceTypeOf(type) === "RunCheck" && typeof deploymentId === "string" && typeof problem === "string";
    return isOne ? [{ check: nameInUrn(urn), deploymentId, problem }] : [];
  });
}

/** The outputs that commands use. None of them is secret. */
const MARKS = [...[ORIGIN, "tenantId", "organizationId", "uuid", "agentUuid", "templateId", "deploymentId"], "url"];
const marksIn = (outputs: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(MARKS.map((name) => [name, textIn(outputs, name)]));

/** Our objects in the state of a stack, in its order. */
export function objectsIn(stack: string, { resources, begun }: StackState): StateObject[] {
  const rollouts = resources.filter(({ type }) => resourceTypeOf(type) === "Rollout");
  const urls = new Map(rollouts.map(({ id, outputs }) => [id, textIn(outputs ?? {}, "url")]));
  const providers = resources.filter(({ type }) => type.startsWith("pulumi:providers:"));
  const connections = new Map(providers.map((each) => [referenceOf(each), recordedSettings(each)]));
  const made = resources.filter((row) => row.delete !== true && row.pendingReplacement !== true).map(({ urn }) => urn);
  const unfinished = begun.map((resource) => ({ ...resource, id: undefined }));
  return [...resources, ...unfinished].flatMap(({ type, urn, provider, id, external, inputs, outputs }) => {
    const spec = ALL_SPECS.find(({ kind }) => kind === resourceTypeOf(type));
    if (spec === undefined) return [];
    const marks = marksIn(migrateState(outputs ?? {}));
    const connection = connections.get(provider);
    return [
      {
        ...{ stack, spec, urn, provider, id, isMadeSince: id === undefined && made.includes(urn) },
        name: textIn(outputs ?? {}, spec.naturalKey) ?? textIn(inputs ?? {}, spec.naturalKey),
        isRead: external === true,
        hasOwnKey: inputs?.["apiKey"] !== undefined,
        // Of some kinds no answer names the tenant.
        outputs: { ...marks, tenantId: marks["tenantId"] ?? connection?.get("tenantId") },
        region: connection?.get("region") ?? connection?.get("baseUrl"),
        url: textIn(marks, "url") ?? urls.get(id),
      },
    ];
  });
}

/** A stack whose state could not be read. */
export interface FailedStack {
  readonly stack: string;
  readonly reason: string;
}

/** What the states of stacks hold. */
export interface HeldInStates {
  readonly objects: readonly StateObject[];
  readonly failed: readonly FailedStack[];
}

/** Reads the states of these stacks, `parallel` at a time; one that cannot be read stops no other. */
export async function statesOf(
  stacks: readonly string[],
  read: (stack: string) => Promise<StackState>,
  parallel: number,
  progress: ProgressLine,
): Promise<HeldInStates> {
  let done = 0;
  const all = await inParallel(stacks, parallel, async (stack): Promise<HeldInStates> => {
    try {
      return { objects: objectsIn(stack, await read(stack)), failed: [] };
    } catch (error) {
      return { objects: [], failed: [{ stack, reason: messageOf(error) }] };
    } finally {
      progress.show(`reading: ${++done} of ${stacks.length} stacks`);
    }
  });
  return { objects: all.flatMap(({ objects }) => objects), failed: all.flatMap(({ failed }) => failed) };
}
