import { stepTo } from "../../cli/drift/read";
import { reportOf } from "../../cli/drift/report";
import type { ActiveFault } from "../../emulator";
import { messageOf } from "../../provider/base/errors";
import { UNKNOWN } from "../../provider/base/json";
import { offers } from "../../provider/lifecycle/observe/observable";
import { RESOURCES } from "../../provider/resources/registry";
import { nativeToken } from "../../provider/resources/resource-types";
import { PLAYED, type ObjectType } from "../conformance/cases";
import { CheckFailed } from "../support/engine-model";
import { canRepeat, isOfAgent } from "./declarations";
import { FAULTS, SHORT_TIMEOUT_MS } from "./faults";
import { leavesOf, SOMEBODY, type Followed } from "./model";
import * as promises from "./promises";
import { QUIRKS, type Quirk } from "./quirks";
import { Resource } from "./resource";
import type { Ran, Stack, StackOptions } from "./stack";
import { rowOf, show, type Step, type Struck } from "./steps";
import { Witness, type Counts, type Verb } from "./witness";
import { World } from "./world";

/** A random program, or one that is written by hand: what is declared, where, and what happens. */
export interface Program {
  readonly quirk: string;
  readonly declares: readonly ObjectType[];
  /** A second stack that declares the same under the same names in Pulumi: in another backend, or with a key of another workspace. */
  readonly beside?: keyof typeof BESIDE;
  readonly steps: readonly Step[];
}

const BESIDE = { "another backend": "beside", "another workspace": "theirs" } as const;
/** Between two commands: longer than the deletion of a deployment, than lists lag, and than the tolerance of clocks. */
const PAUSE_MS = 30_000;
/** And than what a run that was cut off has made counts as made just now. */
const LONG_PAUSE_MS = 20 * 60_000;
const BYSTANDERS = [900, 901, 902];
/** How often an author follows advice. */
const MOST_TRIES = 5;

/** A platform with the quirk, on which programs are played one after the other. `play` throws on a broken promise, with all that happened. */
export async function platformWith(
  name: string,
  counts: Counts,
): Promise<{ readonly play: (program: Program) => Promise<void>; readonly close: () => Promise<void> }> {
  const quirk = QUIRKS.find((each) => each.name === name);
  if (quirk === undefined) throw new Error(`no quirk "${name}"`);
  let player: Player | undefined;
  const settings = { requestTimeout: String(SHORT_TIMEOUT_MS / 1000), ...quirk.settings };
  // Both backends have a stack of one name; each keeps a key of its own.
  const stack = (who: string, key: string): StackOptions => ({
    name: "dev",
    ...(quirk.isKeyless !== true && { key }),
    settings,
    isLimited: true,
    isElsewhere: who === "theirs",
    watch: (handler, type, of) => player?.watched(who, handler, type, of) ?? handler,
  });
  const world = await World.start({
    buildSeconds: 5,
    deleteSeconds: 2,
    pageSize: Infinity,
    revisionOutcome: () => player?.outcome,
    layers: [
      {
        beforeRoute: (exchange) => Promise.resolve(player?.before(exchange)),
        afterCommit: (exchange, response) => Promise.resolve(player?.after(exchange, response) ?? response),
      },
    ],
    ...quirk.emulator,
    agentServers: quirk.agent ?? {},
    stacks: {
      ours: stack("ours", "key-of-a-backend"),
      beside: stack("beside", "key-of-another"),
      theirs: stack("theirs", "key-of-a-third"),
    },
  });
  const play = (program: Program) => (player = new Player(quirk, world, counts, program)).play();
  return { play, close: () => world.close() };
}

interface How {
  /** `--refresh`. */
  readonly refreshes?: boolean;
  /** `--target-replace`. */
  readonly isForced?: boolean;
  /** It has an error hook. */
  readonly isHooked?: boolean;
}

/** Plays a program on an empty platform. */
export class Player extends Witness {
  /** What happened, for people. */
  private readonly log: string[] = [];
  private names = 1000;
  /** Objects that no state holds, and that were named when they were left. */
  private readonly excused = new Set<Followed>();

  constructor(
    quirk: Quirk,
    world: World,
    counts: Counts,
    private readonly program: Program,
  ) {
    super(quirk, world, counts, [...new Set<ObjectType>([...program.declares, "Deployment"])]);
  }

  async play(): Promise<void> {
    const { program } = this;
    try {
      await this.begin();
      for (const step of program.steps) await this.step(step);
      for (const stack of this.stacks()) await this.settle(stack);
      await this.end();
    } catch (error) {
      const log = this.log.map((line) => `  ${line}`).join("\n");
      const steps = program.steps.map((step) => `    ${show(step)},`).join("\n");
      const head = JSON.stringify({ ...program, steps: undefined });
      const said = `${messageOf(error)}\n\nWhat happened:\n${log}\n\nThe program: ${head}, with the steps\n${steps}`;
      throw new Error(said, { cause: error });
    }
  }

  private async begin(): Promise<void> {
    const { world, counts, quirk, model } = this;
    const { declares, beside } = this.program;
    world.reset();
    world.remember();
    if (declares.some(isOfAgent)) await world.prepare("Cron");
    for (const row of [quirk.name, ...declares]) counts.add(row);
    for (const type of model.types)
      for (const name of BYSTANDERS) await world.make({ type, name, fixed: 1, fields: {} });
    this.follow(SOMEBODY);
    // An agent belongs to one workspace.
    const isPossible = (who: string, type: ObjectType): boolean => who !== "theirs" || !isOfAgent(type);
    this.resources = ["ours", ...(beside === undefined ? [] : [BESIDE[beside]])].flatMap((who) =>
      declares.flatMap((type, index) => (isPossible(who, type) ? [this.resource(who, type, index)] : [])),
    );
    for (const stack of this.stacks()) depend(this.of(stack));
    for (const resource of this.resources) resource.declare(resource.latest);
    world.settle(PAUSE_MS);
  }

  private resource(who: string, type: ObjectType, index: number): Resource {
    // Of what the agent keeps, any number can have a name; nothing else is declared twice in one workspace.
    const name = index + 1 + (who === "beside" && !isOfAgent(type) ? 50 : 0);
    return new Resource(this.world.stack(who), index, { type, key: `it-${index}`, name, fixed: index, fields: {} });
  }

  private async step(step: Step): Promise<void> {
    const [name, of = 0, pick = 0, struck] = step;
    const row = rowOf(name);
    const resource = this.resources[of % this.resources.length];
    if (resource === undefined) return;
    const at = { player: this, resource, pick, struck };
    if (row.fits?.(at) === false) return;
    this.counts.add(name);
    this.log.push(`${show(step)} ${resource.title}`);
    if (row.is === "do by hand") await this.hand(() => row.act(at));
    else await row.act(at);
    this.outcome = "DEPLOYED";
    this.check(name);
  }

  /** Somebody does something that no stack knows of. @param milliseconds An equal object that is two seconds old cannot be told from our own. */
  async hand(act: () => unknown, milliseconds = 5000): Promise<void> {
    await act();
    this.follow(SOMEBODY);
    this.world.settle(milliseconds);
  }

  nextName(): number {
    this.names += 1;
    return this.names;
  }

  // Commands.

  /** One command of a stack, in a process of its own. What befalls it is over with it. True where it is green. */
  private async command(
    stack: Stack,
    name: string,
    struck: Struck | undefined,
    parts: readonly (() => Promise<unknown>)[],
  ): Promise<boolean> {
    const { world, log, quirk } = this;
    const fault = struck && FAULTS.find((each) => each.name === struck[0]);
    [this.fault, this.struck, this.nth, this.verbs, this.late] = [fault, struck, 0, [], undefined];
    this.outcome = fault?.outcome ?? "DEPLOYED";
    world.revive(stack.who);
    const held = this.of(stack).flatMap((resource) => this.objectOf(resource) ?? []);
    this.armed = this.arm();
    const odd = quirk.inCommands && world.emulator.faults.add(quirk.inCommands);
    const errors: string[] = [];
    const ran = await stack.command(async () => {
      for (const part of parts) await part().catch((error: unknown) => void errors.push(messageOf(error)));
    });
    if (fault !== undefined && ((this.armed?.fired ?? 0) > 0 || stack.isFull)) this.counts.add(fault.name);
    stack.isFull = false;
    for (const each of [this.armed, this.next, odd]) each?.remove();
    const isKilled = world.isKilled(stack.who);
    log.push(`  ${name}: ${isKilled ? "killed" : errors.length > 0 ? errors.join("\n    ") : "green"}`);
    for (const warning of ran.warnings) log.push(`  warning: ${warning}`);
    this.checkHeld(stack, name, held, { ...ran, said: [...errors, ran.said].join("\n") });
    world.revive(stack.who);
    [this.fault, this.struck, this.armed, this.next] = [undefined, undefined, undefined, undefined];
    this.endBuilds();
    world.settle(quirk.isKeyless === true ? LONG_PAUSE_MS : PAUSE_MS);
    this.follow(SOMEBODY);
    this.check(name);
    return !isKilled && errors.length === 0;
  }

  /** The fault of this command, where it befalls requests. */
  private arm(): ActiveFault | undefined {
    const { fault, struck } = this;
    if (fault?.request === undefined || fault.lasts === "wait") return undefined;
    if (fault.lasts === "command" || struck === undefined) return this.switchOn(fault);
    const [, method, nth, often] = struck;
    const count = (fault.isSlow ?? fault.misleads ?? fault.isOnce) === true ? 1 : often;
    return this.world.emulator.faults.add({ ...fault.request, method, nth, count });
  }

  /** Nothing is lost: what a stack has made or held is in a state, or it was named. */
  private checkHeld(stack: Stack, name: string, before: readonly Followed[], { said, warnings }: Ran): void {
    const { excused } = this;
    const isKilled = this.world.isKilled(stack.who);
    for (const object of excused) if (!object.isThere || this.isHeld(object)) excused.delete(object);
    for (const object of before)
      if (!object.isThere && !this.mayBeLeft(object)) this.say(promises.isGoneAsSaid(object, warnings));
    for (const object of this.model.all()) {
      const wasHeld = before.includes(object);
      if ((!wasHeld && object.maker !== stack.who) || this.isHeld(object) || excused.has(object)) continue;
      excused.add(object);
      // The 404 of one deployment is documented, so a stale one is believed; the engine says that it is gone.
      if (isKilled || (wasHeld && this.fault?.misleads === true && object.type === "Deployment")) continue;
      const title = `${object.type} ${object.name} (${object.id})`;
      if (Array.isArray(this.late) && this.late.includes(object) && this.canBeFound(object))
        this.say(`not looked for by "${name}": ${title}, whose POST was carried out late: ${said}`);
      if (this.verbs.some(({ answered }) => answered.includes(object)))
        this.say(`not recorded by "${name}": ${title}, whose POST was answered: ${said}`);
      if (!promises.isNamed(object, said, warnings) && !canRepeat(object.type))
        this.say(`lost by "${name}": ${title} is there, in no state, and nothing says so: ${said}`);
      else if (wasHeld && !this.mayBeLeft(object))
        this.say(`left behind by "${name}": ${title}: ${said} ${warnings.join(" ")}`);
    }
  }

  /** Whether what this run has made can be told from others': an old row has no date, and a late list shows what it replaces. */
  private canBeFound({ type }: Followed): boolean {
    const { oldTemplateRows: isOld, faults: lag } = this.quirk.emulator;
    return this.canLook(type) && !this.isHidden(type, "") && isOld !== true && lag === undefined;
  }

  /** Whether the platform has a list, in which an object is found by its name. */
  private canLook(type: ObjectType): boolean {
    return offers(RESOURCES[type].table, this.quirk.emulator.contract ?? "extended", "list");
  }

  /** Whether an object may have left a state, with a warning. */
  private mayBeLeft({ maker }: Followed): boolean {
    const cannotDelete = this.quirk.emulator.contract === "documented" || this.fault?.hidesEndpoints === true;
    // What somebody has made anew under its name is theirs; and what a stale answer says of one object is believed.
    return cannotDelete || maker === SOMEBODY || this.fault?.misleads === true;
  }

  private stacks(): readonly Stack[] {
    return [...new Set(this.resources.map((each) => each.stack))];
  }

  private of(stack: Stack): readonly Resource[] {
    return this.resources.filter((each) => each.stack === stack);
  }

  private refreshing(stack: Stack): (() => Promise<void>)[] {
    return this.of(stack).map((resource) => () => this.refreshOne(resource));
  }

  up(stack: Stack, struck?: Struck, how: How = {}): Promise<boolean> {
    const { refreshes = false } = how;
    const up = this.of(stack).map((resource) => () => this.upOne(resource, how));
    const name = refreshes ? "up --refresh" : "up";
    return this.command(stack, name, struck, [...(refreshes ? this.refreshing(stack) : []), ...up]);
  }

  async replaceByForce(resource: Resource, struck?: Struck): Promise<void> {
    await this.command(resource.stack, "up --target-replace", struck, [() => this.upOne(resource, { isForced: true })]);
  }

  refresh(stack: Stack, struck?: Struck): Promise<boolean> {
    return this.command(stack, "refresh", struck, this.refreshing(stack));
  }

  destroy(stack: Stack, struck?: Struck, refreshes = false): Promise<boolean> {
    const destroy = [...this.of(stack)].reverse().map((resource) => () => resource.destroy());
    return this.command(stack, "destroy", struck, [...(refreshes ? this.refreshing(stack) : []), ...destroy]);
  }

  /** The first resource, and what takes a value from it. */
  async destroyTarget(stack: Stack, struck?: Struck): Promise<void> {
    const [first] = this.of(stack);
    const destroy = async () => {
      await first?.destroyWaits();
      await first?.model.destroyTargeted();
    };
    if (first !== undefined) await this.command(stack, "destroy --target --target-dependents", struck, [destroy]);
  }

  private async upOne(resource: Resource, { isForced = false, isHooked = false }: How = {}): Promise<void> {
    const { declared, stack, model, of, rollout, check } = resource;
    if (declared === undefined) return resource.destroy();
    const { world, verbs, quirk } = this;
    const before = structuredClone(model.state);
    const [objectBefore, inTheWay] = [this.objectOf(resource), this.unheld(resource)];
    // A rename whose answer was lost: the state has the old name, and there is nothing to send.
    const named = before?.outputs["name"];
    const isRenamed = named !== undefined && named !== resource.name && objectBefore?.name === resource.name;
    // So does a revision that has all that is declared, if it is somebody's, or the state is older than it: it is as good as a new one.
    const [latest, ...earlier] = this.revisionsOf(objectBefore?.id ?? "")
      .map(({ id }) => id)
      .reverse();
    const isDone =
      (this.revisionIsUnseen(latest ?? "", stack.who) ||
        earlier.some((id) => id === before?.outputs["latestRevisionId"])) &&
      [...resource.wanted()].every(([path, values]) => values.has(objectBefore?.leaves.get(path) ?? ""));
    const isOdd =
      this.fault ??
      quirk.inCommands ??
      model.replaced[0] ??
      inTheWay ??
      (isForced || isRenamed || isDone || this.hasDigits || undefined);
    const from = verbs.length;
    let updated: Verb | undefined;
    resource.pass();
    const run = () => model.up(resource.sent, isForced);
    try {
      const isRepeated = isHooked && before === undefined;
      const operation = await (isRepeated ? this.createTwice(resource, run, inTheWay) : run());
      if (world.isKilled(stack.who)) return;
      // A plan says what is sent where nothing goes wrong.
      if (isOdd === undefined && quirk.emulator.contract !== "documented") {
        const own = verbs.slice(from).filter((verb) => verb.of === of);
        this.counts.plans += 1;
        this.say(promises.isAsPlanned(resource, operation, before, own, this.counts.plans));
      }
      this.say(promises.isItsOwn(this, resource, operation));
      if (!isDone) this.say(promises.isItsRevision(this, resource, operation));
      this.say(promises.isReplaced(this, resource, operation, objectBefore));
      if (operation === "update") updated = verbs.slice(from).findLast((verb) => verb.of === of);
      resource.noteGreen();
    } catch (error) {
      if (!model.hasState) [rollout.state, check.state] = [undefined, undefined];
      const own = verbs.slice(from).filter((verb) => verb.of === of);
      resource.isUnanswered ||= own.some(({ requests }) => requests.some(({ isRead, isLost }) => !isRead && isLost));
      if (!world.isKilled(stack.who)) this.takeAdvice(resource, error);
      throw error;
    }
    if (resource.hasRevisions) await this.rollOut(resource);
    if (!world.isKilled(stack.who)) this.say(promises.isAsDeclared(this, resource, updated));
  }

  /** A create of a resource with an error hook: the engine calls it once more, also where the first one has left something unfinished. */
  private async createTwice<T>(resource: Resource, run: () => Promise<T>, inTheWay: Followed | undefined): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (this.world.isKilled(resource.stack.who)) throw error;
    }
    resource.model.state = undefined;
    const begun = this.unheld(resource);
    const isOwn =
      this.canLook(resource.type) && begun !== undefined && begun !== inTheWay && "__progressUrn" in resource.sent;
    return run().catch((error: unknown) => {
      if (isOwn && messageOf(error).includes("already exists"))
        this.say(`what this run has begun is refused: ${messageOf(error)}`);
      throw error;
    });
  }

  private async rollOut(resource: Resource): Promise<void> {
    if (this.fault?.superseded === true) await this.supersede(resource);
    const { awaits, isChecked, rollout, check, latest, stack } = resource;
    try {
      if (!isChecked) await check.destroy();
      if (!awaits) {
        await rollout.destroy();
        return;
      }
      await stack.rollOut(latest);
      if (this.world.isKilled(stack.who)) return;
      if (isChecked) await this.checkRun(resource);
      if (!this.world.isKilled(stack.who)) this.say(promises.isServing(this, resource));
    } catch (error) {
      resource.needsOtherImage = !resource.expectsMore;
      throw error;
    }
    resource.needsOtherImage = false;
  }

  private async checkRun({ check, model, rollout, isBad, expectsMore, title }: Resource): Promise<void> {
    const { id: deploymentId, outputs } = model.current;
    const before = this.world.serving(deploymentId)?.id;
    const hasPassed = check.state?.outputs["revisionId"] === before;
    const url = `${this.world.emulator.url}/agents/${deploymentId}`;
    const { secretsRevisionId } = outputs;
    const of = { deploymentId, revisionId: rollout.current.outputs["activeRevisionId"], secretsRevisionId };
    const expect = expectsMore ? { expect: { values: [{ mode: "values", path: "nothing", equals: 1 }] } } : {};
    const asked = { assistantId: "agent", input: { topic: "cats" }, ...expect };
    try {
      await check.up({ url, customUrl: url, ...asked, rollBack: true, ...of });
      if (isBad || expectsMore) this.say(`falsely green: the check of ${title} passed on what fails it`);
    } finally {
      if (hasPassed && this.world.serving(deploymentId)?.id !== before && this.fault === undefined)
        this.say(`the check of ${title} took down a revision that it had passed before`);
    }
  }

  /** Somebody makes one more revision of what is there. */
  private async supersede(resource: Resource): Promise<void> {
    const object = this.objectOf(resource);
    const image = object?.leaves.get("source_revision_config.image_uri");
    if (object === undefined || image === undefined) return;
    this.counts.add(this.fault?.name ?? "");
    const same: unknown = JSON.parse(image);
    await this.world.ask("PATCH", `/v2/deployments/${object.id}`, { source_revision_config: { image_uri: same } });
    this.follow(SOMEBODY);
  }

  private async refreshOne(resource: Resource): Promise<void> {
    const { model, state, stack, rollout, check, hasRevisions } = resource;
    resource.next = undefined;
    if (state === undefined) return;
    const { inputs: declared } = structuredClone(state);
    const drift = await model.refresh();
    if (drift) resource.next = nextOf(resource.type, { ...state, inputs: declared }, model.state);
    if (this.world.isKilled(stack.who)) return;
    if (this.verbs.at(-1)?.misled === true) this.unlearn(resource);
    else this.say(promises.isTrue(this, resource, declared, drift));
    if (!hasRevisions) return;
    if (!model.hasState) [rollout.state, check.state] = [undefined, undefined];
    else if (rollout.hasState) await rollout.refresh();
  }

  /** A stale answer is believed: until the next look, the state says what was once true. */
  private unlearn(resource: Resource): void {
    const { state, type, stack } = resource;
    const object = this.objectOf(resource);
    const said = leavesOf(PLAYED[type].body(state?.inputs ?? {}));
    for (const [path, write] of object?.writes ?? [])
      if (said.get(path) !== object?.leaves.get(path)) write.knownTo.delete(stack.who);
  }

  /** A preview plans, and sends nothing. */
  async preview(stack: Stack): Promise<void> {
    const from = this.world.emulator.requests.length;
    for (const resource of this.of(stack)) {
      if (resource.declared === undefined) continue;
      const { model, state } = resource;
      const program = resource.program();
      for (const seen of [program, promises.withUnknowns(program, from)]) {
        const { inputs } = await model.handler.check(state?.inputs ?? {}, structuredClone(seen));
        if (state !== undefined) await model.handler.diff(state.id, state.outputs, inputs);
      }
    }
    const more = this.world.sentSince(from);
    if (more !== "") this.say(`a preview sent ${more}`);
  }

  /** An import of an object, and `get`: what it says is true. */
  async getById(resource: Resource): Promise<void> {
    const { state, type, model, stack } = resource;
    const object = this.objectOf(resource);
    if (object === undefined || state === undefined) return;
    const deployment = state.inputs["deploymentId"];
    const id = isOfAgent(type) && typeof deployment === "string" ? `${deployment}/${state.id}` : state.id;
    const isHidden = this.isHidden(type, "");
    const get = async () => {
      const found = await model.handler.read(id, {}).catch((error: unknown) => {
        if (!isHidden) throw error;
      });
      if (!isHidden && found?.id === "") this.say(`${resource.title} is there, and get does not find it`);
      this.say(promises.isWhatIsThere(this, resource, object, found?.inputs ?? {}));
    };
    this.isLooking = true;
    await this.command(stack, `get ${id}`, undefined, [get]);
    this.isLooking = false;
  }

  /** With a key of another workspace, on a copy of the state: the key was a mistake. */
  async withAnotherKey(stack: Stack, command: "refresh" | "destroy", struck?: Struck): Promise<void> {
    if (stack.who === "theirs") return;
    const theirs = this.world.stack("theirs");
    const parts = this.of(stack).map((resource) => async () => {
      const { type, index, title, state } = resource;
      const object = this.objectOf(resource);
      if (object === undefined || isOfAgent(type)) return;
      const copy = theirs.model(type, `copy-${index}`);
      copy.state = structuredClone(state);
      await copy[command]();
      if (!copy.hasState && !this.mayBeLeft(object)) this.say(`${command} with another key takes ${title} for gone`);
    });
    await this.command(theirs, `${command} with another key`, struck, parts);
  }

  /** It has an alias, and another one gets its old name. */
  renameInPulumi(resource: Resource): void {
    const { stack, latest, model, index } = resource;
    resource.latest = { ...latest, key: `it-${this.nextName()}` };
    resource.declare(resource.latest);
    Object.assign(resource.model, { state: model.state, replaced: model.replaced });
    Object.assign(model, { state: undefined, replaced: [] });
    const other = new Resource(stack, index, latest);
    other.declare(latest);
    this.resources = [...this.resources, other];
  }

  loseRow(resource: Resource): void {
    const object = this.objectOf(resource);
    if (object !== undefined) this.excused.add(object);
    for (const model of [resource.model, resource.rollout, resource.check]) model.state = undefined;
  }

  // The author.

  private removeByHand({ type, uuid }: Followed): void {
    PLAYED[type].remove(this.world.place, uuid);
    this.follow(SOMEBODY);
  }

  /**
   * What a run that was cut off or has failed may have made can only be found under the same declaration. Its author, who declares something else now, has been
   * told to look, and deletes it by hand.
   */
  lookByHand(resource: Resource): void {
    const object = this.unheld(resource);
    if (object !== undefined && object.maker !== SOMEBODY) this.removeByHand(object);
  }

  /** Acts as an author who reads the error. */
  private takeAdvice(resource: Resource, error: unknown): void {
    const advice = messageOf(error);
    if (error instanceof CheckFailed || advice.includes('contract to "documented"')) {
      // Drift that no change in place can mend: the program goes back to the earlier values.
      if (resource.declared === resource.made) resource.needsOtherName = true;
      resource.declare(resource.made);
      return;
    }
    const id = /adopt: "([^"]+)"/.exec(advice)?.[1];
    const isOthers = this.resources.some((each) => each !== resource && this.objectOf(each)?.id === id);
    if (isOthers && advice.includes("another Pulumi name")) {
      resource.declare({ ...resource.latest, key: `it-${this.nextName()}` });
      return;
    }
    const inTheWay = this.unheld(resource);
    const isLost = inTheWay === undefined || /cannot look it up|cannot be adopted/.test(advice);
    if (isLost) resource.adopt = undefined;
    if (inTheWay === undefined) return;
    if (advice.includes("cannot look it up")) this.removeByHand(inTheWay);
    else if (advice.includes("cannot be adopted")) {
      resource.needsOtherName = true;
      this.excused.add(inTheWay);
    } else if (advice.includes("adopt")) {
      resource.adopt = id === "<id>" ? inTheWay.id : (id ?? true);
    }
  }

  // The end.

  /** Without faults, everything is put right. */
  private async settle(stack: Stack): Promise<void> {
    const all = this.of(stack);
    const up = () => {
      for (const resource of all) mendImage(resource);
      return this.up(stack);
    };
    this.log.push(`the end of ${stack.who}`);
    await up();
    await this.refresh(stack);
    for (let tries = 1; !(await up()); tries++) {
      if (tries >= MOST_TRIES) throw new Error(`it cannot be brought right: ${this.log.slice(-3).join("\n")}`);
      for (const resource of all) {
        const { declared, needsOtherName } = resource;
        if (!needsOtherName || declared === undefined) continue;
        resource.declare({ ...declared, name: this.nextName() });
        resource.needsOtherName = false;
      }
    }
  }

  private async end(): Promise<void> {
    const stacks = this.stacks();
    for (const stack of stacks) {
      this.checkEnd(stack);
      await this.refresh(stack);
      const drifted = this.of(stack).find(({ next }) => next !== undefined);
      if (drifted !== undefined) throw new Error(`a refresh after up shows drift of ${drifted.title}`);
      const from = this.world.emulator.requests.length;
      const shown = () => JSON.stringify(this.of(stack).map(({ state }) => [state?.id, state?.outputs]));
      const before = shown();
      await this.up(stack);
      const sent = this.world.sentSince(from);
      if (sent !== "") throw new Error(`an up after up sent ${sent}`);
      if (shown() !== before) throw new Error("an up after up changed the state");
    }
    for (const stack of stacks) {
      for (const resource of this.of(stack)) resource.declare(undefined);
      if (!(await this.destroy(stack))) throw new Error(`destroy failed: ${this.log.slice(-2).join("\n")}`);
      this.checkEnd(stack);
    }
  }

  /** Exactly the declared objects, as declared, and those that were named when they were left. */
  private checkEnd(stack: Stack): void {
    for (const resource of this.of(stack)) {
      const broken = resource.declared && promises.isAsDeclared(this, resource, undefined, true);
      if (broken !== undefined) throw new Error(broken);
    }
    for (const object of this.model.all())
      if (object.maker === stack.who && !this.isHeld(object) && !this.excused.has(object))
        throw new Error(`left in the end: ${object.type} ${object.name} (${object.id})`);
  }
}

/** What the report of `drift` says comes next. */
function nextOf(type: ObjectType, before: NonNullable<Resource["state"]>, live: Resource["state"]): string | undefined {
  const resource = { urn: "urn:pulumi:dev::test::t::it", type: nativeToken(type), id: before.id, provider: "" };
  const outcomes = [stepTo({ resource, ...before }, live === undefined ? "delete" : "update", live)];
  return reportOf("dev", { outcomes }).drifted[0]?.next;
}

/** Each resource takes a value from the one before it. */
function depend(resources: readonly Resource[]): void {
  resources.forEach((resource, index) => {
    const next = resources[index + 1];
    if (next === undefined || next.hasRevisions) return;
    const part = PLAYED[next.type].fixed?.(1) ?? Object.values(PLAYED[next.type].fields)[0]?.(1) ?? {};
    const unknown = Object.fromEntries(Object.keys(part).map((name) => [name, UNKNOWN]));
    resource.model.dependents = [{ model: next.model, unknown: (inputs) => ({ ...inputs, ...unknown }) }];
  });
}

function mendImage(resource: Resource): void {
  const { declared, needsOtherImage, isBad } = resource;
  resource.expectsMore = false;
  if (declared === undefined || (!needsOtherImage && !isBad)) return;
  resource.declare({ ...declared, fields: { ...declared.fields, image: resource.count("image") } });
  resource.isBad = false;
}
