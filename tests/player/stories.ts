import { z } from "zod";
import type { ObjectType } from "../conformance/cases";
import {
  canBeReplaced,
  canRepeat,
  caseOf,
  changedPart,
  hasRevisions,
  isOfAgent,
  nameOf,
  shownFields,
  TYPES,
  type Declaration,
} from "./declarations";
import type { Way } from "./schedule";
import type { Ran, Stack } from "./stack";
import { PAGE_SIZE, type World } from "./world";

/** What our stack does with its object. */
const ACTS = ["create", "update", "replace", "rename", "delete", "refresh"] as const;
export type Act = (typeof ACTS)[number];

/** What the other stack does, which declares the same name. */
const THEIR_ACTS = ["create", "adopt", "update the same", "update another", "replace", "delete"] as const;
/** What somebody does by hand. */
export const HANDS = [
  "deletes",
  "remakes",
  "changes the same",
  "changes another",
  "takes the name",
  "pushes",
  "rolls back",
  "shifts the pages",
] as const;
export type Other = (typeof THEIR_ACTS)[number] | (typeof HANDS)[number];

/** Two at once, and one fault; a late list may follow a lost answer. */
export interface Story {
  readonly name: string;
  readonly type: ObjectType;
  readonly act: Act;
  readonly other?: Other;
  readonly faults: readonly Way[];
  /** After a kill, the next program is another one, or declares nothing. @default the same one */
  readonly next?: "another" | "nothing";
}

const FAULTS: readonly Way[] = [
  "lost request",
  "lost answer",
  "late commit",
  "kill",
  "key refused",
  "stale answer",
  "late list",
];
/** What befalls a command beside another stack's. */
const BESIDE: readonly Way[] = ["lost answer", "stale answer", "late list"];

export const isByHand = (other: Other | undefined): boolean => HANDS.some((each) => each === other);

const isPossible = (type: ObjectType, act: Act): boolean =>
  act === "update" ? shownFields(type).length > 0 : act !== "replace" || canBeReplaced(type);

/** Each of ours against each of theirs; and each of ours alone, whose requests or answers get lost, or which is killed. */
export function allStories(): readonly Story[] {
  return TYPES.flatMap((type) => ACTS.filter((act) => isPossible(type, act)).flatMap((act) => storiesOf(type, act)));
}

function storiesOf(type: ObjectType, act: Act): readonly Story[] {
  const found: Story[] = [{ type, act, name: `${type}: ${act}, a fault`, faults: FAULTS }];
  for (const next of ["another", "nothing"] as const)
    found.push({ type, act, next, name: `${type}: ${act}, a kill, then ${next}`, faults: ["kill"] });
  for (const other of [...THEIR_ACTS, ...HANDS].filter((each) => makesSense(type, act, each))) {
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
  return found;
}

/** Two backends with one project and stack name, which make what has no name of its own. */
export const storiesOfTwoBackends = (): readonly Story[] =>
  TYPES.filter(canRepeat).flatMap((type) =>
    (["create", "replace", "rename"] as const)
      .filter((act) => isPossible(type, act))
      .flatMap((act): Story[] => {
        const story = { type, act, other: "create" } as const;
        const name = `${type}: ${act}, create`;
        return [
          { ...story, name, faults: [] },
          { ...story, name: `${name}, a fault`, faults: [...BESIDE, "kill"] },
        ];
      }),
  );

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
const withField = (declaration: Declaration, field: string | undefined, n: number): Declaration =>
  field === undefined ? declaration : { ...declaration, fields: { ...declaration.fields, [field]: n } };

/** Somebody's, from the beginning, and not in the way. */
export const bystanderOf = (type: ObjectType): Declaration => ({ ...firstOf(type), name: 10, fixed: 1 });
/** Somebody's: so many older ones, and newer ones, that ours is the first of the second page, whichever way the list is sorted. */
export const crowdOf = (type: ObjectType, isNewer: boolean): readonly Declaration[] =>
  Array.from({ length: isNewer ? PAGE_SIZE : PAGE_SIZE - 1 }, (_, index) => ({
    ...bystanderOf(type),
    name: (isNewer ? 300 : 200) + index,
  }));

/** What our stack declares before its command, and with it; undefined: nothing. */
export function wishes({
  act,
  type,
}: Story): readonly [before: Declaration | undefined, wish: Declaration | undefined] {
  const first = firstOf(type);
  switch (act) {
    case "create":
      return [undefined, first];
    case "update":
      return [first, withField(first, fieldsOf(type)[0], 1)];
    case "replace":
      return [first, { ...first, fixed: 1 }];
    case "rename":
      return [first, otherNameOf(type)];
    case "delete":
      return [first, undefined];
    case "refresh":
      return [first, first];
  }
}

/** What the program declares after a kill; undefined: nothing. */
export function nextWish({ type, next, ...story }: Story): Declaration | undefined {
  if (next === undefined) return wishes({ type, ...story })[1];
  const field = fieldsOf(type)[0];
  const other = { ...firstOf(type), fixed: field === undefined ? 2 : 0 };
  return next === "nothing" ? undefined : withField(other, field, 3);
}

export const ourCommand = (stack: Stack, { act, type }: Story, wish: Declaration | undefined): Promise<Ran> =>
  stack.command(async () => {
    if (act === "refresh") await stack.refresh(firstOf(type));
    if (wish === undefined) await stack.destroy(firstOf(type));
    else await stack.up(wish);
  });

/** What the other stack declares with its command. */
export function theirWish({ other, act, type }: Story): Declaration | undefined {
  const first = firstOf(type);
  const [one, another] = fieldsOf(type);
  switch (other) {
    case "update the same":
      return withField(first, one, 5);
    case "update another":
      return withField(first, another, 5);
    case "replace":
      return { ...first, fixed: 5 };
    case "create":
    case "adopt":
      return other === "create" && act === "rename" ? otherNameOf(type) : first;
    default:
      return undefined;
  }
}

/** What no program declares. */
const BY_HAND = 77;

/** How somebody changes the object by hand, as a declaration: the same field as ours, or another one. */
export function handsWish({ type, other }: Story): Declaration | undefined {
  const [one, another] = fieldsOf(type);
  const first = firstOf(type);
  if (other === "changes the same") return withField(first, one, BY_HAND);
  if (other !== "changes another") return undefined;
  return another === undefined ? { ...first, fixed: BY_HAND } : withField(first, another, BY_HAND);
}

const Listed = z.object({ resources: z.array(z.looseObject({ id: z.string() })) });
const IMAGE = { source_revision_config: { image_uri: "registry.example/agent:pushed" } };

/** The steps that somebody takes by hand. What they make is put into `made`: its body, by the platform's own id. */
export function byHand(world: World, story: Story, made: Map<string, string>): () => Promise<void> {
  const { other, act, type } = story;
  const first = firstOf(type);
  const names = [first, otherNameOf(type)].map(nameOf);
  const ours = () => world.objects(type).find(({ name }) => names.includes(name));
  const step = (name: string, does: () => unknown, wrote?: object) => world.byHand(name, type, does, wrote);
  const make = async (declaration: Declaration) => {
    const object = await world.make(declaration);
    if (object !== undefined) made.set(object.uuid, JSON.stringify(object.body));
  };
  const remove = (id: string | undefined) => {
    if (id !== undefined) caseOf(story).remove(world.place, id);
  };
  switch (other) {
    case "deletes":
      return () => step("deletes it by hand", () => remove(ours()?.id));
    case "remakes":
      return async () => {
        await step("deletes it by hand", () => remove(ours()?.id));
        await step("makes one of that name by hand", () => make({ ...first, fixed: 3 }));
      };
    case "takes the name":
      return () => step("makes one of the name by hand", () => make(act === "rename" ? otherNameOf(type) : first));
    case "changes the same":
    case "changes another": {
      const part = changedPart(first, handsWish(story) ?? first);
      const change = () => {
        const object = ours();
        if (object !== undefined) caseOf(story).change(world.place, object.id, part);
      };
      return () => step(`${other} field by hand`, change, part);
    }
    case "pushes":
      return () => step("deploys another image by hand", () => askOf(world, ours()?.id, "PATCH", "", IMAGE), IMAGE);
    case "rolls back":
      return () => step("redeploys the first revision by hand", () => rollBack(world, ours()?.id), IMAGE);
    case "shifts the pages":
      return async () => {
        const others = () =>
          world.objects(type).filter(({ name }) => ![...names, nameOf(bystanderOf(type))].includes(name));
        await step("deletes the first of the others by hand", () => remove(others()[0]?.id));
        await step("deletes the last of the others by hand", () => remove(others().at(-1)?.id));
        await step("makes one more by hand", () => world.make({ ...bystanderOf(type), name: 500 }));
      };
    default:
      throw new Error(`nothing by hand: ${other ?? ""}`);
  }
}

/** A request about a deployment, which may be refused. */
async function askOf(
  world: World,
  id: string | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<void> {
  if (id !== undefined) await world.ask(method, `/v2/deployments/${id}${path}`, body).catch(() => undefined);
}

async function rollBack(world: World, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const { resources } = Listed.parse(await world.ask("GET", `/v2/deployments/${id}/revisions?limit=100`));
  await askOf(world, id, "POST", `/revisions/${resources.at(-1)?.id ?? ""}/redeploy`);
}
