import { programText } from "./program-text";
import { doByHand } from "./by-hand";
import { run, type Command } from "./commands";
import type { Bench, Ran } from "./ran";
import type { Coverage } from "./coverage";
import { edited, fresh } from "./edits";
import type { EngineHome, EngineStack } from "./engine-stack";
import { INVARIANTS, type Judged } from "./invariants";
import { Model, succeeded } from "./model";
import { heldBy, observe, type Observation } from "./observation";
import { KEYS, Platform } from "./platform";
import type { Program, Step } from "./steps";
import { Story } from "./story";
import { currentVersion } from "../../upgrade/recorded";
import { put, type World } from "./world";

/** An invariant that does not hold, and the problems that were found. */
export class Broken extends Error {
  constructor(
    readonly invariant: string,
    readonly found: readonly string[],
  ) {
    super(`${invariant}: ${found.join("; ")}`);
  }
}

/** A program that is being played: the world as declared, the stack, the platform, and the model of them. */
export class Play {
  world: World = [];
  readonly model = new Model();
  readonly story = new Story();
  readonly key: { value: string } = { value: KEYS.first };
  now: Observation = { state: [], objects: [] };
  commands = 0;
  failedCommands = 0;
  faultsFired = 0;
  /** The version of the package that is installed. */
  version = currentVersion();
  /** Everything declared is applied, as far as is known. */
  private inSync = false;

  constructor(
    readonly stack: EngineStack,
    readonly platform: Platform,
    private readonly coverage: Coverage,
  ) {}

  static async begin(home: EngineHome, program: Program, coverage: Coverage): Promise<Play> {
    const platform = await Platform.start(program.traits);
    const play = new Play(home.stack(), platform, coverage);
    if (program.from !== undefined) {
      play.stack.install(program.from);
      play.version = program.from;
      play.story.tell(`Version ${program.from} of the package.`);
    }
    play.stack.connect(platform.url, play.key.value);
    for (const { slot, pick } of program.first) play.world = put(play.world, fresh(slot, pick, play.world));
    const { naming, deletes, oddities } = program.traits;
    for (const trait of [naming, deletes, ...oddities]) coverage.count("platform", trait);
    const also = oddities.map((oddity) => `, ${oddity}`).join("");
    play.story.tell(`A platform that names revisions ${naming}, deletes ${deletes}${also}.`);
    return play;
  }

  async end(): Promise<void> {
    this.stack.remove();
    await this.platform.close();
  }

  async step(step: Step, title: string): Promise<void> {
    this.story.tell(title);
    const edits = this.edit(step);
    const manualChanges = await this.makeManualChanges(step);
    this.stack.write(programText(this.world));
    this.story.tellProgram(this.world);
    this.prepareOutcome(step);
    const faults = step.faults.map((input) => this.platform.emulator.faults.add(input));
    if (step.faults.length > 0) this.story.tell(`  faults: ${JSON.stringify(step.faults)}`);
    this.platform.outage.name = step.outage;
    if (step.outage !== undefined) this.story.tell(`  all the while ${step.outage}`);
    const disturbed = faults.length > 0 ? "faults were on" : step.outage;
    const quiet =
      edits + manualChanges + step.faults.length === 0 && step.outcome === undefined && step.outage === undefined;
    this.inSync &&= quiet;
    const ran = await this.command(step.command, disturbed);
    // A command that does not apply here, like one for a missing resource.
    if (ran === undefined) await this.command({ ...step.command, name: "up" }, disturbed);
    faults.forEach(({ fired }, index) => {
      const kind = step.faults[index]?.kind;
      this.faultsFired += fired;
      if (fired > 0 && kind !== undefined) this.coverage.count("fault", kind);
    });
    if (step.outage !== undefined) this.coverage.count("outage", step.outage);
    this.platform.emulator.faults.clear();
    this.platform.outage.name = undefined;
  }

  /** Runs a command and judges everything that it did. */
  async command(command: Command, disturbed?: string): Promise<Ran | undefined> {
    const isForInSync = command.name === "up and refresh with another tenant's key";
    this.now = observe(this.stack, this.platform);
    if (isForInSync && !this.inSync) return undefined;
    const last = await this.judgeEach(
      (bench) => run(command, bench),
      (before) => disturbed ?? this.disturbance(before),
    );
    if (last !== undefined) this.coverage.count("command", command.name);
    return last;
  }

  /** Judges each of these commands, and returns the last. `mayFail` says why the next one may fail; undefined where it has to succeed. */
  async judgeEach(
    commands: (bench: Bench) => AsyncGenerator<Ran, void, undefined>,
    mayFail: (before: Observation) => string | undefined,
  ): Promise<Ran | undefined> {
    const { stack, platform, world, key } = this;
    let last: Ran | undefined;
    this.now = observe(stack, platform);
    const runs = commands({ stack, platform, world, now: this.now, key });
    for (;;) {
      const before = this.now;
      const may = mayFail(before);
      platform.seenUntil = platform.requests.at(-1)?.seq ?? 0;
      const next = await runs.next();
      if (next.done === true) return last;
      last = next.value;
      this.judge(last, before, last.foreignKey === true ? "it was another tenant's key" : may);
    }
  }

  private judge(ran: Ran, before: Observation, disturbed: string | undefined): void {
    const after = observe(this.stack, this.platform);
    const { model, world, platform } = this;
    const requests = platform.requests.filter(({ seq }) => seq > platform.seenUntil);
    this.story.tellCommand(ran, requests);
    this.commands++;
    if (!succeeded(ran)) this.failedCommands++;
    if (ran.applies && ran.targets === undefined) this.inSync = succeeded(ran);
    if (ran.destroys || ran.forgets === true) this.inSync = false;
    model.wasRun(ran, world, before, after, this.platform.outage.name !== undefined);
    this.now = after;
    const judged: Judged = { ran, world, before, after, model, platform, disturbed };
    for (const [name, invariant] of Object.entries(INVARIANTS)) {
      const found = invariant(judged);
      if (found.length > 0) throw new Broken(name, found);
    }
  }

  private disturbance(now: Observation): string | undefined {
    const known = this.model.disturbance(this.world, now);
    if (known !== undefined) return known;
    return this.platform.hasUnfinishedBusiness() ? "a revision failed, or is stuck" : undefined;
  }

  private edit(step: Step): number {
    let count = 0;
    for (const edit of step.edits) {
      const changed = edited(this.world, edit);
      if (changed === undefined) continue;
      this.world = changed;
      this.coverage.count("the program", edit.name);
      this.story.tell(`  ${edit.slot}: ${edit.name}`);
      count++;
    }
    return count;
  }

  private async makeManualChanges(step: Step): Promise<number> {
    let count = 0;
    for (const manualChange of step.manualChanges) {
      this.now = observe(this.stack, this.platform);
      const done = await doByHand(this.platform, manualChange, heldBy(this.now, manualChange.slot));
      if (done === undefined) continue;
      this.now = observe(this.stack, this.platform);
      this.model.wasDone(done, this.now);
      this.coverage.count("by hand", manualChange.name);
      this.story.tell(`  by hand, ${manualChange.slot}: ${manualChange.name}`);
      count++;
    }
    return count;
  }

  private prepareOutcome({ outcome }: Step): void {
    const declared = this.world.find(({ slot }) => slot === outcome?.slot);
    if (outcome === undefined || declared === undefined) return;
    this.platform.nextRevision(declared.name, outcome.ends);
    this.coverage.count("revision", outcome.ends);
    this.story.tell(`  the next revision of "${declared.name}" will be ${outcome.ends}`);
  }
}
