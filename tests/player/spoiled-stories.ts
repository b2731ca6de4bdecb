import { z } from "zod";
import type { JsonObject } from "../../provider/base/json";
import type { Handler } from "../../provider/dynamic/handler";
import { canBeReplaced, canRepeat, caseOf, hasRevisions, isOfAgent, nameOf } from "./declarations";
import { shownFields, TYPES, type Declaration } from "./declarations";
import type { Stack } from "./stack";
import { firstOf } from "./stories";
import type { World } from "./world";

/** What a command is for, which decides what must hold after it. */
export type Verb = "make" | "adopt" | "read" | "get" | "change" | "delete";

/** One command of one resource, alone, of whose answers one is spoiled, or all from one on. */
export interface SpoiledStory {
  readonly name: string;
  readonly verb: Verb;
  /** What the platform holds after it. */
  readonly declared: Declaration;
  /** It waits for a revision, or for the end of a deletion. */
  readonly isWait?: boolean;
  /** About a deployment's Rollout. */
  readonly isRollout?: boolean;
  /** Without faults, before it. */
  readonly prepare: (stack: Stack, world: World) => Promise<unknown>;
  /** @param over Arguments beside the declared ones. Of a `.get`, answers what it has found. */
  readonly act: (stack: Stack, world: World, over?: JsonObject) => Promise<unknown>;
}

/** The result of a `.get`. */
type Got = Awaited<ReturnType<Handler["read"]>>;
export const gotId = (got: unknown): unknown => z.looseObject({ id: z.string() }).safeParse(got).data?.id;

type Row = Omit<SpoiledStory, "name" | "declared"> & { readonly what: string; readonly declared?: Declaration };

export const allSpoiledStories = (): readonly SpoiledStory[] =>
  TYPES.flatMap((type) => {
    const first = firstOf(type);
    const rows = [...rowsOf(first), ...(hasRevisions(type) ? rowsOfARollout(first) : [])];
    return rows.map(({ what, ...row }) => ({ declared: first, ...row, name: `${type}: ${what}` }));
  });

function rowsOf(first: Declaration): readonly Row[] {
  const { type } = first;
  const up = (declared: Declaration) => (stack: Stack, _world?: World, over?: JsonObject) =>
    stack.upAlone(declared, over);
  const made = up(first);
  const change = (what: string, declared: Declaration): Row => {
    return { what, verb: "change", declared, prepare: made, act: up(declared) };
  };
  const destroy: Row["act"] = (stack) => stack.of(first).destroy();
  return [
    { what: "create", verb: "make", prepare: nothing, act: made },
    ...adoptions(first),
    { what: "refresh", verb: "read", prepare: made, act: (stack) => stack.of(first).refresh() },
    ...gets(first),
    ...updates(first).map(([what, declared]) => change(what, declared)),
    ...(canBeReplaced(type) ? [change("replace", { ...first, fixed: 1 })] : []),
    // A name that is no key can be changed in place.
    ...(canBeReplaced(type) && shownFields(type).length > 0 ? [] : [change("rename", { ...first, name: 12 })]),
    { what: "delete", verb: "delete", isWait: hasRevisions(type), prepare: made, act: destroy },
  ];
}

const nothing = (): Promise<void> => Promise.resolve();

/** One field, another one, which may need no revision, and all others. */
function updates(first: Declaration): readonly (readonly [string, Declaration])[] {
  const [one, another, ...rest] = [...new Set([...shownFields(first.type), ...Object.keys(caseOf(first).fields)])];
  const all = [
    ["update", one === undefined ? [] : [one]],
    ["update of another field", another === undefined ? [] : [another]],
    ["update of all other fields", rest],
  ] as const;
  return all.flatMap(([what, fields]) => {
    const changed = Object.fromEntries(fields.map((field) => [field, 1]));
    return fields.length === 0 ? [] : [[what, { ...first, fields: { ...first.fields, ...changed } }] as const];
  });
}

/** Somebody's object, which an update makes equal where it can. */
function adoptions(first: Declaration): readonly Row[] {
  const [field] = shownFields(first.type);
  const theirs = field === undefined ? first : { ...first, fields: { ...first.fields, [field]: 1 } };
  const prepare = (_stack: Stack, world: World) => world.make(theirs);
  const byId = (world: World) => world.objects(first.type).find(({ name }) => name === nameOf(first))?.id ?? "";
  const adopt = (what: string, by: (world: World) => true | string): Row => {
    const act: Row["act"] = (stack, world, over) => stack.upAlone(first, { adopt: by(world), ...over });
    return { what, verb: "adopt", prepare, act };
  };
  return [...(isOfAgent(first.type) ? [] : [adopt("adopt", () => true)]), adopt("adopt by id", byId)];
}

function gets(first: Declaration): readonly Row[] {
  const made = (stack: Stack) => stack.upAlone(first);
  const get = (stack: Stack, key: string, props: JsonObject = {}): Promise<Got> =>
    stack.of(first).handler.read(key, { ...props, ...stack.placeOf(first), __provider: "x" });
  const idOf = (stack: Stack) => stack.of(first).current.id;
  const byName = (stack: Stack) => get(stack, nameOf(first));
  let got: Got = { id: "", props: {} };
  const prepareAgain = async (stack: Stack) => {
    await made(stack);
    got = await get(stack, idOf(stack));
  };
  return [
    { what: "get", verb: "get", prepare: made, act: (stack) => get(stack, idOf(stack)) },
    // Of what can have any name, only an id says which is meant.
    ...(canRepeat(first.type) ? [] : [{ what: "get by name", verb: "get", prepare: made, act: byName } as const]),
    { what: "get again", verb: "get", prepare: prepareAgain, act: (stack) => get(stack, idOf(stack), got.props) },
  ];
}

function rowsOfARollout(first: Declaration): readonly Row[] {
  const [field = ""] = shownFields(first.type);
  const declared = { ...first, fields: { ...first.fields, [field]: 1 } };
  const row = { isRollout: true, verb: "change" } as const;
  const rollOut = (stack: Stack) => stack.rollOut(first);
  const refresh = (stack: Stack) => stack.model("Rollout").refresh();
  const prepare = async (stack: Stack) => {
    await stack.up(first);
    await stack.upAlone(declared);
  };
  return [
    { ...row, what: "roll out", isWait: true, prepare: (stack) => stack.upAlone(first), act: rollOut },
    { ...row, what: "roll out an update", isWait: true, declared, act: rollOut, prepare },
    { ...row, what: "refresh of a Rollout", verb: "read", prepare: (stack) => stack.up(first), act: refresh },
  ];
}
