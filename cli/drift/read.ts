import { SECRET } from "../base/changed-fields";
import { CliError } from "../base/cli-error";
import { type EngineEvents, type EventState, messagesOf, type Step } from "../base/engine-events";
import { shownReasons } from "../base/pulumi";
import { referenceOf, recordedSettings } from "../base/stack-connections";
import type { StackState, StateResource } from "../base/stack-state";
import { type Connection, resolveConnection } from "../../provider/base/connection";
import { SIGNATURE } from "../../provider/base/engine-format";
import { isHttpError, isTransportError, messageOf, reasonOfAnswer } from "../../provider/base/errors";
import {
  isObject,
  isParsedJson,
  type Json,
  type JsonObject,
  sameJson,
  textIn,
  withoutNullKeys,
} from "../../provider/base/json";
import { configKey, environmentName, type Setting, SETTINGS } from "../../provider/base/settings";
import { clientOf, type PlatformClient } from "../../provider/functions/platform-client";
import { Declarations } from "../../provider/lifecycle/observe/declarations";
import { KEY_MARK, keyMarkOf, originOf } from "../../provider/lifecycle/identity/origin";
import { Ownership } from "../../provider/lifecycle/identity/ownership";
import { type Session, SILENT } from "../../provider/lifecycle/session";
import { migrateState, UNREAD } from "../../provider/lifecycle/state";
import { RESOURCES } from "../../provider/resources/registry";
import {
  dynamicToken,
  objectPlaceOf,
  type ResourceType,
  resourceTypeOf,
} from "../../provider/resources/resource-types";

// What `pulumi refresh` would find in a stack, by the same read and the same diff, but without an engine (docs/internals/engine.md, trap 9).

/** An object in a state that this process can read itself. */
export interface Readable {
  readonly resource: StateResource & { readonly id: string };
  readonly kind: ResourceType;
  readonly connection: Connection;
  /** The inputs and outputs without encrypted values, and without the code of a dynamic resource. */
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** The declared fields that the platform shows, but the state has encrypted. */
  readonly encrypted: readonly string[];
}

/** The objects of a state that refresh would read; or the reason why only an engine can, as the end of a sentence. */
export function readableIn({ resources, begun }: StackState, environment: NodeJS.ProcessEnv): Readable[] | string {
  if (begun.length > 0) return "a run was cut off while it created or imported something";
  const rows = resources.flatMap(({ id, ...row }) =>
    id === undefined || row.custom === false || row.type.startsWith("pulumi:providers:") ? [] : [{ id, ...row }],
  );
  if (rows.some((row) => row.delete === true || row.pendingReplacement === true))
    return "a run was cut off in a replacement";
  const objects: Readable[] = [];
  const connections = new Map<string, Connection | string>();
  for (const resource of rows) {
    const kind = resourceTypeOf(resource.type);
    if (kind === undefined) return "it has resources of other providers";
    const known = connections.get(resource.provider) ?? connectionOf(resource.provider, resources, environment);
    connections.set(resource.provider, known);
    if (typeof known === "string") return known;
    const open = openPart(kind, resource);
    const isHidden = (name: string): boolean => open.outputs[name] !== resource.outputs?.[name];
    // They are needed to ask the agent.
    if (objectPlaceOf(kind) === "agent" && ["deploymentId", "url", "customUrl", "apiKey"].some(isHidden))
      return "the key or the address of an agent is encrypted in its state";
    objects.push({ resource, kind, connection: known, ...open });
  }
  return objects;
}

/** The connection that the state records, with the environment's key if the recorded one is encrypted; or why it cannot be used. */
function connectionOf(
  reference: string,
  resources: readonly StateResource[],
  environment: NodeJS.ProcessEnv,
): Connection | string {
  const provider = resources.find((each) => referenceOf(each) === reference);
  const settings: ReadonlyMap<Setting, string> = provider === undefined ? new Map() : recordedSettings(provider);
  const isEncrypted = (key: string): boolean => isClosed(provider?.inputs?.[key]);
  const encrypted = SETTINGS.filter((setting) => isEncrypted(configKey(setting)) || isEncrypted(setting));
  const resolved = resolveConnection((setting) => settings.get(setting), environment);
  if (encrypted.length === 0) return "connection" in resolved ? resolved.connection : "its connection is incomplete";
  const [named] = encrypted.filter((setting) => setting !== "apiKey" && setting !== "bearerToken");
  if (named !== undefined) return `${named} is encrypted in its state`;
  const isNamed = (["baseUrl", "region"] as const).some((setting) => environment[environmentName(setting)]);
  const seenBy = ({ apiKey, baseUrl, sandboxBaseUrl, tenantId }: Connection): readonly string[] => {
    const marks = [baseUrl, sandboxBaseUrl].map((url) => keyMarkOf(originOf(url, tenantId), apiKey));
    return resources.flatMap(({ provider: of, outputs }) => {
      const seen = textIn(migrateState(outputs ?? {}), KEY_MARK);
      return seen !== undefined && marks.includes(seen) ? [of] : [];
    });
  };
  const users = "connection" in resolved ? seenBy(resolved.connection) : [];
  // The environment's key goes to where these objects were last seen with it, or to the environment's address if it is not that of other objects here.
  const isMeant = "connection" in resolved && (users.includes(reference) || (isNamed && users.length === 0));
  return isMeant ? resolved.connection : "its key is encrypted, and AGENT_PLATFORM_API_KEY is not that key";
}

/** Whether a value is encrypted, or has something encrypted inside. */
const isClosed = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(isClosed)
    : isObject(value) && (SIGNATURE in value || Object.values(value).some(isClosed));

function openPart(
  kind: ResourceType,
  { inputs, outputs }: StateResource,
): Pick<Readable, "inputs" | "outputs" | "encrypted"> {
  const { fields } = RESOURCES[kind].table;
  // A secret that a state has as plain text is not shown either.
  const isSecret = (name: string, value: unknown): boolean => fields[name]?.secret === true || isClosed(value);
  const closed = [inputs, outputs].flatMap((props) =>
    Object.entries(props ?? {}).flatMap(([name, value]) => (isSecret(name, value) ? [name] : [])),
  );
  // What travels in one field of the platform is compared as one.
  const carriers = new Set(closed.flatMap((name) => fields[name]?.carriedBy ?? []));
  const isClosedField = (name: string): boolean => closed.includes(name) || carriers.has(fields[name]?.carriedBy ?? "");
  // No answer shows such a field, so it is not compared; that it is declared counts.
  const isNeverShown = (name: string): boolean => fields[name]?.notReturned === "always";
  const open = (props: StateResource["inputs"]): JsonObject => {
    const entries = Object.entries(props ?? {}).flatMap(([name, value]): [string, Json][] => {
      if (name === "__provider" || !isParsedJson(value)) return [];
      if (!isClosedField(name)) return [[name, value]];
      return isNeverShown(name) ? [[name, SECRET]] : [];
    });
    return migrateState(Object.fromEntries(entries));
  };
  const encrypted = Object.keys(inputs ?? {}).filter((name) => isClosedField(name) && !isNeverShown(name));
  return { inputs: open(inputs), outputs: open(outputs), encrypted };
}

/** What the stacks of one comparison share: lists and rate limits by the session, and which platforms do not answer. */
export interface Shared {
  readonly session: Session;
  /** What each says of itself, by its address; of one that refuses a key, by that and the key. */
  readonly silent: Map<string, string>;
}

/**
 * Reads the objects of a stack, and compares them as `pulumi refresh` does. What could not be read is returned as unread, with the errors; if that is
 * everything, throws.
 */
export async function readStack(
  objects: readonly Readable[],
  { session: shared, silent }: Shared,
): Promise<Pick<EngineEvents, "outcomes" | "warnings" | "errors">> {
  const warnings = new Set<string>();
  const reasons: { readonly urn: string; readonly message: string }[] = [];
  const log = { ...SILENT, warn: (message: string) => void warnings.add(message) };
  // Whose object is whose counts within a stack.
  const session = { ...shared, log, ownership: new Ownership(), declarations: new Declarations() };
  const clients = new Map<Connection, PlatformClient>();
  const outcomes: Step[] = [];
  const unread = (object: Readable, message: string, urn = ""): void => {
    reasons.push({ urn, message });
    outcomes.push(unreadStep(object));
  };
  for (const object of objects) {
    const { connection, resource, kind } = object;
    const { baseUrl, sandboxBaseUrl, apiKey, bearerToken } = connection;
    const address = RESOURCES[kind].table.api === "sandbox" ? sandboxBaseUrl : baseUrl;
    const withKey = `${address} ${apiKey ?? bearerToken ?? ""}`;
    // An agent may not check the platform's key.
    const known = silent.get(address) ?? (objectPlaceOf(kind) === "agent" ? undefined : silent.get(withKey));
    if (known !== undefined) {
      unread(object, known);
      continue;
    }
    try {
      const client = clients.get(connection) ?? clientOf({ connection }, session);
      clients.set(connection, client);
      outcomes.push(await stepOf(object, client));
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      const isRefused = isHttpError(cause) && cause.status === 401;
      const isOfAll = objectPlaceOf(kind) !== "agent" && (isRefused || isOutage(cause));
      const remedy = isRefused ? ". `npx pulumi-agent-platform doctor --stack <name>` says how to set the key" : "";
      const reason = `${address}: ${reasonOfAnswer(cause)}${remedy}`;
      // It is not asked again, with all its retries, for each object of each stack.
      if (isOfAll) silent.set(isRefused ? withKey : address, reason);
      unread(object, isOfAll ? reason : messageOf(error), isOfAll ? "" : resource.urn);
    }
  }
  const isAll = outcomes.every((step) => UNREAD in (step.new?.outputs ?? {}));
  const errors = messagesOf(reasons);
  if (errors.length > 0 && isAll) throw new CliError(`nothing is known about drift:${shownReasons(errors)}`);
  return { outcomes, warnings: [...warnings], errors };
}

/** Nobody answers, or only what stands in front of the platform. */
const isOutage = (error: unknown): boolean =>
  isTransportError(error) || (isHttpError(error) && [502, 503, 504].includes(error.status));

async function stepOf(object: Readable, client: PlatformClient): Promise<Step> {
  const {
    resource: { id, urn, type, external },
    kind,
    inputs,
    outputs,
  } = object;
  // The dynamic protocol passes the outputs alone.
  const withInputs = (declared: JsonObject) => (type === dynamicToken(kind) ? {} : { inputs: declared });
  const { verbs, checks } = client.resource(kind);
  const read = await verbs.read({ id, outputs, ...withInputs(inputs) }, { urn });
  if (read === undefined) return stepTo(object, "delete", undefined);
  if (external === true) {
    const isSame = sameJson(withoutNullKeys(read.outputs), withoutNullKeys(outputs));
    return stepTo(object, isSame ? "same" : "update", { outputs: read.outputs });
  }
  const live = { id: read.id, inputs: read.inputs ?? inputs, outputs: read.outputs };
  const { changes } = checks.diff({ id: live.id, outputs: live.outputs, ...withInputs(live.inputs) }, inputs);
  return stepTo(object, changes.length > 0 ? "update" : "same", live);
}

/** What the engine would print for an object of a state: its operation, and its live values. */
export function stepTo(
  { resource, inputs, outputs }: { readonly resource: Readable["resource"] } & Pick<EventState, "inputs" | "outputs">,
  op: string,
  live: Partial<Pick<EventState, "id" | "inputs" | "outputs">> | undefined,
): Step {
  const { id, urn, type, external = false, provider } = resource;
  const old = { id, urn, type, external, provider, inputs, outputs, custom: true, retainOnDelete: false, parent: "" };
  return { op, urn, type, keys: [], old, new: live && { ...old, ...live } };
}

/** The step of an object that gave no answer. */
export const unreadStep = (object: Parameters<typeof stepTo>[0]): Step =>
  stepTo(object, "same", { outputs: { ...object.outputs, [UNREAD]: null } });
