import { holds, type Declared, type Subject } from "../model/subjects";
import type { Play } from "./explore";
import { isOfAgent } from "./nouns";
import type { Way } from "./schedule";
import {
  BYSTANDER,
  byHand,
  crowd,
  HANDS,
  holdsItBefore,
  ourCommand,
  recordOf,
  theirBefore,
  theirWish,
  wishes,
  type Story,
} from "./stories";
import { STACKS, type Event, type Ran, type Stack, type StackName, type World } from "./world";

/** Plays a story in a world, and judges it. @param onWindow Called where something came between a look and what followed, and no condition could prevent it. */
export const playing = (world: World, story: Story, onWindow: () => void = () => undefined): Play => {
  return async (choose) => {
    const { subject, other, faults } = story;
    world.reset();
    await world.prepare(subject);
    await subject.make(world, BYSTANDER);
    if (other === "shifts the pages") for (const each of crowd(false)) await subject.make(world, each);
    const others = othersOf(world, subject);
    const [ours, theirs] = [world.stack("ours"), world.stack("theirs")];
    const [before, wish] = wishes(story);
    // What an agent keeps is taken over by its id.
    const adopted = () => (isOfAgent(subject.kind) ? ours.model(subject.kind).current.id : true);
    if (before !== undefined) confirm(await ours.command(() => ours.up(subject, before)));
    if (other !== undefined && holdsItBefore(other))
      confirm(await theirs.command(() => theirs.up(subject, theirBefore, adopted())));
    world.settle();
    if (other === "shifts the pages") for (const each of crowd(true)) await subject.make(world, each);
    const made = new Map<string, string>();
    const ran = new Map<StackName, Ran>();
    const theirsIs = theirWish(story);
    const adopt = other === "adopt" ? adopted() : undefined;
    const isStack = other !== undefined && !HANDS.some((each) => each === other);
    const actors: Record<string, () => Promise<void>> = {
      ours: async () => void ran.set("ours", await ourCommand(ours, story, wish)),
    };
    if (isStack) {
      actors["theirs"] = async () =>
        void ran.set(
          "theirs",
          await theirs.command(() =>
            theirsIs === undefined ? theirs.destroy(subject) : theirs.up(subject, theirsIs, adopt),
          ),
        );
    } else if (other !== undefined) actors["somebody"] = byHand(world, story, made);
    if (!(await world.play(actors, choose, faults))) return "given up";

    const judged = new Judge(world, story, ran, made, others, onWindow);
    judged.commands();
    world.settle();
    const wished: (readonly [Stack, Declared | undefined])[] = [[ours, wish]];
    if (isStack) wished.push([theirs, theirsIs]);
    for (const [stack, declared] of wished) await judged.last(stack, declared);
    judged.nothingLeft(wished.map(([stack]) => stack));
    await judged.destroys(wished.map(([stack]) => stack));
    return { problems: judged.problems, said: toldOf(world.events, ran) };
  };
};

function confirm({ isGreen, said }: Ran): void {
  if (!isGreen) throw new Error(`the story cannot begin: ${said}`);
}

/** Answers that do not show what is there. */
const isOld = (way: Way): boolean => way === "stale answer" || way === "late list";

/** A cron has no name, and no id before it is made: that the engine says which row it is has to do. */
const isNameless = (said: string): boolean => said.startsWith("Cron: create failed");

/** What is somebody else's from the beginning. */
const othersOf = ({ emulator }: World, subject: Subject): string =>
  JSON.stringify(subject.objects(emulator).filter(({ name }) => name === subject.nameOf(BYSTANDER)));

/** The promises. */
class Judge {
  readonly problems: string[] = [];
  /** Of the story: what comes later is the last commands. */
  private readonly events: readonly Event[];

  constructor(
    private readonly world: World,
    private readonly story: Story,
    private readonly ran: ReadonlyMap<StackName, Ran>,
    /** What somebody made by hand: the record of it then. */
    private readonly made: ReadonlyMap<string, string>,
    private readonly others: string,
    private readonly onWindow: () => void,
  ) {
    this.events = [...world.events];
  }

  private expect(isSo: boolean, what: string): void {
    if (!isSo) this.problems.push(what);
  }

  /** What the commands have said and done. */
  commands(): void {
    const { story, ran, world, made } = this;
    const { subject } = story;
    this.room("after the commands");
    if (story.other === "shifts the pages")
      this.expect(ran.get("ours")?.isGreen === true, "ours is red, since pages of a list have shifted");
    const isLost = this.events.some(({ way }) => way.startsWith("lost"));
    this.expect(
      !isLost || story.other !== undefined || ran.get("ours")?.isGreen === true,
      `a lost request or answer alone makes ours red`,
    );
    for (const [who, { isGreen, said }] of ran) {
      const declared = who === "ours" ? wishes(story)[1] : theirWish(story);
      if (isGreen) this.green(who, declared);
      else {
        const names = [...wishes(story), theirWish(story)].flatMap((each) => (each ? [subject.nameOf(each)] : []));
        this.expect(
          said === "killed" ||
            isNameless(said) ||
            names.some((name) => said.includes(name)) ||
            /[0-9a-f]{8}-[0-9a-f]{4}-/.test(said),
          `the error of ${who} names no object: ${said}`,
        );
      }
    }
    for (const [id, record] of made) this.byHand(id, record, recordOf(world, subject, id));
    this.unseen();
  }

  /** What somebody made is deleted or changed by nobody who has not seen it. */
  private byHand(id: string, before: string, now: string): void {
    if (now === before) return;
    const { events, ran } = this;
    // A new snapshot takes the tag of an older one, and its answer does not say whether there was one.
    const change = this.story.subject.kind === "SandboxSnapshot" ? "POST" : "PATCH";
    const what = now === "" ? "DELETE" : change;
    const from = events.findLastIndex(({ step }) => step.what === "act");
    const at = events.findIndex(
      ({ step, status = 500 }, index) => index > from && step.name.startsWith(what) && status < 300,
    );
    const by = events[at]?.step.who;
    const earlier = events.slice(0, at).filter(({ step }) => step.who === by);
    if (earlier.some(({ answer = "" }) => answer.includes(id))) return;
    // The platform takes names, and no condition: what comes between a read and the next request is not seen in time.
    const isInWindow = earlier.at(-1)?.step.isRead === true;
    this.expect(isInWindow, `${by ?? "nobody"} sent a ${what} for what somebody had made, and had not looked`);
    if (isInWindow) this.onWindow();
    const isTold = STACKS.every((who) => who !== by || ran.get(who)?.isGreen !== true);
    if (what === "PATCH") this.expect(isTold, `${by ?? "nobody"} changed what somebody had made, and is green`);
  }

  /** A change by hand that ours has written over, without having read it. */
  private unseen(): void {
    const { story, world, events } = this;
    const { subject, act, other } = story;
    if (other !== "changes another" || act === "delete" || act === "replace" || act === "create") return;
    if (act === "rename" && subject.kind !== "SandboxTemplate") return;
    const changed = events.findIndex(({ step }) => step.what === "act");
    const isRead = events.slice(changed).some(({ step }) => step.who === "ours" && step.isRead);
    const names = [0, 1].map((name) => subject.nameOf({ name, fixed: 0, values: {} }));
    const state = JSON.stringify(subject.objects(world.emulator).filter(({ name }) => names.includes(name)));
    this.expect(isRead || /by.hand/i.test(state), "ours wrote over a change by hand that it had not seen");
  }

  private green(who: StackName, declared: Declared | undefined): void {
    const { world, story, events } = this;
    const { subject } = story;
    const stack = world.stack(who);
    const at = (is: (event: Event) => boolean): number => events.findLastIndex(is);
    const foreign = at(
      ({ step, status = 0, way }) =>
        step.who !== who && (step.what === "act" || (!step.isRead && status < 300 && way !== "lost request")),
    );
    const own = ({ step }: Event): boolean => step.who === who && step.what === "request";
    // What an answer did not show, nobody can say.
    if (declared === undefined || events.some(({ way }) => isOld(way))) return;
    const object = stack.object(subject);
    if (foreign < at(own)) this.expect(object !== undefined, `${who} is green, and its object is not there`);
    if (object === undefined) return;
    const lastWrite = at((event) => own(event) && !event.step.isRead);
    if (foreign < lastWrite) {
      const [has, wants] = [object.state, subject.wanted(declared)];
      for (const [name, value] of Object.entries(wants)) {
        const isOurs = JSON.stringify(value) !== JSON.stringify(subject.wanted(theirBefore)[name]);
        this.expect(
          !isOurs || JSON.stringify(has[name]) === JSON.stringify(value),
          `${who} is green, and ${name} is ${JSON.stringify(has[name])}, not ${JSON.stringify(value)}`,
        );
      }
    }
    const lastRead = at((event) => own(event) && event.step.isRead);
    // A command that changes another field says nothing of the image: only a refresh sees that somebody has changed that.
    const [image, first] = [declared, theirBefore].map((each) => subject.wanted(each)["image"]);
    const isOfImage = image !== first || (who === "ours" && story.act !== "update" && story.act !== "delete");
    if (subject.kind === "Deployment" && isOfImage && foreign < lastRead && lastWrite >= 0) {
      const serves = world.serving(object.id)?.source_revision_config["image_uri"];
      this.expect(serves === image, `${who} is green, and ${String(serves)} serves, not ${JSON.stringify(image)}`);
    }
  }

  /** Alone in the room: reaches what it wishes, and stays there. */
  async last(stack: Stack, declared: Declared | undefined): Promise<void> {
    const { world, story } = this;
    const { subject } = story;
    const { who } = stack;
    let adopt: true | string | undefined;
    let ran: Ran = { isGreen: false, said: "" };
    for (let tries = 1; tries <= 4 && !ran.isGreen; tries++) {
      ran = await stack.command(async () => {
        await stack.refresh(subject);
        if (declared === undefined) await stack.destroy(subject);
        else await stack.up(subject, declared, adopt);
      });
      adopt = this.advised(ran.said, declared, adopt);
      world.settle();
    }
    if (!ran.isGreen) {
      this.problems.push(`${who}, alone in the room, does not reach its wish: ${ran.said}`);
      return;
    }
    if (declared === undefined) return;
    const object = stack.object(subject);
    this.expect(
      object !== undefined && holds(subject, object, declared),
      `${who}, alone in the room, is green, and there is ${JSON.stringify(object?.state)}, not ${JSON.stringify(subject.wanted(declared))}`,
    );
    const from = world.emulator.requests.length;
    const again = await stack.command(() => stack.up(subject, declared));
    const writes = world.emulator.requests.slice(from).filter(({ method }) => method !== "GET");
    this.expect(again.isGreen && writes.length === 0, `${who} does not stay at its wish: ${again.said}`);
    const drift = await stack.command(async () => {
      if (await stack.refresh(subject)) throw new Error("drift");
    });
    this.expect(drift.isGreen, `${who}, after its last up: ${drift.said}`);
    this.room(`after the last up of ${who}`);
  }

  /** Does what an error says: takes the object over, or deletes it by hand where that is not possible. */
  private advised(said: string, declared: Declared | undefined, adopt: true | string | undefined) {
    const { world, story } = this;
    const { subject } = story;
    const id = /adopt: (?:"([^"]*)"|true)/.exec(said);
    if (id !== null) return id[1] ?? true;
    if (declared === undefined || !/delete it on the platform|another \S+ has that name/.test(said)) return adopt;
    const inTheWay = subject.objects(world.emulator).findLast(({ name }) => name === subject.nameOf(declared));
    if (inTheWay !== undefined) subject.vanish(world.emulator, inTheWay.id);
    return undefined;
  }

  /** Whatever a command has made, a stack holds. */
  nothingLeft(stacks: readonly Stack[]): void {
    const { world, story, made } = this;
    const { subject } = story;
    const held = stacks.flatMap((stack) => stack.held(subject));
    const names = [...wishes(story), theirWish(story), theirBefore].flatMap((each) => each && subject.nameOf(each));
    const left = subject.objects(world.emulator).filter(({ id, name }) => names.includes(name) && !held.includes(id));
    // Somebody's is known by the platform's id, which an OAuth provider has not in its state: there, only one can have a name.
    if (subject.kind === "OAuthProvider" && made.size > 0) return;
    const lost = left.filter(({ id }) => !made.has(id));
    const shown = lost.map(({ id, name }) => `${name} (${id})`).join(", ");
    this.expect(lost.length === 0, `no stack holds ${shown}`);
  }

  /** What others made stays. */
  async destroys(stacks: readonly Stack[]): Promise<void> {
    const { world, story, made } = this;
    const { subject } = story;
    const held = stacks.flatMap((stack) => stack.held(subject));
    const kept = subject.objects(world.emulator).filter(({ id }) => !held.includes(id));
    for (const stack of stacks) {
      const { isGreen, said } = await stack.command(() => stack.destroy(subject));
      this.expect(isGreen || stacks.length > 1, `destroy of ${stack.who}: ${said}`);
    }
    const there = subject.objects(world.emulator).map(({ id }) => id);
    this.expect(
      kept.every(({ id }) => there.includes(id)),
      `a destroy deleted what others made (${made.size} by hand)`,
    );
    this.room("after destroy");
  }

  private room(when: string): void {
    const { world, story, others } = this;
    const { subject } = story;
    this.expect(othersOf(world, subject) === others, `${when}: an object of somebody else was touched`);
    const names = subject.objects(world.emulator).map(({ name, mark = name }) => mark);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    this.expect(twice === undefined, `${when}: ${twice ?? ""} is there twice`);
  }
}

/** The schedule, line by line, and how the commands ended. */
export function toldOf(events: readonly Event[], ran: ReadonlyMap<StackName, Ran>): string {
  const lines = events.map(({ step, way, status }) => {
    const what = way === "kill" ? "is killed" : `${step.name}${way === "pass" ? "" : ` (${way})`}`;
    return `  ${step.who.padEnd(8)}  ${what}${status === undefined ? "" : `: ${status}`}`;
  });
  const ends = [...ran].map(
    ([who, { isGreen, said }]) => `  ${who.padEnd(8)}  ends ${isGreen ? "green" : `red: ${said}`}`,
  );
  return [...lines, ...ends].join("\n");
}
