import { z } from "zod";
import { isObject, type JsonObject } from "../../../provider/base/json";
import { making, merged, PLAYED } from "../../conformance/cases";
import { keyOf, type Live, type Platform } from "./platform";
import {
  argsOf,
  bodyOf,
  changedBy,
  fieldsOf,
  HOST,
  isKept,
  isSilentOn,
  partOf,
  tableOf,
  wordsOf,
  type Declaration,
} from "./program";
import { heldBy, idsIn, keyOfRow, rowOf, type Seen } from "./state";

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
  readonly seen: Seen;
  readonly declared: Declaration;
  /** The object that the declaration has. */
  readonly held: Live | undefined;
  readonly n: number;
}
type Hand = (place: Place) => Promise<Touch | undefined> | Touch | undefined;

const again = (platform: Platform, object: Live): Live =>
  platform.objects().find((each) => keyOf(each) === keyOf(object)) ?? object;
const bodyPart = ({ declared, seen }: Place, field: string, n: number): JsonObject =>
  changedBy(declared, partOf(declared.type, field, n), idsIn(seen));

function change({ platform, held }: Place, part: JsonObject): Touch | undefined {
  if (held === undefined || Object.keys(part).length === 0) return undefined;
  platform.change(held, part);
  return { changed: [held, again(platform, held)] };
}

/** As its type has it, under a name of its own. */
const other = ({ declared }: Place, named: number): JsonObject =>
  PLAYED[declared.type].body(
    merged(
      argsOf({ ...declared, fields: {}, use: undefined, fixed: 0 }),
      partOf(declared.type, "fixed", 90),
      PLAYED[declared.type].named(named),
    ),
  );
/** Makes one by its type's own request. */
async function make(
  { platform, declared: { type }, seen }: Place,
  { display_name: _later, ...body }: JsonObject,
): Promise<Live | undefined> {
  const host = rowOf(seen, { handle: HOST })?.id;
  if (isKept(type) && !platform.objects().some(({ id }) => id === host)) return undefined;
  const before = new Set(platform.objects().map(keyOf));
  const [method, path] = making(type, body);
  // A PUT would change the one that has the name.
  if (method === "PUT" && platform.objects().some((each) => each.type === type && each.id === body["key"]))
    return undefined;
  await platform.ask(method, isKept(type) ? `/agents/${host ?? ""}${path}` : path, body);
  return platform.objects().find((each) => !before.has(keyOf(each)));
}

const PartOfRevision = z.looseObject({
  source_revision_config: z.looseObject({ image_uri: z.string().optional() }).optional(),
});
/** Asks for a revision, of another image if one is given. */
async function patch({ platform, held }: Place, image?: string): Promise<Touch | undefined> {
  if (held?.type !== "Deployment") return undefined;
  if (held.body["source"] !== "external_docker" && image !== undefined) return undefined;
  const config = held.body["source_revision_config"];
  await platform.ask("PATCH", `/v2/deployments/${held.id}`, {
    source_revision_config: { ...(isObject(config) ? config : {}), ...(image && { image_uri: image }) },
  });
  return { changed: [held, again(platform, held)] };
}

/** Their paths end in the name (docs/internals/design.md, Identity). */
const BY_NAME: ReadonlySet<string> = new Set([
  "SandboxTemplate",
  "OAuthProvider",
  "SandboxRegistry",
  "WorkspaceSecret",
  "PlatformAgent",
]);
/** Of a type that is looked for by its name: a row that has lost its object has one again. */
function succeeding({ declared, seen }: Place): Pick<Touch, "succeeds"> {
  const row = rowOf(seen, declared);
  return row === undefined || !BY_NAME.has(declared.type) ? {} : { succeeds: keyOfRow(row) };
}

const HANDS = tableOf<Hand>()({
  "delete the object": ({ platform, held }) => {
    if (held === undefined) return undefined;
    platform.remove(held);
    return { deleted: held };
  },
  "delete the object and make it again": async (place) => {
    const { platform, held, declared, seen, n } = place;
    if (held === undefined) return undefined;
    platform.remove(held);
    // Equal, or another one.
    const made = await make(place, n % 2 === 0 ? bodyOf(declared, idsIn(seen)) : other(place, declared.named));
    return { deleted: held, ...(made && { made }), ...succeeding(place) };
  },
  "change a declared field": (place) => {
    const fields = fieldsOf(place.declared);
    const part = bodyPart(place, fields[place.n % fields.length] ?? "fixed", 900 + (place.n % 7));
    // Nobody changes an image but with a revision.
    const { source_revision_config: { image_uri: image } = {} } = PartOfRevision.parse(part);
    return image === undefined ? change(place, part) : patch(place, image);
  },
  "set a field that nobody declares": (place) => {
    const { declared, n, seen } = place;
    const body = bodyOf(declared, idsIn(seen));
    const free = fieldsOf(declared)
      .map((field) => bodyPart(place, field, 901))
      // A variable that nobody declares goes with the next change of the environment.
      .filter((part) => !("secrets" in part))
      .map((part) => Object.entries(part).filter(([name, value = null]) => isSilentOn(body, { [name]: value })))
      .filter((entries) => entries.length > 0);
    const undeclared = Object.fromEntries(free[n % Math.max(1, free.length)] ?? []);
    const touch = change(place, undeclared);
    return touch && { ...touch, undeclared };
  },
  "deploy another image": (place) => patch(place, `registry.example/by-hand:${place.n}`),
  "push a revision": (place) => patch(place),
  "push a revision that fails": (place) => {
    if (place.held?.type === "Deployment") place.platform.outcomes.set(place.held.name, "BUILD_FAILED");
    return patch(place);
  },
  "begin to delete the deployment": async ({ platform, held }) => {
    if (held?.type !== "Deployment") return undefined;
    await platform.ask("DELETE", `/v2/deployments/${held.id}`);
    platform.deletionBegan(held.id);
    return { deleted: held };
  },
  "make an object beside it": async (place) => {
    const made = await make(place, other(place, place.declared.named + 1000));
    return made && { made };
  },
  "make an object of its name": async (place) => {
    const { platform, declared, held } = place;
    // An object that has left the state keeps its name.
    if (held !== undefined || platform.named(declared) !== undefined) return undefined;
    const made = await make(place, other(place, declared.named));
    return made && { made, ...succeeding(place) };
  },
});

export type ByHand = keyof typeof HANDS;
export const BY_HAND = wordsOf(HANDS);

/** Does it; undefined where there is no object to do it to. */
export async function byHand(word: ByHand, place: Omit<Place, "held">): Promise<Touch | undefined> {
  const held = heldBy(place.seen, place.declared);
  return held?.isBeingDeleted === true ? undefined : HANDS[word]({ ...place, held });
}
