import { z } from "zod";
import type { ObjectType } from "../conformance/cases";
import { canBeReplaced, canRepeat, caseOf, changedPart, hasRevisions, isOfAgent, nameOf } from "./declarations";
import { shownFields, TYPES, type Declaration } from "./declarations";
import type { Way } from "./schedule";
import type { Ran, Stack } from "./stack";
import { PAGE_SIZE, type World } from "./world";

/** What our stack does with its object. */
const ACTS = ["create", "update", "replace", "rename", "delete", "refresh"] as const;
export type Act = (typeof ACTS)[number];
/** What the other stack does, which declares the same name. */
const THEIR_ACTS = ["create", "adopt", "update the same", "update another", "replace", "delete"] as const;
type Hand = keyof typeof HANDS;
export type Other = (typeof THEIR_ACTS)[number] | Hand;

interface Plot {
  readonly name: string;
  readonly type: ObjectType;
  readonly act: Act;
  readonly other?: Other;
  readonly faults: readonly Way[];
  /** After a kill, the next program is another one, or declares nothing. @default the same one */
  readonly next?: "another" | "nothing";
}

/** Two at once, and one fault; a late list may follow a lost answer. With what is declared, or undefined where it is nothing. */
export interface Story extends Plot {
  /** By either stack at first. */
  readonly first: Declaration;
  /** By ours before its command, with it, and after a kill. */
  readonly before: Declaration | undefined;
  readonly wish: Declaration | undefined;
  readonly last: Declaration | undefined;
  /** By the other stack with its command. */
  readonly theirs: Declaration | undefined;
  /** What somebody makes of the object by hand: the same field as ours is another, or another one. */
  readonly hands: Declaration | undefined;
}

/** What no program declares. */
const BY_HAND = 77;

function storyOf(plot: Plot): Story {
  const { type, act, other, next } = plot;
  const first = firstOf(type);
  const [one, another] = fieldsOf(type);
  const changed = (field: string | undefined, n: number, from = first): Declaration =>
    field === undefined ? from : { ...from, fields: { ...from.fields, [field]: n } };
  const otherName = otherNameOf(type);
  const [updated, replaced] = [changed(one, 1), { ...first, fixed: 1 }];
  const ours = {
    create: first,
    update: updated,
    replace: replaced,
    rename: otherName,
    delete: undefined,
    refresh: first,
  };
  const later = { another: changed(one, 3, { ...first, fixed: one === undefined ? 2 : 0 }), nothing: undefined };
  const theirs: Partial<Record<Other, Declaration>> = {
    create: act === "rename" ? otherName : first,
    adopt: first,
    "update the same": changed(one, 5),
    "update another": changed(another, 5),
    replace: { ...first, fixed: 5 },
  };
  const hands: Partial<Record<Other, Declaration>> = {
    "changes the same": changed(one, BY_HAND),
    "changes another": another === undefined ? { ...first, fixed: BY_HAND } : changed(another, BY_HAND),
  };
  return {
    ...plot,
    first,
    before: act === "create" ? undefined : first,
    wish: ours[act],
    last: next === undefined ? ours[act] : later[next],
    theirs: other && theirs[other],
    hands: other && hands[other],
  };
}

/** What befalls a command beside another stack's. */
const BESIDE: readonly Way[] = ["lost answer", "stale answer", "late list"];
const FAULTS: readonly Way[] = [
  "lost request",
  "lost answer",
  "late commit",
  "kill",
  "key refused",
  ...BESIDE.slice(1),
];

export const isByHand = (other: Other | undefined): other is Hand => other !== undefined && other in HANDS;

const isPossible = (type: ObjectType, act: Act): boolean =>
  act === "update" ? shownFields(type).length > 0 : act !== "replace" || canBeReplaced(type);

/** Each of ours against each of theirs; and each of ours alone, whose requests or answers get lost, or which is killed. */
export function allStories(): readonly Story[] {
  return TYPES.flatMap((type) => ACTS.filter((act) => isPossible(type, act)).flatMap((act) => storiesOf(type, act)));
}

function storiesOf(type: ObjectType, act: Act): readonly Story[] {
  const found: Plot[] = [{ type, act, name: `${type}: ${act}, a fault`, faults: FAULTS }];
  for (const next of ["another", "nothing"] as const)
    found.push({ type, act, next, name: `${type}: ${act}, a kill, then ${next}`, faults: ["kill"] });
  for (const other of OTHERS.filter((each) => makesSense(type, act, each))) {
    const name = `${type}: ${act}, ${other}`;
    found.push({ name, type, act, other, faults: [] });
    // By hand it is one step, so that there is room for a fault of ours at any moment.
    if (isByHand(other))
      found.push({ name: `${name}, a stale answer`, type, act, other, faults: ["stale answer", "late list"] });
    // Two deployments have so many orders that there is room for this only where both create.
    const isSmall = !hasRevisions(type) || other === "create";
    const isOfBoth = (act === "create" || act === "update") && ["create", "adopt", "update the same"].includes(other);
    if (isSmall && isOfBoth) found.push({ name: `${name}, a fault`, type, act, other, faults: BESIDE });
  }
  return found.map(storyOf);
}

/** Two backends with one project and stack name, which make what has no name of its own. */
export const storiesOfTwoBackends = (): readonly Story[] =>
  TYPES.filter(canRepeat).flatMap((type) => {
    const acts = (["create", "replace", "rename"] as const).filter((act) => isPossible(type, act));
    return acts.flatMap((act) => {
      const plot = { type, act, other: "create", name: `${type}: ${act}, create` } as const;
      const faulty = { ...plot, name: `${plot.name}, a fault`, faults: [...BESIDE, "kill"] as const };
      return [storyOf({ ...plot, faults: [] }), storyOf(faulty)];
    });
  });

function makesSense(type: ObjectType, act: Act, other: Other): boolean {
  const fields = shownFields(type);
  // Only a refresh reads whole lists; what an agent keeps it reads by its id.
  if (other === "shifts the pages") return act === "refresh" && !isOfAgent(type);
  if (other === "replace" && !canBeReplaced(type)) return false;
  if (other === "pushes" || other === "rolls back") return hasRevisions(type) && act !== "create";
  if (other === "takes the name") return act === "create" || act === "rename";
  // What an agent keeps is adopted by its id, which nobody knows before it is there.
  if (act === "create") return other === "create" || (other === "adopt" && !isOfAgent(type));
  if (other === "create") return act === "rename" || act === "replace" || act === "delete";
  // Who changes its image by hand makes a revision: that is a push.
  if (other === "changes the same" && hasRevisions(type)) return false;
  // What has only one field that can be changed in place has no other one.
  if (other.endsWith("another")) return fields.length > 1 || (other === "changes another" && fields.length === 0);
  return fields.length > 0 || !other.endsWith("the same");
}

/** Those with two deployments of their own at the end, each with a wait for a delete and one for a build: only the former is about both. */
export const endsInTwo = ({ type, act, other }: Story): boolean =>
  hasRevisions(type) && act === "rename" && (other === "adopt" || other === "replace");

export const holdsItBefore = (other: Other | undefined): boolean =>
  ["update the same", "update another", "replace", "delete"].includes(other ?? "");

/** The fields that a story changes, the second one only by others. */
const fieldsOf = (type: ObjectType): readonly string[] => shownFields(type).slice(0, 2);

/** What either stack declares at first. */
export const firstOf = (type: ObjectType): Declaration => ({
  type,
  name: 1,
  fixed: 0,
  fields: Object.fromEntries(fieldsOf(type).map((field) => [field, 0])),
});
/** Its name has the first one in it, so that a search finds more than was looked for. */
const otherNameOf = (type: ObjectType): Declaration => ({ ...firstOf(type), name: 12 });

/** Somebody's, from the beginning, and not in the way. */
export const bystanderOf = (type: ObjectType): Declaration => ({ ...firstOf(type), name: 10, fixed: 1 });
/** Somebody's: so many older ones, and newer ones, that ours is the first of the second page, whichever way the list is sorted. */
export const crowdOf = (type: ObjectType, isNewer: boolean): readonly Declaration[] =>
  Array.from({ length: isNewer ? PAGE_SIZE : PAGE_SIZE - 1 }, (_, index) => ({
    ...bystanderOf(type),
    name: (isNewer ? 300 : 200) + index,
  }));

export const ourCommand = (stack: Stack, { act, first, wish }: Story): Promise<Ran> =>
  stack.command(async () => {
    if (act === "refresh") await stack.refresh(first);
    if (wish === undefined) await stack.destroy(first);
    else await stack.up(wish);
  });

const Listed = z.object({ resources: z.array(z.looseObject({ id: z.string() })) });
const IMAGE = { source_revision_config: { image_uri: "registry.example/agent:pushed" } };

/** What somebody acts on. */
interface At {
  readonly world: World;
  readonly story: Story;
  /** What they make is put into it: its body, by the platform's own id. */
  readonly made: Map<string, string>;
}

const step = ({ world, story }: At, name: string, does: () => unknown, wrote?: object): Promise<void> =>
  world.byHand(name, story.type, does, wrote);

const namesOf = ({ type }: Story): string[] => [firstOf(type), otherNameOf(type)].map(nameOf);
const oursOf = ({ world, story }: At) => world.objects(story.type).find(({ name }) => namesOf(story).includes(name));

function remove({ world, story }: At, id: string | undefined): void {
  if (id !== undefined) caseOf(story).remove(world.place, id);
}

async function make({ world, made }: At, declaration: Declaration): Promise<void> {
  const object = await world.make(declaration);
  if (object !== undefined) made.set(object.uuid, JSON.stringify(object.body));
}

function change(at: At): Promise<void> {
  const { world, story } = at;
  const part = changedPart(story.first, story.hands ?? story.first);
  const does = () => {
    const object = oursOf(at);
    if (object !== undefined) caseOf(story).change(world.place, object.id, part);
  };
  return step(at, `${story.other ?? ""} field by hand`, does, part);
}

/** A request about our deployment, which may be refused. */
async function ask(at: At, method: string, path = "", body?: unknown): Promise<unknown> {
  const id = oursOf(at)?.id;
  return id && at.world.ask(method, `/v2/deployments/${id}${path}`, body).catch(() => undefined);
}

async function rollBack(at: At): Promise<void> {
  const { resources } = Listed.catch({ resources: [] }).parse(await ask(at, "GET", "/revisions?limit=100"));
  await ask(at, "POST", `/revisions/${resources.at(-1)?.id ?? ""}/redeploy`);
}

/** What somebody does by hand. */
const HANDS = {
  deletes: (at: At) => step(at, "deletes it by hand", () => remove(at, oursOf(at)?.id)),
  async remakes(at: At) {
    await HANDS.deletes(at);
    await step(at, "makes one of that name by hand", () => make(at, { ...at.story.first, fixed: 3 }));
  },
  "changes the same": change,
  "changes another": change,
  "takes the name": (at: At) =>
    step(at, "makes one of the name by hand", () => make(at, at.story.wish ?? at.story.first)),
  pushes: (at: At) => step(at, "deploys another image by hand", () => ask(at, "PATCH", "", IMAGE), IMAGE),
  "rolls back": (at: At) => step(at, "redeploys the first revision by hand", () => rollBack(at), IMAGE),
  async "shifts the pages"(at: At) {
    const { world, story } = at;
    const bystander = bystanderOf(story.type);
    const kept = [...namesOf(story), nameOf(bystander)];
    const others = () => world.objects(story.type).filter(({ name }) => !kept.includes(name));
    await step(at, "deletes the first of the others by hand", () => remove(at, others()[0]?.id));
    await step(at, "deletes the last of the others by hand", () => remove(at, others().at(-1)?.id));
    await step(at, "makes one more by hand", () => world.make({ ...bystander, name: 500 }));
  },
} satisfies Readonly<Record<string, (at: At) => Promise<void>>>;
const OTHERS: readonly Other[] = [...THEIR_ACTS, ...Object.keys(HANDS).filter((name): name is Hand => name in HANDS)];

/** The steps that somebody takes by hand. */
export const byHand = (hand: Hand, at: At) => (): Promise<void> => HANDS[hand](at);
