import {
  ManualClock,
  revisions,
  startEmulator,
  unanswered,
  type ActiveFault,
  type Emulator,
  type Exchange,
  type Layer,
  type RevisionRecord,
} from "../../emulator";
import { progressOf } from "../../emulator/platform/revision-record";
import { messageOf } from "../../provider/base/errors";
import { createHandler, type Handler } from "../../provider/dynamic/handler";
import { RequestLimit, RequestLimits } from "../../provider/http/limiter";
import { Declarations } from "../../provider/lifecycle/fields/declarations";
import { Ownership } from "../../provider/lifecycle/identity/ownership";
import { WriteCounter } from "../../provider/lifecycle/observe/writes";
import { createSession } from "../../provider/lifecycle/session";
import { openResource } from "../../provider/resources/registry";
import type { ResourceType } from "../../provider/resources/resource-types";
import type { Declared, Stored, Subject } from "../model/subjects";
import { EngineModel } from "../support/engine-model";
import { Agents, canRepeat, isOfAgent, joinAgents } from "./nouns";
import { NOUNS, PAGE_SIZE } from "./stories";
import { processOf, Schedule, type Choice, type Step, type Way } from "./schedule";

const IDS = {
  tenantId: "7b0c4f5e-1111-4222-8333-0123456789ab",
  organizationId: "7b0c4f5e-2222-4222-8333-0123456789ab",
};
export const STACKS = ["ours", "theirs"] as const;
export type StackName = (typeof STACKS)[number];
/** What our stack does at once, as a program with two checks does: each has a key of its own, which tells whose a request is. */
export const PARTS = ["ours/1", "ours/2"] as const;
const ACTORS = [...STACKS, ...PARTS];
const keyOf = (who: string): string => `key-of-${who}`;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** One thing that happened, in the order in which it did. */
export interface Event {
  readonly step: Step;
  readonly way: Way;
  /** Of a request: the status that the platform answered. */
  status?: number;
  /** The body of its answer, as the actor got it. */
  answer?: string;
}

/** How a command of a stack ended. */
export interface Ran {
  readonly isGreen: boolean;
  readonly said: string;
}

/** Requests are not what is scarce here. */
class NoLimit extends RequestLimit {
  override admit() {
    return Promise.resolve(() => undefined);
  }
}
class NoLimits extends RequestLimits {
  override of(): RequestLimit {
    return new NoLimit(1, 1, { now: () => 0, sleep: () => Promise.resolve() });
  }
}

/** A platform, and two stacks, each with a process and a key of its own in one workspace; a schedule decides who goes next. */
export class World implements Layer {
  readonly schedule = new Schedule();
  events: Event[] = [];
  /** Warnings of the commands so far. */
  readonly warnings: string[] = [];
  private readonly open = new WeakMap<Exchange, Event>();
  private readonly late = new WeakMap<Exchange, ActiveFault>();
  private readonly killed = new Set<string>();
  /** Only then does it matter when a state is written. */
  private mayBeKilled = false;
  /** Whose key is refused. */
  private readonly refused = new Set<string>();
  /** The answers to reads, by address: the first of each of the two latest that differ. */
  private readonly answers = new Map<string, string[]>();
  private ids: string[] = [];
  private readonly clock = new ManualClock();
  private emulatorOf: Emulator | undefined;
  private agentsOf: Agents | undefined;
  private readonly stacks = new Map<string, Stack>();

  /** @param buildSeconds How long a build takes: longer than to its first poll, and not longer than to the second. */
  static async start(buildSeconds = 0.2): Promise<World> {
    const world = new World();
    world.agentsOf = await Agents.start(world.clock);
    world.emulatorOf = await startEmulator({
      clock: world.clock,
      buildSeconds,
      deleteSeconds: 0.2,
      anyListener: true,
      pageSize: PAGE_SIZE,
      agents: world.agents.byDeployment,
      tenants: [...ACTORS, "somebody"].map((who) => ({ ...IDS, apiKey: keyOf(who) })),
      layers: [world],
    });
    joinAgents(world.emulator, world.agents);
    for (const who of STACKS) world.stacks.set(who, await Stack.open(world, who));
    return world;
  }

  get agents(): Agents {
    if (this.agentsOf === undefined) throw new Error("not started");
    return this.agentsOf;
  }

  get emulator(): Emulator {
    if (this.emulatorOf === undefined) throw new Error("not started");
    return this.emulatorOf;
  }

  stack(who: StackName): Stack {
    const stack = this.stacks.get(who);
    if (stack === undefined) throw new Error(`no stack ${who}`);
    return stack;
  }

  async close(): Promise<void> {
    await this.emulator.close();
    await this.agents.close();
  }

  /** What has to be there before an object of the kind can be. */
  async prepare({ kind }: Subject): Promise<void> {
    if (!isOfAgent(kind)) return;
    await this.agents.deploy((method, path, body) => this.ask(method, path, body));
    this.settle();
  }

  reset(): void {
    this.emulator.reset();
    this.agents.reset();
    this.events = [];
    this.ids = [];
    this.killed.clear();
    this.answers.clear();
    this.warnings.length = 0;
    for (const stack of this.stacks.values()) stack.reset();
    this.settle();
  }

  /** By default far longer than any build takes. */
  settle(milliseconds = 600_000): void {
    this.clock.advance(milliseconds);
  }

  /**
   * Lets actors go, one step at a time, as `choose` says. False where it gave up.
   * @param faults What may befall whom, once.
   */
  async play(
    actors: Readonly<Record<string, () => Promise<void>>>,
    choose: (possible: readonly Choice[]) => Choice | undefined,
    faults: readonly Way[],
  ): Promise<boolean> {
    const { schedule, emulator } = this;
    // It strikes nothing: as long as there is one, the emulator remembers what it stored before each request.
    const remembering = faults.includes("late list") && emulator.faults.add({ kind: "stale-read", path: "/none" });
    this.mayBeKilled = faults.includes("kill");
    schedule.begin(Object.keys(actors));
    const all = Object.entries(actors).map(([who, act]) => act().finally(() => schedule.end(who)));
    const ended = Promise.all(all);
    // A failure shows at the end, once all have come to it.
    ended.catch(() => undefined);
    let [last, left] = ["", faults];
    let isWhole = true;
    for (;;) {
      const steps = await schedule.waiting();
      if (steps.length === 0) break;
      const taken = choose(this.possibleOf(steps, last, left));
      if (taken === undefined) {
        isWhole = false;
        for (const who of Object.keys(actors)) this.kill(who);
        schedule.open();
        break;
      }
      const { step, way } = taken;
      last = step.who;
      // A list may be late beside another fault: one that is asked for since an answer was lost.
      if (way !== "pass") left = way === "lost answer" ? left.filter((each) => each === "late list") : [];
      if (way === "kill") {
        this.kill(step.who);
        this.stacks.get(processOf(step.who))?.noteKill();
      }
      if (way === "key refused") this.refused.add(step.who);
      this.events.push({ step, way });
      for (const each of steps) if (each === step || this.killed.has(each.who)) schedule.let(each, way);
    }
    schedule.isOpen = true;
    await ended;
    if (remembering) remembering.remove();
    this.killed.clear();
    this.refused.clear();
    return isWhole;
  }

  private kill(who: string): void {
    for (const each of [who, ...ACTORS]) if (processOf(each) === processOf(who)) this.killed.add(each);
  }

  isKilled(who: string): boolean {
    return this.killed.has(who);
  }

  /** An act by hand, which waits for its turn like any request. */
  async act(name: string, subject: Subject, does: () => unknown): Promise<void> {
    const who = "somebody";
    await this.schedule.reach({
      who,
      what: "act",
      name,
      collection: collectionOf(subject.kind),
      object: "",
      isRead: false,
    });
    if (!this.killed.has(who)) await does();
  }

  async tick(who: string, milliseconds: number, collection: string): Promise<void> {
    if (this.killed.has(who)) return;
    const due = this.clock.now() + milliseconds;
    const name = `waits ${Math.round(milliseconds) / 1000} s`;
    await this.schedule.reach({ who, what: "tick", name, collection, object: "", isRead: false });
    if (!this.killed.has(who)) this.clock.advance(Math.max(0, due - this.clock.now()));
  }

  /** The engine writes the state once a verb has answered: a run that is killed before that does not know what became of it. */
  async written(who: string): Promise<void> {
    if (!this.mayBeKilled) return;
    const name = "writes the state";
    await this.schedule.reach({ who, what: "state", name, collection: "the state", object: "", isRead: true });
  }

  now(): number {
    return this.clock.now();
  }

  /** The newest revision that serves: of a deployment, or of the only one. */
  serving(deploymentId?: string): RevisionRecord | undefined {
    const all = this.emulator.outOfBand(revisions).list();
    const own = all.filter((each) => deploymentId === undefined || each.deployment_id === deploymentId);
    return own.findLast((each) => progressOf(each, this.now()).status === "DEPLOYED");
  }

  /** A request by hand. */
  async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.emulator.url + this.agents.pathOf(path), {
      method,
      headers: { "X-Api-Key": keyOf("somebody"), "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  async beforeRoute(exchange: Exchange): Promise<Response | undefined> {
    const key = exchange.request.headers.get("x-api-key") ?? "";
    const who = ACTORS.find((each) => keyOf(each) === key);
    if (who === undefined) return undefined;
    if (this.killed.has(who)) return dead();
    if (this.schedule.isOpen) return undefined;
    if (this.refused.has(who)) return refusedKey();
    const step = this.stepOf(who, exchange);
    const way = await this.schedule.reach(step);
    if (this.killed.has(who)) return dead();
    if (this.refused.has(who)) return refusedKey();
    const event = this.events.findLast((each) => each.step === step);
    if (event !== undefined) this.open.set(exchange, event);
    if (way === "late list") {
      const { pathname: path } = exchange.url;
      this.late.set(exchange, this.emulator.faults.add({ kind: "stale-read", path, count: 1 }));
    }
    return way === "lost request" ? lost(exchange) : undefined;
  }

  async afterCommit(exchange: Exchange, response: Response): Promise<Response> {
    // Where the list has always been like this, it has struck nothing.
    this.late.get(exchange)?.remove();
    const event = this.open.get(exchange);
    const isReading = isRead(exchange);
    const answer = isReading || event !== undefined ? await response.clone().text() : "";
    const address = `${exchange.url.href} ${exchange.body}`;
    const [latest, earlier] = this.answers.get(address) ?? [];
    if (isReading && response.status === 200 && latest !== answer)
      this.answers.set(address, latest === undefined ? [answer] : [answer, latest]);
    if (event === undefined) return response;
    event.status = response.status;
    if (event.way === "lost answer") return lost(exchange);
    event.answer = event.way === "stale answer" ? (this.olderThan(answer, [latest, earlier]) ?? answer) : answer;
    return event.answer === answer ? response : new Response(event.answer, { headers: JSON_TYPE });
  }

  private olderThan(answer: string, before: readonly (string | undefined)[]): string | undefined {
    return before.find((each) => each !== undefined && each !== answer);
  }

  /** Whether there is something that a late list lacks. */
  private hasWritten({ collection }: Step): boolean {
    const isWrite = ({ step, way, status = 500 }: Event): boolean =>
      step.what === "request" &&
      !step.isRead &&
      step.collection === collection &&
      way !== "lost request" &&
      status < 300;
    return this.events.some(isWrite);
  }

  /** What is possible: first that whoever went last goes on. */
  private possibleOf(steps: readonly Step[], last: string, faults: readonly Way[]): readonly Choice[] {
    const ordered = [...steps].sort((one, other) => Number(other.who === last) - Number(one.who === last));
    const passing = ordered.map((step): Choice => ({ step, way: "pass" }));
    const isPossible = (step: Step, way: Way): boolean => {
      if (step.what === "state") return way === "kill";
      if (step.what !== "request") return false;
      if (way === "kill" || way === "key refused") return true;
      if (way === "late list") return isList(step) && this.hasWritten(step);
      return way === "stale answer" ? step.isRead : !step.isRead;
    };
    const faulty = ordered.flatMap((step) =>
      faults.filter((way) => isPossible(step, way)).map((way): Choice => ({ step, way })),
    );
    return [...passing, ...faulty];
  }

  /** Ids are told by their numbers: the next run of a story has others, and its steps are compared with those of this one. */
  private stepOf(who: string, exchange: Exchange): Step {
    const { request, url } = exchange;
    const numbered = (text: string): string =>
      text.replace(UUID, (id) => {
        if (!this.ids.includes(id)) this.ids.push(id);
        return `#${this.ids.indexOf(id) + 1}`;
      });
    const isReading = isRead(exchange);
    const name = numbered(`${request.method} ${url.pathname}${url.search}`);
    const [, first, second, ...rest] = numbered(url.pathname).split("/");
    // Of an agent, whose does not matter: "/agents/#1/assistants/#2", "/agents/#1/runs/crons".
    const parts = first === "agents" ? rest.slice(rest[0] === "runs" ? 1 : 0) : [second, ...rest];
    const length = second === "sandboxes" || second === "auth" ? 2 : 1;
    const [collection, object = ""] = [`/${first ?? ""}/${parts.slice(0, length).join("/")}`, parts[length]];
    return { who, what: "request", name, collection, object: this.isOfAll(exchange) ? "" : object, isRead: isReading };
  }

  /** Whether a request is about more objects than that of its path: a search, a new name, or a name that any of several may have. */
  private isOfAll({ request, url, body }: Exchange): boolean {
    const last = url.pathname.split("/").at(-1) ?? "";
    if (last === "search") return true;
    if (!url.pathname.startsWith("/v2/sandboxes/")) return false;
    return url.pathname.startsWith("/v2/sandboxes/snapshots/")
      ? last.includes(":")
      : request.method === "PATCH" && body.includes('"name"');
  }
}

/** Of the platform (the agent server keeps its objects in one database, and its searches are never late): a read of a collection, or of the revisions of a deployment. */
const isList = ({ isRead: isReading, name, collection }: Step): boolean => {
  const [path = ""] = name.split("?");
  return isReading && (path === `GET ${collection}` || path.endsWith("/revisions"));
};

/** A search has a body, and changes nothing. */
const isRead = ({ request: { method }, url }: Exchange): boolean =>
  method === "GET" || (url.pathname.startsWith("/agents/") && url.pathname.endsWith("/search"));

/** Nothing repeats it. */
const dead = (): Response => Response.json({ detail: "this process was killed" }, { status: 400 });

const refusedKey = (): Response => Response.json({ detail: "Invalid API key" }, { status: 401 });
const JSON_TYPE = { "content-type": "application/json" };

function lost(exchange: Exchange): Response {
  exchange.incoming.socket.resetAndDestroy();
  return unanswered;
}

const COLLECTIONS: Partial<Record<ResourceType, string>> = {
  SandboxTemplate: "/v2/sandboxes/templates",
  SandboxRegistry: "/v2/sandboxes/registries",
  SandboxSnapshot: "/v2/sandboxes/snapshots",
  OAuthProvider: "/v2/auth/providers",
  Listener: "/v2/listeners",
  Assistant: "/agents/assistants",
  Cron: "/agents/crons",
};
const collectionOf = (kind: ResourceType): string => COLLECTIONS[kind] ?? "/v2/deployments";

/** A stack with one object, and a Rollout where that is a deployment. */
export class Stack {
  private readonly ownership = new Ownership();
  private readonly writes = new WriteCounter();
  private readonly handlers = new Map<string, Handler>();
  private models = new Map<string, EngineModel>();
  private kept: ReadonlyMap<string, Pick<EngineModel, "state" | "replaced">> = new Map();
  private readonly declarations = new Declarations();
  /** What the last command that succeeded declared. */
  made: Declared | undefined;

  private constructor(
    private readonly world: World,
    readonly who: StackName,
  ) {}

  static async open(world: World, who: StackName): Promise<Stack> {
    const stack = new Stack(world, who);
    const kinds: readonly ResourceType[] = [...NOUNS.map(({ kind }) => kind), "Rollout"];
    for (const kind of kinds) stack.handlers.set(kind, await stack.handler(kind));
    return stack;
  }

  /** A resource of the kind whose requests are those of an actor of their own. */
  async add(who: string, kind: ResourceType): Promise<void> {
    this.handlers.set(who, await this.handler(kind, who));
  }

  reset(): void {
    this.models = new Map();
    this.made = undefined;
  }

  model(kind: string): EngineModel {
    const known = this.models.get(kind);
    if (known !== undefined) return known;
    const handler = this.handlers.get(kind);
    if (handler === undefined) throw new Error(`no handler of ${kind}`);
    const model = new EngineModel(handler, kind);
    this.models.set(kind, model);
    return model;
  }

  /** The object of its state, as the platform has it. */
  object({ objects, kind }: Subject): Stored | undefined {
    const { state } = this.model(kind);
    return state && objects(this.world.emulator).find(({ id }) => id === state.id);
  }

  /** One command in a process of its own. What a killed one did in its last step, its state does not know. */
  async command(act: () => Promise<void>): Promise<Ran> {
    this.ownership.forget();
    this.writes.add();
    let said = "";
    try {
      await act();
    } catch (error) {
      said = messageOf(error);
    }
    if (this.world.isKilled(this.who)) {
      for (const [kind, model] of this.models) {
        const { state, replaced = [] } = this.kept.get(kind) ?? {};
        Object.assign(model, { state, replaced });
      }
      return { isGreen: false, said: "killed" };
    }
    return { isGreen: said === "", said };
  }

  /** The state as the engine has written it by now. */
  noteKill(): void {
    const copyOf = ({ state, replaced }: EngineModel) => structuredClone({ state, replaced });
    this.kept = new Map([...this.models].map(([kind, model]) => [kind, copyOf(model)]));
  }

  async up(subject: Subject, declared: Declared, adopt?: true | string): Promise<void> {
    const model = this.model(subject.kind);
    await model.up({
      ...subject.program(declared),
      ...this.placed(subject, declared),
      ...(adopt !== undefined && { adopt }),
    });
    if (subject.kind === "Deployment") {
      const { id, outputs } = model.current;
      await this.model("Rollout").up({
        deploymentId: id,
        revisionId: outputs["latestRevisionId"],
        deploymentName: subject.nameOf(declared),
        followsPushes: false,
        rolloutTimeout: "3m",
      });
    }
    this.made = declared;
  }

  /** What the class adds: the row, and whose agent has it. */
  private placed(subject: Subject, declared: Declared): Record<string, string> {
    const { who, world } = this;
    const { kind } = subject;
    if (!canRepeat(kind)) return {};
    const row = { __progressUrn: `urn:pulumi:${who}::test::agent-platform:index:${kind}::it` };
    return { ...row, ...(isOfAgent(kind) && world.agents.placeOf(subject, declared, world.emulator.url)) };
  }

  /** The ids of what the stack holds, also of what it has replaced and not deleted yet. */
  held({ kind }: Subject): string[] {
    const { state, replaced } = this.model(kind);
    return [...(state === undefined ? [] : [state]), ...replaced].map(({ id }) => id);
  }

  /** True where it shows drift. */
  async refresh({ kind }: Subject): Promise<boolean> {
    const [model, rollout] = [this.model(kind), this.model("Rollout")];
    const isThere = (): boolean => model.hasState;
    if (!isThere()) return false;
    const drift = await model.refresh();
    if (!isThere()) rollout.state = undefined;
    return (rollout.hasState && (await rollout.refresh())) || drift;
  }

  async destroy({ kind }: Subject): Promise<void> {
    await this.model("Rollout").destroy();
    await this.model(kind).destroy();
    this.made = undefined;
  }

  private async handler(kind: ResourceType, who: string = this.who): Promise<Handler> {
    const { world, ownership, writes, declarations } = this;
    const collection = collectionOf(kind);
    const session = {
      ...createSession({
        log: {
          progress: () => undefined,
          finishProgress: () => Promise.resolve(),
          warn: (message) => void world.warnings.push(message),
          info: () => undefined,
          debug: () => undefined,
        },
        clock: { now: () => world.now(), sleep: (milliseconds) => world.tick(who, milliseconds, collection) },
        random: () => 0.5,
        writes,
        ownership,
        declarations,
      }),
      limits: new NoLimits({ now: () => 0, sleep: () => Promise.resolve() }),
    };
    const plain = createHandler(openResource(kind, session), session);
    const written = <T>(answer: Promise<T>): Promise<T> => answer.finally(() => world.written(who));
    const handler: Handler = {
      ...plain,
      create: (inputs) => written(plain.create(inputs)),
      update: (...given) => written(plain.update(...given)),
      delete: (...given) => written(plain.delete(...given)),
    };
    const all: Record<string, string> = { baseUrl: world.emulator.url, apiKey: keyOf(who) };
    await handler.configure({ config: { get: (key) => all[key.replace("agent-platform:", "")] } });
    if (!NOUNS.some((each) => each.kind === kind) || kind === "SandboxSnapshot") return handler;
    // The option of every class whose natural key can be taken (sdk/resource.ts): the engine then does not ask diff.
    const diff: Handler["diff"] = async (...given) => {
      const found = await handler.diff(...given);
      return { ...found, deleteBeforeReplace: found.deleteBeforeReplace || found.replaces.length > 0 };
    };
    return { ...handler, diff };
  }
}
