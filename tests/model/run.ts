import type { Bench } from "./bench";
import type { Program, Step, Stranger } from "./programs";
import { Slot } from "./slot";
import { holds, SUBJECTS, type Declared } from "./subjects";

/** Between two commands: longer than the deletion of a deployment, and than the tolerance of clocks in create-once.ts. */
const BETWEEN_COMMANDS_MS = 10_000;
const BYSTANDER = 1000;

/** Plays a program under its faults, then checks that nothing is lost, doubled or left. Throws what it found. */
export async function play(bench: Bench, { steps, refresh }: Program): Promise<void> {
  bench.reset();
  const run = new Run(bench);
  await run.bystanders();
  for (const step of steps) await run.step(step);
  await run.settle(refresh);
  await run.checkEnd();
  bench.tally.runs += 1;
}

class Run {
  private readonly slots: readonly Slot[];
  /** Every edit takes a number of its own: no value is ever declared again after it was changed. See {@link Run.edit}. */
  private next = 1;

  constructor(private readonly bench: Bench) {
    this.slots = SUBJECTS.map((subject) => new Slot(bench, subject));
  }

  /** Objects of others, so that no list is empty. */
  async bystanders(): Promise<void> {
    for (const slot of this.slots) await this.other(slot, { name: BYSTANDER, fixed: 1, values: {} });
  }

  private async other(slot: Slot, declared: Declared): Promise<void> {
    const known = new Set(slot.objects().map(({ id }) => id));
    await slot.subject.make(this.bench.platform, declared);
    for (const { id, state } of slot.objects()) if (!known.has(id)) slot.others.set(id, JSON.stringify(state));
  }

  async step(step: Step): Promise<void> {
    const slot = this.slots[step.slot];
    if (slot === undefined) return;
    if (step.prepared) await this.prepare(slot, step);
    this.edit(slot, step);
    if (step.stranger !== undefined) await this.stranger(slot, step.stranger, step.pick);
    this.bench.plans = step.plans;
    if (step.verb !== "read") await this.all((each) => each.up());
    if (step.verb === "read" || step.refresh) await this.all((each) => each.refresh());
    this.bench.plans = [];
    this.pause();
  }

  /** One command over all resources; those that fail do not stop the others. */
  private async all(act: (slot: Slot) => Promise<unknown>): Promise<void> {
    this.bench.platform.newProcess();
    for (const slot of this.slots) await act(slot).catch(() => undefined);
    this.checkBreaches();
  }

  private pause(): void {
    this.bench.platform.clock.advance(BETWEEN_COMMANDS_MS);
  }

  /** Brings the resource to where an edit leads to the step's verb. */
  private async prepare(slot: Slot, { verb }: Step): Promise<void> {
    if (verb === "create") {
      this.lookByHand(slot);
      slot.declared = undefined;
    } else slot.declared ??= slot.latest;
    await this.settleSlot(slot, true);
    this.pause();
  }

  /**
   * Changes the program: back to an earlier value only where the last command succeeded, else to a value never used before. State
   * cannot know of an update whose outcome is unknown, so an author who answers it by declaring the old value again gets "no change",
   * and no refresh shows a secret (reliability.md).
   */
  private edit(slot: Slot, { verb, pick }: Step): void {
    const { declared } = slot;
    const n = (before: number): number => (slot.isCertain && pick >= 128 && before !== 0 ? 0 : this.next++);
    if (verb === "read") return;
    if (declared === undefined) {
      // A removal that failed: state still has it, the platform may not.
      if (slot.model.state !== undefined) slot.needsRefresh = true;
      this.declare(slot, slot.latest);
    } else if (verb === "update") this.change(slot, declared, pick, n);
    else if (verb === "delete" && pick % 3 === 0) {
      this.lookByHand(slot);
      slot.declared = undefined;
    } else {
      this.lookByHand(slot);
      if (slot.unknownObject() !== undefined) return;
      const renames = pick % 3 === 1 && slot.subject.kind !== "SandboxTemplate";
      this.declare(slot, renames ? { ...declared, name: n(declared.name) } : { ...declared, fixed: n(declared.fixed) });
    }
  }

  private change(slot: Slot, declared: Declared, pick: number, n: (before: number) => number): void {
    const { fields } = slot.subject;
    if (fields.length === 0) {
      this.lookByHand(slot);
      this.declare(slot, { ...declared, name: n(declared.name) });
      return;
    }
    const changed = [pick, pick >> 3].map((index) => fields[index % fields.length] ?? "");
    const { values: before } = declared;
    const values = { ...before, ...Object.fromEntries(changed.map((field) => [field, n(before[field] ?? 0)])) };
    this.declare(slot, { ...declared, values });
  }

  private declare(slot: Slot, declared: Declared): void {
    slot.declared = declared;
    slot.latest = declared;
  }

  /**
   * An error has told the author that the object may be there, and to look before declaring anything else: the author does so,
   * and deletes it by hand. Otherwise an edit of the name would leave it behind, which no provider could see.
   */
  private lookByHand(slot: Slot): void {
    const object = slot.unknownObject();
    if (object === undefined || slot.others.has(object.id)) return;
    slot.subject.vanish(this.bench.emulator, object.id);
  }

  private async stranger(slot: Slot, stranger: Stranger, pick: number): Promise<void> {
    const { subject, model, declared } = slot;
    const id = model.state?.id;
    const there = slot.objects().find((object) => object.id === id);
    if (stranger === "squat") {
      const free = model.state === undefined && slot.unknownObject() === undefined;
      if (declared === undefined || !free) return;
      await this.other(slot, pick % 2 === 0 ? declared : { ...declared, values: {} });
    } else if (there === undefined) return;
    else if (stranger === "drift") subject.drift(this.bench.emulator, there.id, this.next++);
    else if (stranger === "vanish") subject.vanish(this.bench.emulator, there.id);
    else if (subject.kind === "Deployment") {
      const image = there.state["image"];
      await this.bench.platform.ask("PATCH", `/v2/deployments/${there.id}`, {
        source_revision_config: { image_uri: image },
      });
    } else return;
    slot.needsRefresh = true;
    // An equal object of another user, less than two seconds old, cannot be told from our own after an unclear POST.
    this.pause();
  }

  /** The commands without faults: they must put everything right. */
  async settle(refresh: boolean): Promise<void> {
    for (const slot of this.slots) await this.settleSlot(slot, refresh);
  }

  private async settleSlot(slot: Slot, refresh: boolean): Promise<void> {
    this.bench.platform.newProcess();
    if (refresh || slot.needsRefresh) await slot.refresh();
    slot.needsRefresh = false;
    try {
      await slot.up();
    } catch (error) {
      await this.adopt(slot, error);
    }
    this.checkBreaches();
  }

  private async adopt(slot: Slot, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    const object = slot.unknownObject();
    if (object === undefined || !message.includes("adopt")) {
      throw new Error(`a fault-free up of ${slot.name} failed, not for an object in the way: ${message}`, {
        cause: error,
      });
    }
    const { tally } = this.bench;
    if (slot.others.delete(object.id)) tally.adoptedFromOthers += 1;
    else for (const kind of slot.blamed) tally.of(kind).neededAdopt += 1;
    await slot.up({ adopt: true });
    if (slot.model.current.id !== object.id) throw new Error(`${slot.name}: adopt took another object`);
  }

  async checkEnd(): Promise<void> {
    const { emulator, platform } = this.bench;
    platform.newProcess();
    for (const slot of this.slots) {
      this.checkObjects(slot);
      if (await slot.refresh()) throw new Error(`${slot.name}: a refresh after up shows drift`);
    }
    const before = emulator.requests.length;
    for (const slot of this.slots) {
      // A control argument that left the program (`adopt`) leaves the inputs with this up.
      const shown = () => JSON.stringify([slot.model.state?.id, slot.model.state?.outputs]);
      const state = shown();
      await slot.up();
      if (shown() !== state) throw new Error(`${slot.name}: an up after up changed the state`);
    }
    if (emulator.requests.length > before) throw new Error("an up after up sent requests");
    platform.newProcess();
    for (const slot of this.slots) {
      slot.declared = undefined;
      await slot.destroy();
      this.checkObjects(slot);
    }
    this.checkBreaches();
  }

  /** Exactly the declared object, equal to its declaration, and the objects of others, untouched. */
  private checkObjects(slot: Slot): void {
    const { declared, subject, others, model } = slot;
    const ours = slot.objects().filter(({ id }) => !others.has(id));
    const names = ours.map(({ name }) => name).join(", ");
    if (ours.length !== (declared === undefined ? 0 : 1)) {
      throw new Error(
        `${subject.kind}: ${declared === undefined ? "nothing" : slot.name} is declared, there is: ${names}`,
      );
    }
    const [object] = ours;
    if (object && declared && (object.id !== model.state?.id || !holds(subject, object, declared))) {
      throw new Error(
        `${slot.name} is ${JSON.stringify(object)}, declared: ${JSON.stringify(subject.wanted(declared))}`,
      );
    }
    for (const [id, state] of others) {
      const other = slot.objects().find((each) => each.id === id);
      if (JSON.stringify(other?.state) !== state) throw new Error(`${subject.kind} ${id} of another user was touched`);
    }
  }

  private checkBreaches(): void {
    const [breach] = this.bench.breaches;
    if (breach !== undefined) throw new Error(breach);
  }
}
