import { revisions } from "../../emulator";
import { messageOf } from "../../provider/base/errors";
import type { JsonObject } from "../../provider/base/json";
import { canRepeat, caseOf, isOfAgent, nameOf } from "./declarations";
import { replay, type Play } from "./explore";
import { isNameless } from "./judge";
import { heldAs } from "./promises";
import type { Choice } from "./schedule";
import { isForEver, LISTS_LACK, SPOILED, spoilingOf, UNTRUE_404 } from "./spoiled";
import { gotId, type SpoiledStory } from "./spoiled-stories";
import type { Ran, Stack } from "./stack";
import { bystanderOf } from "./stories";
import { toldOf } from "./suite";
import type { Event, World } from "./world";

const DROPS = "nothing but the platform's own 404 drops an object";
const DELETES = "no delete succeeds while the object is there, unless a warning names it";
const DOUBLES = "no command makes two objects, or two revisions";
const TELLS = "a failure names the object, and what to do; no secret";
const MENDS = "the same command repeated brings everything right";
const WAITS = "a failure that passes does not end a wait";
const ENDS = "nothing goes on for ever";
const IS_TRUE = "a reported success is real";

const TYPED = ["UnfinishedError", "AgentPlatformError", "HttpError", "TransportError", "AnswerError"];
const SECRETS = /key-of-|client-secret|deployment-secret|registry-password/;
const ADVICE =
  /\b(run|see|set|look|check|correct|declare|adopt|delete it|again|raise|point|remove|unset|wait|base URL)\b/i;

/** Plays a command of which one answer is spoiled, or all from one on, and judges it. @param oneOf Of so many ways to spoil one, one is played. */
export const spoiling = (world: World, story: SpoiledStory, oneOf: number): Play => {
  return async (choose) => {
    const stack = world.stack("ours");
    world.reset();
    await world.prepare(story.declared.type);
    for (const n of [10, 11]) await world.make({ ...bystanderOf(story.declared.type), name: n });
    await story.prepare(stack, world);
    world.settle(60_000);
    const trial = new Trial(world, stack, story);
    let met = 0;
    const some = (possible: readonly Choice[]): readonly Choice[] =>
      possible.filter(({ way }) => way === "pass" || (met += 1) % oneOf === 0);
    const ran = new Map<string, Ran>();
    const act = async () => void ran.set("ours", await stack.command(() => story.act(stack, world)));
    if (!(await world.play({ ours: act }, (possible) => choose(some(possible)), SPOILED))) return "given up";
    const { events } = world;
    // A spoiling that does not apply to an answer leaves the command as it is.
    const isStruck = events.some(({ isSpoiled }) => isSpoiled) || events.every(({ way }) => way === "pass");
    return isStruck ? { said: toldOf(events, ran), problems: await trial.problems(ran.get("ours")) } : "given up";
  };
};

/** Whether the command succeeds without a fault: under some contract a platform lacks what it needs. */
export async function isOffered(world: World, story: SpoiledStory): Promise<boolean> {
  const ended = await replay(spoiling(world, story, Infinity), []).catch(() => undefined);
  return ended !== undefined && ended !== "given up" && ended.said.endsWith("ends green");
}

/** The promises. */
class Trial {
  private readonly revisionsBefore: readonly string[];
  private readonly idBefore: string | undefined;
  private readonly names: readonly string[];
  private events: readonly Event[] = [];

  constructor(
    private readonly world: World,
    private readonly stack: Stack,
    private readonly story: SpoiledStory,
  ) {
    const { declared } = story;
    this.revisionsBefore = this.revisions();
    this.idBefore = this.model.state?.id;
    const names = [nameOf(declared), nameOf({ ...declared, name: 1 })];
    const ours = world.objects(declared.type).filter(({ name }) => names.includes(name));
    this.names = [...names, ...ours.flatMap(({ id, uuid }) => [id, uuid])];
    world.spoiler.begin(this.names);
  }

  private get model() {
    return this.story.isRollout === true ? this.stack.model("Rollout") : this.stack.of(this.story.declared);
  }

  private revisions(): readonly string[] {
    const all = this.world.emulator.outOfBand(revisions).list();
    return all.map(({ id }) => id);
  }

  async problems(ran: Ran | undefined): Promise<readonly string[]> {
    const { world, story } = this;
    this.events = [...world.events];
    world.spoiler.begin([]);
    if (world.isEndless || ran === undefined) return [`${ENDS}: it went on until it was cut off`];
    const judged: [promise: string, how: string | undefined][] = [
      [DROPS, this.dropped(ran)],
      [DELETES, this.leftBehind(ran)],
      [DOUBLES, this.doubled()],
      ran.isGreen ? [IS_TRUE, this.untrue()] : [TELLS, this.untold(ran)],
      [WAITS, this.cutShort(ran)],
    ];
    const isDropped =
      (story.verb === "read" && !this.model.hasState) || judged.slice(0, 2).some(([, how]) => how !== undefined);
    if (!isDropped)
      judged.push([MENDS, await this.mend(ran).catch((reason: unknown) => `it failed: ${messageOf(reason)}`)]);
    return judged.flatMap(([promise, how]) => (how === undefined ? [] : [`${promise}: ${how}`]));
  }

  private dropped({ isGreen, said, got }: Ran): string | undefined {
    const { story } = this;
    const isGone =
      (story.verb === "read" && !this.model.hasState) ||
      (story.verb === "get" && isGreen && gotId(got) === "") ||
      (["get", "adopt"].includes(story.verb) && said.includes("does not exist"));
    if (!isGone || this.mayBelieveIt()) return undefined;
    return said === "" ? "it is read as gone" : `it is said not to exist: ${said}`;
  }

  /** A lie that cannot be seen through. Every other lie must be seen through, or end in an error. */
  private mayBelieveIt(): boolean {
    const { story, events, world } = this;
    const way = events.find((event) => event.way !== "pass")?.way ?? "pass";
    const name = spoilingOf(way)?.name ?? "";
    const spoiled = events.filter(({ isSpoiled }) => isSpoiled);
    const isOfOne = ({ step }: Event): boolean => step.isRead && step.object !== "" && !/[?]|search$/.test(step.name);
    // GET of one object by its id is documented, so the platform's own 404 of it means gone: there is nothing else to ask.
    const isOfDeployment = spoiled.some(({ step }) => step.collection === "/v2/deployments");
    if (name === UNTRUE_404) return spoiled.some(isOfOne) && (isOfAgent(story.declared.type) || isOfDeployment);
    // Two complete lists without the object, where a list is all there is: no name is known to look up, or it cannot be looked up.
    const isListAll = world.isDocumented || story.verb === "get" || story.name.endsWith("by id");
    return LISTS_LACK.includes(name) && isForEver(way) && spoiled.length >= 2 && isListAll;
  }

  /** A delete, or the first half of a replacement, that leaves the object on the platform. */
  private leftBehind({ isGreen, warnings }: Ran): string | undefined {
    const { story, world, events, idBefore } = this;
    if (story.verb !== "delete" || !isGreen || this.model.hasState) return undefined;
    if (!world.objects(story.declared.type).some(({ id }) => id === idBefore)) return undefined;
    const warning = warnings.find((each) => this.names.some((name) => each.includes(name)));
    if (warning === undefined) return this.mayBelieveIt() ? undefined : "it is there, and nothing warns of it";
    // A platform that does not offer the endpoint: it stays, as the warning says.
    const means = spoilingOf(events.find(({ way }) => way !== "pass")?.way ?? "pass")?.means;
    const isRefused = ({ step, status = 0 }: Event): boolean =>
      step.name.startsWith("DELETE") && [404, 405].includes(status);
    const isExpected = means === undefined || means === "not offered" || means === "lie";
    return isExpected || events.some(isRefused) ? undefined : `it is left behind: ${warning}`;
  }

  private doubled(): string | undefined {
    const isPost = ({ step, status }: Event): boolean =>
      /^POST /.test(step.name) && !step.isRead && status !== undefined;
    const posts = this.events.filter(isPost);
    const first = posts.findIndex(({ status = 500 }) => status < 300);
    if (first >= 0 && first < posts.length - 1) return "another POST after one that had made it";
    const made = this.revisions().filter((id) => !this.revisionsBefore.includes(id));
    return made.length > 1 ? `${made.length} revisions were made` : undefined;
  }

  private untold({ error, said }: Ran): string | undefined {
    const { names, idBefore = names[0] ?? "" } = this;
    if (!(error instanceof Error) || !TYPED.includes(error.name)) return `an error of another kind: ${said}`;
    if (SECRETS.test(said)) return `a secret in: ${said}`;
    const isNamed = [...names, idBefore].some((name) => said.includes(name));
    if (!isNamed && !isNameless(this.story.declared.type, said)) return `it does not name the object: ${said}`;
    // There is nothing to do but to take another platform.
    const isUseless = said.includes("this platform does not support such objects");
    return isUseless || ADVICE.test(said) ? undefined : `it does not say what to do: ${said}`;
  }

  /** Checks the claim of a success. */
  private untrue(): string | undefined {
    const { stack, story } = this;
    return ["read", "get", "delete"].includes(story.verb) ? undefined : heldAs(stack, story.declared);
  }

  /** A wait for a revision, or for the end of a deletion. */
  private cutShort({ isGreen, said }: Ran): string | undefined {
    const { story, events } = this;
    const struck = events.find(({ isSpoiled }) => isSpoiled);
    if (story.isWait !== true || isGreen || struck === undefined || isForEver(struck.way)) return undefined;
    const { name, means } = spoilingOf(struck.way) ?? {};
    const isFresh = struck.step.name.includes("/revisions/") && name === UNTRUE_404;
    if (!struck.step.isRead || !(means === "passes" || isFresh)) return undefined;
    return `the wait ends: ${said}`;
  }

  /** Repeats the command without faults, as its error advised; says what is still wrong, if anything. */
  private async mend({ isGreen, said, warnings }: Ran): Promise<string | undefined> {
    const { world, stack, story } = this;
    // Another process, later than any Retry-After.
    world.settle(70_000);
    if (story.verb === "read" || story.verb === "get") return this.readAgain();
    if (story.verb === "delete") return this.deleteAgain(said);
    if (!isGreen && said.includes("pulumi refresh") && this.model.hasState)
      await commanded(stack, () => this.model.refresh());
    const unsaid = isGreen ? undefined : await this.repeat(said, warnings);
    if (unsaid !== undefined) return unsaid;
    // What was replaced, and could not be deleted, is named.
    const held = stack.held(story.declared.type);
    const isLeft = (id: string): boolean =>
      !held.includes(id) && (this.mayBelieveIt() || warnings.some((each) => each.includes(id)));
    const objects = world.objects(story.declared.type);
    const all = objects.filter(({ id, name }) => name === nameOf(story.declared) && !isLeft(id));
    if (all.length !== 1) return `there are ${all.length} of them`;
    if (all[0]?.id !== stack.of(story.declared).state?.id) return "another object is in state";
    return this.untrue();
  }

  private async repeat(advice: string, warnings: readonly string[]): Promise<string | undefined> {
    const { world, stack, story } = this;
    const { type } = story.declared;
    const name = nameOf(story.declared);
    const isInTheWay = !this.model.hasState && (!canRepeat(type) || advice.includes('adopt: "'));
    const unknown = isInTheWay && world.objects(type).find((object) => object.name === name);
    const again = (over?: JsonObject) => story.act(stack, world, over);
    // Who adopted does so again.
    if (!unknown || story.isRollout === true || story.verb === "adopt") return saidBy(stack, again);
    // The first half of a replacement could not delete it.
    const isTold = advice.includes("adopt") || warnings.some((each) => each.includes(name)) || this.mayBelieveIt();
    if (!isTold) return `it is there, but the error does not mention it: ${advice}`;
    const said = advice.includes("adopt") ? advice : (await stack.command(again)).said;
    const adopt = said.includes('adopt: "') ? unknown.id : true;
    const { isGreen, said: refused } = await stack.command(() => again({ adopt }));
    if (isGreen) return undefined;
    // The other way out that the error names.
    if (!refused.includes("cannot be adopted")) return refused;
    caseOf(story.declared).remove(world.place, unknown.id);
    return saidBy(stack, again);
  }

  private async readAgain(): Promise<string | undefined> {
    const { world, stack, story } = this;
    const got = await commanded(stack, () => story.act(stack, world));
    if (story.verb === "get") return gotId(got) === "" ? "it is still read as gone" : undefined;
    if (!this.model.hasState) return "it is still read as gone";
    return (await commanded(stack, () => this.model.refresh())) ? "a refresh shows drift" : undefined;
  }

  private async deleteAgain(advice: string): Promise<string | undefined> {
    const { world, stack, story, model } = this;
    const id = model.state?.id;
    if (id === undefined) return undefined;
    if (advice.includes("pulumi refresh")) await commanded(stack, () => model.refresh());
    const { isGreen, said, warnings } = await stack.command(() => model.destroy());
    if (!isGreen) return said;
    const isThere = world.objects(story.declared.type).some((object) => object.id === id);
    return isThere && warnings.length === 0 ? "it is still there" : undefined;
  }
}

/** What a command says that should succeed; undefined where it does. */
async function saidBy(stack: Stack, act: () => Promise<unknown>): Promise<string | undefined> {
  const { isGreen, said } = await stack.command(act);
  return isGreen ? undefined : said;
}

/** A command that must succeed. */
async function commanded<T>(stack: Stack, act: () => Promise<T>): Promise<T | undefined> {
  const { isGreen, said, got } = await stack.command(act);
  if (!isGreen) throw new Error(said);
  return got;
}
