import { nameInUrn } from "../../provider/base/engine-format";
import { UNKNOWN } from "../../provider/base/json";
import type { Plan } from "../../provider/lifecycle/plan";
import { listed, takesNewestServer } from "../../provider/resources/deployment/sources";
import { objectPlaceOf } from "../../provider/resources/resource-types";
import { keepsNaturalKey } from "../../provider/lifecycle/refusals";
import { NOT_READY, PROBLEM } from "../../provider/lifecycle/state";
import type { FieldChange } from "./changes";
import { sidesOf } from "./plans";
import type { PropertyDependencies } from "./preview";
import type { Consequence, Operation, Risk } from "./review";
import { adoptsObjectOf, isHalfDone, isKept, isReadFrom, type IsSamePlace, type MergedStep } from "./steps";

/** What becomes of an object that leaves the stack or is replaced. */
interface Removal {
  /** Whether a DELETE is sent for it; "perhaps": only `up` can tell. */
  readonly isSent: boolean | "perhaps";
  /** Why the object stays; undefined if it goes. */
  readonly stays?: string;
  /** How it goes without a DELETE of its own, or when it does not go. */
  readonly how?: string;
}

/** A step with its fields. */
export interface Changed extends MergedStep {
  readonly fields: readonly FieldChange[];
  /** False if everything about it is only known at `up`: it may stay as it is. */
  readonly isCertain: boolean;
  /** What `up` sends for it. */
  readonly plan: Plan;
  /** What becomes of its object if it leaves the stack or is replaced. */
  readonly removal: Removal;
}

/** What a consequence may depend on besides the object itself. */
export interface Surroundings {
  /** Everything in the preview, changed or not. */
  readonly all: readonly Changed[];
  readonly dependencies: PropertyDependencies;
  readonly isSamePlace: IsSamePlace;
}

/** What follows from a change, in the order in which it should be read. */
export function consequencesOfChange(object: Changed, around: Surroundings): Consequence[] {
  const { operation, known } = object;
  const stays = operation === "delete" || operation === "move";
  const own = operation === undefined ? [] : (BY_OPERATION[operation]?.(object, around) ?? []);
  const namesWait = operation === "update" || own.some(({ code }) => code === "revision");
  return [
    ...own,
    ...rotated(object, around),
    ...wiped(object),
    ...irrevocable(object),
    ...(known?.table.acts && !stays ? [rolledBack(object) ?? hasProblem(object) ?? acts(object)] : []),
    ...(namesWait || stays ? [] : waitOfItsOwn(object, around)),
  ];
}

type ByOperation = Partial<Record<Operation, (object: Changed, around: Surroundings) => Consequence[]>>;
const BY_OPERATION: ByOperation = {
  replace: replacement,
  delete: deletion,
  adopt: adoption,
  import: imported,
  update,
  move: moved,
};

/** The risk of a change: of an object that only the state has, none. */
export function riskOf(object: Changed, consequences: readonly Consequence[]): Risk {
  const has = (code: Consequence["code"]): boolean => consequences.some((each) => each.code === code);
  if (object.type.startsWith("pulumi:providers:") || object.known?.hasObject === false) return "none";
  if (has("deletion")) return "deletion";
  if (has("replacement")) return "replacement";
  if (has("revision") || (has("adoption") && object.plan.revision !== "none")) return "new revision";
  return "none";
}

/** True for a kind with revisions: some of its fields change without a new one, the others need one. */
const hasRevisions = ({ known }: Changed): boolean =>
  Object.values(known?.table.fieldRules ?? {}).some(({ withoutRevision }) => withoutRevision);

function replacement(object: Changed, around: Surroundings): Consequence[] {
  const { table, hasObject } = object.known ?? {};
  const because = `${reasonOf(object)}.`;
  const say = (text: string): Consequence => ({ code: "replacement", text });
  if (hasObject === false) return [say(`Created again: ${because}`)];
  const { stays } = object.removal;
  if (isInTheWay(object, object.fields, object.removal)) {
    const how =
      stays === undefined
        ? "The new one would be made first, and finds the old one in its place. Set the option deleteBeforeReplace: true."
        : `The new one finds the old one in its place. ${stays} Declare another ${table?.naturalKey ?? "name"}.`;
    return [say(`Stays, and pulumi up fails: ${because} ${how}`)];
  }
  const again = dependents(object, around);
  if (stays !== undefined) return [say(`Created again: ${because} The old one leaves the stack. ${stays}`), ...again];
  if (isHalfDone(object))
    return [say("Created again: an earlier run has deleted the old one, and was cut off."), ...again];
  const order = object.deletesFirst
    ? "Deleted first, then created again"
    : "Created again, then the old one is deleted";
  const goes = table?.goesWith === undefined ? "" : ` Lost with the old one: ${table.goesWith}.`;
  return [say(`${order}: ${because}${goes}`), ...again];
}

/** Whether a replacement will fail because the old object still has the same name or key: it stays, or the create comes first. */
export function isInTheWay(step: MergedStep, fields: readonly FieldChange[], { stays }: Removal): boolean {
  const { operation, known, isOldDeleted, deletesFirst, replacedFor } = step;
  if (operation !== "replace" || !isOldDeleted || known?.hasObject !== true) return false;
  const { before, after } = sidesOf(step, known);
  // The names of what an agent keeps repeat.
  const isTaken = objectPlaceOf(known.kind) === "platform" && keepsNaturalKey(known.table, before, after);
  if (isTaken && (stays !== undefined || !deletesFirst)) return true;
  return !deletesFirst && replacedFor.length === 0 && fields.length === 0;
}

function reasonOf({ fields, replacedFor }: Changed): string {
  const reasons = fields.filter(({ replaces }) => replaces);
  const isOpen = reasons.length > 0 && reasons.every(({ change }) => change === "may change");
  const names = reasons.length > 0 ? reasons.map(({ path }) => path) : replacedFor;
  // The engine names no field for any of these, and replaceOnChanges only counts where one changes.
  if (names.length === 0)
    return `that was asked for (${fields.length > 0 ? "replaceOnChanges, " : ""}replaceWith, replacementTrigger, --replace, --target-replace or a taint)`;
  return `${listed(names)} cannot change in place${isOpen ? ", if that turns out to differ" : ""}`;
}

function dependents({ urn }: Changed, { all, dependencies }: Surroundings): Consequence[] {
  const changing = all.filter(({ operation }) => operation !== undefined && operation !== "create");
  const following = new Set([urn]);
  // Dependents of a dependent follow as well.
  for (let before = 0; before < following.size;) {
    before = following.size;
    for (const each of changing) {
      const on = [(each.new ?? each.old)?.parent ?? "", ...Object.values(dependencies[each.urn] ?? {}).flat()];
      if (on.some((other) => following.has(other))) following.add(each.urn);
    }
  }
  const follow = changing.filter((each) => each.urn !== urn && following.has(each.urn));
  if (follow.length === 0) return [];
  return [{ code: "dependents", text: `Its dependents follow: ${listed(follow.map(titleOf).sort())}.` }];
}

/** What refers to a shared secret that gets another value. */
function rotated(
  { urn, known, operation, fields, new: after }: Changed,
  { all, dependencies }: Surroundings,
): Consequence[] {
  if (known?.kind !== "WorkspaceSecret" || operation === "create" || !fields.some(({ path }) => path === "value"))
    return [];
  // By an output, or by its key, which a program may write down.
  const key = after?.inputs?.["key"];
  const isNamedIn = (value: unknown): boolean =>
    typeof value === "object" && value !== null
      ? Object.values(value).some(isNamedIn)
      : typeof value === "string" && (value === key || value.includes(`\${${String(key)}}`));
  const users = all.filter(
    ({ urn: other, new: inputs }) =>
      other !== urn &&
      (Object.entries(dependencies[other] ?? {}).some(([property, urns]) => property !== "" && urns.includes(urn)) ||
        isNamedIn(inputs?.inputs)),
  );
  const text = users.length === 0 ? "Nothing in this stack names it" : `Used by ${listed(users.map(titleOf).sort())}`;
  return [{ code: "dependents", text: `${text}.` }];
}

/**
 * What happens to an object that leaves the stack or is replaced.
 * @param isDeletable Whether the contract of a step's connection has a delete.
 */
export function removalOf(
  step: MergedStep,
  all: readonly MergedStep[],
  isDeletable: (step: MergedStep) => boolean,
  isSamePlace: IsSamePlace,
): Removal {
  const { known, old, deletedWith, isLeftBehind } = step;
  const stays = (why: string): Removal => ({ isSent: false, stays: why });
  // Of one that is not removed, without a search of all others for each of thousands.
  if (!LEAVING.has(step.operation)) return { isSent: false };
  if (isHalfDone(step)) return { isSent: false };
  if (known?.hasObject === false) return stays("It has no object of its own on the platform.");
  if (old?.external) return stays("The stack only reads it: nothing is sent.");
  if (isReadFrom(old, step.new)) return stays("It stays on the platform: from now on, the program only reads it.");
  if (old?.retainOnDelete) return stays("It stays on the platform (retainOnDelete).");
  if (!isDeletable(step)) return stays("It stays on the platform: this contract cannot delete it.");
  const adopters = all.map((each) => ({
    title: titleOf(each),
    verb: isKept(each) ? "has" : "adopts",
    adopts: adoptsObjectOf(each, step, isSamePlace),
  }));
  const sure = adopters.find(({ adopts }) => adopts === true);
  if (sure !== undefined) return stays(`It stays on the platform, as ${sure.title}, which ${sure.verb} it.`);
  const owner = all.find(({ urn, operation }) => urn === deletedWith && LEAVING.has(operation));
  if (owner !== undefined) return withOwner(step, owner, removalOf(owner, all, isDeletable, isSamePlace));
  const other = adopters.find(({ adopts }) => adopts === "perhaps");
  if (other !== undefined) return { isSent: "perhaps", how: `, unless ${other.title} ${other.verb} it` };
  if (!isLeftBehind) return { isSent: true };
  const isImported = all.some(({ urn, operation }) => urn === step.urn && operation === "import");
  return {
    isSent: true,
    how: isImported
      ? ", since another one is imported in its place"
      : ", since an earlier replacement has left it behind",
  };
}

const LEAVING: ReadonlySet<MergedStep["operation"]> = new Set(["delete", "replace"]);

/** The engine sends no delete for a resource whose `deletedWith` resource is deleted, even if the object of that one stays. */
function withOwner({ kind }: MergedStep, owner: MergedStep, { stays }: Removal): Removal {
  // If the other one is replaced, it depends on the order of its steps whether a delete is sent.
  if (owner.operation === "replace") return { isSent: "perhaps" };
  const title = titleOf(owner);
  if (stays === undefined)
    return { isSent: false, how: `, together with ${title} (deletedWith): nothing is sent for it` };
  const why = `The ${kind} stays, since the state has it deleted with ${title} (deletedWith), whose object stays: nothing is sent for it.`;
  return { isSent: false, stays: `${why} To delete it, run pulumi up first with the program as it was.` };
}

function deletion({ known, old, removal: { stays, how = "" } }: Changed): Consequence[] {
  if (stays !== undefined) return [{ code: "stays", text: stays }];
  const traces = old?.outputs?.["deleteTracingProject"] === true ? ["its tracing project with all traces"] : [];
  const goes = [...(known?.table.goesWith === undefined ? [] : [known.table.goesWith]), ...traces];
  return [
    { code: "deletion", text: `Deleted${goes.length === 0 ? "" : `, and with it ${goes.join(", and ")}`}${how}.` },
  ];
}

function imported(object: Changed, around: Surroundings): Consequence[] {
  if (object.plan.requests.length === 0) return [{ code: "adoption", text: "Taken over as it is: nothing is sent." }];
  const text = "Taken over, and changed to match this program.";
  return [{ code: "adoption", text }, ...newRevision(object, around)];
}

function adoption(object: Changed): Consequence[] {
  const { known, new: fresh } = object;
  const adopt = fresh?.inputs?.["adopt"];
  const { one = "object" } = known?.table ?? {};
  const which =
    typeof adopt === "string"
      ? `Takes over the ${one} ${adopt}`
      : `Takes over the ${one} of this ${known?.table.naturalKey ?? "name"} if there is one, otherwise creates it`;
  const revision = hasRevisions(object) ? ", with a new revision if needed" : "";
  const text = `${which}. Where it differs from this program, it is changed to match${revision}; a review does not know where.`;
  return [{ code: "adoption", text }];
}

function update(object: Changed, around: Surroundings): Consequence[] {
  const { fields, plan } = object;
  if (getsItsCode(object)) return [{ code: "moved", text: "Becomes a dynamic resource again: nothing is sent." }];
  const unnamed = "Changes only in the state, or in a secret: the engine does not say which field.";
  const notes: Consequence[] = fields.length === 0 ? [{ code: "unnamed", text: unnamed }] : [];
  if (plan.revision !== "none") return [...notes, ...newRevision(object, around)];
  if (notes.length > 0 || object.known?.hasObject !== true) return notes;
  if (fields.some(({ path, before }) => path === PROBLEM && before === NOT_READY))
    return [{ code: "in place", text: "`pulumi up` waits until it is ready." }];
  if (plan.requests.length === 0) return [{ code: "in place", text: "Changes only in the state: nothing is sent." }];
  return hasRevisions(object) ? [{ code: "in place", text: "Changes without a new revision." }] : [];
}

function newRevision(object: Changed, around: Surroundings): Consequence[] {
  const { revision } = object.plan;
  if (revision === "none") return [];
  const text = `${revision === "certain" ? "Makes" : "May make"} a new revision${waited(object, around)}.`;
  return [{ code: "revision", text }, ...server(object, around)];
}

/** The agent server of a new revision that the platform builds, which no argument shows. */
function server(object: Changed, around: Surroundings): Consequence[] {
  const version = rolloutOf(object, around)?.old?.outputs?.["imageVersion"];
  if (typeof version !== "string" || !takesNewestServer(object.new?.inputs ?? {})) return [];
  const text = `Runs server ${version} now: a new revision takes the newest one, unless langgraph.json pins api_version.`;
  return [{ code: "server", text }];
}

/** True if the stack returns from the native plugin: the outputs lack the code of the dynamic resource, and nothing else changes. */
const getsItsCode = ({ fields, old, new: fresh }: Changed): boolean =>
  fields.length === 0 && fresh?.inputs?.["__provider"] !== undefined && old?.outputs?.["__provider"] === undefined;

/** Whether a changed object is the Rollout of this Deployment. */
function isRolloutOf(each: Changed, { urn, old, known }: Changed, { dependencies }: Surroundings): boolean {
  // A Rollout that --target leaves out does nothing.
  if (each.known?.kind !== "Rollout" || each.operation === undefined || known?.kind !== "Deployment") return false;
  const { parent, inputs } = each.new ?? each.old ?? {};
  const isOfIt = old !== undefined && old.id !== "" && inputs?.["deploymentId"] === old.id;
  return parent === urn || isOfIt || (dependencies[each.urn]?.["deploymentId"] ?? []).includes(urn);
}

/** The Rollout of an object, unless it is deleted. */
const rolloutOf = (object: Changed, around: Surroundings): Changed | undefined =>
  around.all.find((each) => each.operation !== "delete" && isRolloutOf(each, object, around));

/** The changed object to which an object belongs; undefined for one that stands alone. */
export const wholeOf = (part: Changed, around: Surroundings): Changed | undefined =>
  around.all.find((each) => each.operation !== undefined && isRolloutOf(part, each, around));

/** The wait for the first revision of a new object; for an update, the wait is named with the new revision. */
function waitOfItsOwn(object: Changed, around: Surroundings): Consequence[] {
  const rollout = rolloutOf(object, around);
  return rollout === undefined ? [] : [acts({ ...rollout, isCertain: object.isCertain })];
}

/** What `up` does about the revision: its rollout waits for it. */
function waited(object: Changed, around: Surroundings): string {
  const rollout = rolloutOf(object, around);
  return rollout === undefined
    ? ", but nothing waits for it"
    : `, for which pulumi up waits at most ${limitOf(rollout)}`;
}

/** The declared limit, otherwise the table's default. */
function limitOf({ known, new: fresh, old }: Changed): string {
  const limit = known?.table.acts?.limit ?? "";
  const given = (fresh ?? old)?.inputs?.[limit];
  return typeof given === "string" ? given : (known?.table.fields[limit]?.defaultText ?? "").replace(/"/g, "");
}

function acts(object: Changed): Consequence {
  const what = `\`pulumi up\` ${object.known?.table.acts?.what ?? ""} (at most ${limitOf(object)}).`;
  return { code: "wait", text: object.isCertain ? what : `If a value that it depends on changes, ${what}` };
}

/** A check that has rolled back fails again, unless its deployment gets a new revision. */
function rolledBack({ known, old, new: fresh }: Changed): Consequence | undefined {
  const { problem, failedRevisionId } = (known?.kind === "RunCheck" && old?.outputs) || {};
  if (typeof problem !== "string" || fresh?.inputs?.["revisionId"] !== failedRevisionId) return undefined;
  return { code: "rolled back", text: `Fails at once, and asks nothing. ${problem}.` };
}

/** A wait for a revision that a refresh has found a problem with. */
function hasProblem({ known, old, new: fresh }: Changed): Consequence | undefined {
  const { problem } = (known?.kind === "Rollout" && { ...old?.outputs, ...old?.inputs }) || {};
  const { revisionId } = fresh?.inputs ?? {};
  if (typeof problem !== "string" || typeof revisionId !== "string" || revisionId === UNKNOWN) return undefined;
  return { code: "wait", text: `\`pulumi up\` fails at once if this is still so: ${problem}.` };
}

function wiped({ fields, known, new: fresh, plan, operation, isUpdated }: Changed): Consequence[] {
  if (!isUpdated && operation !== "adopt") return [];
  const isThere = (name: string): boolean =>
    fresh?.inputs?.[name] !== undefined || fields.some(({ steps }) => steps[0] === name);
  // The platform replaces all of them as a whole.
  const names = Object.entries(known?.table.fieldRules ?? {}).flatMap(([name, { authoritative }]) =>
    authoritative && plan.sent.has(name) && isThere(name) ? [name] : [],
  );
  const [first] = names.map((name) => plan.sent.get(name));
  if (first === undefined) return [];
  const isSure = first === "certain" && plan.requests.some((request) => request.isCertain);
  const when = first === "along" ? " along, if somebody else made the latest revision" : "";
  const text = `${isSure ? "Sends" : "May send"} all of ${listed(names)}${when}: what was set elsewhere and is not declared here is removed; other values may be overwritten.`;
  return [{ code: "wiped", text }];
}

const LOST = ", here and on the platform: nothing brings it back";
const KEPT =
  ', but earlier revisions keep it: redeploy without --keep-secrets and rollBack: "with-old-secrets" bring it back';

function irrevocable(object: Changed): Consequence[] {
  const { fields, operation, plan } = object;
  if (operation === "replace") return [];
  const sent = fields.filter(({ steps }) => plan.sent.has(String(steps[0])));
  const set = sent.filter(({ rule, change }) => typeof rule.onRemove === "object" && change === "new");
  const lost = sent.filter(({ rule, change }) => rule.secret && (change === "changes" || change === "removed"));
  const say = (all: readonly FieldChange[], sentence: (paths: string) => string): Consequence[] =>
    all.length === 0 ? [] : [{ code: "irrevocable", text: sentence(listed(all.map(({ path }) => path))) }];
  return [
    ...say(set, (paths) => `Once set, ${paths} can be changed, but not removed.`),
    ...say(lost, (paths) => `The previous value of ${paths} is overwritten${hasRevisions(object) ? KEPT : LOST}.`),
  ];
}

function moved({ urn, old }: Changed): Consequence[] {
  const from = nameInUrn(old?.urn ?? "");
  const what =
    from === nameInUrn(urn) ? "Has another parent or type in the program" : `Was called ${from} in the program before`;
  return [{ code: "moved", text: `${what}: nothing is sent.` }];
}

/** `Deployment support-desk` */
export const titleOf = ({ kind, name }: Pick<MergedStep, "kind" | "name">): string => `${kind} ${name}`;
