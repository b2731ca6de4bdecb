import { isObject, type JsonObject } from "../../provider/base/json";
import { propertiesOf } from "../../provider/lifecycle/fields/table";
import { UNDECLARED } from "../../provider/resources/deployment/wire";
import { RESOURCES } from "../../provider/resources/registry";
import { CASES, merged, PLAYED, type Case, type ObjectType } from "../conformance/cases";
import type { EngineModel } from "../support/engine-model";
import { argumentsOf, keyOf, nameOf, type Declaration } from "./declarations";
import { leavesOf } from "./model";
import type { Stack } from "./stack";

/** A declaration in a stack, with the Rollout and the RunCheck that come with a Deployment, and its author's wishes. */
export class Resource {
  /** Undefined: the program lacks it. */
  declared: Declaration | undefined;
  /** Kept while it is dropped: the program may declare the same again. */
  latest: Declaration;
  /** That of the latest command that succeeded: where an edit is refused, the author goes back to it. */
  made: Declaration | undefined;
  /** The same meaning in other words. */
  isRespelled = false;
  /** As an error says. */
  adopt: true | string | undefined;
  ignoresSecrets = false;
  /** The name belongs to something that cannot be taken over. */
  needsOtherName = false;
  /** False: the program does not wait for its revisions. */
  awaits = true;
  /** It has a RunCheck that goes back. */
  isChecked = false;
  /** The declared image fails that. */
  isBad = false;
  /** Its check expects what no revision answers. */
  expectsMore = false;
  /** The declared image cannot serve: its wait or its check failed. */
  needsOtherImage = false;
  /** What `drift` would say comes next of what the latest refresh showed. */
  next: string | undefined;
  /** An answer to what it sent last was lost: whether that is done, no plan can know. */
  isUnanswered = false;
  /** What the latest command passed on. */
  sent: JsonObject = {};
  /** What the latest green command declared. */
  private before: ReadonlySet<string> = new Set();
  /** The variables that updates of this program have sent as declared: they changed them, or the trigger, or found other values. */
  readonly changedVariables = new Set<string>();
  private readonly counts = new Map<string, number>();

  constructor(
    readonly stack: Stack,
    /** Its place in the program. */
    readonly index: number,
    first: Declaration,
  ) {
    this.latest = first;
  }

  get type(): ObjectType {
    return this.latest.type;
  }

  get name(): string {
    return nameOf(this.latest);
  }

  /** Its type, and its name in Pulumi. */
  get of(): string {
    return `${this.type} ${keyOf(this.latest)}`;
  }

  /** For people. */
  get title(): string {
    return `${this.type} ${this.name} of ${this.stack.who}`;
  }

  get model(): EngineModel {
    return this.stack.of(this.latest);
  }

  /** Of a Deployment. */
  get rollout(): EngineModel {
    return this.stack.model("Rollout", keyOf(this.latest));
  }

  get check(): EngineModel {
    return this.stack.model("RunCheck", keyOf(this.latest));
  }

  get hasRevisions(): boolean {
    return this.type === "Deployment";
  }

  get state(): EngineModel["state"] {
    return this.model.state;
  }

  /** A number that this part was never declared with. */
  count(part: string): number {
    const next = (this.counts.get(part) ?? this.index + 1) + 1;
    this.counts.set(part, next);
    return next;
  }

  declare(declaration: Declaration | undefined): void {
    this.declared = declaration;
    if (declaration !== undefined) this.latest = declaration;
  }

  /** Passes the program on. */
  pass(): void {
    const [state, before] = [this.state, this.sent];
    this.sent = this.program();
    if (state === undefined) this.changedVariables.clear();
    const now = leavesOf(PLAYED[this.type].body(this.sent));
    // What a look has found to be somebody's, it puts right.
    for (const inputs of state === undefined ? [] : [before, state.inputs]) {
      const isAnew = inputs["redeployTrigger"] !== this.sent["redeployTrigger"];
      const then = leavesOf(PLAYED[this.type].body(inputs));
      for (const path of new Set([...then.keys(), ...now.keys()]))
        if (path.startsWith("secrets.") && (isAnew || then.get(path) !== now.get(path)))
          this.changedVariables.add(path);
    }
  }

  /** What the class passes on. */
  program(): JsonObject {
    const adopt = this.adopt === undefined ? {} : { adopt: this.adopt };
    return { ...this.arguments(this.isRespelled), ...this.stack.givenTo(this.latest), ...adopt };
  }

  private arguments(isRespelled: boolean): JsonObject {
    const plain = argumentsOf(this.latest);
    const { program } = PLAYED[this.type];
    // What differs from the program of the case stays as it is.
    const own = Object.entries(plain).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(program[name]),
    );
    const spelled = isRespelled ? merged(respelledOf(this.type), Object.fromEntries(own)) : plain;
    return this.withIgnored(this.isBad ? failing(spelled) : spelled);
  }

  /** With `ignoreChanges`, the engine passes on what the state has. */
  private withIgnored(program: JsonObject): JsonObject {
    if (!this.ignoresSecrets || this.state === undefined) return program;
    const { inputs } = this.state;
    const before = this.secrets.map((name) => [name, inputs[name]] as const);
    const all = Object.entries({ ...program, ...Object.fromEntries(before) });
    return Object.fromEntries(all.filter(([, value]) => value !== undefined));
  }

  /** The arguments that are secret. */
  get secrets(): readonly string[] {
    return propertiesOf(RESOURCES[this.type].table).secretInputs;
  }

  /** What the object has to be like after an `up`: the values that are right, by path. Two spellings of one value are both right. */
  wanted(): Map<string, ReadonlySet<string>> {
    const { body } = PLAYED[this.type];
    const sent = leavesOf(body(this.sent));
    const all = [...leavesOf(body(this.arguments(false)))].map(
      ([path, value]) => [path, new Set([value, sent.get(path) ?? value])] as const,
    );
    // In other words some paths are others.
    const there = all.filter(([path]) => !this.isRespelled || sent.has(path));
    // With `ignoreChanges`, what a refresh has found of somebody's is right as it is.
    return new Map(there.filter(([, values]) => !values.has(SOMEBODYS_VALUE)));
  }

  /** Whether the path was declared by then. */
  wasDeclared(path: string): boolean {
    return this.before.has(path);
  }

  async destroy(): Promise<void> {
    await this.destroyWaits();
    await this.model.destroy();
  }

  async destroyWaits(): Promise<void> {
    if (!this.hasRevisions) return;
    await this.check.destroy();
    await this.rollout.destroy();
  }

  /** Two spellings of one value. */
  meansTheSame(path: string, one: string | undefined, other: string | undefined): boolean {
    const right = this.wanted().get(path);
    return one !== undefined && other !== undefined && right?.has(one) === true && right.has(other);
  }

  noteGreen(): void {
    [this.made, this.adopt, this.isUnanswered] = [this.declared, undefined, false];
    this.before = new Set(this.wanted().keys());
  }
}

/** Stands in a state for the value of a variable that nobody declares. */
export const SOMEBODYS_VALUE = JSON.stringify(UNDECLARED);

/** With an image whose agent fails each run. */
function failing(program: JsonObject): JsonObject {
  const { sourceRevisionConfig: config } = program;
  const image = isObject(config) && typeof config["imageUri"] === "string" ? config["imageUri"] : "";
  return { ...program, sourceRevisionConfig: { imageUri: `${image}-emulator-fail-graph` } };
}

const isCased = (type: ObjectType): type is keyof typeof CASES => type in CASES;
/** The program of a type in other words, as far as its case has some. */
function respelledOf(type: ObjectType): JsonObject {
  const known: Pick<Case, "respelled"> | undefined = isCased(type) ? CASES[type] : undefined;
  return known?.respelled ?? PLAYED[type].program;
}
