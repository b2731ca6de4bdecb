import {
  ManualClock,
  revisions,
  startEmulator,
  type ActiveFault,
  type Emulator,
  type EmulatorOptions,
  type Exchange,
  type Layer,
  type RevisionRecord,
} from "../../emulator";
import { progressOf } from "../../emulator/platform/revision-record";
import type { JsonObject } from "../../provider/base/json";
import type { ResourceType } from "../../provider/resources/resource-types";
import { making, PLAYED, type ObjectType, type Place, type Stored } from "../conformance/cases";
import type { AgentServerOptions } from "../support/agent-server";
import { ask } from "../support/ask";
import { Agents } from "./agents";
import { bodyOf, isObjectType, isOfAgent, nameOf, type Declaration } from "./declarations";
import { processOf, Schedule, type Choice, type Step, type Way } from "./schedule";
import { canSpoil, isList, lost, Spoiler, spoilingOf } from "./spoiled";
import { Stack, type StackOptions } from "./stack";

const IDS = {
  tenantId: "7b0c4f5e-1111-4222-8333-0123456789ab",
  organizationId: "7b0c4f5e-2222-4222-8333-0123456789ab",
};
/** What our stack does at once, as a program with two checks does: each has a key of its own, which tells whose a request is. */
export const PARTS = ["ours/1", "ours/2"] as const;
const OF_ANOTHER_WORKSPACE = {
  tenantId: "7b0c4f5e-3333-4222-8333-0123456789ab",
  organizationId: "7b0c4f5e-4444-4222-8333-0123456789ab",
};
const BY_HAND = "somebody";
export const apiKeyOf = (who: string): string => `key-of-${who}`;
export const whoOf = ({ headers }: Pick<Request, "headers">): string =>
  (headers.get("x-api-key") ?? "").replace(apiKeyOf(""), "");
const CURSOR = /(?<=[?&]cursor=)[\w-]+/;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** How many objects the platform puts on a page, whatever it is asked for. */
export const PAGE_SIZE = 10;
/** Far more steps than any command needs, its repetitions under faults included. */
const ENDLESS = 2000;

/** One thing that happened, in the order in which it did. */
export interface Event {
  readonly step: Step;
  readonly way: Way;
  /** Of a request: its body. */
  sent?: string;
  /** The status that the platform answered. */
  status?: number;
  /** The body of its answer, as the process got it. */
  answer?: string;
  isSpoiled?: boolean;
}

/** What the platform and its stacks are like, from the beginning to the end. */
interface WorldOptions extends EmulatorOptions {
  /** @default "ours" and "theirs", each with rows of its own */
  readonly stacks?: Readonly<Record<string, StackOptions>>;
  /** What the servers of the agents are like. */
  readonly agentServers?: AgentServerOptions;
}

/** A platform, its clock and the stacks of one workspace, each with a process and an API key of its own; a schedule decides who goes next. */
export class World {
  readonly schedule = new Schedule();
  readonly spoiler = new Spoiler();
  /** A command has ended only because it was broken off. */
  isEndless = false;
  events: Event[] = [];
  private readonly open = new WeakMap<Exchange, Event>();
  private readonly late = new WeakMap<Exchange, ActiveFault>();
  /** Requests that are answered as lost, and that the platform has not carried out yet. */
  private uncommitted: { readonly event: Event; readonly exchange: Exchange }[] = [];
  private readonly killed = new Set<string>();
  /** Only then does it matter when a state is written. */
  private mayBeKilled = false;
  /** Whose key is refused. */
  private readonly refused = new Set<string>();
  /** The answers to reads, by address: the first of each of the two latest that differ. */
  private readonly answers = new Map<string, string[]>();
  private ids: string[] = [];
  private readonly stacks = new Map<string, Stack>();

  private constructor(
    readonly clock: ManualClock,
    readonly agents: Agents,
    readonly emulator: Emulator,
    readonly isDocumented: boolean,
  ) {}

  /** A build takes longer than to its first poll, and not longer than to the second. */
  static async start({
    stacks = { ours: {}, theirs: {} },
    agentServers,
    ...options
  }: WorldOptions = {}): Promise<World> {
    const clock = new ManualClock();
    const agents = await Agents.start({ clock, ...agentServers });
    const tenants = [...Object.keys(stacks), ...PARTS, BY_HAND].map((who) => ({
      ...(stacks[who]?.isElsewhere === true ? OF_ANOTHER_WORKSPACE : IDS),
      apiKey: apiKeyOf(who),
    }));
    const own: Layer = {
      beforeRoute: (exchange) => world.beforeRoute(exchange),
      afterCommit: (exchange, response) => world.afterCommit(exchange, response),
    };
    const emulator = await startEmulator({
      clock,
      buildSeconds: 0.2,
      deleteSeconds: 0.2,
      anyListener: true,
      pageSize: PAGE_SIZE,
      agents: Object.fromEntries(Object.entries(agents.byName).map(([name, { url }]) => [name, url])),
      tenants,
      ...options,
      layers: [own, ...(options.layers ?? [])],
    });
    const world = new World(clock, agents, emulator, options.contract === "documented");
    for (const [who, each] of Object.entries(stacks)) world.stacks.set(who, await Stack.open(world, who, each));
    return world;
  }

  get place(): Place {
    return { emulator: this.emulator, agents: this.agents.byName };
  }

  /** Two backends with one name, and no keys: what they create within minutes they share (docs/reliability.md, What cannot be promised, and why). */
  get isShared(): boolean {
    const rows = [...this.stacks.values()].map(({ row }) => row);
    return new Set(rows).size < rows.length;
  }

  stack(who: string): Stack {
    const stack = this.stacks.get(who);
    if (stack === undefined) throw new Error(`no stack ${who}`);
    return stack;
  }

  async close(): Promise<void> {
    await this.emulator.close();
    await this.agents.close();
  }

  /** What has to be there before an object of the type can be. */
  async prepare(type: ResourceType): Promise<void> {
    if (!isOfAgent(type) || this.agents.ids.length > 0) return;
    await this.agents.deploy((method, path, body) => this.ask(method, path, body));
    this.settle();
  }

  reset(): void {
    this.emulator.reset();
    this.agents.reset();
    this.events = [];
    this.ids = [];
    this.uncommitted = [];
    this.isEndless = false;
    this.killed.clear();
    this.answers.clear();
    for (const stack of this.stacks.values()) stack.reset();
    this.settle();
  }

  /** By default far longer than any build takes. */
  settle(milliseconds = 600_000): void {
    this.clock.advance(milliseconds);
  }

  /** A fault that strikes nothing: as long as there is one, the emulator remembers what it stored before each request. */
  remember(): ActiveFault {
    return this.emulator.faults.add({ kind: "stale-read", path: "/none" });
  }

  /** The requests since so many of them; "" where there is none. */
  sentSince(from: number): string {
    const sent = this.emulator.requests.slice(from);
    return sent.map(({ method, path }) => `${method} ${path}`).join(", ");
  }

  /** The objects of a type; one that is being deleted is as good as gone. */
  objects(type: ObjectType): Stored[] {
    return PLAYED[type].objects(this.place).filter(({ isBeingDeleted }) => isBeingDeleted !== true);
  }

  /** Makes an object by hand; undefined where its name is refused. */
  async make(declaration: Declaration): Promise<Stored | undefined> {
    const { type } = declaration;
    const before = this.objects(type).map(({ uuid }) => uuid);
    const base = isOfAgent(type) ? this.agents.pathOf(declaration) : "";
    const [method, path, body] = making(type, bodyOf(declaration));
    // A PUT would change the one that has the name.
    if (method === "PUT" && this.objects(type).some(({ name }) => name === nameOf(declaration))) return undefined;
    await this.ask(method, base + path, body).catch(() => undefined);
    // Pages are in the order of the times: what has one time would have another order in each run.
    this.settle(1);
    return this.objects(type).find(({ uuid, name }) => name === nameOf(declaration) && !before.includes(uuid));
  }

  /**
   * Lets processes and hands go, one step at a time, as `choose` says. False where it gave up.
   * @param faults What may befall whom, once.
   */
  async play(
    actors: Readonly<Record<string, () => Promise<void>>>,
    choose: (possible: readonly Choice[]) => Choice | undefined,
    faults: readonly Way[],
  ): Promise<boolean> {
    const { schedule } = this;
    const remembering = faults.includes("late list") && this.remember();
    this.mayBeKilled = faults.includes("kill");
    schedule.begin(Object.keys(actors));
    const ended = Promise.all(Object.entries(actors).map(([who, act]) => act().finally(() => schedule.end(who))));
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
      if (way === "kill") this.kill(step.who);
      if (way === "key refused") this.refused.add(step.who);
      this.events.push({ step, way });
      for (const each of steps) if (each === step || this.killed.has(each.who)) schedule.let(each, way);
    }
    schedule.isOpen = true;
    await ended;
    await this.commitLate();
    if (remembering) remembering.remove();
    this.killed.clear();
    this.refused.clear();
    return isWhole;
  }

  /** The process of the next command. */
  revive(who: string): void {
    this.killed.delete(who);
  }

  /** Its process ends here and now: its state is what was written by then. */
  kill(who: string): void {
    const process = processOf(who);
    for (const each of [process, ...PARTS]) if (processOf(each) === process) this.killed.add(each);
    this.killed.add(who);
    this.stacks.get(process)?.noteKill();
  }

  isKilled(who: string): boolean {
    return this.killed.has(who);
  }

  /** A step by hand, which waits for its turn like any request. @param wrote The parts of the body that it changes. */
  async byHand(name: string, type: ObjectType, does: () => unknown, wrote?: object): Promise<void> {
    const step: Step = { who: BY_HAND, what: "act", name, collection: collectionOf(type), object: "", isRead: false };
    await this.schedule.reach(step);
    const event = this.events.findLast((each) => each.step === step);
    if (event !== undefined && wrote !== undefined) event.sent = JSON.stringify(wrote);
    if (!this.killed.has(BY_HAND)) await does();
  }

  async tick(who: string, milliseconds: number, collection: string): Promise<void> {
    // Without a schedule, what counts time goes on to its end.
    if (this.killed.has(who) && !this.schedule.isOpen) return;
    const due = this.clock.now() + milliseconds;
    const name = `waits ${Math.round(milliseconds) / 1000} s`;
    await this.schedule.reach({ who, what: "tick", name, collection, object: "", isRead: false });
    if (!this.killed.has(who) || this.schedule.isOpen) this.clock.advance(Math.max(0, due - this.clock.now()));
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

  /** That revision's part of a deployment's body. */
  serves(deploymentId: string): JsonObject {
    const image = this.serving(deploymentId)?.source_revision_config["image_uri"];
    return { source_revision_config: { image_uri: typeof image === "string" ? image : null } };
  }

  /** A request by hand. */
  ask(method: string, path: string, body?: unknown): Promise<unknown> {
    return ask({ url: this.emulator.url, apiKey: apiKeyOf(BY_HAND) }, method, path, body);
  }

  private async beforeRoute(exchange: Exchange): Promise<Response | undefined> {
    const who = whoOf(exchange.request);
    if (!this.stacks.has(processOf(who))) return undefined;
    if (this.killed.has(who)) return dead();
    if (this.schedule.isOpen) return undefined;
    if (this.refused.has(who)) return refusedKey();
    const step = this.stepOf(who, exchange);
    const way = await this.schedule.reach(step);
    this.isEndless ||= this.events.length > ENDLESS;
    if (this.killed.has(who) || this.isEndless) return dead();
    if (this.refused.has(who)) return refusedKey();
    const event = this.events.findLast((each) => each.step === step);
    if (event === undefined) return undefined;
    event.sent = exchange.body;
    this.open.set(exchange, event);
    // The platform deletes by name, and takes no condition: nobody could tell what a later one deletes.
    if (this.uncommitted.some((each) => each.event.step.name.startsWith("DELETE"))) await this.commitLate();
    if (way === "late list") {
      const { pathname: path } = exchange.url;
      this.late.set(exchange, this.emulator.faults.add({ kind: "stale-read", path, count: 1 }));
    }
    if (way === "late commit") this.uncommitted.push({ event, exchange });
    return way === "lost request" || way === "late commit" ? lost(exchange) : this.spoiler.before(exchange, event);
  }

  private async afterCommit(exchange: Exchange, response: Response): Promise<Response> {
    // What a fault has put in its place may have no end.
    if (this.schedule.isOpen && exchange.entry.fault !== null) return response;
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
    if (isReading) await this.commitLate();
    if (event.way === "lost answer") return lost(exchange);
    const spoiled = this.spoiler.after(exchange, event, response, answer);
    if (spoiled !== undefined) return spoiled;
    const older = [latest, earlier].find((each) => each !== undefined && each !== answer);
    event.answer = event.way === "stale answer" ? (older ?? answer) : answer;
    return event.answer === answer ? response : new Response(event.answer, { headers: JSON_TYPE });
  }

  /** What was answered as lost is carried out. */
  private async commitLate(): Promise<void> {
    const headers = { "X-Api-Key": apiKeyOf(BY_HAND), "Content-Type": "application/json" };
    for (const { event, exchange } of this.uncommitted.splice(0)) {
      const { request, url, body } = exchange;
      const answer = await fetch(url, { method: request.method, headers, ...(body !== "" && { body }) });
      event.status = answer.status;
    }
  }

  /** Whether there is something that a late list lacks. */
  private hasWritten({ collection }: Step): boolean {
    const isOfIt = ({ step }: Event): boolean =>
      step.what === "request" && !step.isRead && step.collection === collection;
    return this.events.some((event) => isOfIt(event) && event.way !== "lost request" && (event.status ?? 500) < 300);
  }

  /** What is possible: first that whoever went last goes on. */
  private possibleOf(steps: readonly Step[], last: string, faults: readonly Way[]): readonly Choice[] {
    const ordered = [...steps].sort((one, other) => Number(other.who === last) - Number(one.who === last));
    const passing = ordered.map((step): Choice => ({ step, way: "pass" }));
    const isPossible = (step: Step, way: Way): boolean => {
      if (step.what === "state") return way === "kill";
      if (step.what !== "request") return false;
      if (way === "kill" || way === "key refused") return true;
      if (spoilingOf(way) !== undefined) return canSpoil(way, step);
      // The agent server keeps its objects in one database, and its searches are never late.
      if (way === "late list") return isList(step) && this.hasWritten(step);
      return way === "stale answer" ? step.isRead : !step.isRead;
    };
    const faulty = (step: Step): Choice[] => {
      return faults.filter((way) => isPossible(step, way)).map((way) => ({ step, way }));
    };
    return [...passing, ...ordered.flatMap(faulty)];
  }

  /** Ids are told by their numbers, and a cursor by the id in it: the next run of a story has others, and its steps are compared with those of this one. */
  private stepOf(who: string, exchange: Exchange): Step {
    const { request, url } = exchange;
    const numbered = (text: string): string =>
      text.replace(UUID, (id) => {
        if (!this.ids.includes(id)) this.ids.push(id);
        return `#${this.ids.indexOf(id) + 1}`;
      });
    const isReading = isRead(exchange);
    const search = url.search.replace(CURSOR, (cursor) => String(Buffer.from(cursor, "base64url")).replace(/.* /, ""));
    const name = numbered(`${request.method} ${url.pathname}${search}`);
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

/** A search has a body, and changes nothing. */
export const isRead = ({ request: { method }, url }: Pick<Exchange, "request" | "url">): boolean =>
  method === "GET" || (url.pathname.startsWith("/agents/") && url.pathname.endsWith("/search"));

/** Nothing repeats it. */
export const dead = (): Response => Response.json({ detail: "this process was killed" }, { status: 400 });

const refusedKey = (): Response => Response.json({ detail: "Invalid API key" }, { status: 401 });
const JSON_TYPE = { "content-type": "application/json" };

/** Of a Rollout or a RunCheck that of the deployments. */
export function collectionOf(type: ResourceType): string {
  const { path } = PLAYED[isObjectType(type) ? type : "Deployment"];
  return isOfAgent(type) ? `/agents${path.replace("/runs", "")}` : path;
}
