import { z } from "zod";
import { AgentPlatformError, goneMeanwhile, isUnclear, messageOf } from "../../base/errors";
import { asObject, isObject, leavesOf, type JsonObject, textIn } from "../../base/json";
import { sameAddress } from "../../base/address";
import { shellWord } from "../../base/shell";
import { pages } from "../../http/pages";
import { type Answer, type Send } from "../../http/request";
import { segment } from "../../http/segment";
import { ATTEMPTS, createObject, PAUSES_MS } from "../../lifecycle/create";
import { type Defined, defineResource } from "../../lifecycle/defined";
import type { ResourceDefinition } from "../../lifecycle/definition";
import { compare } from "../../lifecycle/fields/comparison";
import { type Change, sameField } from "../../lifecycle/fields/diff";
import { toComputedNames } from "../../lifecycle/fields/rename";
import type { Context, Found, State } from "../../lifecycle/observe/context";
import {
  mapFound,
  type Observation,
  observe,
  observeAll,
  requireSupported,
  valueOf,
} from "../../lifecycle/observe/observation";
import type { Key } from "../../lifecycle/observe/read-object";
import type { Live } from "../../lifecycle/rest/addressed";
import { byId } from "../../lifecycle/rest/by-id";
import { changedOnly } from "../../lifecycle/rest/rest-resource";
import { urnIn } from "../../lifecycle/state";
import { addressRefusal, isSilence, placeOfDeployment, refuseAgent, sendToAgent, silenceMeans } from "./agent";
import { BY_REPLACING, MARK } from "./agent-fields";

/** The body of a PATCH with only the metadata keys that changed. */
function mergedMetadata({ metadata: all }: JsonObject, changes: readonly Change[], body: JsonObject): JsonObject {
  if (body["metadata"] === undefined || !isObject(all)) return body;
  const keys = new Set(changes.flatMap(({ path: [name, key] }) => (name === "metadata" ? [key] : [])));
  // All keys, if the whole map was unknown.
  const changed = Object.entries(all).filter(([key]) => keys.has(key) || keys.has(undefined));
  return { ...body, metadata: Object.fromEntries(changed) };
}

const TAKEN_OUT = `cannot be taken out: the server merges metadata. Give it another value, such as null, or ${BY_REPLACING}`;

/** A type whose objects are a collection of an agent: POST at its path, a search below it, and GET, PATCH and DELETE of one object. */
interface OnAgent<Inputs> extends Pick<
  ResourceDefinition<Inputs, Live>,
  "table" | "toProblem" | "expectedRefusals" | "toInputs" | "refuse"
> {
  /** The path of the collection: "/assistants". */
  readonly path: string;
  /** The platform's name of the id. */
  readonly idName: string;
  /** The flag of GET /info that says whether the server has such objects. */
  readonly flag: string;
  /** The path of the POST. @default that of the collection */
  readonly postTo?: (inputs: Inputs) => string;
  readonly body: (inputs: Inputs, ownKey: string) => JsonObject;
  /** Completes the body of a PATCH, which has what changed: as of {@link ResourceDefinition.patch}. */
  readonly completed: (body: JsonObject, inputs: Inputs, changes: readonly Change[], live?: Live) => JsonObject;
  /** The key that the POST gives the object. @param seed As in {@link OwnKey}. */
  readonly ownKey: (seed: string, inputs: Inputs) => string;
  /** The server changes one field after the other. */
  readonly isDivisible?: true;
  /** Whether the key is the object's id or a mark in its metadata ({@link MARK}). */
  readonly keyIs: "id" | "mark";
  /** Throws if the object belongs to the server itself. */
  readonly refuseLive?: (live: Live) => void;
}

const markIn = ({ metadata }: Live): unknown => asObject(metadata)[MARK];

/** Objects in one page of a search. */
const PAGE = 100;

export function agentResource<Inputs extends JsonObject>(type: OnAgent<Inputs>): Defined {
  const { table, path, idName, isDivisible, refuseLive = () => undefined } = type;
  const { kind, one: noun } = table;
  const live: z.ZodType<Live> = z.looseObject({ [idName]: z.string().min(1) });
  const idOf = (each: Live): string => textIn(each, idName) ?? "";
  const onePath = (id: string): string => `${path}/${segment(id)}`;
  /** The results of a search, page by page (docs/internals/platform.md, Assistants of an agent). */
  const search = (send: Send, filter: JsonObject = {}): AsyncGenerator<Answer<readonly Live[]>> => {
    const fetch = async (offset: number) => {
      const body = { ...filter, limit: PAGE, offset };
      const answer = await send({ method: "POST", path: `${path}/search`, body, isRead: true }, z.array(live));
      return { ...answer, data: { items: answer.data, offset: undefined } };
    };
    return pages(PAGE, fetch, idOf);
  };
  const collection = byId({
    table,
    path,
    live,
    keyName: idName,
    idIsKey: true,
    idOf,
    pages: search,
    // Some servers answer 200, which may also come from a gateway: a look-up then shows whether it is gone.
    isDeleted: ({ status }) => status === 204,
  });
  const patch = (inputs: Inputs, changes: readonly Change[], before: JsonObject, each?: Live): JsonObject => {
    const body = mergedMetadata(inputs, changes, changedOnly(table, inputs, changes, before));
    return type.completed(body, inputs, changes, each);
  };
  const sendTo = (context: Context, place: JsonObject): Promise<Send> => sendToAgent(context, kind, place);
  const change = async (context: Context, place: JsonObject, method: "POST" | "PATCH", to: string, body: JsonObject) =>
    (await sendTo(context, place))({ method, path: to, body, secrets: textsIn(body), isDivisible }, live);
  /** Adds the place of the agent, which answers do not contain. */
  const located = (each: Live, place: JsonObject): Live => ({
    ...each,
    deployment_id: place["deploymentId"],
    url: place["url"],
  });
  const toInputs: typeof type.toInputs = (each, outputs) => {
    const shown = type.toInputs(each, outputs);
    const { metadata: declared } = outputs;
    // A declared key that the answer lacks does not exist on the server.
    const none = Object.keys(asObject(declared)).map((key) => [key, null] as const);
    return {
      deploymentId: textIn(each, "deployment_id"),
      url: textIn(each, "url"),
      ...shown,
      metadata: { ...Object.fromEntries(none), ...asObject(shown["metadata"]) },
    };
  };

  /** The place of an object: from its state or its resource; an import names the deployment together with the id. */
  async function placed(context: Context, key: Key): Promise<{ readonly id: string; readonly place: JsonObject }> {
    const given = "id" in key ? key.id : key.name;
    const known = ("outputs" in key ? key.outputs : undefined) ?? key.inputs;
    if (known !== undefined) return { id: given.slice(given.lastIndexOf("/") + 1), place: known };
    const [deploymentId, id, ...rest] = given.split("/");
    if (deploymentId && id && rest.length === 0) return { id, place: await placeOfDeployment(context, deploymentId) };
    throw new AgentPlatformError(`the id alone does not say whose ${noun} it is: give "<deployment id>/<${noun} id>"`);
  }

  /** Looks the object up on the agent. If the agent does not answer, its deployment shows what that means ({@link silenceMeans}). */
  async function askAgent<T>(
    context: Context,
    place: JsonObject,
    look: (send: Send) => Promise<Observation<T>>,
  ): Promise<Observation<T>> {
    const send = await sendTo(context, place);
    const seen = await look(send).catch((error: unknown) => {
      if (isSilence(error)) return silenceMeans(context, place, error);
      throw error;
    });
    return seen.state === "unsupported" && seen.cause === undefined ? silenceMeans(context, place) : seen;
  }

  /** An object in an answer of the agent at this place. */
  const seenAt = (each: Live, place: JsonObject): Found<Live> => {
    refuseLive(each);
    return { id: idOf(each), live: located(each, place) };
  };

  async function observeOne(context: Context, key: Key): Promise<Observation<Found<Live>>> {
    const { id, place } = await placed(context, key);
    // The address in a state may be that of a platform that has moved since: a read keeps the state, and the next update goes to the new one.
    const cause = "outputs" in key ? addressRefusal(kind, context.connection, place) : undefined;
    if (cause !== undefined) {
      const meaning = await silenceMeans(context, place);
      return meaning.state === "absent" ? meaning : { ...meaning, cause };
    }
    const seen = await askAgent(context, place, (send) => collection.observe({ ...context, send }, { id }));
    return mapFound(seen, ({ live: each }) => seenAt(each, place));
  }

  /** All objects with the key. Filters the answer again, because a server that does not know the filter returns all objects. */
  async function withKey(context: Context, inputs: Inputs, key: string): Promise<Observation<readonly Found<Live>[]>> {
    const seen = await askAgent(context, inputs, async (send): Promise<Observation<readonly Live[]>> => {
      await requireFlag(send, type.flag, textIn(inputs, "url") ?? "");
      if (type.keyIs === "mark")
        return observeAll(search(send, { metadata: { [MARK]: key } }), (each) => markIn(each) === key);
      return mapFound(await observe(() => send({ method: "GET", path: onePath(key) }, live)), (one) => [one]);
    });
    // Nothing is created on an agent that does not answer.
    return mapFound(requireSupported(seen, kind), (all) => all.map((each) => seenAt(each, inputs)));
  }

  /** The changes that are still to be made: differences from the declaration, and removed fields that still have a value. */
  function openIn(each: Live, inputs: Inputs, changes: readonly Change[]): Change[] {
    const { shown, changes: different } = compare({ table, toInputs }, each, inputs, "ignored");
    const left = changes.filter(
      ({ path: [name = ""], removed, rule }) => removed && !sameField(rule, shown[name] ?? undefined, undefined),
    );
    return [...different, ...left];
  }

  /** Sends the open changes, once: a PATCH may create a version, so after a lost answer the object is read first. */
  async function update(context: Context, state: State, inputs: Inputs, changes: readonly Change[]): Promise<Live> {
    const what = `${kind} ${state.id}`;
    const look = async (): Promise<Live> => {
      const result = requireSupported(await observeOne(context, { id: state.id, inputs }), what);
      if (result.state === "found") return result.value.live;
      // A refresh looks at the address in the state.
      const [from = "", to = ""] = [state.outputs, inputs].map((place) => textIn(place, "url"));
      const isMoved = from !== "" && !sameAddress(from, to);
      throw isMoved ? notMovedAlong(what, to, urnIn(state.outputs, context.call)) : goneMeanwhile(what);
    };
    let seen = await look();
    for (let attempt = 1; ; attempt++) {
      const open = openIn(seen, inputs, changes);
      const body = patch(inputs, open, state.outputs, seen);
      if (Object.keys(body).length === 0) return seen;
      try {
        const { data: now } = await change(context, inputs, "PATCH", onePath(state.id), body);
        return located(now, inputs);
      } catch (error) {
        if (!isUnclear(error) || attempt >= ATTEMPTS) throw error;
        for (const pause of PAUSES_MS) {
          await context.clock.sleep(pause, context.signal);
          const now = await look();
          const isDone = openIn(now, inputs, changes).length === 0;
          if (!isDone && now["updated_at"] !== seen["updated_at"]) throw changedMeanwhile(what, error);
          seen = now;
          if (isDone) break;
        }
      }
    }
  }

  return defineResource<Inputs, Live>({
    table,
    *refuse(proposed) {
      yield* refuseAgent(kind, proposed);
      yield* type.refuse?.(proposed) ?? [];
      for (const { path: at, removed } of proposed.changes)
        if (removed && at[0] === "metadata" && at.length === 2) yield { path: at, reason: TAKEN_OUT };
    },
    expectedRefusals: type.expectedRefusals,
    creation: (inputs, key) => [type.body(inputs, key)],
    create(context, wanted) {
      const { inputs } = wanted;
      return createObject(context, wanted, {
        async post(key) {
          const answer = await change(context, inputs, "POST", type.postTo?.(inputs) ?? path, type.body(inputs, key));
          return { ...answer, data: seenAt(answer.data, inputs) };
        },
        find: (key) => withKey(context, inputs, key),
        own: { of: (seed) => type.ownKey(seed, inputs) },
      });
    },
    observe: observeOne,
    patch,
    update,
    async delete(context, state) {
      const { outputs } = state;
      let silence: unknown;
      try {
        if (typeof outputs["url"] === "string") {
          const agent = { ...context, send: await sendTo(context, outputs) };
          const deletion = await collection.delete(agent, state);
          // A 404 to everything is no answer about this object.
          const isAnswer = typeof deletion === "string" || (await collection.observe(agent, state)).state === "found";
          if (isAnswer) return deletion;
        }
      } catch (error) {
        if (!isSilence(error)) throw error;
        silence = error;
      }
      const meaning = await silenceMeans(context, outputs, silence);
      if (meaning.state === "absent") return "absent";
      throw stays(`${kind} ${state.id}`, urnIn(outputs, context.call), meaning.cause);
    },
    toProblem: type.toProblem,
    toInputs,
    toComputed: (each) => toComputedNames(table.fields, each),
  });
}

/** The texts in a request that are meant for the graph. They may be secret, and a server quotes what it refuses. */
const textsIn = ({ input, context, config, webhook }: JsonObject): string[] =>
  [input, context, config, webhook].flatMap(leavesOf);

const Info = z.looseObject({ flags: z.record(z.string(), z.unknown()).nullish() });

/** Throws if the server says that it was built without such objects. A server without GET /info may have them. */
async function requireFlag(send: Send, flag: string, url: string): Promise<void> {
  const info = valueOf(await observe(() => send({ method: "GET", path: "/info" }, Info)));
  if (info?.flags?.[flag] !== false) return;
  throw new AgentPlatformError(
    `the agent at ${url} has no ${flag} (its GET /info says so): use a server that has them`,
  );
}

/** How to take an object out of the state alone. */
const stateDelete = (urn: string | undefined): string =>
  urn === undefined ? "its row" : `\`pulumi state delete --target-dependents ${shellWord(urn)}\``;

const notMovedAlong = (what: string, url: string, urn: string | undefined): AgentPlatformError =>
  new AgentPlatformError(
    `${what} is not at the agent's new address, ${url}. If that one should not have it yet, take it out of the state (${stateDelete(urn)}), and run ` +
      "`pulumi up`, which makes it there; otherwise correct the address",
  );

/** The error of a delete if the agent does not answer. A `destroy` deletes an agent's objects before the deployment, so whether that is deleted is not known yet. */
function stays(what: string, urn: string | undefined, cause: Error | undefined): AgentPlatformError {
  const next = `It stays, and so does its row in the state. If its deployment is deleted, it goes with that: take it out of the state first (${stateDelete(urn)})`;
  return new AgentPlatformError(`${what}: ${cause?.message ?? "its agent has no address"}. ${next}`, { cause });
}

const changedMeanwhile = (what: string, cause: unknown): AgentPlatformError =>
  new AgentPlatformError(
    `${what}: it is not known whether the update was made (${messageOf(cause)}), and somebody else has changed it since. Run \`pulumi up\` again, which looks first`,
    { cause },
  );
