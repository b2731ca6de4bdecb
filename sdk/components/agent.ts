import * as pulumi from "@pulumi/pulumi";
import { isObject, ownValue, UNKNOWN, type Json } from "../../provider/base/json";
import { nativeTokenOf } from "../../provider/base/settings";
import { type Problem, showProblem } from "../../provider/lifecycle/fields/fields";
import { problemsOf } from "../../provider/lifecycle/fields/schema";
import type { Shape } from "../../provider/lifecycle/fields/table";
import { agentComponent, environmentComponent } from "../../provider/resources/components";
import { dynamicToken, nativeToken, resourceTypeOf } from "../../provider/resources/resource-types";
import { Assistant, type AssistantArgs } from "../resources/assistant";
import { Cron, type CronArgs } from "../resources/cron";
import { Deployment, type DeploymentArgs } from "../resources/deployment";
import { RunCheck, type RunCheckArgs } from "../resources/run-check";

/** An agent: a deployment, what its agent keeps, and the question that it has to answer. */
export interface AgentArgs extends DeploymentArgs {
  /** Its assistants, by their names. @default none but those of its graphs */
  assistants?: Readonly<Record<string, Omit<AssistantArgs, Whose>>>;
  /** What runs on a schedule; `assistant` names one of the assistants here. @default nothing */
  crons?: Readonly<Record<string, Omit<CronArgs, Whose | "assistant"> & { assistant?: string }>>;
  /** A run that has to pass before its URL is known and `pulumi up` is done. @default none: DEPLOYED is enough */
  check?: Omit<RunCheckArgs, Whose | "assistant" | "revisionId"> & { assistant?: string };
}

/** The arguments that say whose agent is meant. */
type Whose = "deployment" | "deploymentId" | "url" | "customUrl";

const TOKEN = nativeTokenOf("Agent");

/**
 * An agent in one resource: a {@link Deployment} with its rollout, its assistants and crons, and the check that it has to pass. The
 * deployment and the rollout have its Pulumi name; the others are `<agent>-<key>`, and the check is `<agent>-check`. Under these names they
 * may have been at the top level of the program before: nothing is replaced.
 *
 * @example
 * import { Agent } from "pulumi-agent-platform";
 *
 * const desk = new Agent("desk", {
 *   source: "external_docker",
 *   sourceRevisionConfig: { imageUri: "registry.example.com/desk:1.4.0" },
 *   assistants: { triage: { graphId: "agent", context: { tone: "brief" } } },
 *   crons: { digest: { assistant: "triage", schedule: "0 9 * * 1-5" } },
 *   check: { assistant: "triage", input: { topic: "opening hours" } },
 * });
 * export const url = desk.url; // known once the agent has answered
 */
export class Agent extends pulumi.ComponentResource {
  readonly deployment: Deployment;
  /** The assistants, by their keys. */
  readonly assistants: Readonly<Record<string, Assistant>>;
  /** The agent's address, once its revision is DEPLOYED and its check has passed; null if the platform does not say. */
  readonly url: pulumi.Output<string | null>;
  /** True once the revision is DEPLOYED; false with `awaitRollout: false`. */
  readonly deployed: pulumi.Output<boolean>;
  /** The revision that serves; null with `awaitRollout: false`. */
  readonly revisionId: pulumi.Output<string | null>;
  /** The revision that the last request made. Nothing waits for it. */
  readonly latestRevisionId: pulumi.Output<string | null>;
  /** The platform's id of the deployment. */
  readonly deploymentId: pulumi.Output<string>;
  /** The ids of the assistants, by their keys. */
  readonly assistantIds: Readonly<Record<string, pulumi.Output<string>>>;

  constructor(name: string, args: AgentArgs, options?: pulumi.ComponentResourceOptions) {
    // Transformations are inherited by whatever a program puts below it later on.
    let isPart = true;
    const transformations = [
      (part: pulumi.ResourceTransformationArgs) => (isPart ? takeFromTopLevel(part) : undefined),
    ];
    super(TOKEN, name, {}, pulumi.mergeOptions({ transformations }, options));
    const where = `Agent "${name}": `;
    refuseWrong("Agent", where, args);
    // A component's parts do not inherit it; from another language, an empty text is none.
    const rolloutTimeout = args.rolloutTimeout ?? (options?.customTimeouts?.create || undefined);
    const declared = named(name, { ...args, rolloutTimeout });
    const { deployment, assistants, url } = agentParts(name, where, declared, { parent: this });
    isPart = false;
    this.deployment = deployment;
    this.assistants = assistants;
    this.url = url;
    this.deployed = deployment.deployed;
    this.revisionId = deployment.activeRevisionId;
    this.latestRevisionId = deployment.latestRevisionId;
    this.deploymentId = deployment.id;
    this.assistantIds = mapValues(assistants, (_, { id }) => id);
    const outputs = Object.keys(agentComponent.outputs).map((key) => [key, Reflect.get(this, key)] as const);
    this.registerOutputs(Object.fromEntries(outputs));
  }
}

/** With this name on the platform, unless the arguments name another, or an agent whose deployment it is. */
export const named = (name: string, args: AgentArgs): AgentArgs =>
  args.agent == null ? { ...args, name: args.name ?? name } : args;

/** What a program declared without the component becomes a part of it, whichever plugin it had. */
function takeFromTopLevel({ type, name, props, opts }: pulumi.ResourceTransformationArgs) {
  const kind = resourceTypeOf(type);
  if (kind === undefined) return undefined;
  const names = kind === "Rollout" ? [name, `${name}-rollout`] : [name];
  const types = [nativeToken(kind), dynamicToken(kind)];
  const aliases = names.flatMap((each) => types.map((before) => atTop(before, each)));
  return { props, opts: pulumi.mergeOptions(opts, { aliases }) };
}

/** The alias of what was at the top level; none, which is the part itself, if it is still there once the program has run on. */
async function atTop(type: string, name: string): Promise<pulumi.Alias> {
  await new Promise(setImmediate);
  const top: unknown = Reflect.get(pulumi.runtime.getStackResource() ?? {}, "__childResources");
  const is = (each: object) =>
    resourceTypeOf(String(Reflect.get(each, "__pulumiType"))) === resourceTypeOf(type) &&
    Reflect.get(each, "__name") === name;
  return top instanceof Set && [...top].some(is) ? {} : { type, name, parent: pulumi.rootStackResource };
}

/** What is declared for one agent. */
export interface AgentParts {
  readonly deployment: Deployment;
  readonly assistants: Readonly<Record<string, Assistant>>;
  readonly url: pulumi.Output<string | null>;
}

/** Declares an agent. @param where Stands before the path of a wrong argument. @param here The options of the deployment; the rest is below it. */
export function agentParts(
  name: string,
  where: string,
  { check, assistants, crons, ...declared }: AgentArgs,
  here: pulumi.CustomResourceOptions,
): AgentParts {
  const deployment = new Deployment(name, declared, here);
  const parent = { parent: deployment };
  const all = mapValues(
    assistants,
    (each, given) => new Assistant(`${name}-${each}`, { ...given, name: given.name ?? each, deployment }, parent),
  );
  const chosen = (by: string, assistant: string | undefined) => ({
    deployment,
    ...(assistant && { assistant: oneOf(all, assistant, `${where}${by}`) }),
  });
  mapValues(
    crons,
    (each, { assistant, ...given }) =>
      new Cron(`${name}-${each}`, { ...given, ...chosen(`crons.${each}`, assistant) }, parent),
  );
  if (!check) return { deployment, assistants: all, url: deployment.url };
  const { assistant, ...asked } = check;
  // It is no object that could be lost.
  const unprotected = { ...parent, protect: false };
  const passed = new RunCheck(`${name}-check`, { ...asked, ...chosen("check", assistant) }, unprotected);
  return { deployment, assistants: all, url: pulumi.all([deployment.url, passed.runId]).apply(([url]) => url) };
}

function oneOf(all: Readonly<Record<string, Assistant>>, name: string, by: string): Assistant {
  const found = ownValue(all, name);
  if (found !== undefined) return found;
  const known = Object.keys(all).map((each) => `"${each}"`);
  const there = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  throw new pulumi.RunError(`${by}.assistant: the agent has no assistant "${name}"; ${there}`);
}

/** Refuses arguments of a component as its parts would, with the path in it. */
export function refuseWrong(kind: "Agent" | "AgentEnvironment", where: string, args: object): void {
  const { inputs } = kind === "Agent" ? agentComponent : environmentComponent;
  const shape: Shape = { kind: "object", fields: inputs };
  const problems = [...problemsOf(shape, checkable(args)), ...notPlain(shape, args)];
  if (problems.length > 0) throw new pulumi.RunError(where + problems.map(showProblem).join("; "));
}

/** A value as the checks take it: an output is not known yet. */
function checkable(value: unknown): Json {
  if (Array.isArray(value)) return value.map(checkable);
  if (isPlain(value)) {
    const given = Object.entries(value).filter(([, each]) => each !== undefined && each !== null);
    return Object.fromEntries(given.map(([key, each]) => [key, checkable(each)]));
  }
  if (value === undefined || value === null) return null;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : UNKNOWN;
}

const isPlain = (value: unknown): value is object =>
  isObject(value) &&
  !pulumi.Output.isInstance(value) &&
  !pulumi.Resource.isInstance(value) &&
  !(value instanceof Promise);

/** The outputs where the class needs a value. */
function notPlain(shape: Shape, value: unknown): Problem[] {
  if (pulumi.Output.isInstance(value) || value instanceof Promise)
    return [{ path: [], reason: "must be a value, not an output: it decides what there is" }];
  if (!isObject(value) && !Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([step, each]: [string, unknown]) => {
    const field = shape.kind === "object" ? shape.fields[step] : undefined;
    const inside = shape.kind === "map" || shape.kind === "list" ? shape.of : field?.isPlain ? field.type : undefined;
    return inside === undefined
      ? []
      : notPlain(inside, each).map(({ path, reason }) => ({ path: [step, ...path], reason }));
  });
}

export function mapValues<Key extends string, Given, Made>(
  given: Readonly<Record<Key, Given>> | null | undefined,
  make: (key: string, value: Given) => Made,
): Record<Key, Made>;
export function mapValues<Given, Made>(
  given: Readonly<Record<string, Given>> | null | undefined,
  make: (key: string, value: Given) => Made,
) {
  // Other languages, and conditions in JavaScript, may give null for an omitted property.
  const there = Object.entries(given ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(there.map(([key, value]) => [key, make(key, value)]));
}
