import { z } from "zod";
import { noEndpointFor, toSet } from "../base/settings";
import { AgentPlatformError, isHttpError, isUnfinished, messageOf, recording, UnfinishedError } from "../base/errors";
import { nameInUrn } from "../base/engine-format";
import { compact, hasUnknown, type Json, type JsonObject, sameJson } from "../base/json";
import { changesOf } from "./checks";
import { IF_FORCED } from "./create";
import { areInputs, type ResourceDefinition, type Wanted } from "./definition";
import { compare, withOthers } from "./fields/comparison";
import { changesBetween, replaces, type Change } from "./fields/diff";
import { noteSecretFields, ruleAt, showPath, showProblem, valueAt } from "./fields/fields";
import { problemsOfInputs } from "./fields/schema";
import { KEY_MARK, ORIGIN } from "./identity/origin";
import { ADOPTION_MARK, markFor, isSuccessor, newMark } from "./identity/ownership";
import { describe, nameObject, type NamedVerb, nameOf, tracedVerb } from "./naming";
import type { Call, Context, Found, State } from "./observe/context";
import { declarationOf, unreadIn } from "./observe/shortest-declaration";
import { shownOf } from "./observe/observable";
import { type Observation, type Unsupported, UNSUPPORTED } from "./observe/observation";
import type { Reader } from "./observe/reader";
import { refuseForeignWorkspace, confirmSame } from "./observe/workspace";
import type { ResourceClient } from "./resource-client";
import type { Session } from "./session";
import {
  declaredIn,
  DOUBTED,
  doubted,
  hiddenProblem,
  isManaged,
  lacksOutputs,
  marksOf,
  observedInputs,
  outputsOf,
  PROBLEM,
  redeclared,
  UNREAD,
  urnIn,
} from "./state";

export class Verbs<Inputs, Live> {
  private readonly warnedUnsupported = new Set<string>();

  constructor(
    private readonly definition: ResourceDefinition<Inputs, Live>,
    private readonly session: Session,
    private readonly client: ResourceClient,
    private readonly reader: Reader,
  ) {}

  /** Calls the type's own create and does what all types need: checks the contract, tracks which resource holds the object, and builds the outputs. */
  create(inputs: JsonObject, call?: Call): Promise<State> {
    const { definition, client, session } = this;
    const what = describe(definition.table, inputs);
    return this.named("create", what, inputs, call, async () => {
      // A forced replacement changes no argument, so check did not refuse it (docs/internals/engine.md, trap 17).
      if (!client.offers("create")) throw new AgentPlatformError(noEndpointFor(`a ${definition.table.kind}`));
      const mark = { [ADOPTION_MARK]: session.ownership.markOfNew(urnIn(inputs, call)) };
      const wanted = this.wanted(inputs, what, mark, call);
      session.ownership.beforeCreate();
      const making = definition.create(client.changingContext(call), wanted);
      const made = await this.noteLeft("create", what, inputs, call, this.recorded(inputs, {}, making));
      const { id, origin } = made;
      if (origin !== undefined) session.ownership.takenOver.set(id, { row: urnIn(inputs, call), origin });
      const outputs = this.outputs(inputs, made.live, made.origin === undefined ? {} : mark);
      session.ownership.recordCreate(client.held({ id: made.id, outputs }));
      client.noteDeclared(made.id, outputs);
      client.noteFilledIn(outputs, inputs);
      return { id: made.id, outputs };
    });
  }

  private wanted(declared: JsonObject, what: string, mark: JsonObject, call?: Call): Wanted<Inputs, Live> {
    const { definition, client } = this;
    const { ownership } = this.session;
    const urn = urnIn(declared, call);
    const held = ({ id, live }: Found<Live>) =>
      client.held({ id, outputs: { ...shownOf(definition, live).outputs, ...mark } }, true);
    return {
      type: definition,
      inputs: this.parse(declared),
      declared,
      what,
      begunId: ownership.begun.get(urn ?? "")?.id,
      isBeingReplaced: (object) => ownership.isBeingReplaced(held(object)),
      isHeld: (object) => ownership.isHeld(held(object)),
      claim: (object, of) => ownership.recordAdoption(held(object), of),
    };
  }

  /** The result of a create or an update. Where an error hook has it called again and that fails as well, what the earlier call left stays recorded. */
  private noteLeft<T>(verb: NamedVerb, what: string, inputs: JsonObject, call: Call | undefined, work: Promise<T>) {
    const { ownership } = this.session;
    const urn = urnIn(inputs, call);
    const earlier = ownership.begun.get(urn ?? "");
    ownership.begun.delete(urn ?? "");
    return work.catch(async (error: unknown) => {
      const { id = "", properties: outputs = {} } = earlier ?? {};
      const look =
        isUnfinished(error) || !earlier ? undefined : this.observe(this.client.context(call), { id, outputs });
      const isGone = (await look?.catch(() => undefined))?.state === "absent";
      const left = isUnfinished(error) ? error : isGone ? undefined : earlier?.after(nameObject(error, what, verb));
      if (left === undefined) throw error;
      if (urn !== undefined) ownership.begun.set(urn, left);
      if (verb === "create") ownership.recordCreate(this.client.held({ id: left.id, outputs: left.properties }));
      throw left;
    });
  }

  /**
   * Looks up an object that no state holds, by its id or natural key, and returns its state with its shortest declaration as inputs. Undefined if it does
   * not exist.
   * @param urn The URN of the resource that is to hold it.
   */
  find(key: string, urn: string): Promise<State | undefined> {
    return this.named("read", `${this.definition.table.kind} "${key}"`, {}, { urn }, async () => {
      const found = await this.reader.findNamed(key);
      if (found === undefined) return undefined;
      const { id } = found;
      const { origin, keyMark, connection } = this.client;
      const provenance = { [ORIGIN]: origin, [KEY_MARK]: keyMark, [ADOPTION_MARK]: markFor(urn) };
      const outputs = compact({ ...found.outputs, ...provenance });
      this.session.ownership.recordImport(this.client.held({ id, outputs }), urn, id);
      return { id, outputs, inputs: declarationOf(this.definition, found, connection).inputs };
    });
  }

  /**
   * Undefined if the object is gone. If only lists can show that, several must lack it, over some seconds. The inputs are the live object as a program would declare it;
   * undefined if that equals the declaration.
   */
  read(state: State, call?: Call): Promise<State | undefined> {
    return this.named("read", nameOf(this.definition.table, state), state.outputs, call, () =>
      this.readNow(state, call),
    );
  }

  private async readNow(state: State, call?: Call): Promise<State | undefined> {
    const { id, outputs } = state;
    const context = this.client.context(call);
    if (!isManaged(state)) return this.readUnmanaged(id, outputs);
    this.client.checkOrigin(state);
    const kept = { ...outputs, [ORIGIN]: this.client.origin };
    if (this.definition.observe === undefined) return { id, outputs: kept };
    const result = await this.observe(context, state);
    if (result.state === "absent") {
      await this.confirmGone(context, state);
      return undefined;
    }
    if (result.state === "unsupported") {
      this.session.ownership.recordRead(this.client.held(state));
      this.warnOfUnsupported(context, result);
      return { id, outputs: { ...kept, [UNREAD]: null } };
    }
    const { id: now, live } = result.value;
    // Another id: the object in state is gone, and another one has its name.
    if (now !== id) await this.confirmGone(context, state);
    await this.confirmNotForeign(context, state, live);
    const { table } = this.definition;
    const before = declaredIn(table, state);
    // What an update of unknown end has tried may be there: outputs alone have it.
    const tried = outputs[DOUBTED] === undefined ? {} : declaredIn(table, { id, outputs });
    const { view, drift } = observedInputs(this.definition, { ...before, ...tried }, live, outputs);
    this.warnOfHidden(context, nameOf(table, state), drift);
    const seen = this.outputs(view, live, outputs);
    // Recorded by the first read in which the platform names the workspace.
    if (this.isPlacedByKey(outputs)) seen["tenantId"] ??= (await context.workspaces.current()) ?? null;
    // Another id, or another incarnation under it. If another resource of this stack created that one, a delete of this row must not delete it.
    const isAnother = isSuccessor(table.incarnation, { id, outputs }, { id: now, outputs: seen });
    if (isAnother) seen[ADOPTION_MARK] = newMark();
    const problem = this.problemSeen(view, outputs, isAnother);
    if (problem !== undefined) [view[PROBLEM], seen[PROBLEM]] = [problem, problem];
    this.session.ownership.recordRead(this.client.held({ id: now, outputs: seen }));
    return { id: now, outputs: seen, inputs: now === id && sameJson(view, before) ? undefined : view };
  }

  /** Keeps a problem of before: no later read can see whether the hidden values are right again. An update that sends them clears it. */
  private problemSeen(view: JsonObject, outputs: JsonObject, isAnother: boolean): Json | undefined {
    const { table } = this.definition;
    const doubt = isAnother ? MADE_ANEW : outputs[DOUBTED] === undefined ? undefined : END_UNKNOWN;
    if (view[PROBLEM] !== undefined) return view[PROBLEM];
    if (doubt !== undefined) return hiddenProblem(table.fieldRules, view, doubt);
    return this.definition.toProblem === undefined ? outputs[PROBLEM] : undefined;
  }

  update(state: State, inputs: JsonObject, call?: Call): Promise<JsonObject> {
    const { table } = this.definition;
    const what = nameOf(table, state);
    return this.named("update", what, inputs, call, async () => {
      const { outputs } = state;
      const before = declaredIn(table, state);
      // If the update is refused, the old secrets stay in use, so they are masked too.
      for (const each of [outputs, before]) noteSecretFields(table.fieldRules, each);
      let isDoubtful = false;
      const context = this.client.changingContext(call, () => (isDoubtful = true));
      this.client.checkOrigin(state);
      const { [DOUBTED]: doubt, ...settled } = outputs;
      const seen = doubt === undefined ? undefined : await this.lookAgain(context, state, inputs);
      const changes = seen?.changes ?? changesOf(this.definition, before, inputs, outputs);
      // The stack has changed its plugin: only the state is rewritten. An object that a create left unfinished lacks outputs and does need the update.
      if (changes.length === 0 && seen?.live === undefined && !lacksOutputs(table, outputs))
        return redeclared(table, settled, before, inputs);
      await this.confirmWorkspace(context, state);
      if (changes.length === 0 && seen?.live !== undefined) return this.outputs(inputs, seen.live, outputs);
      const parsed = this.parse(inputs, unreadIn(table, before, inputs));
      const updating = this.definition.update(context, state, parsed, changes).catch((error: unknown) => {
        // The error itself may be that of a look, or of a second try.
        if (this.definition.creation === undefined || !isDoubtful || isUnfinished(error)) throw error;
        const message = messageOf(nameObject(error, what, "update"));
        const properties = doubted(table, outputs, inputs, changes);
        throw new UnfinishedError(message, state.id, properties, { cause: error });
      });
      const live = await this.noteLeft("update", what, inputs, call, this.recorded(inputs, outputs, updating));
      return this.outputs(inputs, live, outputs);
    });
  }

  /** After an update of unknown outcome: what the declaration and the object differ in, and what cannot be seen: all of it if the object cannot be read. */
  private async lookAgain(context: Context, state: State, inputs: JsonObject) {
    const { definition } = this;
    const result = await this.observe(context, state);
    const live = result.state === "found" ? result.value.live : undefined;
    const seen = live === undefined ? undefined : compare(definition, live, inputs, "ignored");
    const unsure = seen ? [...seen.changes, ...seen.hidden] : changesBetween(definition.table.fieldRules, {}, inputs);
    const { id, outputs } = state;
    // Whether a revision has what the update tried, the update finds out: then it is this program's.
    const tried = Paths.parse(definition.makesRevision && outputs[DOUBTED]).map((path) => ({
      path,
      rule: ruleAt(definition.table.fieldRules, path),
      removed: valueAt(inputs, path) === undefined,
    }));
    const own = changesOf(definition, declaredIn(definition.table, { id, outputs }), inputs, outputs);
    const others = withOthers(unsure, tried).filter(
      (change) =>
        !replaces(change, context.connection.contract) && definition.suppressDiff?.(change, outputs, inputs) !== true,
    );
    return { live, changes: withOthers(own, others) };
  }

  delete(state: State, call?: Call): Promise<void> {
    const what = nameOf(this.definition.table, state);
    return this.named("delete", what, state.outputs, call, () => this.deleteNow(state, what, call));
  }

  private async deleteNow(state: State, what: string, call?: Call): Promise<void> {
    const context = this.client.context(call);
    this.client.checkOrigin(state);
    if (this.isLeftToAnother(state, what, call)) {
      // The engine deletes the row that it has imported anew (docs/internals/engine.md, trap 41).
      if (call?.urn !== undefined && this.session.ownership.imported.get(call.urn) === state.id)
        context.log.alike(
          `${this.definition.table.kind} was imported again: its option import gives a name, and not its id. Take the option out: with it, each \`pulumi up\` can do so, and send its secrets again`,
          nameInUrn(call.urn),
        );
      else context.log.warn(`${what} now belongs to another resource of this program, so it stays on the platform.`);
      return;
    }
    await this.confirmWorkspace(context, state);
    const result = this.client.offers("delete") ? await this.definition.delete(context, state) : { left: what };
    if (result === "absent") await this.confirmGone(context, state);
    if (typeof result === "string") return;
    const message = `${result.left} stays on the platform, which cannot delete it through its API; remove it there`;
    if (context.connection.onUndeletable === "fail") {
      throw new AgentPlatformError(`${message}, or ${toSet("onUndeletable", '"warn"')} to leave it there`);
    }
    context.log.warn(`${message}. This stack no longer manages it.`);
  }

  /** Throws if this run's create of the same row has taken over this same object: then the delete belongs to a forced replacement. */
  private isLeftToAnother(state: State, what: string, call?: Call): boolean {
    const { ownership } = this.session;
    const taken = ownership.takenOver.get(state.id);
    const [row, here] = [taken?.row, urnIn(state.outputs, call)];
    const isCutOff = taken?.origin === "cut off";
    const isSameRow = row === undefined || here === undefined ? isCutOff : row === here;
    const isLeft = !(isSameRow && isCutOff) && ownership.isLeftToAnother(this.client.held(state), what);
    if (isSameRow && (isCutOff || isLeft))
      throw new AgentPlatformError(`${what} was not replaced: it is there and as declared. ${IF_FORCED}`);
    return isLeft;
  }

  /** One call of a verb: a span of its own, and errors that name the object. */
  private named<T>(
    verb: NamedVerb,
    what: string,
    props: JsonObject,
    call: Call | undefined,
    act: () => Promise<T>,
  ): Promise<T> {
    noteSecretFields(this.definition.table.fieldRules, props);
    const outcomeOf = (result: T): string => (verb === "read" && result === undefined ? "gone" : "done");
    return tracedVerb(this.session.tracer, { table: this.definition.table, verb, props, call }, outcomeOf, () =>
      act().catch((error: unknown) => {
        throw nameObject(error, what, verb);
      }),
    );
  }

  /** Completes the outputs of an `UnfinishedError`: adds the declared inputs, except those that the error sets to null, and our own marks. */
  private recorded<T>(inputs: JsonObject, before: JsonObject, work: Promise<T>): Promise<T> {
    return recording(work, ({ properties }) => {
      const { table } = this.definition;
      const known = Object.entries(before).filter(([name]) => table.fields[name]?.computed);
      const toComputed = (): JsonObject => ({ ...Object.fromEntries(known), ...properties });
      const outputs = outputsOf({ ...this.definition, toComputed }, inputs, {}, before, this.client);
      return Object.fromEntries(Object.entries(outputs).filter(([name]) => properties[name] !== null));
    });
  }

  /** Takes the object from the kept list; asks the definition only if the list does not have it. */
  private async observe(context: Context, state: State): Promise<Observation<Found<Live>>> {
    const listed = this.client.offers("list") ? this.definition.list?.current(context) : undefined;
    const look = () => this.definition.observe?.(context, state, listed);
    const result = (await (listed?.findOr(state.id, look) ?? look())) ?? UNSUPPORTED;
    if (result.state === "found") context.workspaces.saw(this.definition.workspaceOf?.(result.value.live) ?? {});
    return result;
  }

  // `X.get`: nothing is declared, so everything readable is an output, and there are no inputs (docs/internals/engine.md, trap 20).
  private async readUnmanaged(id: string, outputs: JsonObject): Promise<State | undefined> {
    if (Object.keys(outputs).length === 0) return { id, outputs: (await this.reader.get({ id })).outputs };
    const result = await this.reader.observe({ id, inputs: outputs });
    if (result.state === "unsupported") return { id, outputs: { ...outputs, [UNREAD]: null } };
    if (result.state === "absent") return undefined;
    const { fields } = this.definition.table;
    const now = Object.entries(result.value.outputs).filter(([name]) => name in outputs || !fields[name]?.computed);
    return { id, outputs: { ...Object.fromEntries(now), ...marksOf(outputs) } };
  }

  /** A key of another workspace cannot see the object, which may still exist. What has no object loses nothing. */
  private async confirmGone(context: Context, state: State): Promise<void> {
    const { table } = this.definition;
    if (table.acts !== undefined) return;
    const isSameKey = this.client.isSameKey(state.outputs);
    await refuseForeignWorkspace(nameOf(table, state), state.outputs, context, isSameKey);
  }

  /** Under a new key, an object with the same id or name may belong to another workspace, so it is read before it is changed. */
  private async confirmWorkspace(context: Context, state: State): Promise<void> {
    if (this.client.isSameKey(state.outputs) !== false) return;
    const result = await this.observe(context, state);
    if (result.state === "found") await this.confirmNotForeign(context, state, result.value.live);
  }

  private async confirmNotForeign({ connection, workspaces }: Context, state: State, live: Live): Promise<void> {
    const { definition } = this;
    const { outputs } = state;
    const nameOnlyMatch = this.client.isSameKey(outputs) === false && definition.isSameObject?.(live, state) === false;
    const isPlacedByKey = nameOnlyMatch && this.isPlacedByKey(outputs);
    const place = isPlacedByKey ? { tenantId: await workspaces.current() } : (definition.workspaceOf?.(live) ?? {});
    confirmSame(nameOf(definition.table, state), outputs, place, nameOnlyMatch, connection);
  }

  /** What no answer places is in the workspace that the key opens. */
  private isPlacedByKey(outputs: JsonObject): boolean {
    return this.definition.workspaceOf === undefined && outputs["tenantId"] !== undefined;
  }

  /** Warns once per kind, because a refresh reads hundreds of objects; for agents that do not answer, once per agent. */
  private warnOfUnsupported({ log }: Context, { cause }: Unsupported): void {
    const reason = isHttpError(cause) ? "" : cause?.message;
    if (cause === undefined || reason === undefined || this.warnedUnsupported.has(reason)) return;
    this.warnedUnsupported.add(reason);
    log.warn(
      `${this.definition.table.kind}: ${cause.message}. The state stays as it was: drift is not detected, and nothing counts as deleted.`,
    );
  }

  /** The engine shows a changed secret as "[secret]", like an unchanged one. */
  private warnOfHidden({ log }: Context, what: string, drift: readonly Change[]): void {
    const hidden = drift.filter(({ rule }) => rule.secret).map(({ path }) => showPath(path));
    if (hidden.length === 0) return;
    const verb = hidden.length === 1 ? "differs" : "differ";
    log.warn(`${what}: ${hidden.join(", ")} ${verb} on the platform from what is declared (values are not shown).`);
  }

  private parse(inputs: JsonObject, unread?: readonly string[]): Inputs {
    // Values are unknown only at preview; here, an unknown value would be sent to the platform as text.
    if (hasUnknown(inputs)) throw new AgentPlatformError("an argument has no value yet; run `pulumi up` again");
    if (areInputs(this.definition, inputs, unread)) return inputs;
    throw new AgentPlatformError(problemsOfInputs(this.definition.table, inputs).map(showProblem).join("\n"));
  }

  private outputs(inputs: JsonObject, live: Live, before: JsonObject): JsonObject {
    return outputsOf(this.definition, inputs, live, before, this.client);
  }
}

/** The paths in {@link DOUBTED}. */
const Paths = z.array(z.array(z.union([z.string(), z.number()]))).catch([]);

const MADE_ANEW = "was deleted and made anew outside of this stack";
const END_UNKNOWN = "had an update whose end is not known";
