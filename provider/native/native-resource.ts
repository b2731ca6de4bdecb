import { AgentPlatformError, recording } from "../base/errors";
import { type JsonObject, sameJson, UNKNOWN } from "../base/json";
import { marshal, nameInUrn } from "../base/engine-format";
import { showPath, showProblem, valueAt } from "../lifecycle/fields/fields";
import { asNamedBefore, isManaged, migrateState } from "../lifecycle/state";
import type { Resource } from "../lifecycle/defined";
import type { State } from "../lifecycle/observe/context";
import {
  filledInputs,
  type Fields,
  givenOf,
  isFilledIn,
  type Properties,
  propertiesOf,
} from "../lifecycle/fields/table";
import type { PluginRun } from "./run";
import { type PlainProperties, unmarshal } from "./values";

/** Properties as a message has them, with the engine's marks. */
export type Marked = JsonObject | undefined;

export interface Changing {
  readonly urn: string;
  readonly properties: Marked;
  /** In seconds; 0 for none. */
  readonly timeout: number;
  /** Nothing is sent; what only the platform can say is unknown. */
  readonly preview: boolean;
}

/** A resource in the form that the engine's protocol for native plugins expects. Every rule is in provider/lifecycle. */
export class NativeResource {
  private readonly properties: Properties;
  /** The inputs in state by URN, from a check: for the second half of a replacement, the engine gives none. */
  private readonly before = new Map<string, JsonObject>();
  /** The ids of objects that were read without a state, by the key that found them. */
  private readonly ids = new Map<string, string>();
  /** Of the last diff of each URN. */
  private readonly replaces = new Map<string, readonly string[]>();
  /** What a check found after a failure, by URN: said later, since a failed check ends the run (docs/internals/engine.md, trap 63). */
  private readonly refused = new Map<string, string>();

  constructor(
    readonly resource: Resource,
    private readonly run: PluginRun,
  ) {
    this.properties = propertiesOf(resource.table);
  }

  check(urn: string, olds: Marked, news: Marked) {
    const { values, secrets } = opened(news);
    const before = valuesOf(olds);
    if (Object.keys(before).length > 0) this.before.set(urn, before);
    const { table } = this.resource;
    const given = givenOf(table.fields, values);
    const filled = Object.entries(filledInputs(table, nameInUrn(urn)));
    const inputs = {
      ...Object.fromEntries(filled.filter(([name]) => !isFilledIn(table.fields[name], given))),
      ...given,
      ...unlessSecret(table.fields, secrets, given),
    };
    const { configuration, problems } = this.resource.checks.check(before, inputs, urn);
    const reasons = [...configuration.map(({ reason }) => reason), ...problems.map(showProblem)];
    this.run.register({ kind: table.kind, urn, inputs });
    if (reasons.length > 0) this.run.fail();
    const isLate = this.run.hasFailedCall && reasons.length > 0;
    if (isLate) this.refused.set(urn, reasons.join("\n"));
    return {
      inputs: marshal(inputs, [...secrets, ...this.properties.secretInputs]),
      reasons: isLate ? [] : reasons,
    };
  }

  /** How each property differs, for the engine's display, and the properties that replace the resource, by their first step. */
  diff(id: string, urn: string, olds: Marked, oldInputs: Marked, news: Marked, ignored: readonly string[] = []) {
    if (this.refused.has(urn)) return { isChanged: true, diffs: [], replaces: [], deleteBeforeReplace: false };
    const state = stateOf(id, olds, oldInputs);
    const { changes, replacing, deleteBeforeReplace } = this.resource.checks.diff(state, valuesOf(news), ignored, urn);
    const before = state.inputs ?? state.outputs;
    // A mark of our own makes a change, and is not shown as one.
    const shown = changes.filter(({ path: [name] }) => !String(name).startsWith("__"));
    const diffs = shown.map((change) => {
      const isNew = valueAt(before, change.path) === undefined;
      const kind = isNew ? "ADD" : change.removed ? "DELETE" : "UPDATE";
      return { path: showPath(change.path), kind, replaces: replacing.includes(change) } as const;
    });
    const replaces = [...new Set(replacing.map(({ path }) => String(path[0])))];
    this.replaces.set(urn, replaces);
    return { isChanged: changes.length > 0, diffs, replaces, deleteBeforeReplace };
  }

  async create({ urn, properties, timeout, preview }: Changing): Promise<State> {
    this.refuseLate(urn);
    const { values, secrets } = opened(properties);
    if (preview) {
      await this.previewOnline(urn, values);
      const outputs = this.resource.checks.outputsAfter(values, {});
      this.run.identify(urn, UNKNOWN, outputs);
      return { id: "", outputs: this.sealed(outputs, secrets) };
    }
    const making = this.resource.verbs.create(values, this.run.call(urn, timeout));
    const made = await recording(making, (error) => this.sealed(error.properties, secrets));
    this.run.identify(urn, made.id, made.outputs);
    return { id: made.id, outputs: this.sealed(made.outputs, secrets) };
  }

  /** Undefined if the object is gone, or was never there. Without inputs and outputs: of an object that no state holds. */
  async read(id: string, urn: string, outputs: Marked, inputs: Marked): Promise<State | undefined> {
    const state = stateOf(id, outputs, inputs);
    const isNew = Object.keys(state.outputs).length === 0;
    const read = isNew
      ? await this.resource.verbs.find(id, urn)
      : await this.resource.verbs.read(state, this.run.call(urn));
    if (read === undefined) return undefined;
    if (isNew) this.ids.set(id, read.id);
    const secrets = [outputs, inputs].flatMap((each) => opened(each).secrets);
    const recorded = { id: read.id, outputs: this.sealed(read.outputs, secrets) };
    // With inputs, the outputs of a resource that is only read would shrink to them.
    if (!isNew && !isManaged(state)) {
      return { ...recorded, outputs: asNamedBefore(recorded.outputs, outputs ?? {}) };
    }
    const declared = read.inputs ?? state.inputs ?? {};
    return { ...recorded, inputs: marshal(declared, [...secrets, ...this.properties.secretInputs]) };
  }

  async update(id: string, olds: Marked, oldInputs: Marked, { urn, properties, timeout, preview }: Changing) {
    this.refuseLate(urn);
    // docs/internals/engine.md, trap 58
    const fixed = this.replaces.get(urn)?.join(", ");
    if (fixed)
      throw new AgentPlatformError(
        `${fixed}: cannot change in place. Delete this ${this.resource.table.kind}, and create another`,
      );
    const { values, secrets } = opened(properties);
    const state = stateOf(this.ids.get(id) ?? id, olds, oldInputs);
    if (preview) {
      await this.previewOnline(urn, values);
      const foreseen = this.resource.checks.outputsAfter(values, state.outputs);
      this.run.identify(urn, id, changedFrom(state.outputs, foreseen));
      return this.sealed(foreseen, secrets);
    }
    const updated = this.resource.verbs.update(state, values, this.run.call(urn, timeout));
    // What an update of unknown end leaves has values from before as well.
    const all = [...secrets, ...[olds, oldInputs].flatMap((each) => opened(each).secrets)];
    const outputs = await recording(updated, (error) => this.sealed(error.properties, all));
    this.run.identify(urn, id, changedFrom(state.outputs, outputs));
    return this.sealed(outputs, secrets);
  }

  async delete(id: string, urn: string, olds: Marked, oldInputs: Marked, timeout: number): Promise<void> {
    this.refuseLate(urn);
    const state = stateOf(id, olds, oldInputs);
    // `pulumi do` deletes without a state; a mistyped id must not look like an object that is gone.
    const found = Object.keys(state.outputs).length > 0 ? state : await this.resource.verbs.find(id, urn);
    if (found === undefined) throw new AgentPlatformError(`there is no ${this.resource.table.kind} "${id}"`);
    return this.resource.verbs.delete(found, this.run.call(urn, timeout));
  }

  private refuseLate(urn: string): void {
    const reasons = this.refused.get(urn);
    if (reasons !== undefined) throw new AgentPlatformError(reasons);
  }

  private async previewOnline(urn: string, inputs: JsonObject): Promise<void> {
    const problems = await this.resource.checks.previewOnline(this.before.get(urn) ?? {}, inputs);
    if (problems.length > 0) throw new AgentPlatformError(problems.join("\n"));
  }

  private sealed(outputs: JsonObject, secrets: readonly string[]): JsonObject {
    const { secretOutputs, repeats = {} } = this.properties;
    const repeating = Object.keys(repeats).filter((name) => repeats[name]?.some((each) => secrets.includes(each)));
    return marshal(outputs, [...secrets, ...secretOutputs, ...repeating]);
  }
}

/** Under the names of this version, whichever wrote them. */
function opened(properties: Marked): PlainProperties {
  const { values, secrets } = unmarshal(properties);
  return { values: migrateState(values), secrets };
}

/** What is true by default, but false where a secret is near, whatever is given: a transformation may have made that secret. */
const unlessSecret = (fields: Fields, secrets: readonly string[], given: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { unlessSecret: near }]) =>
      near === undefined ? [] : [[name, near.some((each) => secrets.includes(each)) ? false : (given[name] ?? true)]],
    ),
  );

const valuesOf = (properties: Marked): JsonObject => opened(properties).values;

const stateOf = (id: string, outputs: Marked, inputs: Marked): State => ({
  id,
  outputs: valuesOf(outputs),
  ...(inputs !== undefined && { inputs: valuesOf(inputs) }),
});

const changedFrom = (before: JsonObject, now: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => !sameJson(value, before[name])));
