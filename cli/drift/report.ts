import { changedFields, secretFields, type ChangedField } from "../base/changed-fields";
import { migrateState, nameInUrn, resourceTypeOf, UNREAD, withoutHidden } from "../../provider/tools";
import type { EngineEvents, EventProperties, Step } from "../base/engine-events";

/** One field that is not as declared. A side that does not have the field leaves its key out. */
export interface DriftField {
  /** Such as `environmentVariables.LEVEL` or `proxyConfig.rules[0].name`. */
  readonly path: string;
  readonly declared?: unknown;
  readonly live?: unknown;
}

/** An object of the stack. */
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

/** The output of `pulumi-agent-platform drift --format json`. Keys may be added; these stay. */
export interface Report {
  readonly stack: string;
  readonly drifted: readonly DriftedObject[];
  /** The objects of which the platform gave no answer: whether they drifted is not known. */
  readonly unread: readonly StackObject[];
  /** How many objects are as declared. */
  readonly clean: number;
}

/** The report of a complete run. The engine decides what drifted, the read what is unread; the objects are in the order of their URNs. */
export function reportOf(stack: string, { outcomes }: Pick<EngineEvents, "outcomes">): Report {
  const sorted = [...outcomes].sort((a, b) => (a.urn < b.urn ? -1 : 1));
  const read = sorted.filter((outcome) => !isUnread(outcome));
  return {
    stack,
    drifted: read.filter(({ op }) => op !== "same").map(drift),
    unread: sorted.filter(isUnread).map(objectOf),
    clean: read.filter((outcome) => outcome.op === "same" && isObject(outcome)).length,
  };
}

/** The worst that a report says; the exit code follows from it. */
export type DriftOutcome = "none" | "drift" | "unread";

export function outcomeOf({ drifted, unread }: Pick<Report, "drifted" | "unread">): DriftOutcome {
  if (unread.length > 0) return "unread";
  return drifted.length > 0 ? "drift" : "none";
}

const isUnread = ({ type, new: live }: Step): boolean =>
  resourceTypeOf(type) !== undefined && UNREAD in (live?.outputs ?? {});

/** The stack itself, components and connections do not exist on the platform. */
function isObject({ type, old }: Step): boolean {
  return old?.custom === true && !type.startsWith("pulumi:providers:");
}

function drift(step: Step): DriftedObject {
  const { op, type, old, new: live } = step;
  const readOnly = old?.external === true ? { readOnly: true as const } : {};
  const object = { ...objectOf(step), operation: op, ...readOnly };
  const fields = live ? fieldsOf(type, old, live).map(asDrift) : [];
  return { ...object, fields, next: nextOf({ ...object, fields }) };
}

/** What to do about an object, from the kind of its drift. */
export function nextOf(object: Omit<DriftedObject, "next" | keyof StackObject> & Pick<StackObject, "type">): string {
  const { type, operation, fields } = object;
  const readOnly = object.readOnly === true;
  if (operation === "delete") {
    return readOnly
      ? "the program only reads it, and `pulumi up` fails until it exists again or the program reads another one"
      : "`pulumi up --refresh` creates it again";
  }
  if (readOnly) return "`pulumi refresh` records what is live: the program only reads it";
  // Nothing that is declared differs, so there is nothing to restore.
  if (fields.length === 0) return "`pulumi refresh` records it, and `pulumi preview` then shows what `up` would change";
  if (type.endsWith(":Rollout")) {
    return fields.some(({ path }) => path === "problem")
      ? "`pulumi up --refresh` waits for the revision again, or fails with its reason"
      : "`pulumi up --refresh` keeps this revision, or makes a new one if its deployment changes";
  }
  return "`pulumi up --refresh` restores what is declared; to keep what is live, edit the program first";
}

function objectOf({ urn, type, old, new: live }: Step): StackObject {
  return { urn, type, name: nameInUrn(urn), id: old?.id ?? live?.id ?? "" };
}

type State = NonNullable<Step["old"]>;

const asDrift = ({ path, before, after }: ChangedField): DriftField => ({
  path,
  ...(before === undefined ? {} : { declared: before }),
  ...(after === undefined ? {} : { live: after }),
});

function fieldsOf(type: string, old: State | null | undefined, live: State): ChangedField[] {
  // A property of another provider may have a name that ours had in earlier versions.
  const inSight = (props: EventProperties | null | undefined): EventProperties =>
    withoutHidden(resourceTypeOf(type) === undefined ? (props ?? {}) : migrateState(props ?? {}));
  // An object that is only read (`X.get`) has no declaration: its recorded outputs are compared with the live ones.
  if (live.external) return changedFields(inSight(old?.outputs), inSight(live.outputs));
  const seen = inSight(live.inputs);
  // A setting of the provider, such as `rolloutTimeout`, is never in the outputs, so its absence from a read is not drift.
  const isReadable = (key: string): boolean => key in seen || key in (old?.outputs ?? {});
  const declared = Object.fromEntries(Object.entries(inSight(old?.inputs)).filter(([key]) => isReadable(key)));
  const fields = changedFields(declared, seen);
  // The engine saw a change but does not show it, so it is in a secret.
  return fields.length > 0 ? fields : secretFields(declared);
}
