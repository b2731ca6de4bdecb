import type { FaultKind } from "../../emulator";
import type { EngineModel } from "../support/engine-model";
import type { Bench } from "./bench";
import { holds, type Declared, type Stored, type Subject } from "./subjects";

/** One declared resource of a run, with the Rollout that its class makes where it is a deployment. */
export class Slot {
  /** The declared values; undefined: not declared. */
  declared: Declared | undefined;
  /** Kept over a removal: the program may declare the same name again. */
  latest: Declared = { name: 0, fixed: 0, values: {} };
  /** Objects that other users made: ids, and the fields of each that a program could declare. */
  readonly others = new Map<string, string>();
  /** Only a refresh can show what happened since: a change by hand, or a failed removal that was taken back. */
  needsRefresh = false;
  /** Objects not in state that an error has reported to the author. */
  private readonly told = new Set<string>();
  /** The last command succeeded: what state says of the object is true. */
  isCertain = false;
  /** The faults that struck the creation that failed last. */
  blamed: ReadonlySet<FaultKind> = new Set();
  readonly model: EngineModel;
  readonly rollout: EngineModel | undefined;

  constructor(
    readonly bench: Bench,
    readonly subject: Subject,
  ) {
    this.model = bench.resource(subject.kind);
    this.rollout = subject.kind === "Deployment" ? bench.resource("Rollout") : undefined;
  }

  get name(): string {
    return this.subject.nameOf(this.latest);
  }

  objects(): Stored[] {
    return this.subject.objects(this.bench.emulator);
  }

  /** The object of the declared name, where the state has no object. */
  unknownObject(): Stored | undefined {
    if (this.model.state !== undefined) return undefined;
    return this.objects().find(({ name }) => name === this.name);
  }

  /** One `pulumi up` of this resource, and the checks that must hold after it whatever happened. Throws what a verb threw. */
  async up(over: { adopt?: true } = {}): Promise<void> {
    const { declared, model } = this;
    if (declared === undefined) return this.destroy();
    this.isCertain = false;
    try {
      const operation = await model.up({ ...this.subject.program(declared), ...over });
      if (operation !== "same" || !this.needsRefresh) this.checkHolds(declared, operation);
    } catch (error) {
      // The engine deletes the dependent first.
      if (this.rollout && model.state === undefined) this.rollout.state = undefined;
      this.checkTold(error);
      throw error;
    }
    this.isCertain = true;
    await this.rollOut(declared);
  }

  private async rollOut(declared: Declared): Promise<void> {
    const { id, outputs } = this.model.current;
    await this.rollout?.up({
      deploymentId: id,
      revisionId: outputs["latestRevisionId"],
      deploymentName: this.subject.nameOf(declared),
      followsPushes: false,
    });
  }

  async destroy(): Promise<void> {
    await this.rollout?.destroy();
    const { state } = this.model;
    if (state === undefined) return;
    await this.model.destroy();
    // It is reported as gone, so it must be gone.
    if (this.objects().some(({ id }) => id === state.id)) this.breach(`lost: ${state.id} was not deleted`);
  }

  /** One `pulumi refresh` of this resource. True where it shows drift. */
  async refresh(): Promise<boolean> {
    const { state } = this.model;
    if (state === undefined) return false;
    const drift = await this.model.refresh();
    const believed = this.believedStale();
    const there = this.objects().some(({ id }) => id === state.id);
    // GET of one deployment is documented, so its 404 is believed; a stale 404 is a lie that cannot be seen through.
    const excused = this.subject.kind === "Deployment" && believed;
    if (!this.model.state && there && !excused) this.breach(`lost: ${state.id} is there, a refresh dropped it`);
    // The engine has reported the deletion; an `up` that gets as far as the name reports that the object is there.
    if (!this.model.state && there) this.told.add(state.id);
    if (!this.model.state && this.rollout) this.rollout.state = undefined;
    const rolled = this.rollout?.state === undefined ? false : await this.rollout.refresh();
    this.believedStale();
    return drift || rolled;
  }

  /** A stale answer of a refresh is believed: state shows the past until the next refresh. */
  private believedStale(): boolean {
    if (!this.bench.struck.has("stale-read")) return false;
    this.isCertain = false;
    this.needsRefresh = true;
    return true;
  }

  /** After a success the platform holds the declared values. Drift that no refresh has shown is not ours to mend. */
  private checkHolds(declared: Declared, operation: string): void {
    const { id } = this.model.current;
    const object = this.objects().find((each) => each.id === id);
    if (object === undefined) this.breach(`lost: ${id} is not there after "${operation}"`);
    else if (!this.needsRefresh && !this.isTold(id, operation) && !holds(this.subject, object, declared)) {
      this.breach(
        `lost update after "${operation}": ${show(object.state)}, declared ${show(this.subject.wanted(declared))}`,
      );
    }
  }

  /** A warning says what a creation could not send: the next `up` sends it. */
  private isTold(id: string, operation: string): boolean {
    const { warnings } = this.bench.platform;
    return operation === "create" && warnings.some((each) => each.includes(`(${id}) was created, but without`));
  }

  /** An object that is there and not in state: the error has named it and the way to adopt it. */
  private checkTold(error: unknown): void {
    const object = this.unknownObject();
    if (object === undefined || this.others.has(object.id) || this.told.has(object.id)) return;
    this.told.add(object.id);
    this.blamed = this.bench.struck;
    const message = error instanceof Error ? error.message : "";
    if (!message.includes(this.name) || !message.includes("adopt")) {
      this.breach(`lost: ${this.name} is there, but the error says neither that nor how to adopt it: ${message}`);
    }
  }

  private breach(what: string): void {
    this.bench.breaches.push(`${this.subject.kind} ${what}`);
  }
}

const show = (value: unknown): string => JSON.stringify(value);
