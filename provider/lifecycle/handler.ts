import { randomBytes } from "node:crypto";
import { createSend } from "../http/client";
import { adopt } from "./adopt";
import { Claims } from "./claims";
import {
  resolveConnection,
  type Connection,
  type Resolved,
  type Setting,
  NAMESPACE,
  type Contract,
} from "../base/connection";
import { realClock, type Clock } from "../base/clock";
import type { Context, Found, Log, ResourceDefinition, State } from "./definition";
import { changesBetween, liveView, replaces, type Change } from "./diff";
import { AgentPlatformError } from "../base/errors";
import { showPath, withoutControls } from "./fields";
import { compact, hasUnknown, sameJson, type JsonObject } from "../base/json";
import { Writes } from "./kept-list";
import { UNSUPPORTED, type Lookup, type Unsupported } from "./lookup";
import { nameObject, type Verb } from "./named-error";
import { createReader, type Reader } from "./reader";
import { keepsNaturalKey, refusals } from "./refusals";
import { problemsOf, showProblem } from "./schema";
import { confirmAbsence, confirmSame, Workspaces } from "./workspace";
import { keyMarkOf, originOf } from "./origin";

/** What the engine's plugin calls; the shape of a dynamic provider (@pulumi/pulumi/dynamic, ResourceProvider). */
export interface Handler {
  configure(request: { config: { get(key: string): string | undefined } }): Promise<void>;
  check(
    olds: JsonObject,
    news: JsonObject,
  ): Promise<{ inputs: JsonObject; failures: { property: string; reason: string }[] }>;
  diff(
    id: string,
    olds: JsonObject,
    news: JsonObject,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: JsonObject): Promise<{ id: string; outs: JsonObject }>;
  read(id: string, props: JsonObject): Promise<{ id: string; props: JsonObject; inputs?: JsonObject }>;
  update(id: string, olds: JsonObject, news: JsonObject): Promise<{ outs: JsonObject }>;
  delete(id: string, props: JsonObject): Promise<void>;
}

/** A handler, and what reads through its connection. */
export interface ReadingHandler extends Handler {
  readonly reader: Reader;
}

/** What a handler takes from its surroundings; tests give their own. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Asked before each request: whether somebody still records what it does. */
  readonly checkAlive?: () => Promise<void>;
  /** Shared by the handlers of a process: what one writes ends what another keeps. */
  readonly writes?: Writes;
  /** Shared likewise: which object has which resource. */
  readonly claims?: Claims;
  /** Makes the platform name the workspace of a connection, by a request whose answer does. */
  readonly askWorkspace?: (context: Context) => Promise<void>;
}

/** The output that holds the digest of base URL and tenant; its absence marks an object that was only read (`X.get`). */
const ORIGIN = "origin";
/** The output that tells whether an object was last seen with the key in use now. */
const KEY_MARK = "keyMark";
/** The output that tells a resource which adopted its object from any other one that has it in state. */
const ADOPTION = "adoption";
/**
 * What a read found wrong with an object: an input that no program declares. So a refresh shows it as drift, a preview as a change,
 * and the next `up` does what mends it.
 */
export const PROBLEM = "problem";
const PROVIDER = "__provider";

/** A definition as the engine wants it. All rules of the lifecycle that hold for every resource are here. */
export function createHandler<Inputs, Live>(
  definition: ResourceDefinition<Inputs, Live>,
  surroundings: Surroundings,
): ReadingHandler {
  return new ResourceHandler(definition, surroundings);
}

class ResourceHandler<Inputs, Live> implements ReadingHandler {
  private resolved: Resolved;
  private context: Context | undefined;
  private originOfConnection: string | undefined;
  private hasToldUnsupported = false;
  private readonly claims: Claims;
  private readonly hasSecrets: boolean;

  constructor(
    private readonly definition: ResourceDefinition<Inputs, Live>,
    private readonly surroundings: Surroundings,
  ) {
    this.claims = surroundings.claims ?? new Claims();
    this.hasSecrets = Object.values(definition.fields).some(({ secret }) => secret);
    this.resolved = resolveConnection(() => undefined, surroundings.environment);
  }

  get reader(): Reader {
    return createReader(this.definition, { context: () => this.ready(), baseUrl: () => this.baseUrl() });
  }

  // The plugin shares the handler before this has returned: nothing may be awaited before everything is assigned
  // (docs/engine.md, trap 1). A problem is kept for check, which can report it in full.
  configure({ config }: { config: { get(key: string): string | undefined } }): Promise<void> {
    const configured = (setting: Setting): string | undefined => config.get(`${NAMESPACE}:${setting}`);
    this.resolved = resolveConnection(configured, this.surroundings.environment);
    this.context = undefined;
    this.originOfConnection = undefined;
    return Promise.resolve();
  }

  check(olds: JsonObject, news: JsonObject) {
    const { inputs: schema } = this.definition;
    const inputs = withoutProvider(news);
    const problems = problemsOf(schema.schema, inputs);
    const reasons = [
      ...("problems" in this.resolved ? this.resolved.problems : []),
      ...[...problems, ...refusals(this.definition, this.contract(), this.declared(olds), inputs)].map(showProblem),
    ];
    // With a property's name the engine would print that property's value, secret or not (docs/engine.md, trap 15).
    return Promise.resolve({ inputs, failures: reasons.map((reason) => ({ property: "", reason })) });
  }

  diff(id: string, olds: JsonObject, news: JsonObject) {
    this.checkOrigin(olds);
    const declared = this.declared(olds);
    // A read found it, no program declares it: that it is over is no change.
    const { [PROBLEM]: _, ...inputs } = withoutProvider(news);
    const changes = this.changes(declared, inputs, olds);
    const replacing = changes.filter((change) => replaces(change, this.contract()));
    if (replacing.length === 0) {
      this.claims.stays(this.object(id), markOf(olds), !hasUnknown(inputs), this.name(id, olds));
    }
    return Promise.resolve({
      changes: changes.length > 0,
      replaces: [...new Set(replacing.map(({ path }) => String(path[0])))],
      deleteBeforeReplace: replacing.length > 0 && keepsNaturalKey(this.definition, declared, inputs),
    });
  }

  create(news: JsonObject) {
    const { kind, naturalKey = "" } = this.definition;
    const name = news[naturalKey];
    const what = typeof name === "string" ? `${kind} "${name}"` : kind;
    return this.naming(what, "create", () => this.createObject(news));
  }

  read(id: string, props: JsonObject) {
    return this.naming(this.name(id, props), "read", () => this.readObject(id, props));
  }

  update(id: string, olds: JsonObject, news: JsonObject) {
    return this.naming(this.name(id, olds), "update", () => this.updateObject(id, olds, news));
  }

  delete(id: string, props: JsonObject) {
    return this.naming(this.name(id, props), "delete", () => this.deleteObject(id, props));
  }

  private async naming<T>(what: string, verb: Verb, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw nameObject(error, what, verb);
    }
  }

  private async createObject(news: JsonObject) {
    const context = this.ready();
    const inputs = withoutProvider(news);
    const parsed = this.parse(inputs);
    // Tells this resource from another one in state that holds the object (claims.ts).
    const adoption = { [ADOPTION]: randomBytes(4).toString("hex") };
    const claim = (id: string, what: string) => this.claims.adopt(this.object(id), markOf(adoption), what);
    const adopted = inputs["adopt"] ? await adopt(this.definition, context, inputs, parsed, claim) : undefined;
    const { id, live } = adopted ?? (await this.definition.create(context, parsed));
    const outs = this.outputs(inputs, live, adopted === undefined ? {} : adoption);
    this.claims.made(this.object(id), markOf(outs));
    return { id, outs };
  }

  private async readObject(id: string, props: JsonObject) {
    const context = this.ready();
    if (props[ORIGIN] === undefined) return this.readUnmanaged(id, props);
    this.checkOrigin(props);
    const declared = this.declared(props);
    const result = this.offers("read") ? await this.look(context, { id, outputs: props }) : UNSUPPORTED;
    if (result.state === "absent") {
      await this.confirmAbsence(context, id, props);
      return { id: "", props: {} };
    }
    if (result.state === "unsupported") {
      this.claims.wasRead(this.object(id));
      this.tellOfUnsupported(context, result);
      return { id, props: { ...props, [ORIGIN]: this.origin() } };
    }
    const { id: now, live } = result.value;
    // Another object has its name: the one of the state is gone.
    if (now !== id) await this.confirmAbsence(context, id, props);
    this.confirmSame(context, id, props, live);
    this.claims.wasRead(this.object(now));
    const view = this.view(declared, live, props);
    if (this.hasSecrets) {
      this.tellOfHidden(context, this.name(id, props), changesBetween(this.definition.fields, declared, view));
    }
    // Without inputs the engine keeps its own, control arguments and all, which are not in the outputs.
    const inputs = now === id && sameJson(view, declared) ? {} : { inputs: view };
    return { id: now, props: this.outputs(view, live, props), ...inputs };
  }

  private async updateObject(id: string, olds: JsonObject, news: JsonObject) {
    const context = this.ready();
    this.checkOrigin(olds);
    await this.confirmWorkspace(context, id, olds);
    const inputs = withoutProvider(news);
    const changes = this.changes(this.declared(olds), inputs, olds);
    const live = await this.definition.update(context, { id, outputs: olds }, this.parse(inputs), changes);
    return { outs: this.outputs(inputs, live, olds) };
  }

  private async deleteObject(id: string, props: JsonObject) {
    const context = this.ready();
    this.checkOrigin(props);
    if (this.claims.isLeftToAnother(this.object(id), markOf(props))) {
      context.log.warn(`${this.name(id, props)} is another resource's of this program now; it stays on the platform.`);
      return;
    }
    await this.confirmWorkspace(context, id, props);
    const state: State = { id, outputs: props };
    const result = this.offers("delete")
      ? await this.definition.delete(context, state)
      : { left: this.name(id, props) };
    if (result === "absent") await this.confirmAbsence(context, id, props);
    if (typeof result === "string") return;
    const message = `${result.left} stays on the platform, which offers no way to delete it; remove it there`;
    if (context.connection.onUndeletable === "fail") {
      throw new AgentPlatformError(`${message}, or set ${NAMESPACE}:onUndeletable to "warn" to leave it`);
    }
    context.log.warn(`${message}. It is not managed by this stack any more.`);
  }

  /** From the list where it shows the object; what is not in it is looked for by the definition. */
  private async look(context: Context, state: State): Promise<Lookup<Found<Live>>> {
    const listed = this.offers("list") ? this.definition.list?.current(context) : undefined;
    const inList = await listed?.find(state.id);
    const result = inList?.state === "found" ? inList : await this.definition.read(context, state, listed);
    if (result.state === "found") context.workspaces.saw(this.definition.workspaceOf?.(result.value.live) ?? {});
    return result;
  }

  /** What is live, as the program would declare it, with what is wrong with it. */
  private view(declared: JsonObject, live: Live, props: JsonObject): JsonObject {
    const { definition } = this;
    const { [PROBLEM]: _, ...own } = declared;
    const view = liveView(definition.fields, own, compact(definition.toInputs(live, props)));
    return compact({ ...view, [PROBLEM]: definition.toProblem?.(live, props) });
  }

  /** A key of another workspace sees nothing: what is not there for it need not be gone. */
  private confirmAbsence(context: Context, id: string, props: JsonObject): Promise<void> {
    return confirmAbsence(this.name(id, props), props, context, this.isSameKey(props));
  }

  /** Under another key than before, an object of the same id or name may be another workspace's: it is looked at before it is changed. */
  private async confirmWorkspace(context: Context, id: string, props: JsonObject): Promise<void> {
    if (this.isSameKey(props) !== false || !this.offers("read")) return;
    const result = await this.look(context, { id, outputs: props });
    if (result.state === "found") this.confirmSame(context, id, props, result.value.live);
  }

  private confirmSame({ connection }: Context, id: string, props: JsonObject, live: Live): void {
    const { definition } = this;
    const isDoubtful = this.isSameKey(props) === false && definition.isSurely?.(live, { id, outputs: props }) === false;
    confirmSame(this.name(id, props), props, definition.workspaceOf?.(live) ?? {}, isDoubtful, connection);
  }

  /** Whether the key is the one that the object was last seen with; undefined unless both are known. */
  private isSameKey(props: JsonObject): boolean | undefined {
    const now = this.keyMark();
    const seenWith = props[KEY_MARK];
    return seenWith === undefined || now === undefined ? undefined : seenWith === now;
  }

  private keyMark(): string | undefined {
    return keyMarkOf(this.origin(), this.connection().apiKey);
  }

  /** Once for all objects of the kind: a refresh reads hundreds of them. */
  private tellOfUnsupported({ log }: Context, { cause }: Unsupported): void {
    if (cause === undefined || this.hasToldUnsupported) return;
    this.hasToldUnsupported = true;
    log.warn(
      `${this.definition.kind}: ${cause.message}. The state is kept as it was: drift is not seen, and nothing is taken for gone.`,
    );
  }

  /** The engine shows a changed secret as "[secret]", like one that is as it was. */
  private tellOfHidden({ log }: Context, what: string, drift: readonly Change[]): void {
    const hidden = drift.filter(({ rule }) => rule.secret).map(({ path }) => showPath(path));
    if (hidden.length === 0) return;
    const verb = hidden.length === 1 ? "differs" : "differ";
    log.warn(`${what}: ${hidden.join(", ")} ${verb} on the platform from what is declared (values are not shown).`);
  }

  // `X.get`: nothing is declared, so everything readable is an output, and there are no inputs (docs/engine.md, trap 20).
  private async readUnmanaged(id: string, props: JsonObject) {
    const wasRead = Object.keys(withoutProvider(props)).length > 0;
    if (!wasRead) return { id, props: (await this.reader.get({ id })).outputs };
    const result = await this.reader.look({ id });
    if (result.state === "unsupported") return { id, props };
    if (result.state === "absent") return { id: "", props: {} };
    const lacking = new Set(this.definition.laterOutputs?.filter((name) => !(name in props)));
    const { outputs } = result.value;
    return { id, props: Object.fromEntries(Object.entries(outputs).filter(([name]) => !lacking.has(name))) };
  }

  private outputs(inputs: JsonObject, live: Live, before: JsonObject): JsonObject {
    const declared = withoutControls(this.definition.fields, inputs);
    const own = { [ORIGIN]: this.origin(), [KEY_MARK]: this.keyMark(), [ADOPTION]: before[ADOPTION] };
    return compact({ ...declared, ...this.definition.toComputed(live, before), ...own });
  }

  /** The part of inputs or outputs that the program declared. */
  private declared(props: JsonObject): JsonObject {
    const { properties } = this.definition.inputs;
    return Object.fromEntries(Object.entries(props).filter(([key]) => key === PROBLEM || properties.includes(key)));
  }

  private changes(before: JsonObject, after: JsonObject, state: JsonObject): Change[] {
    const changes = changesBetween(this.definition.fields, before, after);
    return changes.filter((change) => !this.definition.isSettled?.(change, state, after));
  }

  private contract(): Contract {
    return "connection" in this.resolved ? this.resolved.connection.contract : "extended";
  }

  private offers(verb: "list" | "read" | "delete"): boolean {
    const { contract } = this.ready().connection;
    return contract === "extended" || !this.definition.undocumented.includes(verb);
  }

  private parse(inputs: JsonObject): Inputs {
    // Only at preview is anything unknown: here it would be sent to the platform as a text.
    if (hasUnknown(inputs)) throw new AgentPlatformError("an argument has no value yet; run `pulumi up` again");
    const result = this.definition.inputs.schema.safeParse(inputs);
    if (result.success) return result.data;
    throw new AgentPlatformError(problemsOf(this.definition.inputs.schema, inputs).map(showProblem).join("\n"));
  }

  private connection(): Connection {
    if ("connection" in this.resolved) return this.resolved.connection;
    throw new AgentPlatformError(this.resolved.problems.join("\n"));
  }

  /** What the verbs work with: made by the first of them, and kept, with its open connections, until configured anew. */
  private ready(): Context {
    return (this.context ??= this.makeContext());
  }

  private makeContext(): Context {
    const connection = this.connection();
    const { log, clock = realClock, random = Math.random, checkAlive = () => Promise.resolve() } = this.surroundings;
    const { writes = new Writes(), askWorkspace } = this.surroundings;
    const onWrite = () => writes.add();
    const options = { clock, random, checkAlive, onWrite };
    const send = createSend(connection, this.baseUrl(), options);
    const workspaces = new Workspaces(async () => {
      const control = { ...context, send: createSend(connection, connection.baseUrl, options) };
      await askWorkspace?.(control);
    });
    const context: Context = { connection, send, clock, random, log, writes, workspaces, checkAlive };
    return context;
  }

  private baseUrl(): string {
    const { baseUrl, sandboxBaseUrl } = this.connection();
    return this.definition.api === "sandbox" ? sandboxBaseUrl : baseUrl;
  }

  private origin(): string {
    return (this.originOfConnection ??= originOf(this.baseUrl(), this.connection().tenantId));
  }

  private checkOrigin(props: JsonObject): void {
    const made = props[ORIGIN];
    if (typeof made !== "string" || !("connection" in this.resolved)) return;
    const connection = this.connection();
    if (made === this.origin() || connection.allowOriginChange) return;
    const tenant = connection.tenantId === undefined ? "no tenantId" : `tenantId ${connection.tenantId}`;
    throw new AgentPlatformError(
      `${this.definition.kind} was made at another address or tenant (origin ${made}) than the connection points to now ` +
        `(${this.baseUrl()}, ${tenant}: origin ${this.origin()}). Point the connection back; or, if the platform itself moved, ` +
        `set ${NAMESPACE}:allowOriginChange to true and run pulumi refresh`,
    );
  }

  /** What tells the object from all others that this process handles. */
  private object(id: string): string {
    return `${this.definition.kind} ${this.origin()} ${id}`;
  }

  private name(id: string, props: JsonObject): string {
    const { kind, naturalKey } = this.definition;
    const name = naturalKey === undefined ? undefined : props[naturalKey];
    return typeof name === "string" ? `${kind} "${name}" (${id})` : `${kind} ${id}`;
  }
}

/** What tells apart two resources in state that have one object: how they came to it, and which object of that id they mean. */
function markOf(outputs: JsonObject): string {
  return JSON.stringify([outputs[ADOPTION] ?? null, outputs["uuid"] ?? null]);
}

function withoutProvider(props: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(props).filter(([key]) => key !== PROVIDER));
}
