import { z } from "zod";
import { isObjectType } from "../base/managed-types";
import { type ChangedPath, changedPaths, maskedPath, SECRET, secretsIn } from "../base/changed-fields";
import { nameInUrn } from "../../provider/base/engine-format";
import { textIn } from "../../provider/base/json";
import { ruleAt, showPath } from "../../provider/lifecycle/fields/fields";
import { migrateState, NOT_READY, UNREAD, withoutHidden } from "../../provider/lifecycle/state";
import { takesNewestServer } from "../../provider/resources/deployment/sources";
import { DELETE_OR_ADOPT } from "../../provider/resources/platform-agent/definition";
import { RESOURCES } from "../../provider/resources/registry";
import { resourceTypeOf } from "../../provider/resources/resource-types";
import type { EngineEvents, EventProperties, Step } from "../base/engine-events";

/** One field that is not as declared. A side that does not have the field leaves its key out. */
export interface DriftField {
  /** Such as `environmentVariables.LEVEL` or `proxyConfig.rules[0].name`; `rollout.revisionId` of the Rollout of a deployment. */
  readonly path: string;
  readonly declared?: unknown;
  readonly live?: unknown;
}

/** An object of the stack. A Rollout is reported with its Deployment. A RunCheck is never read, and reported only if it has rolled a deployment back. */
export interface StackObject {
  readonly urn: string;
  /** The type token, such as `pulumi-nodejs:dynamic/agent-platform:Deployment`. */
  readonly type: string;
  /** Its name in the program. */
  readonly name: string;
  /** Its id on the platform. */
  readonly id: string;
}

/** An object that is not as declared. */
export interface DriftedObject extends StackObject {
  /** The engine's operation on the state: `update`, or `delete` if the object is gone from the platform. */
  readonly operation: string;
  /** Present if the program only reads it (`X.get`): no `pulumi up` creates or changes it. */
  readonly readOnly?: true;
  /** Empty for an object that is gone. */
  readonly fields: readonly DriftField[];
  /** The next command, and what it does: a part of a sentence. */
  readonly next: string;
}

/** A deployment whose newer revision has another version of the agent server. No argument declares the version, so this is not drift. */
export interface ServerChange extends StackObject {
  readonly before: string;
  readonly after: string;
  /** Both revisions were built from the same commit; false if a commit is unknown. */
  readonly sameCommit: boolean;
  /** False for the latest revision while another one serves. */
  readonly serves: boolean;
}

/** The output of `pulumi-agent-platform drift --format json`. Keys may be added; these stay. */
export interface Report {
  readonly stack: string;
  readonly drifted: readonly DriftedObject[];
  /** The objects of which the platform gave no answer: whether they drifted is not known. */
  readonly unread: readonly StackObject[];
  /** How many objects are as declared. */
  readonly clean: number;
  readonly servers: readonly ServerChange[];
}

/** The report of a complete run. The engine decides what drifted, the read what is unread; the objects are in the order of their URNs. */
export function reportOf(stack: string, { outcomes }: Pick<EngineEvents, "outcomes">): Report {
  const sorted = wholesOf([...outcomes].sort((a, b) => (a.urn < b.urn ? -1 : 1)));
  const read = sorted.filter(({ step }) => !isUnread(step));
  const rolledBack = outcomes.filter((step) => rolledBackBy(step) !== undefined);
  const deployments = new Set(rolledBack.map(({ old }) => old?.inputs?.["deploymentId"]));
  const isSame = ({ step, rollouts }: Whole): boolean =>
    [step, ...rollouts].every(({ op }) => op === "same") && rolledBackBy(step) === undefined;
  return {
    stack,
    drifted: read.filter((whole) => !isSame(whole)).map((whole) => drift(whole, deployments.has(whole.step.old?.id))),
    unread: sorted.filter(({ step }) => isUnread(step)).map(({ step }) => objectOf(step)),
    clean: read.filter((whole) => isSame(whole) && whole.step.old?.custom === true && isObjectType(whole.step.type))
      .length,
    servers: sorted.flatMap(serverChanges),
  };
}

/** The worst finding of a report; it decides the exit code. */
export type DriftOutcome = "none" | "drift" | "unread";

export function outcomeOf({ drifted, unread }: Pick<Report, "drifted" | "unread">): DriftOutcome {
  if (unread.length > 0) return "unread";
  return drifted.length > 0 ? "drift" : "none";
}

/** The outcome of an object, with those of its rollouts. */
interface Whole {
  readonly step: Step;
  readonly rollouts: readonly Step[];
}

function wholesOf(steps: readonly Step[]): Whole[] {
  const rollouts = steps.filter(({ type }) => resourceTypeOf(type) === "Rollout");
  const wholes = steps.map((step) => ({ step, rollouts: rollouts.filter((each) => isToldWith(each, step)) }));
  const told = new Set(wholes.flatMap((whole) => whole.rollouts));
  return wholes.filter(({ step }) => !told.has(step));
}

/** Whether a Rollout is reported with this Deployment and needs no entry of its own. */
function isToldWith(rollout: Step, { type, op, old, new: live }: Step): boolean {
  if (resourceTypeOf(type) !== "Deployment") return false;
  if (old?.external === true || old?.id === undefined || rollout.old?.inputs?.["deploymentId"] !== old.id) return false;
  const isKnown = rollout.op !== "delete" && !isUnread(rollout);
  return isKnown || op === "delete" || UNREAD in (live?.outputs ?? {});
}

/** The server changes from the state to the revision that serves now, and from that one to the latest revision, if that does not serve. */
function serverChanges({ step, rollouts }: Whole): ServerChange[] {
  if (!step.new || !takesNewestServer(step.old?.inputs ?? {})) return [];
  return rollouts.flatMap(({ old, new: live }) => {
    const [known, serving] = [builtFrom(old?.outputs), builtFrom(live?.outputs)];
    const latest = builtFrom(live?.outputs?.["__latestBuiltFrom"]);
    return [...changeOf(step, known, serving, true), ...changeOf(step, serving, latest, false)];
  });
}

const BuiltFrom = z.object({ repoCommitSha: z.string().nullish(), imageVersion: z.string().nullish() });
const builtFrom = (outputs: unknown): z.infer<typeof BuiltFrom> => BuiltFrom.safeParse(outputs).data ?? {};

function changeOf(
  step: Step,
  { repoCommitSha: commit, imageVersion: before }: z.infer<typeof BuiltFrom>,
  { repoCommitSha: nextCommit, imageVersion: after }: z.infer<typeof BuiltFrom>,
  serves: boolean,
): ServerChange[] {
  if (before == null || after == null || before === after) return [];
  return [{ ...objectOf(step), before, after, sameCommit: commit != null && commit === nextCommit, serves }];
}

const isUnread = ({ new: live }: Step): boolean => UNREAD in (live?.outputs ?? {});

/** @param isRolledBack A check has put an earlier revision of this deployment back. */
function drift({ step, rollouts }: Whole, isRolledBack: boolean): DriftedObject {
  const changes = [step, ...rollouts].filter(({ op }) => op !== "same");
  const operation = step.op === "same" ? "update" : step.op;
  const readOnly = step.old?.external === true ? { readOnly: true as const } : {};
  const object = { ...objectOf(step), operation, ...readOnly };
  // If the object is gone, there is nothing to compare.
  const problem = rolledBackBy(step);
  const fields =
    problem !== undefined
      ? [{ path: "problem", live: problem }]
      : step.new
        ? changes.flatMap((each) => fieldsOf(each, each === step ? "" : OF_ROLLOUT))
        : [];
  const isHere = isRolledBack && operation === "update" && resourceTypeOf(step.type) === "Deployment";
  const declared = step.old?.inputs ?? {};
  return { ...object, fields, next: isHere ? AFTER_ROLL_BACK : nextOf({ ...object, fields, declared }) };
}

/** The problem of a check that rolled back, from its state, because it has no object to read. Undefined for any other resource. */
function rolledBackBy({ type, op, old }: Step): string | undefined {
  return resourceTypeOf(type) === "RunCheck" && op !== "delete" ? textIn(old?.outputs ?? {}, "problem") : undefined;
}

/** The next step of a check that has gone back, and of its deployment: the declared revision has just failed. */
const AFTER_ROLL_BACK =
  "declare another image, or change redeployTrigger, and run `pulumi up`; `pulumi up --refresh` makes the revision that has failed once more";

/** An object of which the next step is looked for. */
interface Found extends Omit<DriftedObject, "next" | keyof StackObject>, Pick<StackObject, "type"> {
  /** Its arguments. */
  readonly declared: EventProperties;
}

/** What to do about an object, from the kind of its drift. */
export function nextOf(object: Found): string {
  const { operation, fields } = object;
  const readOnly = object.readOnly === true;
  if (operation === "delete") {
    if (readOnly)
      return "the program only reads it, and `pulumi up` fails until it exists again or the program reads another one";
    return typeof object.declared["adopt"] === "string"
      ? "leave `adopt` out of the program: `pulumi up --refresh` then creates it again"
      : "`pulumi up --refresh` creates it again";
  }
  if (readOnly) return "`pulumi refresh` records what is live: the program only reads it";
  if (resourceTypeOf(object.type) === "RunCheck") return AFTER_ROLL_BACK;
  // Nothing that is declared differs, so there is nothing to restore.
  if (fields.length === 0) return "`pulumi refresh` records it, and `pulumi preview` then shows what `up` would change";
  const hasProblem = fields.some(({ path }) => path === "problem");
  if (resourceTypeOf(object.type) === "Deployment" && hasProblem)
    return "`pulumi up --refresh` waits until it is gone, and creates it again";
  if (fields.some(({ path, live }) => path === "problem" && live === NOT_READY))
    return "`pulumi up --refresh` waits until it is ready";
  if (resourceTypeOf(object.type) === "SandboxSnapshot" && hasProblem)
    return (
      "`pulumi up --refresh` builds another one; if another snapshot has its tag, first delete that one, take it over (declare it as it is, with `adopt: true`), " +
      "or declare another tag"
    );
  if (resourceTypeOf(object.type) === "SandboxVolume" && hasProblem)
    return (
      "`pulumi up` is refused: repair it on the platform, or delete it there if it has nothing to keep, run `pulumi refresh`, " +
      "and then `pulumi up`"
    );
  if (resourceTypeOf(object.type) === "SandboxVolume" && fields.some(({ path }) => path === "sizeBytes"))
    return "`pulumi up` is refused: declare the live `sizeBytes`";
  // No update sends it, and nobody knows it of an agent of the platform that was made anew.
  if (resourceTypeOf(object.type) === "PlatformAgent" && hasProblem && object.declared["productionOnly"] === true)
    return `\`pulumi up\` is refused: ${DELETE_OR_ADOPT}`;
  if (resourceTypeOf(object.type) === "PlatformAgent" && fields.some(isFixedSource))
    return "`pulumi up` is refused: declare the live `sourceType`";
  if (fields.some((field) => rolloutFieldOf(object, field) === undefined)) {
    return "`pulumi up --refresh` restores what is declared (not what is in `ignoreChanges`); to keep what is live, edit the program first";
  }
  return fields.some((field) => rolloutFieldOf(object, field) === "problem")
    ? "`pulumi up --refresh` waits for the revision again, or fails with its reason"
    : KEPT;
}

/** An agent of the platform leaves "EXTERNAL" once. */
const isFixedSource = ({ path, live }: DriftField): boolean => path === "sourceType" && live !== "EXTERNAL";

/** The next step of a deployment where nothing but the revision differs. */
export const KEPT =
  "another revision serves, and `pulumi up --refresh` keeps it: of what the platform shows, nothing that is declared differs";

const OF_ROLLOUT = "rollout.";

/** The name of a field of a Rollout, which is reported alone or with its Deployment; undefined for other fields. */
function rolloutFieldOf({ type }: Pick<StackObject, "type">, { path }: DriftField): string | undefined {
  if (resourceTypeOf(type) === "Rollout") return path;
  const isTold = resourceTypeOf(type) === "Deployment" && path.startsWith(OF_ROLLOUT);
  return isTold ? path.slice(OF_ROLLOUT.length) : undefined;
}

function objectOf({ urn, type, old, new: live }: Step): StackObject {
  return { urn, type, name: nameInUrn(urn), id: old?.id ?? live?.id ?? "" };
}

type State = NonNullable<Step["old"]>;

const asDrift = ({ steps, before, after }: ChangedPath, prefix: string): DriftField => ({
  path: prefix + showPath(steps),
  ...(before === undefined ? {} : { declared: before }),
  ...(after === undefined ? {} : { live: after }),
});

function fieldsOf({ type, old, new: live }: Step, prefix: string): DriftField[] {
  if (!live) return [];
  const kind = resourceTypeOf(type);
  const rules = kind === undefined ? {} : RESOURCES[kind].table.fieldRules;
  // The engine masks what the state marks. A state of 0.2.0 may lack the mark.
  const shown = (field: ChangedPath): ChangedPath =>
    ruleAt(rules, field.steps).secret ? maskedPath(field.steps, field.before, field.after) : field;
  return changesOf(type, old, live).map((field) => asDrift(shown(field), prefix));
}

function changesOf(type: string, old: State | null | undefined, live: State): ChangedPath[] {
  // A property of another provider may have a name that ours had in earlier versions.
  const inSight = (props: EventProperties | null | undefined): EventProperties =>
    withoutHidden(resourceTypeOf(type) === undefined ? (props ?? {}) : migrateState(props ?? {}));
  // An object that is only read (`X.get`) has no declaration: its recorded outputs are compared with the live ones.
  if (live.external) return changedPaths(inSight(old?.outputs), inSight(live.outputs));
  const seen = inSight(live.inputs);
  // No program declares a problem: one that a refresh has recorded is still one.
  const isProblem = (key: string): boolean => key === "problem" && key in seen && resourceTypeOf(type) !== undefined;
  // A setting of the provider, such as `rolloutTimeout`, is never in the outputs, so its absence from a read is not drift.
  const isReadable = (key: string): boolean => !isProblem(key) && (key in seen || key in (old?.outputs ?? {}));
  const declared = Object.fromEntries(Object.entries(inSight(old?.inputs)).filter(([key]) => isReadable(key)));
  const fields = changedPaths(declared, seen);
  if (fields.length > 0) return fields;
  // The engine saw a change but does not show it, so it is in a secret. It masks both sides alike, so they cannot be compared.
  return secretsIn(declared).map((steps) => ({ steps, before: SECRET, after: SECRET }));
}
