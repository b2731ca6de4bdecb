import { randomBytes } from "node:crypto";
import type { Resolved } from "../base/connection";
import { noEndpointFor } from "../base/contract";
import { AgentPlatformError } from "../base/errors";
import { compact, hasUnknown, sameJson, UNKNOWN, type JsonObject } from "../base/json";
import { configKey, type SettingProblem } from "../base/settings";
import { isUuid } from "../base/uuid";
import { adopt } from "./adopt";
import { ResourceClient, type AskWorkspace } from "./resource-client";
import type { Call, Context, Found, State } from "./context";
import { createObject, type Made } from "./create";
import type { ResourceDefinition } from "./definition";
import { declarationOf } from "./declaration";
import { changesBetween, replaces, type Change } from "./diff";
import { showPath, withoutProviderOnly } from "./fields";
import { previewOnline } from "./online-preview";
import { UNSUPPORTED, type Observation, type Unsupported } from "./observation";
import { nameObject, type Verb } from "./named-error";
import { digest } from "./origin";
import {
  ADOPTION,
  marksOf,
  pickInputs,
  isManaged,
  KEY_MARK,
  markOf,
  ORIGIN,
  outputsOf,
  PROBLEM,
  redeclared,
  urnIn,
  inputsFromState,
  UNREAD,
  observedInputs,
} from "./own-outputs";
import { createReader, findByKey, type Reader } from "./reader";
import { expectedRefusals, keepsNaturalKey, refusals } from "./refusals";
import { problemsOf, showProblem, type Problem } from "./schema";
import { secretChanges, secretData, secretLines } from "./secret-names";
import type { Session } from "./session";
import { outputRows } from "./table";
import { tracedVerb, type Work } from "./traced";
import { confirmAbsence, confirmSame } from "./workspace";

/** Everything that is wrong before any request: with the configuration, and with the arguments. */
export interface Findings {
  readonly configuration: readonly SettingProblem[];
  readonly problems: readonly Problem[];
}

/** How a declaration differs from the state. */
export interface Difference {
  readonly changes: readonly Change[];
  /** The changes that need a new object. */
  readonly replacing: readonly Change[];
  /** A new object would need the name that the old one has, whoever asks for one. */
  readonly deleteBeforeReplace: boolean;
}

/** The result of a create. */
export interface CreatedState extends State {
  /** The object is there, but not all of it: what is missing, and what to do. The outputs lack it, so that the next `up` sends it. */
  readonly unfinished?: string | undefined;
}

/** The result of a read. */
export interface ReadState extends State {
  /** The live object as a program would declare it; undefined if that equals the declaration. */
  readonly inputs?: JsonObject | undefined;
}

/**
 * A resource of the platform: the lifecycle rules that hold for every kind, applied to its definition. It deals in problems, changes, states
 * and observations; provider/dynamic and provider/native translate for the engine. Every verb throws AgentPlatformError.
 */
export interface Resource {
  readonly kind: string;
  /** Reads objects that no state holds, through the same connection. */
  readonly reader: Reader;
  /** Connects to this platform from now on. Problems of the configuration are kept for `check`, which reports them in full. */
  connect(resolved: Resolved): void;
  /**
   * No request is sent. Names the secrets that differ on the row of the resource, once for each.
   * @param before The inputs in state; empty for a new resource. @param urn Where the arguments do not have it.
   */
  check(before: JsonObject, inputs: JsonObject, urn?: string): Findings;
  /** No request is sent. Values of the inputs may be unknown. */
  diff(state: State, inputs: JsonObject): Difference;
  /**
   * The problems that `up` would meet, as far as the platform shows them; nothing is changed. Asks only where `preview` is "online", about a new
   * resource or one that changes, and until this process has written. @param before As for {@link check}.
   */
  previewOnline(before: JsonObject, inputs: JsonObject): Promise<readonly string[]>;
  /**
   * The outputs of an object after its creation, or an update to these inputs, as far as they are known before it. Values of the inputs may be
   * unknown. @param before The outputs in state; empty for a new object.
   */
  preview(inputs: JsonObject, before: JsonObject): JsonObject;
  create(inputs: JsonObject, call?: Call): Promise<CreatedState>;
  /**
   * An object that no state holds, by its id or its natural key: its state, with its shortest declaration as the inputs. Undefined if it does not exist.
   * @param urn Of the resource that is to have it.
   */
  find(key: string, urn: string): Promise<ReadState | undefined>;
  /** Undefined if the object is gone: the platform said so, twice if there is only a list to go by. */
  read(state: State, call?: Call): Promise<ReadState | undefined>;
  /** The outputs after the update. */
  update(state: State, inputs: JsonObject, call?: Call): Promise<JsonObject>;
  delete(state: State, call?: Call): Promise<void>;
}

export function createResource<Inputs, Live>(
  definition: ResourceDefinition<Inputs, Live>,
  session: Session,
  askWorkspace: AskWorkspace,
): Resource {
  return new DefinedResource(definition, session, askWorkspace);
}

/** How a read ended, for its span. */
const goneOrDone = (read: ReadState | undefined): string => (read === undefined ? "gone" : "done");

/** Distinguishes this resource from another one in state that holds the object (ownership.ts). */
const newAdoption = (): string => randomBytes(4).toString("hex");

/** The same for what is found by its key: an object that is only read (`X.get`) is found again by each `up`, and must not look changed. */
const adoptionBy = (urn: string): string => digest(urn, 8);

class DefinedResource<Inputs, Live> implements Resource {
  readonly kind: string;
  private readonly connected: ResourceClient;
  private hasWarnedUnsupported = false;
  private readonly warnedOf = new Set<string>();
  private readonly toldSecretsOf = new Set<string>();

  constructor(
    private readonly definition: ResourceDefinition<Inputs, Live>,
    private readonly session: Session,
    askWorkspace: AskWorkspace,
  ) {
    this.kind = definition.kind;
    this.connected = new ResourceClient(definition, session, askWorkspace);
  }

  get reader(): Reader {
    return createReader(this.definition, this.connected);
  }

  connect(resolved: Resolved): void {
    this.connected.connect(resolved);
  }

  check(before: JsonObject, inputs: JsonObject, urn?: string): Findings {
    const { schema } = this.definition.inputs;
    const declared = this.ownOf(before);
    this.tellSecrets(declared, inputs, urn);
    for (const each of [declared, inputs]) this.remember(each);
    const refused = refusals(this.definition, this.connected.contract, declared, inputs);
    const expected = this.expectedRefusals(declared, inputs);
    return {
      configuration: this.connected.problems,
      problems: [...problemsOf(schema, inputs), ...expected, ...refused, ...this.refusedThrough(declared, inputs)],
    };
  }

  private refusedThrough(before: JsonObject, inputs: JsonObject): readonly Problem[] {
    const { refuseThrough, fields } = this.definition;
    if (refuseThrough === undefined || !this.connected.isConnected) return [];
    // What the state has already is not judged again.
    const acts = Object.keys(before).length === 0 || changesBetween(fields, before, inputs).length > 0;
    return acts ? refuseThrough(this.connected.connection, inputs) : [];
  }

  private tellSecrets(before: JsonObject, inputs: JsonObject, given: string | undefined): void {
    // One that has just lost its secrets has its row in state alone.
    const urn = given ?? urnIn({ ...before, ...inputs });
    const object = urn ?? this.described(inputs);
    // A replacement is checked once more, as if nothing were there.
    if (this.toldSecretsOf.has(object)) return;
    this.toldSecretsOf.add(object);
    const changes = secretChanges(this.definition.fields, before, inputs);
    if (changes.length === 0) return;
    for (const line of secretLines(changes)) {
      this.session.log.info(urn === undefined ? `${object}: ${line}` : line, urn);
    }
    if (urn !== undefined) this.session.log.debug(secretData(changes), urn);
  }

  /** What the platform is expected to refuse: problems; under `checks: platform` warnings, once each. */
  private expectedRefusals(before: JsonObject, inputs: JsonObject): readonly Problem[] {
    const expected = expectedRefusals(this.definition, before, inputs);
    if (this.connected.checks === "strict") {
      const remedy = `(to leave this to the platform, set ${configKey("checks")} to "platform")`;
      // Once is enough, behind the last one.
      return expected.map(({ path, reason }, index) => ({
        path,
        reason: index === expected.length - 1 ? `${reason} ${remedy}` : reason,
      }));
    }
    for (const problem of expected) {
      const warning = `${this.described(inputs)}: ${showProblem(problem)}. It is sent as declared: the platform decides.`;
      if (!this.warnedOf.has(warning)) this.session.log.warn(warning);
      this.warnedOf.add(warning);
    }
    return [];
  }

  diff(state: State, news: JsonObject): Difference {
    const { id, outputs } = state;
    this.connected.checkOrigin(outputs);
    const declared = this.declared(state);
    // A read found it and no program declares it, so its absence now is not a change.
    const { [PROBLEM]: _, ...inputs } = news;
    const changes = this.changes(declared, inputs, outputs);
    const replacing = changes.filter((change) => replaces(change, this.connected.contract));
    if (replacing.length === 0) {
      const what = this.name(id, outputs);
      const isShared = this.session.ownership.recordDiff(
        this.object(id, outputs),
        this.mark(outputs),
        !hasUnknown(inputs),
        what,
      );
      if (isShared) {
        this.session.log.warn(
          `${what} belongs to two resources of this stack. Keep one of them: \`pulumi state delete\` removes the other one from the state, and deletes nothing on the platform`,
        );
      }
    }
    // The option replaceOnChanges makes the engine replace what could be updated. Where nothing can be deleted, the old object has to stay in state.
    const isDeletable = this.connected.contract === "extended" || !this.definition.undocumented.includes("delete");
    const deleteBeforeReplace = changes.length > 0 && isDeletable && keepsNaturalKey(this.definition, declared, inputs);
    return { changes, replacing, deleteBeforeReplace };
  }

  async previewOnline(before: JsonObject, inputs: JsonObject): Promise<readonly string[]> {
    const { definition, connected, session } = this;
    if (!connected.isConnected || connected.connection.preview === "offline" || !session.previewSession.mayAsk)
      return [];
    const declared = this.ownOf(before);
    const isSame = Object.keys(declared).length > 0 && this.changes(declared, inputs, {}).length === 0;
    if (isSame) return [];
    const what = this.described(inputs);
    return tracedVerb(
      session.tracer,
      this.work("check", inputs),
      (problems) => (problems.length === 0 ? "done" : "refused"),
      () => previewOnline({ definition, what, before: declared, inputs }, connected, session.previewSession),
    );
  }

  preview(inputs: JsonObject, before: JsonObject): JsonObject {
    const { fields, stableOutputs, table } = this.definition;
    const kept = stableOutputs?.(inputs, this.connected.declared) ?? [];
    const computed = outputRows(table.fields).filter(([, row]) => row.computed);
    const known = computed.map(([name, { isStable }]) => {
      const value = isStable === true || kept.includes(name) ? before[name] : undefined;
      return [name, value ?? UNKNOWN] as const;
    });
    return { ...Object.fromEntries(known), ...withoutProviderOnly(fields, inputs) };
  }

  create(inputs: JsonObject, call?: Call): Promise<CreatedState> {
    const outcomeOf = ({ unfinished }: CreatedState) => (unfinished === undefined ? "done" : "unfinished");
    const create = () => this.createObject(inputs, call);
    return this.naming(this.described(inputs), this.work("create", inputs, call), create, outcomeOf);
  }

  read(state: State, call?: Call): Promise<ReadState | undefined> {
    const { id, outputs } = state;
    const read = () => this.readObject(state, call);
    return this.naming(this.name(id, outputs), this.work("read", outputs, call), read, goneOrDone);
  }

  find(key: string, urn: string): Promise<ReadState | undefined> {
    const find = () => this.findObject(key, urn);
    return this.naming(`${this.kind} "${key}"`, this.work("read", {}, { urn }), find, goneOrDone);
  }

  update(state: State, inputs: JsonObject, call?: Call): Promise<JsonObject> {
    const update = () => this.updateObject(state, inputs, call);
    return this.naming(this.name(state.id, state.outputs), this.work("update", inputs, call), update);
  }

  delete(state: State, call?: Call): Promise<void> {
    const { id, outputs } = state;
    const remove = () => this.deleteObject(state, call);
    return this.naming(this.name(id, outputs), this.work("delete", outputs, call), remove);
  }

  private naming<T>(
    what: string,
    work: Work & { readonly verb: Verb },
    act: () => Promise<T>,
    outcomeOf: (result: T) => string = () => "done",
  ): Promise<T> {
    return tracedVerb(this.session.tracer, work, outcomeOf, async () => {
      try {
        return await act();
      } catch (error) {
        throw nameObject(error, what, work.verb);
      }
    });
  }

  private work<V extends Work["verb"]>(verb: V, props: JsonObject, call?: Call): Work & { readonly verb: V } {
    const { kind, naturalKey = "" } = this.definition;
    const name = props[naturalKey];
    return { verb, kind, name: typeof name === "string" ? name : undefined, props, call };
  }

  private async createObject(inputs: JsonObject, call: Call | undefined): Promise<CreatedState> {
    const { ownership } = this.session;
    // A forced replacement changes no argument, so that check refused nothing (docs/internals/engine.md, trap 17).
    if (!this.connected.offers("create")) throw new AgentPlatformError(noEndpointFor(`a ${this.kind}`));
    const context = this.connected.context(call);
    const parsed = this.parse(inputs);
    const adoption = { [ADOPTION]: newAdoption() };
    const claim = ({ id, live }: Found<Live>, what: string) => {
      const computed = compact(this.definition.toComputed(live, {}));
      ownership.recordAdoption(this.object(id, computed), this.mark({ ...computed, ...adoption }), what);
    };
    ownership.beforeCreate();
    const adopted = inputs["adopt"] ? await adopt(this.definition, context, inputs, parsed, claim) : undefined;
    const made: Made<Live> = adopted ?? (await createObject(this.definition, context, inputs, parsed));
    const { id, live, unfinished } = made;
    const has = Object.fromEntries(Object.entries(inputs).filter(([name]) => !unfinished?.missing.includes(name)));
    const outputs = this.outputs(has, live, adopted === undefined ? {} : adoption);
    ownership.recordCreate(this.object(id, outputs), this.mark(outputs));
    return unfinished === undefined ? { id, outputs } : { id, outputs, unfinished: unfinished.reason };
  }

  private async findObject(key: string, urn: string): Promise<ReadState | undefined> {
    const found = await findByKey(this.reader, key);
    if (found === undefined) return undefined;
    const { id } = found;
    const { origin, keyMark, checks } = this.connected;
    const provenance = { [ORIGIN]: origin, [KEY_MARK]: keyMark, [ADOPTION]: adoptionBy(urn) };
    const outputs = compact({ ...found.outputs, ...provenance });
    this.session.ownership.recordImport(this.object(id, outputs), this.mark(outputs));
    return { id, outputs, inputs: declarationOf(this.definition, found, checks).inputs };
  }

  private async readObject(state: State, call: Call | undefined): Promise<ReadState | undefined> {
    const { id, outputs } = state;
    const context = this.connected.context(call);
    if (!isManaged(state)) return this.readUnmanaged(id, outputs);
    this.connected.checkOrigin(outputs);
    const kept = { ...outputs, [ORIGIN]: this.connected.origin };
    if (this.definition.read === undefined) return { id, outputs: kept };
    const result = this.connected.offers("read") ? await this.look(context, state) : UNSUPPORTED;
    if (result.state === "absent") {
      await this.confirmAbsence(context, state);
      return undefined;
    }
    if (result.state === "unsupported") {
      this.session.ownership.recordRead(this.object(id, outputs));
      this.warnOfUnsupported(context, result);
      return { id, outputs: { ...kept, [UNREAD]: null } };
    }
    const { id: now, live } = result.value;
    // Another object has its name: the one of the state is gone.
    if (now !== id) await this.confirmAbsence(context, state);
    this.confirmSame(context, state, live);
    const declared = this.declared(state);
    const { view, drift } = observedInputs(this.definition, declared, live, outputs);
    this.warnOfHidden(context, this.name(id, outputs), drift);
    const inputs = now === id && sameJson(view, declared) ? undefined : view;
    const seen = this.outputs(view, live, outputs);
    this.session.ownership.recordRead(this.object(now, seen));
    return { id: now, outputs: seen, inputs };
  }

  private async updateObject(state: State, inputs: JsonObject, call: Call | undefined): Promise<JsonObject> {
    const { outputs } = state;
    const context = this.connected.context(call);
    this.connected.checkOrigin(outputs);
    const declared = this.declared(state);
    const changes = this.changes(declared, inputs, outputs);
    // A stack that changes its plugin: only what state holds is written anew.
    if (changes.length === 0) return redeclared(this.definition, outputs, declared, inputs);
    await this.confirmWorkspace(context, state);
    const live = await this.definition.update(context, state, this.parse(inputs), changes);
    return this.outputs(inputs, live, outputs);
  }

  private async deleteObject(state: State, call: Call | undefined): Promise<void> {
    const { id, outputs } = state;
    const context = this.connected.context(call);
    this.connected.checkOrigin(outputs);
    if (this.session.ownership.isLeftToAnother(this.object(id, outputs), this.mark(outputs))) {
      context.log.warn(
        `${this.name(id, outputs)} now belongs to another resource of this program, so it stays on the platform.`,
      );
      return;
    }
    await this.confirmWorkspace(context, state);
    const result = this.connected.offers("delete")
      ? await this.definition.delete(context, state)
      : { left: this.name(id, outputs) };
    if (result === "absent") await this.confirmAbsence(context, state);
    if (typeof result === "string") return;
    const message = `${result.left} stays on the platform, which cannot delete it through its API; remove it there`;
    if (context.connection.onUndeletable === "fail") {
      throw new AgentPlatformError(`${message}, or set ${configKey("onUndeletable")} to "warn" to leave it there`);
    }
    context.log.warn(`${message}. This stack no longer manages it.`);
  }

  /** From the list if that shows it; the definition looks for anything that is not in it. */
  private async look(context: Context, state: State): Promise<Observation<Found<Live>>> {
    const listed = this.connected.offers("list") ? this.definition.list?.current(context) : undefined;
    const inList = await listed?.find(state.id);
    const result = inList?.state === "found" ? inList : await this.definition.read?.(context, state, listed);
    if (result === undefined) return UNSUPPORTED;
    if (result.state === "found") context.workspaces.saw(this.definition.workspaceOf?.(result.value.live) ?? {});
    return result;
  }

  // `X.get`: nothing is declared, so everything readable is an output, and there are no inputs (docs/internals/engine.md, trap 20).
  private async readUnmanaged(id: string, outputs: JsonObject): Promise<ReadState | undefined> {
    if (Object.keys(outputs).length === 0) return { id, outputs: (await this.reader.get({ id })).outputs };
    const result = await this.reader.look({ id });
    if (result.state === "unsupported") return { id, outputs: { ...outputs, [UNREAD]: null } };
    if (result.state === "absent") return undefined;
    const lacking = new Set(this.definition.addedOutputs?.filter((name) => !(name in outputs)));
    const now = Object.entries(result.value.outputs).filter(([name]) => !lacking.has(name));
    return { id, outputs: { ...Object.fromEntries(now), ...marksOf(outputs) } };
  }

  /** A key of another workspace sees nothing: an object that it does not see may still exist. */
  private confirmAbsence(context: Context, { id, outputs }: State): Promise<void> {
    return confirmAbsence(this.name(id, outputs), outputs, context, this.connected.isSameKey(outputs));
  }

  /** Under a new key, an object of the same id or name may belong to another workspace: it is read before it is changed. */
  private async confirmWorkspace(context: Context, state: State): Promise<void> {
    if (this.connected.isSameKey(state.outputs) !== false || !this.connected.offers("read")) return;
    const result = await this.look(context, state);
    if (result.state === "found") this.confirmSame(context, state, result.value.live);
  }

  private confirmSame({ connection }: Context, state: State, live: Live): void {
    const { definition } = this;
    const { id, outputs } = state;
    const isDoubtful = this.connected.isSameKey(outputs) === false && definition.isSurely?.(live, state) === false;
    confirmSame(this.name(id, outputs), outputs, definition.workspaceOf?.(live) ?? {}, isDoubtful, connection);
  }

  /** Once for all objects of the kind: a refresh reads hundreds of them. */
  private warnOfUnsupported({ log }: Context, { cause }: Unsupported): void {
    if (cause === undefined || this.hasWarnedUnsupported) return;
    this.hasWarnedUnsupported = true;
    log.warn(
      `${this.kind}: ${cause.message}. The state stays as it was: drift is not detected, and nothing counts as deleted.`,
    );
  }

  /** The engine shows a changed secret as "[secret]", like an unchanged one. */
  private warnOfHidden({ log }: Context, what: string, drift: readonly Change[]): void {
    const hidden = drift.filter(({ rule }) => rule.secret).map(({ path }) => showPath(path));
    if (hidden.length === 0) return;
    const verb = hidden.length === 1 ? "differs" : "differ";
    log.warn(`${what}: ${hidden.join(", ")} ${verb} on the platform from what is declared (values are not shown).`);
  }

  private parse(inputs: JsonObject): Inputs {
    // Values are unknown only at preview: here one would be sent to the platform as a text.
    if (hasUnknown(inputs)) throw new AgentPlatformError("an argument has no value yet; run `pulumi up` again");
    const { schema } = this.definition.inputs;
    const result = schema.safeParse(inputs);
    if (result.success) return result.data;
    throw new AgentPlatformError(problemsOf(schema, inputs).map(showProblem).join("\n"));
  }

  private changes(before: JsonObject, after: JsonObject, outputs: JsonObject): Change[] {
    const changes = changesBetween(this.definition.fields, before, after);
    return changes.filter((change) => !this.definition.suppressDiff?.(change, outputs, after));
  }

  private declared(state: State): JsonObject {
    return this.ownOf(inputsFromState(this.definition.fields, state));
  }

  private ownOf(props: JsonObject): JsonObject {
    return pickInputs(this.definition.inputs.properties, props);
  }

  private outputs(inputs: JsonObject, live: Live, before: JsonObject): JsonObject {
    return outputsOf(this.definition, inputs, live, before, this.connected);
  }

  private mark(outputs: JsonObject): string {
    return markOf(this.definition, outputs);
  }

  /** So that no text from elsewhere, such as a log, shows a secret of the program. */
  private remember(inputs: JsonObject): void {
    const { naturalKey, remembered = [], fields } = this.definition;
    const name = naturalKey === undefined ? undefined : inputs[naturalKey];
    const isKnown = typeof name === "string" && name !== UNKNOWN && this.connected.isConnected;
    const object = isKnown ? this.connected.object(this.kind, name) : undefined;
    this.session.declarations.note(object, inputs, remembered, fields);
  }

  /** The object's names among all that the plugins of a run handle: a UUID is one at whatever address, and for whatever tenant, it was seen. */
  private object(id: string, outputs: JsonObject): readonly string[] {
    const { kind, incarnation = "" } = this.definition;
    const unique = [id, outputs[incarnation]].flatMap((each) =>
      typeof each === "string" && isUuid(each) ? [each] : [],
    );
    const names = unique.map((uuid) => `${kind} ${uuid}`);
    return unique.includes(id) ? names : [...this.connected.namesOf(kind, id), ...names];
  }

  private name(id: string, outputs: JsonObject): string {
    const described = this.described(outputs);
    return described === this.kind ? `${this.kind} ${id}` : `${described} (${id})`;
  }

  /** The kind, and the name where it has one: `Deployment "desk"`. */
  private described(props: JsonObject): string {
    const { kind, naturalKey } = this.definition;
    const name = naturalKey === undefined ? undefined : props[naturalKey];
    return typeof name === "string" && name !== UNKNOWN ? `${kind} "${name}"` : kind;
  }
}
