import { actual, actualOfRevision, differences, expected, expectedOfRevision } from "./comparison";
import type { Ran } from "./ran";
import { succeeded, type Model } from "./model";
import { keyInState, keyOf, managedTypeInState, managedInState, objectOf, type Observation } from "./observation";
import type { Platform } from "./platform";
import { typeOfSlot, rolloutUrnOf, urnOf, type Declared, type World } from "./world";

/** The view of an invariant: one command, and what was there before and after it. */
export interface Judged {
  readonly ran: Ran;
  readonly world: World;
  readonly before: Observation;
  readonly after: Observation;
  readonly model: Model;
  readonly platform: Platform;
  /** Why this command may fail; undefined where it has to succeed. */
  readonly disturbed: string | undefined;
}

/** Each returns the problems that it found, if any. */
type Invariant = (judged: Judged) => string[];

const stillThere = ({ after }: Judged) => after.objects.filter(({ isBeingDeleted }) => !isBeingDeleted);

/** Every object made through the provider is in state, was left on purpose, or was named by a command that failed. */
const nothingLost: Invariant = (judged) => {
  const { after, model, ran } = judged;
  const inState = new Set(managedInState(after).map(keyInState));
  const lost = stillThere(judged).filter(
    (object) =>
      !inState.has(keyOf(object)) &&
      !model.foreign.has(object.uuid) &&
      !model.left.has(object.uuid) &&
      !model.loose.has(object.uuid),
  );
  return lost.map(
    ({ managedType, name, uuid }) =>
      `${managedType} "${name}" (${uuid}) is on the platform and not in state after a command that ended with ${ran.ended.code}`,
  );
};

/** Every resource in state has its object on the platform, unless the object was deleted by hand and no command has looked since. */
const nothingMissing: Invariant = ({ after, model }) =>
  managedInState(after)
    .filter((resource) => {
      const object = objectOf(after, resource);
      // Deleted, by the engine's own account: its successor comes with the next `up`.
      if (resource.pendingReplacement) return false;
      return (object === undefined || object.isBeingDeleted) && !model.excused.has(keyInState(resource));
    })
    .map(({ urn, id }) => `${urn} (${id ?? ""}) is in state, and there is no such object (any more)`);

/** No declared resource has two objects, and no object two resources. */
const eachOnce: Invariant = (judged) => {
  const { after, model, ran } = judged;
  const keys = managedInState(after)
    .filter(({ delete: going }) => !going)
    .map(keyInState);
  // A rename by adopt that was cut off leaves both; the next `up` of everything takes the old one out.
  const isFullUp = ran.applies && ran.targets === undefined && succeeded(ran);
  const twiceInState = isFullUp ? keys.filter((key, index) => keys.indexOf(key) !== index) : [];
  const ours = stillThere(judged).filter(({ uuid }) => !model.foreign.has(uuid) && !model.left.has(uuid));
  const doubled = ours.filter((object, index) =>
    ours.slice(0, index).some((other) => other.managedType === object.managedType && other.name === object.name),
  );
  return [
    ...twiceInState.map((key) => `${key} has two resources in state`),
    ...doubled.map(({ managedType, name }) => `there are two objects ${managedType} "${name}" after "${ran.line}"`),
  ];
};

/** `up` ends with 0 only where, for each deployment that it waits for, the revision that serves was made from the declared configuration. */
const neverFalselyGreen: Invariant = (judged) => {
  if (!judged.ran.applies || !succeeded(judged.ran)) return [];
  return judged.world
    .filter(
      (declared) =>
        typeOfSlot(declared.slot) === "Deployment" &&
        declared.agent.awaits &&
        !declared.raw &&
        inScope(judged.ran, declared),
    )
    .flatMap((declared) => servesWrongly(judged, declared));
};

function servesWrongly({ after, model, platform }: Judged, declared: Declared): string[] {
  const resource = managedInState(after).find(({ urn }) => urn === urnOf(declared));
  if (resource === undefined || model.touched.has(keyInState(resource)) || model.excused.has(keyInState(resource)))
    return [];
  const serving = platform.serving(resource.id ?? "");
  if (serving === undefined) return [`"${declared.name}": \`up\` ended with 0, and no revision serves`];
  return differences(expectedOfRevision(resource.inputs), actualOfRevision(serving)).map(
    (difference) => `"${declared.name}": \`up\` ended with 0, and in the revision that serves ${difference}`,
  );
}

function inScope({ targets, withDependents }: Ran, declared: Declared): boolean {
  if (targets === undefined) return true;
  return targets.includes(rolloutUrnOf(declared)) || (withDependents === true && targets.includes(urnOf(declared)));
}

/** After an `up` of everything that ends with 0, each declared resource is in state, and nothing else. */
const allDeclared: Invariant = ({ ran, world, after }) => {
  if (!ran.applies || !succeeded(ran) || ran.targets !== undefined) return [];
  const declared = new Set(world.map(urnOf));
  const inState = managedInState(after).map(({ urn }) => urn);
  return [
    ...[...declared].filter((urn) => !inState.includes(urn)).map((urn) => `${urn} is declared, and not in state`),
    ...inState.filter((urn) => !declared.has(urn)).map((urn) => `${urn} is in state, and not declared`),
  ];
};

/** The platform holds what state says, unless it was changed by hand and no command has looked since. */
const stateIsTrue: Invariant = ({ ran, after, model }) => {
  if (!succeeded(ran)) return [];
  return managedInState(after).flatMap((resource) => {
    const object = objectOf(after, resource);
    const managedType = managedTypeInState(resource);
    const key = keyInState(resource);
    if (object === undefined || managedType === undefined || resource.delete || resource.pendingReplacement) return [];
    // An import reads no values of an environment.
    if (model.imported.has(resource.urn)) return [];
    if (model.touched.has(key) || model.unsettled.has(key) || model.excused.has(key)) return [];
    return differences(expected(managedType, resource.inputs), actual(managedType, object.record)).map(
      (difference) => `${managedType} "${object.name}": state says otherwise, but on the platform ${difference}`,
    );
  });
};

/** An object that was made by hand, and not adopted, is neither changed nor deleted. */
const foreignUntouched: Invariant = ({ after, model }) =>
  [...model.foreign.values()].flatMap((made) => {
    const now = after.objects.find(({ uuid }) => uuid === made.uuid);
    if (now === undefined) return [`${made.managedType} "${made.name}" was made by hand, and is gone`];
    return differences(made.record, now.record).map(
      (difference) => `${made.managedType} "${made.name}" was made by hand, and ${difference}`,
    );
  });

/** An object that was made by hand comes into state only where the program adopts it. */
const adoptedOnlyWhereAsked: Invariant = ({ before, after, world, model }) => {
  const known = new Set(managedInState(before).map(keyInState));
  return managedInState(after).flatMap((resource) => {
    const object = objectOf(after, resource);
    const declared = world.find((other) => urnOf(other) === resource.urn);
    if (object === undefined || known.has(keyInState(resource)) || !model.wasForeign.has(object.uuid)) return [];
    if (model.successors.has(object.uuid) || model.imported.has(resource.urn)) return [];
    if (declared === undefined || declared.adopt || declared.imports !== undefined) return [];
    return [`${object.managedType} "${object.name}" was made by hand, and is in state without adopt`];
  });
};

/** An update leaves undeclared fields alone. */
const undeclaredKept: Invariant = (judged) =>
  [...judged.model.undeclared].flatMap(([uuid, fields]) => {
    const object = stillThere(judged).find((other) => other.uuid === uuid);
    return object === undefined
      ? []
      : differences(fields, object.record).map(
          (difference) => `${object.managedType} "${object.name}": an undeclared field was changed: ${difference}`,
        );
  });

/** `up` replaces nothing that the preview before it did not show as replaced. */
const previewToldTheTruth: Invariant = ({ ran, before, after, model, disturbed }) => {
  const { announced } = ran;
  if (announced === undefined || disturbed !== undefined || model.excused.size > 0) return [];
  return managedInState(before).flatMap((resource) => {
    const now = managedInState(after).find(({ urn, delete: going }) => urn === resource.urn && !going);
    const [was, is] = [objectOf(before, resource), now && objectOf(after, now)];
    const operation = announced.get(resource.urn) ?? "nothing";
    const replaced = now?.pendingReplacement === true || (is !== undefined && was?.uuid !== is.uuid);
    if (was === undefined || !replaced || /replace/.test(operation)) return [];
    return [`the preview announced "${operation}" for ${resource.urn}, and \`up\` replaced it`];
  });
};

/** A redeployTrigger that changed is sent. */
const triggerIsSent: Invariant = ({ before, after, platform }) =>
  managedInState(after).flatMap((resource) => {
    const was = managedInState(before).find(({ id, urn }) => id === resource.id && urn === resource.urn);
    const changed =
      JSON.stringify(was?.inputs["redeployTrigger"]) !== JSON.stringify(resource.inputs["redeployTrigger"]);
    if (was === undefined || !changed || resource.inputs["redeployTrigger"] === undefined) return [];
    const sent = platform.requests.some(
      ({ seq, method, path }) =>
        seq > platform.seenUntil && method === "PATCH" && path.endsWith(`/${resource.id ?? ""}`),
    );
    return sent ? [] : [`${resource.urn}: redeployTrigger changed in state, and nothing was sent`];
  });

/** A command that nothing disturbs succeeds. */
const succeedsUndisturbed: Invariant = ({ ran, disturbed }) =>
  disturbed === undefined && !succeeded(ran) && !ran.ended.cut && ran.targets === undefined
    ? [`nothing disturbed "${ran.line}", and it ended with ${ran.ended.code}`]
    : [];

/** Every command ends by itself. */
const everyCommandEnds: Invariant = ({ ran }) => (ran.ended.hung ? [`"${ran.line}" did not end`] : []);

/** In the order in which they are judged; the first that is broken ends the program. */
export const INVARIANTS = {
  everyCommandEnds,
  foreignUntouched,
  adoptedOnlyWhereAsked,
  nothingLost,
  nothingMissing,
  eachOnce,
  neverFalselyGreen,
  undeclaredKept,
  allDeclared,
  previewToldTheTruth,
  triggerIsSent,
  stateIsTrue,
  succeedsUndisturbed,
} as const satisfies Record<string, Invariant>;
