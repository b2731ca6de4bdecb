import { z } from "zod";
import { AgentPlatformError, goneMeanwhile, isUnclear, messageOf } from "../../base/errors";
import { asObject, isObject, leavesOf, type JsonObject, textIn } from "../../base/json";
import { sameAddress } from "../../base/address";
import { shellWord } from "../../base/shell";
import { pages } from "../../http/pages";
import { type Answer, type Send } from "../../http/request";
import { ATTEMPTS, createObject, PAUSES_MS } from "../../lifecycle/create";
import { type Defined, defineResource } from "../../lifecycle/defined";
import type { Deletion, Made, ResourceDefinition, Wanted } from "../../lifecycle/definition";
import { compare } from "../../lifecycle/fields/comparison";
import { type Change, sameField } from "../../lifecycle/fields/diff";
import { toComputedNames } from "../../lifecycle/fields/rename";
import type { Context, Found, State } from "../../lifecycle/observe/context";
import { IGNORED } from "../../lifecycle/observe/declarations";
import {
  found,
  mapFound,
  type Observation,
  observe,
  observeAll,
  requireSupported,
  UNSUPPORTED,
  valueOf,
} from "../../lifecycle/observe/observation";
import type { Key } from "../../lifecycle/observe/read-object";
import { type Live, RestCollection } from "../../lifecycle/rest/collection";
import { ById } from "../../lifecycle/rest/by-id";
import { changedOnly } from "../../lifecycle/rest/rest-resource";
import { urnIn } from "../../lifecycle/state";
import { addressRefusal, isSilence, placeOfDeployment, refuseAgent, sendToAgent, silenceMeans } from "./agent";
import { BY_REPLACING, MARK } from "./agent-fields";

/** A type whose objects are a collection of an agent: POST at its path, a search below it, and GET, PATCH and DELETE of one object. */
interface OnAgent<Inputs> extends Pick<
  ResourceDefinition<Inputs, Live>,
  "table" | "toProblem" | "expectedRefusals" | "toInputs" | "refuse"
> {
  /** The path of the collection: "/assistants". */
  readonly path: string;
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

export function agentResource<Inputs extends JsonObject>(type: OnAgent<Inputs>): Defined {
  const { table } = type;
  const objects = new ObjectsOnAgent(type);
  return defineResource<Inputs, Live>({
    ...type,
    *refuse(proposed) {
      yield* refuseAgent(table.kind, proposed);
      yield* type.refuse?.(proposed) ?? [];
      for (const { path, removed } of proposed.changes)
        if (removed && path[0] === "metadata" && path.length === 2) yield { path, reason: TAKEN_OUT };
    },
    creation: (inputs, key) => [type.body(inputs, key)],
    patch: (inputs, changes, before, live) => objects.patch(inputs, changes, before, live),
    create: (context, wanted) => objects.create(context, wanted),
    observe: (context, key) => objects.observe(context, key),
    update: (context, state, inputs, changes) => objects.update(context, state, inputs, changes),
    delete: (context, state) => objects.delete(context, state),
    toInputs: objects.toInputs,
    toComputed: (live) => toComputedNames(table.fields, live),
  });
}

const TAKEN_OUT = `cannot be taken out: the server merges metadata. Give it another value, such as null, or ${BY_REPLACING}`;

/** Objects in one page of a search. */
const PAGE = 100;

class ObjectsOnAgent<Inputs extends JsonObject> {
  private readonly collection: RestCollection;
  private readonly byId: ById;

  constructor(private readonly type: OnAgent<Inputs>) {
    const { table, path } = type;
    const idName = `${table.one}_id`;
    const live: z.ZodType<Live> = z.looseObject({ [idName]: z.string().min(1) });
    const idOf = (each: Live): string => textIn(each, idName) ?? "";
    this.collection = new RestCollection(table, path, live, idOf, (send) => this.search(send));
    this.byId = new ById(this.collection);
  }

  create(context: Context, wanted: Wanted<Inputs, Live>): Promise<Made<Live>> {
    const { type } = this;
    const { inputs } = wanted;
    return createObject(context, wanted, {
      post: async (key) => {
        const path = type.postTo?.(inputs) ?? type.path;
        const answer = await this.change(context, inputs, "POST", path, type.body(inputs, key));
        return { ...answer, data: this.seenAt(answer.data, inputs) };
      },
      find: (key) => this.withKey(context, inputs, key),
      own: { of: (seed) => type.ownKey(seed, inputs) },
    });
  }

  async observe(context: Context, key: Key): Promise<Observation<Found<Live>>> {
    const { id, place } = await placed(context, this.type.table.one, key);
    // The address in a state may be that of a platform that has moved since: a read keeps the state, and the next update goes to the new one.
    const cause = "outputs" in key ? addressRefusal(this.type.table.kind, context.connection, place) : undefined;
    if (cause !== undefined) {
      const meaning = await silenceMeans(context, place);
      return meaning.state === "absent" ? meaning : { ...meaning, cause };
    }
    const seen = await this.askAgent(context, place, (send) => this.byId.observe({ ...context, send }, { id }));
    return mapFound(seen, ({ live }) => this.seenAt(live, place));
  }

  /** The body of a PATCH. Of the metadata, it has only the keys that changed. */
  patch(inputs: Inputs, changes: readonly Change[], before: JsonObject, live?: Live): JsonObject {
    const body = changedOnly(this.type.table, inputs, changes, before);
    if (body["metadata"] !== undefined && isObject(inputs["metadata"])) {
      const keys = new Set(changes.flatMap(({ path: [name, key] }) => (name === "metadata" ? [key] : [])));
      // All keys, if the whole map was unknown.
      const changed = Object.entries(inputs["metadata"]).filter(([key]) => keys.has(key) || keys.has(undefined));
      body["metadata"] = Object.fromEntries(changed);
    }
    return this.type.completed(body, inputs, changes, live);
  }

  /** Sends the open changes, once: a PATCH may create a version, so after a lost answer the object is read first. */
  async update(context: Context, state: State, inputs: Inputs, changes: readonly Change[]): Promise<Live> {
    const what = `${this.type.table.kind} ${state.id}`;
    let seen = await this.lookBefore(context, state, inputs);
    for (let attempt = 1; ; attempt++) {
      const wanted = this.asIgnored(context, state, inputs, seen);
      const body = this.patch(wanted, this.openIn(seen, wanted, changes), state.outputs, seen);
      if (Object.keys(body).length === 0) return seen;
      try {
        const { data: now } = await this.change(context, inputs, "PATCH", this.collection.pathOf(state.id), body);
        return located(now, inputs);
      } catch (error) {
        if (!isUnclear(error) || attempt >= ATTEMPTS) throw error;
        for (const pause of PAUSES_MS) {
          await context.clock.sleep(pause, context.signal);
          const now = await this.lookBefore(context, state, inputs);
          const isDone = this.openIn(now, wanted, changes).length === 0;
          if (!isDone && now["updated_at"] !== seen["updated_at"]) throw changedMeanwhile(what, error);
          seen = now;
          if (isDone) break;
        }
      }
    }
  }

  /** The inputs, where what the program ignores counts as declared as it is live, as after a refresh. */
  private asIgnored({ program }: Context, { id }: State, inputs: Inputs, seen: Live): Inputs {
    const { [IGNORED]: ignored } = program.of(this.type.table.kind, id).at(-1) ?? {};
    const isKept = ([name, value]: [string, unknown]): boolean =>
      Array.isArray(ignored) && ignored.includes(name) && (value ?? null) !== null;
    return { ...inputs, ...Object.fromEntries(Object.entries(this.toInputs(seen, inputs)).filter(isKept)) };
  }

  async delete(context: Context, state: State): Promise<Deletion> {
    const { outputs } = state;
    const ask = async (send: Send): Promise<Observation<Deletion>> => {
      const agent = { ...context, send };
      const deletion = await this.byId.delete(agent, state);
      // A 404 to everything is no answer about this object.
      const isAnswer = typeof deletion === "string" || (await this.byId.observe(agent, state)).state === "found";
      return isAnswer ? found(deletion) : UNSUPPORTED;
    };
    const hasAddress = typeof outputs["url"] === "string";
    const seen = hasAddress ? await this.askAgent(context, outputs, ask) : await silenceMeans(context, outputs);
    if (seen.state === "unsupported")
      throw stays(`${this.type.table.kind} ${state.id}`, urnIn(outputs, context.call), seen.cause);
    return seen.state === "found" ? seen.value : "absent";
  }

  readonly toInputs = (live: Live, outputs: JsonObject): JsonObject => {
    const shown = this.type.toInputs(live, outputs);
    // A declared key that the answer lacks does not exist on the server.
    const none = Object.keys(asObject(outputs["metadata"])).map((key) => [key, null] as const);
    return {
      deploymentId: textIn(live, "deployment_id"),
      url: textIn(live, "url"),
      ...shown,
      metadata: { ...Object.fromEntries(none), ...asObject(shown["metadata"]) },
    };
  };

  /** The results of a search, page by page (docs/internals/platform.md, Assistants of an agent). */
  private search(send: Send, filter: JsonObject = {}): AsyncGenerator<Answer<readonly Live[]>> {
    const { path, live, idOf } = this.collection;
    const fetch = async (offset: number) => {
      const body = { ...filter, limit: PAGE, offset };
      const answer = await send({ method: "POST", path: `${path}/search`, body, isRead: true }, z.array(live));
      return { ...answer, data: { items: answer.data, offset: undefined } };
    };
    return pages(PAGE, fetch, idOf);
  }

  private async change(context: Context, place: JsonObject, method: "POST" | "PATCH", path: string, body: JsonObject) {
    const { isDivisible, table } = this.type;
    const send = await sendToAgent(context, table.kind, place);
    return send({ method, path, body, secrets: textsIn(body), isDivisible }, this.collection.live);
  }

  /** Looks the object up on the agent. If the agent does not answer, its deployment shows what that means ({@link silenceMeans}). */
  private async askAgent<T>(
    context: Context,
    place: JsonObject,
    look: (send: Send) => Promise<Observation<T>>,
  ): Promise<Observation<T>> {
    const send = await sendToAgent(context, this.type.table.kind, place);
    const seen = await look(send).catch((error: unknown) => {
      if (isSilence(error)) return silenceMeans(context, place, error);
      throw error;
    });
    return seen.state === "unsupported" && seen.cause === undefined ? silenceMeans(context, place) : seen;
  }

  /** An object in an answer of the agent at this place. */
  private seenAt(live: Live, place: JsonObject): Found<Live> {
    this.type.refuseLive?.(live);
    return { id: this.collection.idOf(live), live: located(live, place) };
  }

  /** All objects with the key. Filters the answer again, because a server that does not know the filter returns all objects. */
  private async withKey(context: Context, inputs: Inputs, key: string): Promise<Observation<readonly Found<Live>[]>> {
    const { table, keyIs } = this.type;
    const seen = await this.askAgent(context, inputs, async (send): Promise<Observation<readonly Live[]>> => {
      await requireFlag(send, `${table.one}s`, textIn(inputs, "url") ?? "");
      if (keyIs === "mark")
        return observeAll(this.search(send, { metadata: { [MARK]: key } }), (each) => markIn(each) === key);
      return mapFound(await this.collection.lookUp(send, key), ({ live }) => [live]);
    });
    // Nothing is created on an agent that does not answer.
    return mapFound(requireSupported(seen, table.kind), (all) => all.map((each) => this.seenAt(each, inputs)));
  }

  /** The changes that are still to be made: differences from the declaration, and removed fields that still have a value. */
  private openIn(live: Live, inputs: Inputs, changes: readonly Change[]): Change[] {
    const { table } = this.type;
    const { shown, changes: different } = compare({ table, toInputs: this.toInputs }, live, inputs, "ignored");
    const left = changes.filter(
      ({ path: [name = ""], removed, rule }) => removed && !sameField(rule, shown[name] ?? undefined, undefined),
    );
    return [...different, ...left];
  }

  /** The object at the declared address. Throws if it is not there. */
  private async lookBefore(context: Context, { id, outputs }: State, inputs: Inputs): Promise<Live> {
    const what = `${this.type.table.kind} ${id}`;
    const result = requireSupported(await this.observe(context, { id, inputs }), what);
    if (result.state === "found") return result.value.live;
    // A refresh looks at the address in the state.
    const [from = "", to = ""] = [outputs, inputs].map((place) => textIn(place, "url"));
    const isMoved = from !== "" && !sameAddress(from, to);
    throw isMoved ? notMovedAlong(what, to, urnIn(outputs, context.call)) : goneMeanwhile(what);
  }
}

const markIn = ({ metadata }: Live): unknown => asObject(metadata)[MARK];

/** Adds the place of the agent, which answers do not contain. */
const located = (live: Live, { deploymentId, url }: JsonObject): Live => ({
  ...live,
  deployment_id: deploymentId,
  url,
});

/** The place of an object: from its state or its resource; an import names the deployment together with the id. */
async function placed(context: Context, noun: string, key: Key) {
  const given = "id" in key ? key.id : key.name;
  const known = ("outputs" in key ? key.outputs : undefined) ?? key.inputs;
  if (known !== undefined) return { id: given.slice(given.lastIndexOf("/") + 1), place: known };
  const [deploymentId, id, ...rest] = given.split("/");
  if (deploymentId && id && rest.length === 0) return { id, place: await placeOfDeployment(context, deploymentId) };
  throw new AgentPlatformError(`the id alone does not say whose ${noun} it is: give "<deployment id>/<${noun} id>"`);
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
