import { isObject, type JsonObject } from "../../../provider/base/json";
import { differences, merged, PLAYED } from "../../conformance/cases";
import { keyOf, type Live, type Platform } from "./platform";
import {
  argsOf,
  bodyOf,
  fieldsOf,
  find,
  HOST,
  isKept,
  nameOf,
  partOf,
  type Declaration,
  type Program,
} from "./program";
import { heldBy, keyOfRow, rowOf, type Seen } from "./state";

// What somebody does to an object behind the back of the program.

/** What it did, for the model. */
export interface Touch {
  readonly deleted?: Live;
  /** The object before and after. */
  readonly changed?: readonly [Live, Live];
  readonly made?: Live;
  /** The key of the row whose object a refresh takes it for, since it looks for the name. */
  readonly succeeds?: string;
  /** Fields that nobody declares. */
  readonly undeclared?: JsonObject;
}

interface Place {
  readonly platform: Platform;
  readonly program: Program;
  readonly seen: Seen;
  readonly declared: Declaration;
  /** The object that the declaration has. */
  readonly held: Live | undefined;
  readonly n: number;
}
type Hand = (place: Place) => Promise<Touch | undefined> | Touch | undefined;

const idsIn = (seen: Seen, program: Program) => (handle: string) => {
  const declared = find(program, handle);
  return declared && rowOf(seen, declared)?.id;
};
const again = (platform: Platform, object: Live): Live =>
  platform.objects().find((each) => keyOf(each) === keyOf(object)) ?? object;

/** The part of a body that differs with this field. */
function bodyPart({ declared, seen, program }: Place, field: string, n: number): JsonObject {
  const args = argsOf(declared, idsIn(seen, program));
  const body = PLAYED[declared.type].body;
  const [before, after] = [body(args), body(merged(args, partOf(declared.type, field, n)))];
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}

const changeable = (declared: Declaration): string[] => {
  const fields = fieldsOf(declared);
  return fields.length > 0 ? fields : ["fixed"];
};

function change(place: Place, part: JsonObject): Touch | undefined {
  const { platform, held } = place;
  if (held === undefined || Object.keys(part).length === 0) return undefined;
  platform.change(held, part);
  return { changed: [held, again(platform, held)] };
}

/** Makes one by its type's own request. @param named The number of its name. */
async function make(
  { platform, declared, program, seen }: Place,
  named: number,
  like?: Declaration,
): Promise<Live | undefined> {
  const { type } = declared;
  const host = rowOf(seen, { handle: HOST, type: "Deployment" })?.id;
  if (isKept(type) && host === undefined) return undefined;
  const { display_name: _later, ...body } = like
    ? bodyOf(like, idsIn(seen, program))
    : PLAYED[type].body(
        merged(
          argsOf({ ...declared, fields: {}, use: undefined, fixed: 0 }),
          partOf(type, "fixed", 90),
          PLAYED[type].named(named),
        ),
      );
  const before = new Set(platform.objects().map(keyOf));
  await platform.ask("POST", isKept(type) ? `/agents/${host ?? ""}${PLAYED[type].path}` : PLAYED[type].path, body);
  return platform.objects().find((each) => !before.has(keyOf(each)));
}

async function patch(place: Place, image: string): Promise<Touch | undefined> {
  const { platform, held } = place;
  if (held?.type !== "Deployment") return undefined;
  const config = held.body["source_revision_config"];
  const body = {
    source_revision_config: { ...(isObject(config) ? config : {}), ...(image && { image_uri: image }) },
  };
  if (held.body["source"] !== "external_docker" && image !== "") return undefined;
  await platform.ask("PATCH", `/v2/deployments/${held.id}`, body);
  return { changed: [held, again(platform, held)] };
}

/** Their paths end in the name (docs/internals/design.md, Identity). */
const BY_NAME: ReadonlySet<string> = new Set(["SandboxTemplate", "OAuthProvider", "SandboxRegistry"]);
/** Of a type that is looked for by its name: a row that has lost its object has one again. */
function succeeding({ declared, seen }: Place): Pick<Touch, "succeeds"> {
  const row = rowOf(seen, declared);
  return row === undefined || !BY_NAME.has(declared.type) ? {} : { succeeds: keyOfRow(row) };
}

const HANDS = {
  "delete the object": ({ platform, held }) => {
    if (held === undefined) return undefined;
    platform.remove(held);
    return { deleted: held };
  },
  "delete the object and make it again": async (place) => {
    const { platform, held, declared, n } = place;
    if (held === undefined) return undefined;
    // Equal, or another one.
    const like = n % 2 === 0 ? declared : undefined;
    platform.remove(held);
    const made = await make(place, declared.named, like);
    return { deleted: held, ...(made && { made }), ...succeeding(place) };
  },
  "change a declared field": (place) => {
    const fields = changeable(place.declared);
    return change(place, bodyPart(place, fields[place.n % fields.length] ?? "", 900 + (place.n % 7)));
  },
  "set a field that nobody declares": (place) => {
    const { declared, held, n, seen, program } = place;
    const body = bodyOf(declared, idsIn(seen, program));
    const free = fieldsOf(declared)
      .map((field) => bodyPart(place, field, 901))
      // A variable that nobody declares goes with the next change of the environment.
      .filter((part) => !("secrets" in part))
      .map((part) => onlyNew(part, body))
      .filter((part) => Object.keys(part).length > 0);
    const part = free[n % Math.max(1, free.length)];
    if (held === undefined || part === undefined) return undefined;
    const touch = change(place, part);
    return touch && { ...touch, undeclared: part };
  },
  "deploy another image": (place) => patch(place, `registry.example/by-hand:${place.n}`),
  "push a revision": (place) => patch(place, ""),
  "push a revision that fails": (place) => {
    if (place.held?.type === "Deployment") place.platform.nextRevision(place.held.name, "BUILD_FAILED");
    return patch(place, "");
  },
  "begin to delete the deployment": async ({ platform, held }) => {
    if (held?.type !== "Deployment") return undefined;
    await platform.ask("DELETE", `/v2/deployments/${held.id}`);
    platform.deletionBegan(held.id);
    return { deleted: held };
  },
  "make an object beside it": async (place) => {
    const made = await make(place, place.declared.named + 1000);
    return made && { made };
  },
  "make an object of its name": async (place) => {
    const { platform, declared, held } = place;
    // An object that has left the state keeps its name.
    const isTaken = platform.objects().some((each) => each.type === declared.type && each.name === nameOf(declared));
    if (held !== undefined || isTaken) return undefined;
    const made = await make(place, declared.named);
    return made && { made, ...succeeding(place) };
  },
} as const satisfies Record<string, Hand>;

export type ByHand = keyof typeof HANDS;
const isByHand = (word: string): word is ByHand => word in HANDS;
export const BY_HAND: readonly ByHand[] = Object.keys(HANDS).filter(isByHand);

/** Does it; undefined where there is no object to do it to. */
export async function byHand(word: ByHand, place: Omit<Place, "held">): Promise<Touch | undefined> {
  const held = heldBy(place.seen, place.declared);
  const hand: Hand = HANDS[word];
  return held?.isBeingDeleted === true ? undefined : hand({ ...place, held });
}

/** What the body has no value for. */
function onlyNew(part: JsonObject, body: JsonObject): JsonObject {
  const isNew = (name: string): boolean =>
    differences({ [name]: part[name] ?? null }, body).every((text) => text.endsWith(" is null"));
  return Object.fromEntries(Object.entries(part).filter(([name]) => isNew(name)));
}
