import fc from "fast-check";
import type { FaultInput } from "../../../emulator";
import { MANUAL_CHANGES, type ManualChange, type ManualChangeName } from "./by-hand";
import { COMMANDS, type Command, type CommandName } from "./commands";
import { FRONT, type Front } from "../../support/cli-stack";
import { edited, EDITS, fresh, type Edit, type EditName } from "./edits";
import { knownTo, wordsOn } from "./fronts";
import { OUTAGES, type OutageName } from "./layers";
import { ODDITIES, type Traits } from "./platform";
import { situation, unfinished } from "./situations";
import { FAULTS, OUTCOMES, type Program, type Step } from "./steps";
import { put, SLOTS, type Declared, type Slot, type World } from "./world";

/** A step or two whose parts belong together: pure chance brings them together too seldom. The resources and the rest are drawn. */
export type Situation = (author: Author) => Step[];

/** The program of a seed: the same each time on the same plugin. @param from The version of the package that it begins with, if an earlier one. */
export function programOf(seed: number, mostSteps: number, front: Front = FRONT, from?: string): Program {
  const [values] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  if (values === undefined) throw new Error(`no program of the seed ${seed}`);
  // Without bias: fast-check prefers small numbers, which here would be the first words of each list.
  const below = (count: number): number => values((max: number) => fc.noBias(fc.nat({ max })), count - 1);
  return new Author(below, front, from).program(mostSteps);
}

const LOOKING: readonly CommandName[] = ["refresh", "refresh", "up --refresh", "up --refresh", "destroy --refresh"];
const APPLYING: readonly CommandName[] = ["up", "up", "up", "up --refresh", "preview, then up"];
/** Changes that apply to few resources, drawn the more often where they do. */
const FEW_HAVE: readonly EditName[] = [
  ...Array.from({ length: 8 }, () => "switch buildOnPush" as const),
  "change source",
  "change resourceSpec",
  "change resourceSpec",
  "change resourceSpec",
  "change the orchestrators",
  "change extra inside resource_spec",
  "change displayName",
  "declare an image that builds",
  "take the whole sourceConfig from another",
];
const NOTHING = { edits: [], manualChanges: [], outcome: undefined, faults: [], outage: undefined } as const;

/** Writes a program: knows the declarations at each step, so that each draw has something to work on. */
export class Author {
  private world: World = [];

  /**
   * @param below A number from 0 up to, but not including, this one.
   * @param version The version of the package whose words are drawn, if an earlier one.
   */
  constructor(
    private readonly below: (count: number) => number,
    readonly front: Front,
    private version?: string,
  ) {}

  program(mostSteps: number): Program {
    const traits: Traits = {
      naming: this.chance(80) ? "at once" : this.draw(["late, null until then", "late, the old one until then"]),
      deletes: this.draw(["at once", "slowly"]),
      oddities: ODDITIES.filter(() => this.chance(20)),
    };
    const slots = SLOTS.filter((slot) => this.chance(slot.endsWith("1") ? 65 : 30));
    const first = (slots.length > 0 ? slots : [this.draw(SLOTS)]).map((slot) => ({ slot, pick: this.pick() }));
    for (const { slot, pick } of first) this.world = put(this.world, fresh(slot, pick, this.world));
    const count = Math.max(1, mostSteps - this.below(3));
    const { version: from } = this;
    const steps = from === undefined ? this.steps(count).slice(0, mostSteps + 1) : this.stepsAround(count);
    return { ...(from && { from }), traits, first, steps, refreshesInTheEnd: this.chance(40) };
  }

  private steps(count: number): Step[] {
    const steps: Step[] = [];
    while (steps.length < count) steps.push(...(this.chance(45) ? situation(this) : [this.free()]));
    return steps;
  }

  /** Steps with the earlier version, and from the last step of what mostly leaves something unfinished those with this one. */
  private stepsAround(count: number): Step[] {
    const before = this.steps(this.below(2));
    const around = this.chance(80) ? unfinished(this) : [];
    const [next = this.free(), ...earlier] = around.reverse();
    this.version = undefined;
    return [...before, ...earlier.reverse(), { ...next, upgrades: true }, ...this.steps(count - 1 - before.length)];
  }

  /** A step of these parts, and nothing else. */
  step(parts: Partial<Step> & Pick<Step, "command">): Step {
    return { ...NOTHING, ...parts };
  }

  /** Draws one of these; an entry that is listed twice is twice as likely. */
  draw<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  }

  /** True with this chance in percent. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** A change of the program, as a list: one of those that apply here, if any does. */
  edit(names: EditName | readonly EditName[], slot: Slot): Edit[] {
    const all = typeof names === "string" ? [names] : names;
    const pick = this.pick();
    const fitting = this.known(all).filter((name) => edited(this.world, { name, slot, pick }) !== undefined);
    if (fitting.length === 0) return [];
    const edit = { name: this.draw(fitting), slot, pick };
    this.world = edited(this.world, edit) ?? this.world;
    return [edit];
  }

  slots(): Slot[] {
    return this.world.map(({ slot }) => slot);
  }

  declared(slot: Slot): Declared | undefined {
    return this.world.find((other) => other.slot === slot);
  }

  agents(): Slot[] {
    return this.slots().filter((slot) => slot.startsWith("d"));
  }

  /** The resources that use this one. */
  dependents(slot: Slot): Slot[] {
    const uses = this.world.filter(
      (other) => other.uses.some((use) => use.slot === slot) || other.agent.configFrom === slot,
    );
    return uses.map((other) => other.slot);
  }

  command(names: readonly CommandName[], slot: Slot = this.draw(this.slots())): Command {
    return { name: this.draw(this.known(names)), slot };
  }

  private known<Word extends string>(words: readonly Word[]): Word[] {
    return knownTo(wordsOn(words, this.front), this.version);
  }

  looking(): Command {
    return this.command(LOOKING);
  }

  applying(): Command {
    return this.command(APPLYING);
  }

  manualChange(names: readonly ManualChangeName[], slots: readonly Slot[]): ManualChange[] {
    return slots.length === 0 ? [] : [{ name: this.draw(names), slot: this.draw(slots) }];
  }

  /** Anything at all. */
  private free(): Step {
    const outage = this.chance(15) ? this.draw(OUTAGES) : undefined;
    const manualChanges = this.chance(35) ? this.manualChange(MANUAL_CHANGES, [...this.slots(), ...this.agents()]) : [];
    const failing = this.agents().length > 0 && this.chance(10) ? this.draw(this.agents()) : undefined;
    const outcome = failing && { slot: failing, ends: this.draw(OUTCOMES) };
    const edits = [
      ...(failing === undefined ? [] : this.edit(["change the environment", "change a field"], failing)),
      ...this.edits(outage),
    ];
    const faults =
      outage === undefined && this.chance(20) ? [this.fault(), ...(this.chance(40) ? [this.fault()] : [])] : [];
    const usual = (manualChanges.length > 0 || outage !== undefined) && this.chance(50);
    const command = usual
      ? this.looking()
      : edits.length > 0 && this.chance(50)
        ? this.applying()
        : this.command(COMMANDS);
    return { edits, manualChanges, outcome, faults, outage, command };
  }

  private edits(outage: OutageName | undefined): Edit[] {
    const count = outage === undefined ? this.draw([0, 1, 1, 2, 2, 3]) : this.below(2);
    return Array.from({ length: count }).flatMap(() => {
      const slot = this.draw([...SLOTS, ...this.slots(), ...this.slots(), ...this.agents()]);
      if (!this.slots().includes(slot)) return this.edit("add", slot);
      if (this.chance(50) && this.failing().includes(slot)) return this.edit("declare an image that builds", slot);
      return this.edit([...EDITS, ...FEW_HAVE], slot);
    });
  }

  private failing(): Slot[] {
    return this.world.filter(({ agent }) => agent.fails).map(({ slot }) => slot);
  }

  private fault(): FaultInput {
    const where = {
      method: this.draw(["*", "GET", "POST", "PATCH", "DELETE"]),
      nth: this.draw([1, 1, 2, 3]),
      count: this.draw([1, 2]),
    };
    const kind = this.draw(FAULTS);
    return kind === "status" ? { kind, status: this.draw([502, 503]), ...where } : { kind, ...where };
  }

  private pick(): number {
    return this.below(1024);
  }
}
