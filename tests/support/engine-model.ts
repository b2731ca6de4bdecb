import { z } from "zod";
import { isUnfinished } from "../../provider/base/errors";
import type { Json, JsonObject } from "../../provider/base/json";
import type { Handler } from "../../provider/dynamic/handler";
import { propertiesOf } from "../../provider/lifecycle/fields/table";
import { unmarshal } from "../../provider/native/values";
import { RESOURCES } from "../../provider/resources/registry";
import { MANAGED_TYPES, nativeToken } from "../../provider/resources/resource-types";

/** The engine's step for one resource. */
export type Operation = "create" | "same" | "update" | "replace";

interface ResourceState {
  /** A verb left it unfinished: the next command calls update, whatever diff says (docs/internals/engine.md, trap 3). */
  isUnfinished?: boolean;
  id: string;
  inputs: JsonObject;
  outputs: JsonObject;
}

/** Another resource, whose inputs come from this one. */
export interface Dependent {
  readonly model: EngineModel;
  /** Its inputs while this one is unknown: the unknown sentinel where they come from it. */
  readonly unknown: (inputs: JsonObject) => JsonObject;
}

const jsonObject = z.record(z.string(), z.json());

/** A value as it crosses gRPC: JSON, without undefined. */
const overTheWire = (value: JsonObject): JsonObject => jsonObject.parse(JSON.parse(JSON.stringify(value)));

/** Check failures, as the engine would report them. */
export class CheckFailed extends Error {
  constructor(readonly reasons: readonly string[]) {
    super(reasons.join("\n"));
  }
}

/** The kinds whose class always gives the row: their objects are marked with it. */
const MARKED: readonly string[] = MANAGED_TYPES.filter((kind) => {
  const { table } = RESOURCES[kind];
  return "__progressUrn" in table.fields && (table.namesRepeat || propertiesOf(table).secretInputs.length === 0);
});

let models = 0;

/** What the SDK's class of a kind adds to the program's arguments: the row of this resource, and of no other one. */
export function givenByClass(kind: string): JsonObject {
  const managed = MANAGED_TYPES.find((each) => each === kind);
  if (managed === undefined || !MARKED.includes(kind)) return {};
  return { __progressUrn: `urn:pulumi:test::test::${nativeToken(managed)}::it-${++models}` };
}

const FORCED = { changes: true, replaces: ["*"], deleteBeforeReplace: false };

/**
 * One resource, driven through its handler as the engine does it: check, diff, then the verb; replacement deletes first where
 * told so; the outputs of one verb go to the next. For tests of the lifecycle that need no engine process.
 */
export class EngineModel {
  state: ResourceState | undefined;
  /** Those that were replaced, and are not deleted yet: where a command was cut off, the next one deletes them. */
  replaced: readonly ResourceState[] = [];
  /** The engine diffs them before it deletes this one (docs/internals/engine.md, trap 29). */
  dependents: readonly Dependent[] = [];
  private readonly provider: string;
  private readonly given: JsonObject;

  constructor(
    readonly handler: Handler,
    kind: string,
    /** Called as each command begins: the engine starts a plugin for it. */
    private readonly begin: () => void = () => undefined,
  ) {
    this.given = givenByClass(kind);
    this.provider = `exports.handler = () => ${kind}`;
  }

  get hasState(): boolean {
    return this.state !== undefined;
  }

  /** The state; throws where the resource has none. */
  get current(): ResourceState {
    if (!this.state) throw new Error("the resource is not in state");
    return this.state;
  }

  /** @param isForced `--target-replace`, or a taint: the engine does not ask diff, and creates before it deletes. */
  async up(program: JsonObject, isForced = false): Promise<Operation> {
    this.begin();
    const operation = await this.step(program, isForced);
    await this.removeReplaced();
    return operation;
  }

  private async step(program: JsonObject, isForced: boolean): Promise<Operation> {
    const news = overTheWire({ ...this.given, ...program, __provider: this.provider });
    const { inputs: sealed, failures } = await this.handler.check(this.state?.inputs ?? {}, news);
    // The engine takes the marks of secrets off for such a plugin.
    const inputs = unmarshal(sealed).values;
    if (failures.length > 0) throw new CheckFailed(failures.map(({ property, reason }) => `${property}${reason}`));
    if (!this.state) {
      await this.create(inputs);
      return "create";
    }
    const { id, outputs } = this.state;
    const diff = isForced ? FORCED : await this.handler.diff(id, outputs, this.withProvider(inputs));
    if (!diff.changes && this.state.isUnfinished !== true) {
      this.state.inputs = inputs;
      return "same";
    }
    if (diff.replaces.length === 0) {
      const { outs } = await this.recording(inputs, this.handler.update(id, outputs, this.withProvider(inputs)));
      this.state = { id, inputs, outputs: this.withProvider(outs) };
      return "update";
    }
    // The classes set deleteBeforeReplace wherever a name can be taken, and so does diff.
    if (diff.deleteBeforeReplace) {
      for (const dependent of this.dependents)
        if (await dependent.model.isReplacedBy(dependent)) await dependent.model.remove();
      await this.remove();
    }
    const old = this.state;
    try {
      await this.create(inputs);
    } finally {
      // Also where the new one is there and unfinished.
      if (!diff.deleteBeforeReplace && this.current !== old) this.replaced = [...this.replaced, old];
    }
    return "replace";
  }

  /** Refreshes the state. True where the engine would report drift. */
  async refresh(): Promise<boolean> {
    this.begin();
    const { id, inputs: desired, outputs } = this.current;
    const read = await this.handler.read(id, outputs);
    if (read.id === "") {
      this.state = undefined;
      return true;
    }
    const props = this.withProvider(read.props);
    this.state = { id: read.id, inputs: read.inputs ? overTheWire(read.inputs) : desired, outputs: props };
    // Under the id that the read answered (docs/internals/engine.md, trap 29).
    return (await this.handler.diff(read.id, props, this.withProvider(desired))).changes;
  }

  async destroy(): Promise<void> {
    this.begin();
    await this.removeReplaced();
    await this.remove();
  }

  /** `destroy --target --target-dependents`: each dependent is compared with unknown inputs, then deleted. */
  async destroyTargeted(): Promise<void> {
    this.begin();
    for (const dependent of this.dependents) {
      await dependent.model.isReplacedBy(dependent);
      await dependent.model.remove();
    }
    await this.remove();
  }

  private async isReplacedBy({ unknown }: Dependent): Promise<boolean> {
    if (!this.state) return false;
    const { id, inputs, outputs } = this.state;
    return (await this.handler.diff(id, outputs, this.withProvider(unknown(inputs)))).replaces.length > 0;
  }

  private async removeReplaced(): Promise<void> {
    for (const each of this.replaced) {
      await this.handler.delete(each.id, each.outputs);
      this.replaced = this.replaced.filter((other) => other !== each);
    }
  }

  private async remove(): Promise<void> {
    if (!this.state) return;
    await this.handler.delete(this.state.id, this.state.outputs);
    this.state = undefined;
  }

  private async create(inputs: JsonObject): Promise<void> {
    const { id, outs } = await this.recording(inputs, this.handler.create(this.withProvider(inputs)));
    this.state = { id, inputs, outputs: this.withProvider(outs) };
  }

  /** The engine records what an unfinished verb has left, under the inputs from before an update, and fails (docs/internals/engine.md, trap 42). */
  private async recording<T>(inputs: JsonObject, act: Promise<T>): Promise<T> {
    try {
      return await act;
    } catch (error) {
      if (isUnfinished(error)) {
        const { id, properties } = error;
        const { values } = unmarshal(properties);
        const kept = this.state?.id === id ? this.state.inputs : inputs;
        this.state = { id, inputs: kept, outputs: this.withProvider(values), isUnfinished: true };
      }
      throw error;
    }
  }

  private withProvider(props: JsonObject): Record<string, Json | undefined> {
    return overTheWire({ ...props, __provider: this.provider });
  }
}
