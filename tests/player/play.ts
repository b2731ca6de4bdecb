import {
  revisions,
  type ActiveFault,
  type Exchange,
  type FaultKind,
  type RevisionOutcome,
  type RevisionRecord,
} from "../../emulator";
import { z } from "zod";
import { messageOf } from "../../provider/base/errors";
import { UNKNOWN } from "../../provider/base/json";
import { isUuid } from "../../provider/base/uuid";
import type { Handler } from "../../provider/dynamic/handler";
import { UNREAD } from "../../provider/lifecycle/state";
import type { ResourceType } from "../../provider/resources/resource-types";
import { PLAYED, type ObjectType } from "../conformance/cases";
import { CheckFailed } from "../support/engine-model";
import { isOfAgent } from "./declarations";
import { FAULTS, SHORT_TIMEOUT_MS, type Fault } from "./faults";
import { hiddenPaths, isUnseen, know, leavesOf, Model, SOMEBODY, type Followed } from "./model";
import * as promises from "./promises";
import type { Quirk } from "./quirks";
import { Resource } from "./resource";
import type { Stack } from "./stack";
import { rowOf, show, type Step, type Struck } from "./steps";
import { apiKeyOf, World } from "./world";

/** A random program, or one that is written by hand: what is declared, where, and what happens. */
export interface Program {
  readonly quirk: string;
  readonly declares: readonly ObjectType[];
  /** A second stack that declares the same under the same names in Pulumi: in another backend, or with a key of another workspace. */
  readonly beside?: keyof typeof BESIDE;
  readonly steps: readonly Step[];
}

/** A request of a verb. */
interface Witnessed extends promises.Sent {
  readonly isRead: boolean;
  /** It was carried out, and not answered so. */
  isLost: boolean;
}

/** One call of a handler. */
export interface Verb {
  readonly title: string;
  readonly who: string;
  /** The resource's: its type, and its name in Pulumi. */
  readonly of: string;
  readonly requests: Witnessed[];
  /** Objects that it made. */
  made: number;
  /** Revisions that it made. */
  readonly revisions: string[];
  /** A look was answered with what is not true. */
  misled: boolean;
  readonly kinds: Set<FaultKind>;
}

const BESIDE = { "another backend": "beside", "another workspace": "theirs" } as const;
/** Between two commands: longer than the deletion of a deployment, than lists lag, and than the tolerance of clocks. */
const PAUSE_MS = 30_000;
const BYSTANDERS = [900, 901, 902];
/** How often an author follows advice. */
const MOST_TRIES = 5;

/** What happened, for the coverage and docs/reliability.md. */
export class Counts {
  programs = 0;
  commands = 0;
  /** Plans that were compared with what was sent. */
  plans = 0;
  adoptedFromOthers = 0;
  /** How often a row was played. */
  readonly rows = new Map<string, number>();
  readonly kinds = new Map<FaultKind, { tried: number; survived: number; failedCleanly: number }>();

  add(row: string): void {
    this.rows.set(row, (this.rows.get(row) ?? 0) + 1);
  }

  of(kind: FaultKind) {
    const counts = this.kinds.get(kind) ?? { tried: 0, survived: 0, failedCleanly: 0 };
    this.kinds.set(kind, counts);
    return counts;
  }
}

/** Plays programs on one platform, one after the other. */
export class Player {
  /** How the next revisions end. */
  outcome: RevisionOutcome = "DEPLOYED";
  /** What happened, for people. */
  readonly log: string[] = [];
  private model: Model;
  private resources: Resource[] = [];
  private verb: Verb | undefined;
  private verbs: Verb[] = [];
  private fault: Fault | undefined;
  private struck: Struck | undefined;
  private nth = 0;
  private names = 1000;
  private isGreen = false;
  /** What is read comes into no state. */
  private isLooking = false;
  private breaches: string[] = [];
  /** Objects that no state holds, and why that is right. */
  private readonly excused = new Map<Followed, string>();
  /** The stacks that know that an object is gone. */
  private readonly removals = new Map<string, Set<string>>();
  private readonly revisionsBy = new Map<string, { readonly by: string; readonly knownTo: Set<string> }>();

  private constructor(
    readonly quirk: Quirk,
    readonly world: World,
    private readonly counts: Counts,
  ) {
    this.model = new Model(world.place, []);
  }

  static async start(quirk: Quirk, counts: Counts): Promise<Player> {
    const made: { player?: Player } = {};
    const settings = { requestTimeout: String(SHORT_TIMEOUT_MS / 1000), ...quirk.settings };
    const watch = (who: string) => (handler: Handler, type: ResourceType, key: string) =>
      made.player === undefined ? handler : made.player.watched(who, handler, type, key);
    const world = await World.start({
      buildSeconds: 5,
      deleteSeconds: 2,
      pageSize: Infinity,
      revisionOutcome: () => made.player?.outcome,
      layers: [
        {
          beforeRoute: (exchange) => Promise.resolve(made.player?.before(exchange)),
          afterCommit: (exchange, response) => Promise.resolve(made.player?.after(exchange, response) ?? response),
        },
      ],
      ...quirk.emulator,
      agentServers: quirk.agent ?? {},
      // Both backends have a stack of one name; each keeps a key of its own.
      stacks: {
        ours: { name: "dev", key: "key-of-a-backend", settings, watch: watch("ours"), isLimited: true },
        beside: { name: "dev", key: "key-of-another", settings, watch: watch("beside"), isLimited: true },
        theirs: {
          name: "dev",
          key: "key-of-a-third",
          settings,
          watch: watch("theirs"),
          isLimited: true,
          isElsewhere: true,
        },
      },
    });
    return (made.player = new Player(quirk, world, counts));
  }

  /** Plays a program on an empty platform. Throws on a broken promise, with all that happened. */
  async play(program: Program): Promise<void> {
    try {
      await this.begin(program);
      for (const step of program.steps) await this.step(step);
      await this.settle();
      await this.end();
      this.counts.programs += 1;
    } catch (error) {
      const log = this.log.map((line) => `  ${line}`).join("\n");
      const steps = program.steps.map((step) => `    ${show(step)},`).join("\n");
      const head = JSON.stringify({ ...program, steps: undefined });
      throw new Error(
        `${messageOf(error)}\n\nWhat happened:\n${log}\n\nThe program: ${head}, with the steps\n${steps}`,
        { cause: error },
      );
    }
  }

  private async begin({ declares, beside }: Program): Promise<void> {
    const { world, excused, removals, revisionsBy, log } = this;
    world.reset();
    for (const each of [excused, removals, revisionsBy]) each.clear();
    [log.length, this.names, this.outcome] = [0, 1000, "DEPLOYED"];
    [this.breaches, this.fault, this.struck, this.verb, this.isLooking] = [[], undefined, undefined, undefined, false];
    // It strikes nothing: as long as there is one, the emulator remembers what it stored before each request.
    world.emulator.faults.add({ kind: "stale-read", path: "/none" });
    const types = [...new Set<ObjectType>([...declares, "Deployment"])];
    if (declares.some(isOfAgent)) await world.prepare("Cron");
    for (const row of [this.quirk.name, ...declares]) this.counts.add(row);
    this.model = new Model(world.place, types);
    for (const type of types) for (const name of BYSTANDERS) await world.make({ type, name, fixed: 1, fields: {} });
    this.follow(SOMEBODY);
    const stacks = ["ours", ...(beside === undefined ? [] : [BESIDE[beside]])];
    // An agent belongs to one workspace.
    const isPossible = (who: string, type: ObjectType): boolean => who !== "theirs" || !isOfAgent(type);
    this.resources = stacks.flatMap((who) =>
      declares.flatMap((type, index) => (isPossible(who, type) ? [this.resource(who, type, index)] : [])),
    );
    for (const who of stacks) this.depend(this.resources.filter(({ stack }) => stack.who === who));
    for (const resource of this.resources) resource.declare(resource.latest);
    world.settle(PAUSE_MS);
  }

  private resource(who: string, type: ObjectType, index: number): Resource {
    const { world } = this;
    const stack = world.stack(who);
    // Of what the agent keeps, any number can have a name; nothing else is declared twice in one workspace.
    const name = index + 1 + (who === "beside" && !isOfAgent(type) ? 50 : 0);
    const first = { type, key: `it-${index}`, name, fixed: index, fields: {} };
    return new Resource(stack, index, first, (declaration) => stack.givenTo(declaration));
  }

  /** Each resource takes a value from the one before it. */
  private depend(resources: readonly Resource[]): void {
    resources.forEach((resource, index) => {
      const next = resources[index + 1];
      if (next === undefined || next.hasRevisions) return;
      const part = PLAYED[next.type].fixed?.(1) ?? Object.values(PLAYED[next.type].fields)[0]?.(1) ?? {};
      const unknown = Object.fromEntries(Object.keys(part).map((name) => [name, UNKNOWN]));
      resource.model.dependents = [{ model: next.model, unknown: (inputs) => ({ ...inputs, ...unknown }) }];
    });
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

  /** Somebody does something that no stack knows of. */
  async hand(act: () => unknown): Promise<void> {
    await act();
    this.follow(SOMEBODY);
    // An equal object of somebody that is two seconds old cannot be told from our own.
    this.world.settle(5000);
  }

  nextName(): number {
    this.names += 1;
    return this.names;
  }

  // What is there.

  /** The object of a resource's state. For an old row the id is a name that it once had. */
  objectOf({ type, state, stack }: Resource): Followed | undefined {
    return state && this.find(stack.who, type, state.id, state.outputs["name"]);
  }

  private find(who: string, type: ObjectType, id: string, name: unknown): Followed | undefined {
    const all = this.model.all(type).filter((each) => this.isTheirs(each) === (who === "theirs"));
    const byId = all.find((each) => each.id === id);
    if (byId !== undefined || isUuid(id)) return byId;
    return all.find((each) => each.name === name) ?? all.find((each) => each.name === id);
  }

  /** The resource whose state has the object, also as one that was replaced and is not deleted yet. */
  holderOf(object: Followed, who?: string): Resource | undefined {
    return this.resources.find((resource) => {
      if (resource.type !== object.type || (who !== undefined && resource.stack.who !== who)) return false;
      if (this.isTheirs(object) !== (resource.stack.who === "theirs")) return false;
      const ids = [resource.state, ...resource.model.replaced].map((state) => state?.id);
      // Of an old row, which may be gone by now, the state has a name.
      const isNamed =
        ids[0] !== undefined && !isUuid(ids[0]) && [ids[0], resource.state?.outputs["name"]].includes(object.name);
      const isHeld = ids.includes(object.id) || isNamed || this.objectOf(resource) === object;
      return (
        isHeld || (resource.adopt !== undefined && (object.id === resource.adopt || object.name === resource.name))
      );
    });
  }

  revisionsOf(deploymentId: string): readonly RevisionRecord[] {
    const all = this.world.emulator.outOfBand(revisions).list();
    return all.filter(({ deployment_id: of }) => of === deploymentId);
  }

  revisionIsUnseen(id: string, who: string): boolean {
    const made = this.revisionsBy.get(id);
    return made !== undefined && made.by !== who && !made.knownTo.has(who);
  }

  /** Whether the object of the state was removed, and this stack cannot know it: by somebody, or by a delete of its own that had no answer. */
  wasRemovedUnseen({ type, state, stack }: Resource): boolean {
    const removal = this.removals.get(`${type} ${state?.id ?? ""}`);
    return removal?.has(stack.who) === false;
  }

  /** Whether no answer shows a value. */
  isHidden(type: ObjectType, path: string): boolean {
    const { hides = {} } = this.quirk;
    const { [type]: prefix } = hides;
    return hiddenPaths(type).includes(path) || (prefix !== undefined && path.startsWith(prefix));
  }

  // Requests.

  private before({ request, url, body }: Exchange): Response | undefined {
    const who = (request.headers.get("x-api-key") ?? "").replace(apiKeyOf(""), "");
    if (this.verb?.who !== who) return undefined;
    const isRead = request.method === "GET" || url.pathname.endsWith("/search") || url.pathname.endsWith("_logs");
    this.verb.requests.push({ method: request.method, fields: fieldsOf(body), isRead, isLost: false });
    if (this.fault?.kill === undefined || !this.counted(request.method)) return undefined;
    if (this.fault.kill !== "before") return undefined;
    this.world.kill(who);
    this.counts.add(this.fault.name);
    return Response.json({ detail: "this process was killed" }, { status: 400 });
  }

  /** Whether this is the request that the kill waits for. */
  private counted(method: string): boolean {
    const [, of = "*", nth = 1] = this.struck ?? [];
    if (of !== "*" && of !== method) return false;
    this.nth += 1;
    return this.nth === nth;
  }

  private after(exchange: Exchange, response: Response): Response {
    const { entry, request } = exchange;
    const who = (request.headers.get("x-api-key") ?? "").replace(apiKeyOf(""), "");
    const { verb } = this;
    if (verb?.who !== who) return response;
    const witnessed = verb.requests.at(-1);
    const kind = entry.fault;
    if (kind !== null) {
      for (const each of FAULTS) {
        if (each.request?.kind !== kind) continue;
        verb.kinds.add(each.request.kind);
        if (each.misleads === true) verb.misled = true;
      }
      if (this.fault !== undefined) this.counts.add(this.fault.name);
      if (witnessed !== undefined && entry.phase === "committed") witnessed.isLost = true;
    }
    if (witnessed?.isRead === false && entry.phase === "committed") this.followStack(who, verb);
    if (this.fault?.kill === "after" && this.nth === (this.struck?.[2] ?? 1) && !this.world.isKilled(who)) {
      this.world.kill(who);
      this.counts.add(this.fault.name);
    }
    return response;
  }

  private followStack(who: string, verb: Verb): void {
    for (const change of this.follow(who)) {
      const { object, what } = change;
      if (what === "made") {
        verb.made += 1;
        object.knownTo.add(who);
      }
      this.say(promises.isUntouched(this, verb, change));
    }
  }

  private follow(who: string) {
    const changes = this.model.follow(who);
    for (const { what, object } of changes) {
      const key = `${object.type} ${object.id}`;
      if (what === "removed") this.removals.set(key, new Set());
      if (what === "made") this.removals.delete(key);
    }
    for (const { id } of this.world.emulator.outOfBand(revisions).list()) {
      if (this.revisionsBy.has(id)) continue;
      this.revisionsBy.set(id, { by: who, knownTo: new Set() });
      this.verb?.revisions.push(id);
      if (this.fault?.outcome !== undefined && who !== SOMEBODY) this.counts.add(this.fault.name);
    }
    return changes;
  }

  private say(breach: string | undefined): void {
    if (breach !== undefined) this.breaches.push(breach);
  }

  private check(what: string): void {
    const [breach] = this.breaches;
    if (breach !== undefined) throw new Error(`${what}: ${breach}`);
  }

  // Verbs.

  private watched(who: string, handler: Handler, type: ResourceType, key: string): Handler {
    const during = <T>(verb: string, act: () => Promise<T>, learn: (result: T, done: Verb) => void = () => undefined) =>
      this.during(verb, who, `${type} ${key}`, act, learn);
    return {
      configure: () => Promise.resolve(),
      check: (...given) => handler.check(...given),
      diff: (...given) => handler.diff(...given),
      create: (inputs) =>
        during(
          "create",
          () => handler.create(inputs),
          // An adoption compares what answers show, and sends what they do not.
          ({ id, outs }) => this.learn(who, type, id, outs["name"], () => true),
        ),
      read: (...given) =>
        during(
          "read",
          () => handler.read(...given),
          ({ id, props }, { misled }) => {
            if (misled || UNREAD in props) return;
            this.learnMore(who, type, given[0]);
            this.learn(who, type, id, props["name"], (path) => isObjectType(type) && !this.isHidden(type, path));
          },
        ),
      update: (id, ...given) =>
        during(
          "update",
          () => handler.update(id, ...given),
          ({ outs }) => this.learn(who, type, id, outs["name"], (_path, by) => by === who),
        ),
      delete: (id, props) => during("delete", () => handler.delete(id, props)),
    };
  }

  private async during<T>(
    name: string,
    who: string,
    of: string,
    act: () => Promise<T>,
    learn: (result: T, done: Verb) => void,
  ): Promise<T> {
    const title = `${name} of ${of} of ${who}`;
    const verb: Verb = { title, who, of, requests: [], made: 0, revisions: [], misled: false, kinds: new Set() };
    this.verb = verb;
    this.verbs.push(verb);
    const isWait = of.startsWith("Rollout") && /^(create|update)/.test(name);
    const wait = isWait && this.fault?.lasts === "wait" ? this.switchOn(this.fault) : undefined;
    try {
      const result = await act();
      // Its answer may be on its way still.
      this.followStack(who, verb);
      this.count(verb, "survived");
      if (!this.world.isKilled(who)) learn(result, verb);
      return result;
    } catch (error) {
      this.followStack(who, verb);
      this.count(verb, "failedCleanly");
      const inWait = wait !== undefined && wait.fired > 0 ? this.fault?.name : undefined;
      if (!this.world.isKilled(who)) this.say(promises.isOurs(verb, error, inWait));
      throw error;
    } finally {
      wait?.remove();
      this.verb = undefined;
      if (!this.world.isKilled(who)) this.say(promises.isOnce(verb, this.quirk.hidesRevisions === true));
    }
  }

  private count(verb: Verb, how: "survived" | "failedCleanly"): void {
    for (const kind of verb.kinds) {
      const counts = this.counts.of(kind);
      counts.tried += 1;
      counts[how] += 1;
    }
  }

  /** What the stack's state says of an object from now on. */
  private learn(
    who: string,
    type: ResourceType,
    id: string,
    name: unknown,
    isKnown: (path: string, by: string) => boolean,
  ): void {
    if (!isObjectType(type) || this.isLooking) return;
    const object = this.find(who, type, id, name);
    if (object === undefined) return;
    object.knownTo.add(who);
    know(object, who, (path, { by }) => isKnown(path, by));
  }

  /** It has looked: whether the object is gone, and which revisions it has. */
  private learnMore(who: string, type: ResourceType, id: string): void {
    if (this.isLooking) return;
    this.removals.get(`${type} ${id}`)?.add(who);
    for (const revision of this.revisionsOf(id)) this.revisionsBy.get(revision.id)?.knownTo.add(who);
  }

  private switchOn({ request }: Fault): ActiveFault | undefined {
    return request && this.world.emulator.faults.add(request);
  }

  // Commands.

  /** One command of a stack, in a process of its own. What befalls it is over with it. */
  private async command(
    stack: Stack,
    name: string,
    struck: Struck | undefined,
    parts: readonly (() => Promise<unknown>)[],
  ): Promise<void> {
    const { who } = stack;
    this.counts.commands += 1;
    const fault = struck && FAULTS.find((each) => each.name === struck[0]);
    [this.fault, this.struck, this.nth, this.verbs] = [fault, struck, 0, []];
    this.outcome = this.fault?.outcome ?? "DEPLOYED";
    this.world.killAt(who, undefined);
    const held = this.resources.flatMap((resource) =>
      resource.stack === stack ? (this.objectOf(resource) ?? []) : [],
    );
    const { inCommands } = this.quirk;
    const on = [this.arm(), inCommands && this.world.emulator.faults.add(inCommands)];
    const errors: string[] = [];
    const ran = await stack.command(async () => {
      for (const part of parts) await part().catch((error: unknown) => void errors.push(messageOf(error)));
    });
    for (const each of on) each?.remove();
    const isKilled = this.world.isKilled(who);
    this.isGreen = !isKilled && errors.length === 0;
    this.log.push(`  ${name}: ${isKilled ? "killed" : errors.length > 0 ? errors.join("\n    ") : "green"}`);
    for (const warning of ran.warnings) this.log.push(`  warning: ${warning}`);
    const told = [...errors, ...(ran.said === "" ? [] : [ran.said])].join("\n");
    this.checkHeld(stack, name, held, { told, warnings: ran.warnings, isKilled });
    this.world.killAt(who, undefined);
    [this.fault, this.struck] = [undefined, undefined];
    this.world.settle(PAUSE_MS);
    this.follow(SOMEBODY);
    this.check(name);
  }

  /** The fault of this command, where it befalls requests. */
  private arm(): ActiveFault | undefined {
    const { fault, struck } = this;
    if (fault?.request === undefined || fault.lasts === "wait") return undefined;
    if (fault.lasts === "command" || struck === undefined) return this.switchOn(fault);
    const [, method, nth, count] = struck;
    return this.world.emulator.faults.add({
      ...fault.request,
      method,
      nth,
      count: fault.isSlow === true || fault.misleads === true ? 1 : count,
    });
  }

  /** Nothing is lost: what a stack has made or held is in a state, or it was named. */
  private checkHeld(
    stack: Stack,
    name: string,
    before: readonly Followed[],
    { told, warnings, isKilled }: { told: string; warnings: readonly string[]; isKilled: boolean },
  ): void {
    for (const [object] of this.excused) if (!object.isThere || this.isHeld(object)) this.excused.delete(object);
    for (const object of this.model.all()) {
      const wasHeld = before.includes(object);
      if (!wasHeld && object.maker !== stack.who) continue;
      if (this.isHeld(object) || this.excused.has(object)) continue;
      const title = `${object.type} ${object.name} (${object.id})`;
      const isWarned = promises.isNamed(object, told, warnings);
      this.excused.set(object, isKilled ? "the process was killed" : "it was named, or believed to be gone");
      // The 404 of one deployment is documented, so a stale one is believed; the engine says that it is gone.
      if (isKilled || (wasHeld && this.fault?.misleads === true && object.type === "Deployment")) continue;
      if (!isWarned && PLAYED[object.type].naturalKey !== undefined)
        this.say(`lost by "${name}": ${title} is there, in no state, and nothing says so: ${told}`);
      else if (wasHeld && !this.mayBeLeft(object))
        this.say(`left behind by "${name}": ${title}: ${told} ${warnings.join(" ")}`);
    }
  }

  private isHeld(object: Followed): boolean {
    return this.resources.some(
      (resource) =>
        this.objectOf(resource) === object ||
        (resource.type === object.type && resource.model.replaced.some(({ id }) => id === object.id)),
    );
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

  async up(stack: Stack, struck?: Struck, refreshes = false): Promise<void> {
    const up = this.of(stack).map((resource) => () => this.upOne(resource));
    const name = refreshes ? "up --refresh" : "up";
    await this.command(stack, name, struck, [...(refreshes ? this.refreshing(stack) : []), ...up]);
  }

  async refresh(stack: Stack, struck?: Struck): Promise<void> {
    await this.command(stack, "refresh", struck, this.refreshing(stack));
  }

  async destroy(stack: Stack, struck?: Struck, refreshes = false): Promise<void> {
    const destroy = [...this.of(stack)].reverse().map((resource) => () => this.destroyOne(resource));
    await this.command(stack, "destroy", struck, [...(refreshes ? this.refreshing(stack) : []), ...destroy]);
  }

  /** The first resource, and what takes a value from it. */
  async destroyTarget(stack: Stack, struck?: Struck): Promise<void> {
    const [first] = this.of(stack);
    if (first === undefined) return;
    await this.command(stack, "destroy --target --target-dependents", struck, [
      async () => {
        await this.destroyWaits(first);
        await first.model.destroyTargeted();
      },
    ]);
  }

  private async upOne(resource: Resource): Promise<void> {
    const { declared, stack, model } = resource;
    if (declared === undefined) return this.destroyOne(resource);
    const before = structuredClone(model.state);
    const isPlain = !this.quirkInterferes() && this.unheld(resource) === undefined;
    const from = this.verbs.length;
    resource.sent = resource.program();
    try {
      const operation = await model.up(resource.sent);
      if (this.world.isKilled(stack.who)) return;
      const verbs = this.verbs.slice(from).filter(({ of }) => of === resource.of);
      if (isPlain) {
        this.counts.plans += 1;
        this.say(promises.isAsPlanned(resource, operation, before, verbs, this.counts.plans));
      }
      const latest = verbs.at(-1);
      this.say(promises.isItsOwn(this, resource, operation));
      this.say(promises.isAsDeclared(this, resource, operation === "update" ? latest : undefined));
      resource.noteGreen();
    } catch (error) {
      if (!resource.model.hasState) [resource.rollout.state, resource.check.state] = [undefined, undefined];
      if (!this.world.isKilled(stack.who)) this.takeAdvice(resource, error);
      throw error;
    }
    if (resource.hasRevisions) await this.rollOut(resource);
  }

  /** A plan says what is sent where nothing goes wrong. */
  private quirkInterferes(): boolean {
    return (
      this.fault !== undefined || this.quirk.inCommands !== undefined || this.quirk.emulator.contract === "documented"
    );
  }

  private async rollOut(resource: Resource): Promise<void> {
    if (this.fault?.superseded === true) await this.supersede(resource);
    const { awaits, isChecked, rollout, check, model, name, stack } = resource;
    const { id, outputs } = model.current;
    try {
      if (!isChecked) await check.destroy();
      if (!awaits) {
        await rollout.destroy();
        return;
      }
      await rollout.up({
        deploymentId: id,
        revisionId: outputs["latestRevisionId"],
        deploymentName: name,
        followsPushes: false,
        rolloutTimeout: "3m",
      });
      if (this.world.isKilled(stack.who)) return;
      this.say(promises.isServing(this, resource));
      if (isChecked) await this.checkRun(resource);
    } catch (error) {
      resource.needsOtherImage = true;
      throw error;
    }
    resource.needsOtherImage = false;
  }

  private async checkRun(resource: Resource): Promise<void> {
    const { check, model, rollout, isBad } = resource;
    const { id, outputs } = model.current;
    const url = `${this.world.emulator.url}/agents/${id}`;
    const of = {
      deploymentId: id,
      revisionId: rollout.current.outputs["activeRevisionId"],
      secretsRevisionId: outputs["secretsRevisionId"],
    };
    await check.up({ url, customUrl: url, assistantId: "agent", input: { topic: "cats" }, rollBack: true, ...of });
    if (isBad) this.say(`falsely green: the check of ${resource.title} passed on an image that fails it`);
  }

  /** Somebody makes one more revision of what is there. */
  private async supersede(resource: Resource): Promise<void> {
    const object = this.objectOf(resource);
    const image = object?.leaves.get("source_revision_config.image_uri");
    if (object === undefined || image === undefined) return;
    this.counts.add(this.fault?.name ?? "");
    await this.world.ask("PATCH", `/v2/deployments/${object.id}`, {
      source_revision_config: { image_uri: textOf(image) },
    });
    this.follow(SOMEBODY);
  }

  private async refreshOne(resource: Resource): Promise<void> {
    const { model, state, stack, rollout, hasRevisions } = resource;
    resource.hasDrifted = false;
    if (state === undefined) return;
    const declared = structuredClone(state.inputs);
    const drift = (resource.hasDrifted = await model.refresh());
    if (this.world.isKilled(stack.who)) return;
    const verb = this.verbs.at(-1);
    if (verb?.misled === true) this.unlearn(resource);
    else if (resource.state !== undefined && !(UNREAD in resource.state.outputs))
      this.say(promises.isTrue(this, resource, declared, drift));
    if (!hasRevisions) return;
    if (resource.state === undefined) [rollout.state, resource.check.state] = [undefined, undefined];
    else if (rollout.hasState) await rollout.refresh();
  }

  /** A stale answer is believed: until the next look, the state says what was once true. */
  private unlearn(resource: Resource): void {
    const { state, type, stack } = resource;
    const object = this.objectOf(resource);
    if (state === undefined || object === undefined) return;
    const said = leavesOf(PLAYED[type].body(state.inputs));
    for (const [path, write] of object.writes)
      if (said.get(path) !== object.leaves.get(path)) write.knownTo.delete(stack.who);
  }

  private async destroyOne(resource: Resource): Promise<void> {
    await this.destroyWaits(resource);
    await resource.model.destroy();
  }

  private async destroyWaits({ check, rollout, hasRevisions }: Resource): Promise<void> {
    if (!hasRevisions) return;
    await check.destroy();
    await rollout.destroy();
  }

  /** A preview plans, and sends nothing. */
  async preview(stack: Stack): Promise<void> {
    const { requests } = this.world.emulator;
    const from = requests.length;
    for (const resource of this.of(stack)) {
      if (resource.declared === undefined) continue;
      const { handler } = resource.model;
      const program = resource.program();
      for (const seen of [program, promises.withUnknowns(program, from)]) {
        const { inputs } = await handler.check(resource.state?.inputs ?? {}, structuredClone(seen));
        if (resource.state !== undefined) await handler.diff(resource.state.id, resource.state.outputs, inputs);
      }
    }
    const more = requests.slice(from).map(({ method, path }) => `${method} ${path}`);
    if (more.length > 0) this.say(`a preview sent ${more.join(", ")}`);
  }

  /** An import of an object, and `get`: what it says is true. */
  async getById(resource: Resource): Promise<void> {
    const object = this.objectOf(resource);
    const { state, type, model, stack } = resource;
    if (object === undefined || state === undefined) return;
    const deployment = state.inputs["deploymentId"];
    const id = isOfAgent(type) && typeof deployment === "string" ? `${deployment}/${state.id}` : state.id;
    this.isLooking = true;
    await this.command(stack, `get ${id}`, undefined, [
      async () => {
        const { inputs, id: found } = await model.handler.read(id, {}).catch((error: unknown) => {
          if (this.isHidden(type, "")) return { id: "", inputs: undefined };
          throw error;
        });
        if (found === "" && !this.isHidden(type, "")) this.say(`${resource.title} is there, and get does not find it`);
        const said = leavesOf(PLAYED[type].body(inputs ?? {}));
        for (const [path, live] of object.leaves) {
          const says = said.get(path);
          const isTrue = says === undefined || says === live || this.meansTheSame(resource, path, says, live);
          if (!isTrue && !this.isHidden(type, path))
            this.say(`get says that ${path} of ${resource.title} is ${says}, and it is ${live}`);
        }
      },
    ]);
    this.isLooking = false;
  }

  /** Two spellings of one value. */
  meansTheSame(resource: Resource, path: string, one: string | undefined, other: string | undefined): boolean {
    const right = resource.wanted().get(path);
    return one !== undefined && other !== undefined && right?.has(one) === true && right.has(other);
  }

  /** With a key of another workspace, on a copy of the state: the key was a mistake. */
  async withAnotherKey(stack: Stack, command: "refresh" | "destroy", struck?: Struck): Promise<void> {
    if (stack.who === "theirs") return;
    const theirs = this.world.stack("theirs");
    const parts = this.of(stack).map((resource) => async () => {
      const object = this.objectOf(resource);
      if (object === undefined || resource.state === undefined || isOfAgent(resource.type)) return;
      const copy = theirs.model(resource.type, `copy-${resource.index}`);
      copy.state = structuredClone(resource.state);
      await (command === "refresh" ? copy.refresh() : copy.destroy());
      const isLeft = this.mayBeLeft(object);
      if (!copy.hasState && !isLeft) this.say(`${command} with another key takes ${resource.title} for gone`);
    });
    await this.command(theirs, `${command} with another key`, struck, parts);
  }

  loseRow(resource: Resource): void {
    const object = this.objectOf(resource);
    if (object !== undefined) this.excused.set(object, "its author has lost the row");
    [resource.model.state, resource.rollout.state, resource.check.state] = [undefined, undefined, undefined];
  }

  // The author.

  /** An object of the declared name that no state holds. */
  private unheld({ type, name, state, stack }: Resource): Followed | undefined {
    if (state !== undefined) return undefined;
    const tenant = stack.who === "theirs";
    return this.model
      .all(type)
      .find((each) => each.name === name && !this.isHeld(each) && this.isTheirs(each) === tenant);
  }

  /** Whether it is in the other workspace. */
  private isTheirs({ tenantId }: Followed): boolean {
    return tenantId !== "" && tenantId !== this.world.emulator.tenantId;
  }

  /**
   * What a run that was cut off or has failed may have made can only be found under the same declaration. Its author, who declares something else now, has been
   * told to look, and deletes it by hand.
   */
  lookByHand(resource: Resource): void {
    const object = this.unheld(resource);
    if (object === undefined || object.maker === SOMEBODY) return;
    PLAYED[resource.type].remove(this.world.place, object.uuid);
    this.follow(SOMEBODY);
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
    const inTheWay = this.unheld(resource);
    if (inTheWay === undefined) {
      resource.adopt = undefined;
      return;
    }
    if (advice.includes("cannot look it up")) {
      resource.adopt = undefined;
      PLAYED[resource.type].remove(this.world.place, inTheWay.uuid);
      this.follow(SOMEBODY);
    } else if (advice.includes("cannot be adopted")) {
      resource.adopt = undefined;
      resource.needsOtherName = true;
      this.excused.set(inTheWay, "it cannot be taken over, and was named");
    } else if (advice.includes("adopt")) {
      const id = /adopt: "([^"]+)"/.exec(advice)?.[1];
      resource.adopt = id === "<id>" ? inTheWay.id : (id ?? true);
      if (inTheWay.maker === SOMEBODY) this.counts.adoptedFromOthers += 1;
    }
  }

  // The end.

  /** Without faults, everything is put right. */
  private async settle(): Promise<void> {
    for (const stack of this.stacks()) {
      this.log.push(`the end of ${stack.who}`);
      for (const resource of this.of(stack)) this.mendImage(resource);
      await this.up(stack);
      await this.refresh(stack);
      for (let attempt = 1; ; attempt++) {
        for (const resource of this.of(stack)) this.mendImage(resource);
        await this.up(stack);
        if (this.isGreen) break;
        if (attempt >= MOST_TRIES) throw new Error(`it cannot be brought right: ${this.log.slice(-3).join("\n")}`);
        for (const resource of this.of(stack)) this.rename(resource);
      }
    }
  }

  private mendImage(resource: Resource): void {
    const { declared, needsOtherImage, isBad } = resource;
    if (declared === undefined || (!needsOtherImage && !isBad)) return;
    resource.declare({ ...declared, fields: { ...declared.fields, image: resource.count("image") } });
    resource.isBad = false;
  }

  private rename(resource: Resource): void {
    if (!resource.needsOtherName || resource.declared === undefined) return;
    resource.declare({ ...resource.declared, name: this.nextName() });
    resource.needsOtherName = false;
  }

  private async end(): Promise<void> {
    const stacks = this.stacks();
    for (const stack of stacks) {
      this.checkEnd(stack);
      await this.refresh(stack);
      for (const resource of this.of(stack))
        if (resource.hasDrifted) throw new Error(`a refresh after up shows drift of ${resource.title}`);
      const { requests } = this.world.emulator;
      const from = requests.length;
      const shown = () => JSON.stringify(this.of(stack).map(({ state }) => [state?.id, state?.outputs]));
      const before = shown();
      await this.up(stack);
      if (requests.length > from)
        throw new Error(
          `an up after up sent ${requests
            .slice(from)
            .map(({ method, path }) => `${method} ${path}`)
            .join(", ")}`,
        );
      if (shown() !== before) throw new Error("an up after up changed the state");
    }
    for (const stack of stacks) {
      for (const resource of this.of(stack)) resource.declare(undefined);
      await this.destroy(stack);
      if (!this.isGreen) throw new Error(`destroy failed: ${this.log.slice(-2).join("\n")}`);
      this.checkEnd(stack);
    }
  }

  /** Exactly the declared objects, as declared, and those that were named when they were left. */
  private checkEnd(stack: Stack): void {
    for (const resource of this.of(stack)) {
      if (resource.declared === undefined) continue;
      const { title } = resource;
      const object = this.objectOf(resource);
      if (object === undefined) throw new Error(`lost in the end: ${title}`);
      for (const [path, values] of resource.wanted()) {
        const live = object.leaves.get(path);
        if (live !== undefined && values.has(live)) continue;
        // Nobody can see what somebody has made of a hidden value.
        if (this.isHidden(resource.type, path) && isUnseen(object, path, stack.who)) continue;
        throw new Error(
          `in the end ${path} of ${title} is ${live ?? "not there"}, declared: ${[...values].join(" or ")}`,
        );
      }
    }
    for (const object of this.model.all())
      if (object.maker === stack.who && !this.isHeld(object) && !this.excused.has(object))
        throw new Error(`left in the end: ${object.type} ${object.name} (${object.id})`);
  }
}

const isObjectType = (type: ResourceType): type is ObjectType => type in PLAYED;

const Text = z.string();
const textOf = (json: string): string => Text.parse(JSON.parse(json));

/** The names of what is in a body; none of what is no object. */
function fieldsOf(body: string): string[] {
  const given: unknown = body === "" ? {} : JSON.parse(body);
  return typeof given === "object" && given !== null ? Object.keys(given).sort() : [];
}
