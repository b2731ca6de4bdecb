import { AgentPlatformError, messageOf } from "../../provider/base/errors";
import { isObject, UNKNOWN, type Json, type JsonObject } from "../../provider/base/json";
import { inputRows } from "../../provider/lifecycle/fields/table";
import type { Plan, PlannedRequest } from "../../provider/lifecycle/plan";
import { inputsFromState, pickInputs, UNREAD } from "../../provider/lifecycle/state";
import { RESOURCES } from "../../provider/resources/registry";
import { PLAYED, type ObjectType } from "../conformance/cases";
import type { EngineModel, Operation } from "../support/engine-model";
import { bodyOf, canRepeat, partsNotHeld, type Declaration } from "./declarations";
import { isUnseen, leavesOf, SOMEBODY, type Change, type Followed } from "./model";
import { SOMEBODYS_VALUE, type Resource } from "./resource";
import type { Stack } from "./stack";
import type { Verb, Witness } from "./witness";

// What is judged. Each answers with what is broken, or undefined.

/** In an error of a wait that the revision itself ended, or another one that took its place. */
const OF_THE_REVISION = /ended as [A-Z_]+_FAILED|is still |is not (shown to be )?as declared/;
/** Far more requests than any verb needs, its repetitions under faults included. */
const ENDLESS = 400;

/** A failure is an error of ours, and a wait outlives what passes. */
export function isOurs(verb: Verb, error: unknown, struckInWait: string | undefined): string | undefined {
  const message = messageOf(error);
  if (!(error instanceof AgentPlatformError)) return `${verb.title} threw ${message}`;
  if (struckInWait === undefined || OF_THE_REVISION.test(message)) return undefined;
  return `a wait did not outlive "${struckInWait}": ${message}`;
}

/** Nothing doubled, and nothing endless. */
export function isOnce(
  { title, requests, made, revisions, misled }: Verb,
  hidesRevisions: boolean,
): string | undefined {
  if (requests.length > ENDLESS) return `${title} went on until it was cut off`;
  // A stale look is all that there is to go by.
  if (made > 1 && !misled) return `doubled: ${title} made ${made} objects`;
  // Nobody can tell a PATCH from one that did not happen while its revision has no name.
  const mayBeLost = hidesRevisions && requests.some(({ isLost }) => isLost);
  if (revisions.length > 1 && !mayBeLost) return `doubled: ${title} made ${revisions.length} revisions`;
  return undefined;
}

/** Nothing of another is touched, and nothing that a hand has made or set unseen. @param isMisled A stale answer said what was there. */
export function isUntouched(
  witness: Witness,
  { who, of }: Verb,
  { what, object, written }: Change,
  isMisled: boolean,
): string | undefined {
  // Going back brings back a revision as it was.
  if (what === "made" || of.startsWith("RunCheck")) return undefined;
  const holder = witness.holderOf(object, who);
  const { type, name } = object;
  if (holder === undefined && object.maker !== who) return `${who} ${what} ${type} ${name}, which it does not hold`;
  // Nothing tells one that is made by a PUT from one that was made anew (docs/internals/design.md, Creating once).
  const isTold = RESOURCES[type].table.upserts !== true;
  if (isTold && !object.knownTo.has(who) && holder?.adopt === undefined && object.maker !== who && !isMisled)
    return `${who} ${what} ${type} ${name}, which somebody has made, and which it has not seen`;
  const declared = holder?.wanted();
  // The next revision keeps the value that a hand has set, unless this program has changed that variable.
  const isKept = (path: string, value: string | undefined): boolean =>
    holder?.adopt === undefined &&
    (holder?.changedVariables.size === 0 ||
      (!isMisled &&
        holder?.isUnanswered === false &&
        value !== undefined &&
        declared?.has(path) === true &&
        !holder.changedVariables.has(path)));
  const taken = [...written].find(
    ([path, before]) =>
      path.startsWith("secrets.") &&
      before?.by === SOMEBODY &&
      !before.knownTo.has(who) &&
      !witness.isHidden(type, path) &&
      isKept(path, before.value),
  );
  if (taken !== undefined && what === "changed")
    return `${who} changed ${taken[0]} of ${type} ${name}, which somebody has set, and no update of this program has changed`;
  const lost = [...written].find(
    ([path, before]) =>
      before?.by === SOMEBODY &&
      declared?.has(path) === false &&
      holder?.wasDeclared(path) === false &&
      // An empty list is declared as a whole, in other words alone.
      !leavesOf(PLAYED[type].body(holder.sent)).has(path.split(".")[0] ?? "") &&
      // The platform takes an environment as a whole: what is not declared of it goes.
      !path.startsWith("secrets."),
  );
  return lost && `${who} changed ${lost[0]} of ${type} ${name}, which somebody has set and nobody declares`;
}

/**
 * Never falsely green: each declared value is there, or somebody's that this stack cannot know.
 * @param isEnd Everything was looked at, so that only what no answer shows is not known.
 */
export function isAsDeclared(
  witness: Witness,
  resource: Resource,
  verb: Verb | undefined,
  isEnd = false,
): string | undefined {
  const { title, type, stack } = resource;
  const object = witness.objectOf(resource);
  if (object === undefined) {
    const mayBeGone = witness.wasRemovedUnseen(resource) && (!isEnd || witness.isHidden(type, ""));
    return mayBeGone ? undefined : `lost: ${title} is not there after a green up`;
  }
  for (const [path, live] of object.leaves)
    if (live === SOMEBODYS_VALUE) return `the words that stand for ${path} of ${title} in a state were sent`;
  for (const [path, values] of resource.wanted()) {
    const live = object.leaves.get(path);
    if (live !== undefined && values.has(live)) continue;
    const by = object.writes.get(path)?.by ?? "";
    const said = `${path} of ${title} is ${live ?? "not there"} (by ${by}), declared: ${[...values].join(" or ")}`;
    const mayDiffer = isUnseen(object, path, stack.who) && (!isEnd || witness.isHidden(type, path));
    if (!mayDiffer) return `falsely green: ${said}`;
    // The first revision after somebody's is as declared, but for the environment, which only a read shows.
    const isOfRevision = path === "source_revision_config.image_uri";
    if (isOfRevision && verb !== undefined && verb.revisions.length > 0)
      return `falsely green, with a new revision: ${said}`;
  }
  return undefined;
}

/** What a stack holds is as declared, for the judges that look at the platform alone: undefined, or what is not. */
export function heldAs(stack: Stack, declared: Declaration): string | undefined {
  const object = stack.object(declared);
  if (object === undefined) return "it is not there";
  const wrong = partsNotHeld(bodyOf(declared), object.body);
  if (wrong.length === 0) return undefined;
  return `its ${wrong.join(", ")} is not as declared: ${JSON.stringify(object.body)}`;
}

/** What somebody, or another stack, has made is taken over only where the program says so. */
export function isItsOwn(witness: Witness, resource: Resource, operation: Operation): string | undefined {
  const object = witness.objectOf(resource);
  const isOwn = object === undefined || object.maker === resource.stack.who;
  if (operation !== "create" || isOwn || resource.sent["adopt"] !== undefined) return undefined;
  return `${resource.title} was made by ${object.maker}, and is taken over without adopt`;
}

/** A revision that somebody made is for a refresh to show: an update does not take it for its own. */
export function isItsRevision(witness: Witness, resource: Resource, operation: Operation): string | undefined {
  const { latestRevisionId: own } = resource.model.current.outputs;
  const isAnothers = typeof own === "string" && witness.revisionIsUnseen(own, resource.stack.who);
  if (operation !== "update" || !isAnothers) return undefined;
  return `an update of ${resource.title} takes somebody's revision ${own} for its own`;
}

/** What is replaced is another object. */
export function isReplaced(
  witness: Witness,
  resource: Resource,
  operation: Operation,
  before: Followed | undefined,
): string | undefined {
  if (operation !== "replace" || before === undefined || witness.objectOf(resource) !== before) return undefined;
  return `${resource.title} counts as replaced, and is the same object`;
}

/** Green means that the declared revision serves. */
export function isServing(witness: Witness, resource: Resource): string | undefined {
  const { title, stack, model, awaits } = resource;
  const object = witness.objectOf(resource);
  if (object === undefined || !awaits) return undefined;
  const all = witness.revisionsOf(object.id);
  const serving = witness.world.serving(object.id);
  const { latestRevisionId: latest } = model.current.outputs;
  const own = typeof latest === "string" ? latest.replace("after ", "") : "";
  const at = all.findIndex(({ id }) => id === own);
  if (serving === undefined || all.indexOf(serving) < at)
    return `falsely green: the declared revision of ${title} does not serve`;
  const image = JSON.stringify(serving.source_revision_config["image_uri"]);
  const isDeclared = resource.wanted().get("source_revision_config.image_uri")?.has(image) !== false;
  const isSomebodys =
    witness.revisionIsUnseen(serving.id, stack.who) || isUnseen(object, "source_revision_config.image_uri", stack.who);
  return isDeclared || isSomebodys ? undefined : `falsely green: ${image} serves in ${title}`;
}

/** After a refresh that was answered truly, the state says of each shown field what the platform holds, and what differs is drift. */
export function isTrue(witness: Witness, resource: Resource, declared: JsonObject, drift: boolean): string | undefined {
  const { type, state, title } = resource;
  const object = witness.objectOf(resource);
  if (state === undefined || object === undefined || UNREAD in state.outputs) return undefined;
  const { body } = PLAYED[type];
  // What is left out is its default.
  const defaults = inputRows(RESOURCES[type].table.fields).flatMap(([name, each]) =>
    each.default === undefined ? [] : [[name, each.default] as const],
  );
  const said = leavesOf(body({ ...Object.fromEntries(defaults), ...state.inputs }));
  const wanted = leavesOf(body(declared));
  for (const [path, value] of wanted) {
    if (witness.isHidden(type, path) || !resource.wanted().has(path)) continue;
    // A tag that is lost is a problem.
    if (path === "tag" && drift) continue;
    const live = object.leaves.get(path);
    if (said.get(path) !== live && !resource.meansTheSame(path, said.get(path), live))
      return `the state says after a refresh that ${path} of ${title} is ${said.get(path) ?? "not there"}, and it is ${live ?? "not there"}`;
    if (live !== value && !resource.meansTheSame(path, value, live) && !drift)
      return `a refresh of ${title} shows no drift of ${path}: ${live ?? "not there"}, declared ${value}`;
  }
  return undefined;
}

/** What `get` says of an object is true. */
export function isWhatIsThere(
  witness: Witness,
  resource: Resource,
  { leaves }: Followed,
  inputs: JsonObject,
): string | undefined {
  const { type, title } = resource;
  const said = leavesOf(PLAYED[type].body(inputs));
  for (const [path, live] of leaves) {
    const says = said.get(path);
    const isTrueOf = says === undefined || says === live || resource.meansTheSame(path, says, live);
    if (!isTrueOf && !witness.isHidden(type, path))
      return `get says that ${path} of ${title} is ${says}, and it is ${live}`;
  }
  return undefined;
}

/** Nothing is lost: what no state holds is named. */
export function isNamed({ name, id, type }: Followed, error: string, warnings: readonly string[]): boolean {
  const isIn = (text: string): boolean => text.includes(name) || text.includes(id);
  if (warnings.some(isIn)) return true;
  return isIn(error) && (error.includes("adopt") || canRepeat(type));
}

/** Nothing gets the name of what somebody has made, also where the platform takes it. */
export function isFirstOfName({ type, name, tenantId }: Followed, all: readonly Followed[]): string | undefined {
  const first = all.find((each) => each.maker === SOMEBODY && each.name === name && each.tenantId === tenantId);
  return first && !canRepeat(type) ? `doubled: a second ${type} ${name} was made` : undefined;
}

/** What is gone is not said to stay. */
export function isGoneAsSaid({ type, name, id }: Followed, warnings: readonly string[]): string | undefined {
  const isOfIt = (each: string): boolean => each.includes(`"${name}"`) || each.includes(id);
  const stays = warnings.find((each) => each.includes("stays on the platform, which cannot") && isOfIt(each));
  return stays && `${type} ${name} is gone, and a warning says that it stays: ${stays}`;
}

/** A request as a plan speaks of it. */
export interface Sent {
  readonly method: string;
  readonly fields: readonly string[];
}

/** Where the requests are not what the plan says; undefined if they are. */
export function lie(planned: readonly PlannedRequest[], requests: readonly Sent[]): string | undefined {
  const [first, ...rest] = planned;
  const [request, ...others] = requests;
  if (first === undefined) return request && `${request.method} of ${request.fields.join()} is sent, and not planned`;
  const skipped = first.isCertain ? `${first.method} is planned, and not sent` : lie(rest, requests);
  if (request?.method !== first.method) return skipped;
  const missing = first.fields.find(({ name, isCertain }) => isCertain && !request.fields.includes(name));
  const more = request.fields.find((name) => !first.fields.some((each) => each.name === name || each.name === "*"));
  const wrong = missing ? `${missing.name} is planned, and not sent` : more && `${more} is sent, and not planned`;
  const found = wrong ?? lie(rest, others);
  return found !== undefined && !first.isCertain && skipped === undefined ? undefined : found;
}

/** What a planner says of one change. */
export function planOf(
  type: ObjectType,
  operation: Operation,
  after: JsonObject,
  state: EngineModel["state"],
  hasInputs: boolean,
): Plan {
  const { planner, table } = RESOURCES[type];
  if (operation === "create") return planner.create(after);
  const { id, inputs: declared, outputs } = state ?? { id: "", inputs: {}, outputs: {} };
  const known = inputsFromState(table, { id, outputs, ...(hasInputs ? { inputs: declared } : {}) });
  const before = pickInputs(table, known);
  if (operation !== "replace") return planner.update(before, pickInputs(table, after), outputs);
  const removal: PlannedRequest = { method: "DELETE", fields: [], isCertain: true };
  const made = planner.create(after);
  // Where names repeat on the platform, the new object comes first.
  const requests = table.namesRepeat ? [...made.requests, removal] : [removal, ...made.requests];
  return { ...made, requests };
}

/** What the engine never leaves open: names, and what a replacement would hang on. */
const KNOWN = [
  "name",
  "source",
  "providerId",
  "computeId",
  "adopt",
  "deploymentId",
  "url",
  "customUrl",
  "__progressUrn",
];

/** The program as a preview sees it: some of its values come from what is not there yet. */
export function withUnknowns(program: JsonObject, pick: number): JsonObject {
  let next = pick;
  const blur = (value: Json | undefined): Json | undefined => {
    next += 1;
    if ((next * 7) % 5 === 0) return UNKNOWN;
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, blur(each)])) : value;
  };
  return Object.fromEntries(
    Object.entries(program).map(([key, value]) => [key, KNOWN.includes(key) ? value : blur(value)]),
  );
}

/** What is planned is what is sent. */
export function isAsPlanned(
  resource: Resource,
  operation: Operation,
  before: EngineModel["state"],
  verbs: readonly Verb[],
  pick: number,
): string | undefined {
  const { type, sent, title, isUnanswered } = resource;
  const requests = verbs.flatMap((verb) => verb.requests.filter(({ isRead }) => !isRead));
  const made = verbs.flatMap(({ revisions }) => revisions).length;
  for (const seen of [sent, withUnknowns(sent, pick)]) {
    // These inputs are from before that update; the native plugin's would be what a refresh has seen.
    for (const hasInputs of isUnanswered ? [false] : [false, true]) {
      const plan = planOf(type, operation, seen, before, hasInputs);
      const of = `of ${title} (${operation}${seen === sent ? "" : `, with unknown values: ${JSON.stringify(seen)}`})`;
      const found = lie(plan.requests, requests);
      if (found !== undefined)
        return `the plan ${of} lies: ${found}; planned: ${JSON.stringify(plan)}; sent: ${JSON.stringify(requests)}`;
      // Where everything is known, so is what happens, unless an adoption has to look, or an object may be there that a run has left under the key.
      const isOpen = plan.requests.some(
        ({ method, isCertain }) => !isCertain && !(canRepeat(type) && method === "POST"),
      );
      const isKnown = seen === sent && !isUnanswered;
      if (isKnown && sent["adopt"] === undefined && isOpen)
        return `the plan ${of} leaves open what is known: ${JSON.stringify(plan)}`;
      if (operation !== "update") continue;
      const expected = { none: [0], may: isKnown ? [] : [0, 1], certain: [1] }[plan.revision];
      if (!expected.includes(made)) return `the plan ${of} says of a revision: ${plan.revision}; ${made} were made`;
    }
  }
  return undefined;
}
