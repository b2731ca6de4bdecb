import { z } from "zod";
import { methodsOf, type ObjectType } from "../conformance/cases";
import { bodyOf, canRepeat, caseOf, changedPart, hasRevisions, isOfAgent, nameOf } from "./declarations";
import { partsNotHeld, type Declaration } from "./declarations";
import type { Play } from "./explore";
import { heldAs } from "./promises";
import type { Way } from "./schedule";
import { INTERRUPTED, type Ran, type Stack } from "./stack";
import { bystanderOf, byHand, crowdOf, holdsItBefore, isByHand, ourCommand, type Story } from "./stories";
import { exploring, toldOf } from "./suite";
import { World, type Event } from "./world";

/** Explores the stories on a platform of their own. Returns what broke, as a person reads it. */
export async function twoAtOnce(
  stories: readonly Story[],
  options: Parameters<typeof World.start>[0] = {},
): Promise<readonly string[]> {
  const world = await World.start(options);
  const told = stories.map((story) => ({ name: story.name, play: playing(world, story) }));
  return exploring(told).finally(() => world.close());
}

/** Plays a story, and judges it. */
export const playing = (world: World, story: Story): Play => {
  return async (choose) => {
    const { type, other, faults, first, before, theirs: theirsIs } = story;
    world.reset();
    await world.prepare(type);
    await world.make(bystanderOf(type));
    const crowd = async (isNewer: boolean) => {
      if (other === "shifts the pages") for (const each of crowdOf(type, isNewer)) await world.make(each);
    };
    await crowd(false);
    const bystanders = bystandersIn(world, type);
    const [ours, theirs] = [world.stack("ours"), world.stack("theirs")];
    // What an agent keeps is taken over by its id.
    const adopting = () => ({ adopt: isOfAgent(type) ? ours.of(first).current.id : true });
    if (before !== undefined) confirm(await ours.command(() => ours.up(before)));
    if (holdsItBefore(other)) confirm(await theirs.command(() => theirs.up(first, adopting())));
    world.settle();
    await crowd(true);
    const made = new Map<string, string>();
    const ran = new Map<string, Ran>();
    const over = other === "adopt" ? adopting() : {};
    const isStack = other !== undefined && !isByHand(other);
    const theirAct = () => (theirsIs === undefined ? theirs.destroy(first) : theirs.up(theirsIs, over));
    const actors = {
      ours: async () => void ran.set("ours", await ourCommand(ours, story)),
      ...(isStack && { theirs: async () => void ran.set("theirs", await theirs.command(theirAct)) }),
      ...(isByHand(other) && { somebody: byHand(other, { world, story, made }) }),
    };
    if (!(await world.play(actors, choose, faults))) return "given up";

    const judge = new Judge(world, story, ran, made, bystanders);
    const wished: (readonly [Stack, Declaration | undefined])[] = [[ours, story.last]];
    if (isStack) wished.push([theirs, theirsIs]);
    return { problems: await judge.all(wished), said: toldOf(judge.events, ran) };
  };
};

function confirm({ isGreen, said }: Ran): void {
  if (!isGreen) throw new Error(`the story cannot begin: ${said}`);
}

/** Answers that do not show what is there. */
const isOld = (way: Way): boolean => way === "stale answer" || way === "late list";

/** What an agent keeps has no id before it is made, and a cron no name: that the engine says which row it is has to do. */
export const isNameless = (type: ObjectType, said: string): boolean => isOfAgent(type) && said.startsWith(`${type}: `);

/** What is somebody else's from the beginning. */
const bystandersIn = (world: World, type: ObjectType): string =>
  JSON.stringify(world.objects(type).filter(({ name }) => name === nameOf(bystanderOf(type))));

const wasCarriedOut = ({ step, way, status = 500 }: Event): boolean =>
  step.what === "act" || (!step.isRead && status < 300 && way !== "lost request");

/** The parts of a body that a request or a hand has written. */
const partsIn = ({ sent = "" }: Event): object => Written.parse(sent === "" ? {} : JSON.parse(sent));
const Written = z.record(z.string(), z.unknown());

/** The promises. */
class Judge {
  /** Of the story: what comes later is the last commands. */
  readonly events: readonly Event[];
  private readonly problems: string[] = [];
  /** What the last commands have said. */
  private readonly messages: string[] = [];

  constructor(
    private readonly world: World,
    private readonly story: Story,
    private readonly ran: ReadonlyMap<string, Ran>,
    /** What somebody made by hand: its body then. */
    private readonly made: ReadonlyMap<string, string>,
    private readonly bystanders: string,
  ) {
    this.events = [...world.events];
  }

  async all(wished: readonly (readonly [Stack, Declaration | undefined])[]): Promise<readonly string[]> {
    const stacks = wished.map(([stack]) => stack);
    this.commands();
    this.world.settle();
    for (const [stack, declared] of wished) await this.last(stack, declared);
    this.nothingLeft(stacks);
    await this.destroys(stacks);
    return this.problems;
  }

  private expect(isSo: boolean, what: string): void {
    if (!isSo) this.problems.push(what);
  }

  private get declared(): Declaration[] {
    const { first, wish, theirs, last } = this.story;
    return [first, wish, theirs, last].flatMap((each) => each ?? []);
  }

  /** What the commands have said and done. */
  private commands(): void {
    const { story, ran, events } = this;
    this.room("after the commands");
    const { isGreen = false, said = "" } = ran.get("ours") ?? {};
    const hasShifted = story.other === "shifts the pages";
    this.expect(!hasShifted || isGreen, "ours is red, since pages of a list have shifted");
    const isLostAlone = story.other === undefined && events.some(({ way }) => way.startsWith("lost"));
    this.expect(!isLostAlone || isGreen, `a lost request or answer alone makes ours red: ${said}`);
    for (const [who, each] of ran)
      if (each.isGreen) this.green(who, who === "ours" ? story.wish : story.theirs);
      else this.namesIt(who, each);
    for (const [uuid, body] of this.made) this.byHand(uuid, body);
    this.unseen();
  }

  private namesIt(who: string, { said }: Ran): void {
    const isNamed = /[0-9a-f]{8}-[0-9a-f]{4}-/.test(said) || this.declared.some((each) => said.includes(nameOf(each)));
    const isTold = said === "killed" || isNameless(this.story.type, said) || isNamed;
    this.expect(isTold, `the error of ${who} names no object: ${said}`);
  }

  /** What somebody made is deleted or changed by nobody who has not seen it. */
  private byHand(uuid: string, before: string): void {
    const { events, ran, story, world } = this;
    const object = world.objects(story.type).find((each) => each.uuid === uuid);
    if (object !== undefined && JSON.stringify(object.body) === before) return;
    // A new snapshot takes the tag of an older one, and its answer does not say whether there was one.
    const change = canRepeat(story.type) && !isOfAgent(story.type) ? "POST" : methodsOf(story.type)[1];
    const what = object === undefined ? "DELETE" : change;
    const from = events.findLastIndex(({ step }) => step.what === "act");
    const isIt = ({ step, status = 500 }: Event): boolean => step.name.startsWith(what) && status < 300;
    const at = events.findIndex((event, index) => index > from && isIt(event));
    const by = events[at]?.step.who;
    const earlier = events.slice(0, at).filter(({ step }) => step.who === by);
    if (earlier.some(({ answer = "" }) => answer.includes(uuid))) return;
    // The platform takes names, and no condition: what comes between a read and the next request is not seen in time.
    const isInWindow = earlier.at(-1)?.step.isRead === true;
    this.expect(isInWindow, `${by ?? "nobody"} sent a ${what} for what somebody had made, and had not looked`);
    const isTold = by === undefined || ran.get(by)?.isGreen !== true;
    if (what === methodsOf(story.type)[1])
      this.expect(isTold, `${by ?? "nobody"} changed what somebody had made, and is green`);
  }

  /** A change by hand of what ours does not change, which it has written over in place without having read it. */
  private unseen(): void {
    const { story, world, events } = this;
    const isReplaced = events.some(({ step }) => step.who === "ours" && step.name.startsWith("DELETE"));
    if (story.hands === undefined || isReplaced || story.other === "changes the same") return;
    const part = changedPart(story.first, story.hands);
    const changed = events.findIndex(({ step }) => step.what === "act");
    const isRead = events.slice(changed).some(({ step }) => step.who === "ours" && step.isRead);
    const isKept = world.objects(story.type).some(({ body }) => partsNotHeld(part, body).length === 0);
    this.expect(isRead || isKept, "ours wrote over a change by hand that it had not seen");
  }

  /** Each part holds what is declared, but where somebody has written exactly this one and the stack has neither seen nor sent it since. */
  private green(who: string, declared: Declaration | undefined): void {
    const { world, events } = this;
    const object = declared && world.stack(who).object(declared);
    // What an answer did not show, nobody can say.
    if (declared === undefined || world.isShared || events.some(({ way }) => isOld(way))) return;
    const isOwn = ({ step }: Event): boolean => step.who === who && step.what === "request";
    const foreign = events.findLastIndex((event) => event.step.who !== who && wasCarriedOut(event));
    if (foreign < events.findLastIndex(isOwn))
      this.expect(object !== undefined, `${who} is green, and its object is not there`);
    if (object === undefined) return;
    const body = bodyOf(declared);
    // What serves is of the revision that serves.
    const served = hasRevisions(declared.type) ? world.serves(object.id) : {};
    const wrong = partsNotHeld(body, object.body).filter((part) => !this.mayDiffer(who, part, false));
    const unserved = partsNotHeld(body, { ...body, ...served }).filter((part) => !this.mayDiffer(who, part, true));
    const parts = [...wrong, ...unserved].join(", ");
    const shown = JSON.stringify([object.body, served]);
    this.expect(parts === "", `${who} is green, and not as declared are ${parts}: ${shown}`);
  }

  /** @param isServed A Rollout looks at what serves until it ends. */
  private mayDiffer(who: string, part: string, isServed: boolean): boolean {
    const { events, story } = this;
    // What is made has all its parts, and a new snapshot takes the tag of an older one.
    const makes = ({ step }: Event): boolean => /^(POST|makes) /.test(step.name);
    const wrote = (event: Event): boolean => wasCarriedOut(event) && (makes(event) || part in partsIn(event));
    const lastOf = (is: (event: Event) => boolean): number => events.findLastIndex(is);
    const isLook = ["create", "refresh", "adopt"].includes((who === "ours" ? story.act : story.other) ?? "");
    const sent = lastOf((event) => event.step.who === who && wrote(event));
    const first = isLook ? events.findIndex(({ step }) => step.who === who) : -1;
    const isOfIt = isServed && (isLook || sent >= 0);
    const seen = isOfIt ? lastOf(({ step }) => step.who === who && step.what === "request" && step.isRead) : first;
    const foreign = lastOf((event) => event.step.who !== who && wrote(event));
    // A build goes on while somebody else waits for it.
    const built = foreign >= 0 && isServed ? lastOf(({ step }) => step.who !== who && step.what === "tick") : foreign;
    return Math.max(foreign, built) > Math.max(seen, sent);
  }

  /** Alone in the room: reaches what it wishes, and stays there. */
  private async last(stack: Stack, declared: Declaration | undefined): Promise<void> {
    const { world } = this;
    const { first } = this.story;
    const alone = `${stack.who}, alone in the room,`;
    let adopt: true | string | undefined;
    let isReached = false;
    for (let tries = 1; tries <= 4 && !isReached; tries++) {
      const { isGreen, said, warnings, lines } = await stack.command(async () => {
        await stack.refresh(first);
        if (declared === undefined) await stack.destroy(first);
        else await stack.up(declared, adopt === undefined ? {} : { adopt });
      });
      isReached = isGreen;
      this.messages.push(said, ...warnings, ...lines);
      if (tries === 4) this.expect(isGreen, `${alone} does not reach its wish: ${said}`);
      adopt = this.advised(said, declared, adopt);
      world.settle();
    }
    if (!isReached || declared === undefined) return;
    const wrong = heldAs(stack, declared);
    this.expect(wrong === undefined, `${alone} is green, and ${wrong ?? ""}`);
    const from = world.emulator.requests.length;
    const again = await stack.command(() => stack.up(declared));
    const writes = world.emulator.requests.slice(from).filter(({ method }) => method !== "GET");
    this.expect(again.isGreen && writes.length === 0, `${stack.who} does not stay at its wish: ${again.said}`);
    const drift = await stack.command(async () => {
      if (await stack.refresh(declared)) throw new Error("drift");
    });
    this.expect(drift.isGreen, `${stack.who}, after its last up: ${drift.said}`);
    this.room(`after the last up of ${stack.who}`);
  }

  /** Does what an error says: takes the object over, or deletes it by hand where that is not possible. */
  private advised(said: string, declared: Declaration | undefined, adopt: true | string | undefined) {
    const { world, story } = this;
    const id = /adopt: (?:"([^"]*)"|true)/.exec(said);
    if (id !== null) return id[1] ?? true;
    if (declared === undefined || !/delete it on the platform|another \S+ has that name/.test(said)) return adopt;
    const inTheWay = world.objects(story.type).findLast(({ name }) => name === nameOf(declared));
    if (inTheWay !== undefined) caseOf(story).remove(world.place, inTheWay.id);
    return undefined;
  }

  /** Whatever a command has made, a stack holds. */
  private nothingLeft(stacks: readonly Stack[]): void {
    const { world, story, made, messages } = this;
    const held = stacks.flatMap((stack) => stack.held(story.type));
    const names = this.declared.map(nameOf);
    const left = world
      .objects(story.type)
      .filter(({ id, uuid, name }) => names.includes(name) && !held.includes(id) && !made.has(uuid));
    // After a kill the program may have nothing more to do with it, or another stack may be in the way: then the engine names the row.
    const isAlone = story.next === undefined && story.other === undefined;
    const interrupted = isAlone ? 0 : messages.filter((each) => each.startsWith(INTERRUPTED)).length;
    // Of two that were made at once either may find the other's.
    const shared = world.isShared ? held.length - new Set(held).size : 0;
    const shown = left.map(({ id, name }) => `${name} (${id})`).join(", ");
    this.expect(left.length <= interrupted + shared, `no stack holds, and no message names ${shown}`);
  }

  /** What others made stays. */
  private async destroys(stacks: readonly Stack[]): Promise<void> {
    const { world, story, made } = this;
    const held = stacks.flatMap((stack) => stack.held(story.type));
    const kept = world.objects(story.type).filter(({ id }) => !held.includes(id));
    for (const stack of stacks) {
      const { isGreen, said } = await stack.command(() => stack.destroy(story.first));
      this.expect(isGreen || stacks.length > 1, `destroy of ${stack.who}: ${said}`);
    }
    const there = world.objects(story.type).map(({ uuid }) => uuid);
    const isKept = kept.every(({ uuid }) => there.includes(uuid));
    this.expect(isKept, `a destroy deleted what others made (${made.size} by hand)`);
    this.room("after destroy");
  }

  private room(when: string): void {
    const { world, story, bystanders } = this;
    const { type } = story;
    this.expect(bystandersIn(world, type) === bystanders, `${when}: an object of somebody else was touched`);
    const names = canRepeat(type) ? [] : world.objects(type).map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    this.expect(twice === undefined, `${when}: ${twice ?? ""} is there twice`);
  }
}
