import { revisions, sandboxSnapshots, type ActiveFault, type Exchange, type RevisionOutcome } from "../../emulator";
import type { RevisionRecord } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import { isUuid } from "../../provider/base/uuid";
import type { Handler } from "../../provider/dynamic/handler";
import { UNREAD } from "../../provider/lifecycle/state";
import type { ResourceType } from "../../provider/resources/resource-types";
import { PLAYED, type ObjectType } from "../conformance/cases";
import { isObjectType } from "./declarations";
import { FAULTS, type Fault } from "./faults";
import { DIGITS, hiddenPaths, know, LARGE, Model, SOMEBODY, type Followed } from "./model";
import * as promises from "./promises";
import type { Quirk } from "./quirks";
import type { Resource } from "./resource";
import type { Struck } from "./steps";
import { dead, isRead, whoOf, type World } from "./world";

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
  /** Objects whose POST was answered: their ids are known. */
  readonly answered: Followed[];
  /** Revisions that it made. */
  readonly revisions: string[];
  /** A look was answered with what is not true. */
  misled: boolean;
}

/** What happened, for the coverage. */
export class Counts {
  /** Plans that were compared with what was sent. */
  plans = 0;
  /** How often a row was played. */
  readonly rows = new Map<string, number>();

  add(row: string): void {
    this.rows.set(row, (this.rows.get(row) ?? 0) + 1);
  }
}

/** Follows what happens in a program: each verb and its requests, who made and wrote what, and which stacks have seen it since. */
export class Witness {
  /** How the next revisions end. */
  outcome: RevisionOutcome = "DEPLOYED";
  protected resources: readonly Resource[] = [];
  /** Of the command under way. */
  protected verbs: Verb[] = [];
  protected fault: Fault | undefined;
  protected struck: Struck | undefined;
  /** The fault, where it befalls requests. */
  protected armed: ActiveFault | undefined;
  /** What comes once that has struck. */
  protected next: ActiveFault | undefined;
  /** How many requests have come that a kill counts. */
  protected nth = 0;
  /** The POST that a gateway gave up, and that the platform carries out after the next look. */
  protected late: { readonly of: Verb; readonly path: string; readonly body: string } | Followed[] | undefined;
  /** What is read comes into no state. */
  protected isLooking = false;
  /** Answers have digits in the place of a large number, and what is sent must have them, too. */
  hasDigits = false;
  protected readonly model: Model;
  private verb: Verb | undefined;
  private readonly breaches: string[] = [];
  private readonly revisionsBy = new Map<string, { readonly by: string; readonly knownTo: Set<string> }>();

  constructor(
    readonly quirk: Quirk,
    readonly world: World,
    protected readonly counts: Counts,
    types: readonly ObjectType[],
  ) {
    this.model = new Model(world.place, types);
  }

  protected say(breach: string | undefined): void {
    if (breach !== undefined) this.breaches.push(breach);
  }

  protected check(what: string): void {
    const [breach] = this.breaches;
    if (breach !== undefined) throw new Error(`${what}: ${breach}`);
  }

  // What is there.

  /** The object of a resource's state. For an old row the id is a name that it once had. */
  objectOf({ type, state, stack }: Resource): Followed | undefined {
    return state && this.find(stack.who, type, state.id, state.outputs["name"]);
  }

  /** @param isThere False: of those that are gone, the latest. */
  private find(who: string, type: ObjectType, id: string, name: unknown, isThere = true): Followed | undefined {
    const all = this.model.all(type, isThere).filter((each) => this.isTheirs(each) === (who === "theirs"));
    if (!isThere) all.reverse();
    const byId = all.find((each) => each.id === id);
    if (byId !== undefined || isUuid(id)) return byId;
    return all.find((each) => each.name === name) ?? all.find((each) => each.name === id);
  }

  /** Whether it is in the other workspace. */
  private isTheirs({ tenantId }: Followed): boolean {
    return tenantId !== "" && tenantId !== this.world.emulator.tenantId;
  }

  /** The resource whose state has the object, also as one that was replaced and is not deleted yet. */
  holderOf(object: Followed, who: string): Resource | undefined {
    return this.resources.find((resource) => {
      const { type, stack, state, model, adopt, name } = resource;
      if (type !== object.type || stack.who !== who || this.isTheirs(object) !== (who === "theirs")) return false;
      if ([state, ...model.replaced].some((each) => each?.id === object.id)) return true;
      // Of an old row, which may be gone by now, the state has a name.
      const isNamed = state && !isUuid(state.id) && [state.id, state.outputs["name"]].includes(object.name);
      if (isNamed === true || this.objectOf(resource) === object) return true;
      return adopt !== undefined && (object.id === adopt || object.name === name);
    });
  }

  protected isHeld(object: Followed): boolean {
    return this.resources.some(
      (resource) =>
        this.objectOf(resource) === object ||
        (resource.type === object.type && resource.model.replaced.some(({ id }) => id === object.id)),
    );
  }

  /** An object of the declared name that no state holds. */
  protected unheld({ type, name, state, stack }: Resource): Followed | undefined {
    if (state !== undefined) return undefined;
    const isOfThem = (each: Followed): boolean => this.isTheirs(each) === (stack.who === "theirs");
    return this.model.all(type).find((each) => each.name === name && !this.isHeld(each) && isOfThem(each));
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
    const gone = state && this.find(stack.who, type, state.id, state.outputs["name"], false);
    return gone?.goneTo.has(stack.who) === false;
  }

  /** Whether no answer shows a value. */
  isHidden(type: ObjectType, path: string): boolean {
    const prefix = this.quirk.hides?.[type];
    return hiddenPaths(type).includes(path) || (prefix !== undefined && path.startsWith(prefix));
  }

  // Requests.

  before({ request, url, body }: Exchange): Response | undefined {
    const who = whoOf(request);
    if (this.verb?.who !== who) return undefined;
    const isLook = isRead({ request, url }) || url.pathname.endsWith("_logs");
    this.verb.requests.push({ method: request.method, fields: fieldsOf(body), isRead: isLook, isLost: false });
    if (this.fault?.isLate === true && this.late === undefined && isPost(this.fault, request.method, url.pathname)) {
      this.late = { of: this.verb, path: url.pathname, body };
      this.counts.add(this.fault.name);
      return new Response("upstream request timeout", { status: 504, headers: { "content-type": "text/plain" } });
    }
    if (this.hasDigits && body.includes(String(LARGE))) this.say(`sent rounded: ${request.method} ${url.pathname}`);
    const [, of = "*", nth = 1] = this.struck ?? [];
    if (this.fault?.next !== undefined && this.armed?.isSpent === true)
      this.next ??= this.world.emulator.faults.add({ method: of, count: 1, ...this.fault.next });
    if (this.fault?.kill === undefined) return undefined;
    if (of !== "*" && of !== request.method) return undefined;
    this.nth += 1;
    if (this.nth !== nth || this.fault.kill !== "before") return undefined;
    this.world.kill(who);
    this.counts.add(this.fault.name);
    return dead();
  }

  async after({ entry, request }: Exchange, response: Response): Promise<Response> {
    const who = whoOf(request);
    const { verb, fault, world, counts } = this;
    if (verb?.who !== who) return response;
    const witnessed = verb.requests.at(-1);
    if (entry.fault !== null) {
      const rows = FAULTS.filter((each) => each.request?.kind === entry.fault);
      verb.misled ||= rows.some(({ misleads }) => misleads === true);
      if (witnessed !== undefined && entry.phase === "committed") witnessed.isLost = true;
    }
    const isAnswered = entry.fault === null && fault?.kill === undefined;
    if (witnessed?.isRead === false && entry.phase === "committed")
      this.followStack(who, verb, isAnswered ? verb.answered : []);
    if (witnessed?.isRead === true && this.late !== undefined && "of" in this.late && this.late.of === verb) {
      const { path, body } = this.late;
      const made = (this.late = []);
      // Refused where something has its name by now.
      await world.ask("POST", path, JSON.parse(body)).catch(() => undefined);
      this.followStack(who, verb, made);
    }
    if (fault?.isFull === true && request.method === "POST" && witnessed?.isRead === false)
      world.stack(who).isFull = true;
    if (fault?.kill === "after" && this.nth === (this.struck?.[2] ?? 1) && !world.isKilled(who)) {
      world.kill(who);
      counts.add(fault.name);
    }
    if (!this.hasDigits || witnessed?.isRead !== true) return response;
    return new Response((await response.text()).replaceAll(String(LARGE), DIGITS), response);
  }

  /** @param made Takes what the stack has made. */
  private followStack(who: string, verb: Verb, made: Followed[] = []): void {
    const isMisled = this.verbs.some(({ misled }) => misled);
    for (const change of this.follow(who)) {
      const { what, object } = change;
      if (what === "made") {
        verb.made += 1;
        object.knownTo.add(who);
        made.push(object);
        if (!isMisled) this.say(promises.isFirstOfName(object, this.model.all(object.type)));
        if (object.type === "SandboxSnapshot" && this.fault?.isStuck === true) {
          this.world.emulator.outOfBand(sandboxSnapshots).change(object.uuid, { status_override: "building" });
          this.counts.add(this.fault.name);
        }
      }
      this.say(promises.isUntouched(this, verb, change, isMisled));
    }
  }

  /** Builds go on once the command is over. */
  protected endBuilds(): void {
    const all = this.world.emulator.outOfBand(sandboxSnapshots);
    for (const { id, status_override: status } of all.list())
      if (status === "building") all.change(id, { status_override: null });
  }

  protected follow(who: string) {
    const changes = this.model.follow(who);
    for (const { id } of this.world.emulator.outOfBand(revisions).list()) {
      if (this.revisionsBy.has(id)) continue;
      this.revisionsBy.set(id, { by: who, knownTo: new Set() });
      this.verb?.revisions.push(id);
      if (this.fault?.outcome !== undefined && who !== SOMEBODY) this.counts.add(this.fault.name);
    }
    return changes;
  }

  // Verbs.

  watched(who: string, handler: Handler, type: ResourceType, key: string): Handler {
    const during = <T>(verb: string, act: () => Promise<T>) => this.during(verb, who, `${type} ${key}`, act);
    return {
      ...handler,
      create: async (inputs) => {
        const made = await during("create", () => handler.create(inputs));
        // An adoption compares what answers show, its revision too, and sends what they do not.
        this.learnMore(who, type, made.id, made.outs);
        this.learn(who, type, made.id, made.outs, () => true);
        return made;
      },
      read: async (id, ...given) => {
        const found = await during("read", () => handler.read(id, ...given));
        if (UNREAD in found.props) return found;
        if (this.verbs.at(-1)?.misled === true) {
          // A later answer can have told the truth: then the state has the id of what is there.
          const there = isObjectType(type) && this.find(who, type, found.id, found.props["name"])?.uuid;
          if (Object.values(found.props).includes(there)) this.learn(who, type, found.id, found.props, () => false);
          return found;
        }
        this.learnMore(who, type, id, found.props);
        this.learn(
          who,
          type,
          found.id,
          found.props,
          // What somebody has made anew has hidden values of its own: it is seen to be another object, except what no answer gives an id or a time.
          (path, { by, isFirst }) => {
            const isSeenAnew = isFirst && by === SOMEBODY && type !== "WorkspaceSecret";
            return isObjectType(type) && (!this.isHidden(type, path) || isSeenAnew);
          },
        );
        return found;
      },
      update: async (id, ...given) => {
        const updated = await during("update", () => handler.update(id, ...given));
        this.learn(who, type, id, updated.outs, (_path, { by }) => by === who);
        return updated;
      },
      delete: (...given) => during("delete", () => handler.delete(...given)),
    };
  }

  private async during<T>(name: string, who: string, of: string, act: () => Promise<T>): Promise<T> {
    const title = `${name} of ${of} of ${who}`;
    const none = { requests: [], made: 0, answered: [], revisions: [], misled: false };
    const verb: Verb = { title, who, of, ...none };
    this.verb = verb;
    this.verbs.push(verb);
    const fired = this.armed?.fired ?? 0;
    const isWait = of.startsWith("Rollout") && /^(create|update)/.test(name);
    const wait = isWait && this.fault?.lasts === "wait" ? this.switchOn(this.fault) : undefined;
    try {
      const result = await act();
      // Its answer may be on its way still.
      this.followStack(who, verb);
      return result;
    } catch (error) {
      this.followStack(who, verb);
      const inWait = wait !== undefined && wait.fired > 0 ? this.fault?.name : undefined;
      if (!this.world.isKilled(who)) this.say(promises.isOurs(verb, error, inWait));
      throw error;
    } finally {
      // What it has put back is in its state, also where it failed.
      if (of.startsWith("RunCheck") && !this.world.isKilled(who))
        for (const object of this.model.all("Deployment")) know(object, who, (_path, write) => write.by === who);
      if (this.fault !== undefined && (wait?.fired ?? 0) > 0) this.counts.add(this.fault.name);
      wait?.remove();
      this.verb = undefined;
      // Its answer comes when the verb may be over.
      if (this.fault?.isSlow === true && (this.armed?.fired ?? 0) > fired)
        for (const each of verb.requests) each.isLost = true;
      if (!this.world.isKilled(who)) this.say(promises.isOnce(verb, this.quirk.hidesRevisions === true));
    }
  }

  protected switchOn({ request }: Fault): ActiveFault | undefined {
    return request && this.world.emulator.faults.add(request);
  }

  /** What the stack's state says of an object from now on. */
  private learn(
    who: string,
    type: ResourceType,
    id: string,
    { name }: JsonObject,
    isKnown: Parameters<typeof know>[2],
  ): void {
    if (!isObjectType(type) || this.isLooking || this.world.isKilled(who)) return;
    const object = this.find(who, type, id, name);
    object?.knownTo.add(who);
    if (object !== undefined) know(object, who, isKnown);
  }

  /** It has looked: whether the object is gone, and which revisions it has. */
  private learnMore(who: string, type: ResourceType, id: string, { name }: JsonObject): void {
    if (this.isLooking || this.world.isKilled(who)) return;
    if (isObjectType(type)) this.find(who, type, id, name, false)?.goneTo.add(who);
    for (const revision of this.revisionsOf(id)) this.revisionsBy.get(revision.id)?.knownTo.add(who);
  }
}

/** The POST that makes an object of the types of a fault. */
const isPost = ({ types = [] }: Fault, method: string, path: string): boolean =>
  method === "POST" && types.some((type) => PLAYED[type].path === path);

/** The names of what is in a body; none of what is no object. */
function fieldsOf(body: string): string[] {
  const given: unknown = body === "" ? {} : JSON.parse(body);
  return typeof given === "object" && given !== null ? Object.keys(given).sort() : [];
}
