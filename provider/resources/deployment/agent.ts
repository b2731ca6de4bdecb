import { addressProblem, isInsecure, sameAddress, urlProblem, withoutSlash, withScheme } from "../../base/address";
import type { Connection } from "../../base/connection";
import {
  AgentPlatformError,
  isAnswerError,
  isForeignNotFound,
  isHttpError,
  isTransportError,
  reasonOfAnswer,
} from "../../base/errors";
import { isObject, UNKNOWN, type Json, type JsonObject } from "../../base/json";
import { toSet } from "../../base/settings";
import { shellWord } from "../../base/shell";
import { vouchesFor } from "../../base/vouched";
import type { Send } from "../../http/request";
import type { Proposed } from "../../lifecycle/definition";
import { IGNORED, type Declared } from "../../lifecycle/observe/declarations";
import { showProblem, type Problem } from "../../lifecycle/fields/fields";
import type { Context } from "../../lifecycle/observe/context";
import {
  ABSENT,
  observe,
  UNSUPPORTED,
  valueOf,
  type Absent,
  type Observation,
  type Unsupported,
} from "../../lifecycle/observe/observation";
import { readDeployment } from "./api";
import { deploymentOf, isBeingDeleted } from "./observe";
import { urlOf, type DeploymentWire } from "./wire";

// The agent of a deployment is a server of its own: its address, the key that it gets, and what it means if it does not answer.

/** The time limit of the look-up of a deployment whose agent does not answer. */
const BRIEF_MS = 10_000;

/** Why nothing, or not the connection's key, may be sent to the agent that a resource names: for the `refuse` of a type. @param kind Its kind, for the remedy. */
export function* refuseAgent(kind: string, { connection, before, after, program }: Proposed): Generator<Problem> {
  if (connection === undefined) return;
  yield* refuseAddress(kind, connection, after);
  yield* refuseFoundUrl(kind, connection, before, after, program);
}

const isValid = (value: Json | undefined, problemOf: (text: string) => string | undefined): value is string =>
  typeof value === "string" && value !== UNKNOWN && problemOf(value) === undefined;

/** The same for the address alone. Values may be unknown or invalid. */
function refuseAddress(kind: string, connection: Connection, { url, customUrl, apiKey }: JsonObject): Problem[] {
  if (!isValid(url, urlProblem)) return [];
  if (isInsecure(url) && !connection.allowInsecure) {
    const reason = `is plain http to another machine, which would expose the key on the network: use https, or ${toSet("allowInsecure", "true")}`;
    return [{ path: ["url"], reason }];
  }
  if (apiKey !== undefined || connection.apiKey === undefined) return [];
  if (typeof customUrl === "string" && !isValid(customUrl, addressProblem)) return [];
  if (vouchesFor(connection, url, typeof customUrl === "string" ? customUrl : undefined)) return [];
  const reason =
    `${new URL(url).host} is no address of the platform, and the program does not declare it, so the connection's apiKey is not sent there: somebody ` +
    `may have set it on the platform. If it is right, give the ${kind} an apiKey of its own, declare the address as its customUrl, or ` +
    toSet("agentDomain", "the domain of the platform's agents");
  return [{ path: ["url"], reason }];
}

/**
 * Why the key must not be sent to a customUrl that a refresh found: a program can pass the deployment's output, which after a refresh is the address
 * that somebody set on the platform, and keeps it if the program ignores changes of the address. With `--target`, this process may not know the
 * deployment's declaration; then any change of the customUrl is refused.
 */
function refuseFoundUrl(
  kind: string,
  connection: Connection,
  before: JsonObject,
  { url, customUrl, deploymentId, apiKey }: JsonObject,
  program: Declared,
): Problem[] {
  if (apiKey !== undefined || connection.apiKey === undefined) return [];
  if (!isValid(url, urlProblem) || !isValid(customUrl, addressProblem) || vouchesFor(connection, url)) return [];
  const deployment = program.of("Deployment", textOf(deploymentId)).at(-1);
  const isIt = (address: Json | undefined): boolean => typeof address === "string" && sameAddress(address, customUrl);
  const problem = deployment === undefined ? movedWithout(before, deploymentId, isIt) : foundIn(deployment, isIt);
  if (problem === undefined) return [];
  const reason =
    `${problem}. The connection's apiKey is not sent there. If the address is right, ` +
    `${toSet("agentDomain", new URL(withScheme(customUrl)).hostname)}, or give the ${kind} an apiKey of its own`;
  return [{ path: ["customUrl"], reason }];
}

type IsAddress = (address: Json | undefined) => boolean;

function movedWithout(before: JsonObject, deploymentId: Json | undefined, isIt: IsAddress): string | undefined {
  if (!("customUrl" in before) || before["deploymentId"] !== deploymentId || isIt(before["customUrl"]))
    return undefined;
  return "has changed, and this run does not know what the program declares of the deployment: run it without --target";
}

/** For a deployment that this run has compared: whether the address is in its state, is not the declared one, and may be there because of `ignoreChanges`. */
function foundIn({ sourceConfig, __declaredUrl, [IGNORED]: ignored }: JsonObject, isIt: IsAddress): string | undefined {
  const isIgnored =
    !Array.isArray(ignored) || ignored.some((path) => typeof path === "string" && /^(sourceConfig|\*)/.test(path));
  const isInState = isObject(sourceConfig) && isIt(sourceConfig["customUrl"]);
  if (__declaredUrl === undefined || isIt(__declaredUrl) || !isInState || !isIgnored) return undefined;
  return "is what a refresh has found in the place of the deployment's declared address, and somebody may have set it on the platform";
}

/** Whether the platform gave a deployment its address (docs/internals/platform.md, Answers of a deployment). */
export const isGivenAddress = (address: Json | undefined, id: string, connection: Connection): boolean =>
  typeof address === "string" && (address.includes(id) || vouchesFor(connection, withScheme(address)));

/** Why nothing may be sent there. A preview refuses it, but may not know all values. */
export function addressRefusal(
  kind: string,
  connection: Connection,
  place: JsonObject,
): AgentPlatformError | undefined {
  const [problem] = refuseAddress(kind, connection, place);
  return problem && new AgentPlatformError(showProblem(problem));
}

/** The request function for the agent that these inputs or outputs name. Throws if the key must not be sent there, or if there is no address. */
export async function sendToAgent(context: Context, kind: string, place: JsonObject): Promise<Send> {
  const { url, apiKey, deploymentId } = place;
  if (typeof url !== "string") {
    const { url: known } = await placeOfDeployment(context, textOf(deploymentId));
    throw new AgentPlatformError(
      `url: is null, but the agent is at ${textOf(known)} by now: run \`pulumi up --refresh\``,
    );
  }
  const refusal = addressRefusal(kind, context.connection, place);
  if (refusal !== undefined) throw refusal;
  return context.sendTo(withoutSlash(url), typeof apiKey === "string" ? apiKey : context.connection.apiKey);
}

/** Whether an error says nothing about the object: no answer, an answer of a gateway, or a failing server. */
export const isSilence = (error: unknown): boolean =>
  isTransportError(error) ||
  isAnswerError(error) ||
  isForeignNotFound(error) ||
  (isHttpError(error) && (error.status >= 500 || error.status === 408));

/**
 * Decides by the deployment what it means that its agent does not answer. If the deployment is gone or being deleted, its objects are gone with its database.
 * Otherwise unsupported, with a cause that names the deployment and its revision.
 */
export async function silenceMeans(
  context: Context,
  place: JsonObject,
  silence?: unknown,
): Promise<Absent | Unsupported> {
  const id = textOf(place["deploymentId"]);
  const url = textOf(place["url"]);
  const seen = id === "" ? UNSUPPORTED : await glanceAt(context, id);
  const deployment = valueOf(seen);
  // A deletion cannot be stopped.
  if (seen.state === "absent" || (deployment !== undefined && isBeingDeleted(deployment))) return ABSENT;
  const of = deployment === undefined ? `deployment ${id}` : described(deployment);
  // The same text for all objects of the agent, so that it is reported once.
  const why = silence === undefined ? "" : `: ${reasonOfAnswer(silence)}`;
  const next = `See what is wrong with it: \`pulumi-agent-platform logs ${shellWord(id)}\``;
  const cause = new AgentPlatformError(`the agent of ${of} gives no usable answer at ${url}${why}. ${next}`, {
    cause: silence,
  });
  return { state: "unsupported", cause };
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

async function glanceAt({ send, clock }: Context, id: string): Promise<Observation<DeploymentWire>> {
  try {
    return await observe(() => readDeployment(send, id, clock.now() + BRIEF_MS, "once"));
  } catch {
    // The platform does not answer either.
    return UNSUPPORTED;
  }
}

const described = ({ id, name, latest_revision_id: revision, status }: DeploymentWire): string =>
  `Deployment "${name}" (${id}${status == null ? "" : `, ${status}`}), whose latest revision is ${revision ?? "not named yet"},`;

/** Asks the platform for the address of a deployment's agent. Throws if there is no such deployment, or no address yet. */
export async function placeOfDeployment(context: Context, deploymentId: string): Promise<JsonObject> {
  const deployment = await deploymentOf(context, deploymentId);
  if (deployment === undefined) throw new AgentPlatformError(`there is no deployment ${deploymentId}`);
  const url = urlOf(deployment);
  if (typeof url === "string") return { deploymentId: deployment.id, url };
  throw new AgentPlatformError(`${described(deployment)} has no address yet: nothing of its agent can be read`);
}
