import type { Author, Situation } from "./author";
import type { ManualChangeName } from "./by-hand";
import type { EditName } from "./edits";
import { imported, OTHER_HANDS } from "./other-hands";
import { OUTAGES } from "./layers";
import { OUTCOMES, type Step } from "./steps";
import { SLOTS, type Slot } from "./world";

const REPLACING: readonly EditName[] = ["change a field that replaces", "rename the object", "change source"];
const IN_PLACE: readonly EditName[] = ["change a field", "change the environment", "change displayName"];
const REVISION: readonly EditName[] = [
  "change the environment",
  "change a field",
  "change resourceSpec",
  "change redeployTrigger",
];
const ALONE: readonly EditName[] = [
  "change displayName",
  "change redeployTrigger",
  "switch buildOnPush",
  "switch buildOnPush",
  "switch awaitRollout",
  "change extra at the top",
  "change resourceSpec",
  "change extra inside resource_spec",
];

/** A resource, and one that uses it; undefined where there is no such pair. */
function pair(
  author: Author,
): { readonly used: Slot; readonly using: Slot; readonly edits: Step["edits"] } | undefined {
  const later = author.slots().slice(1);
  if (later.length === 0) return undefined;
  const using = author.draw(later);
  const edits = author.edit("use another resource's output", using);
  const used = author.slots().find((slot) => author.dependents(slot).includes(using));
  return used === undefined ? undefined : { used, using, edits };
}

/** A resource is replaced, while another one uses it and changes as well. */
const replacedBelow: Situation = (author) => {
  const found = pair(author);
  if (found === undefined) return [];
  const { used, using } = found;
  const edits = [
    ...found.edits,
    ...author.edit("change a field that replaces", used),
    ...(author.chance(70) ? author.edit([...REPLACING, ...IN_PLACE], using) : []),
  ];
  return [author.step({ edits, command: author.applying() })];
};

/** A resource goes that others use, and they go with it. */
const goesWithDependents: Situation = (author) => {
  const found = pair(author);
  if (found === undefined) return [];
  const command = author.command(
    ["destroy --target --target-dependents", "up --target --target-dependents"],
    found.used,
  );
  return [
    ...(found.edits.length > 0 ? [author.step({ edits: found.edits, command: author.command(["up"]) })] : []),
    author.step({ command }),
  ];
};

/** A whole sourceConfig depends on a resource that is replaced. */
const wholeConfigUnknown: Situation = (author) => {
  const later = author.agents().filter((slot) => slot !== author.slots()[0]);
  if (later.length === 0) return [];
  const slot = author.draw(later);
  const first = author.edit("take the whole sourceConfig from another", slot);
  const used = author.slots().filter((other) => other !== slot && author.dependents(other).includes(slot));
  const edits = used.flatMap((other) => author.edit("change a field that replaces", other));
  return [
    ...(first.length > 0 ? [author.step({ edits: first, command: author.command(["up"]) })] : []),
    author.step({ edits, command: author.command(["preview, then up", "preview, then up", "up"]) }),
  ];
};

/** An object is changed by hand, and a command looks. */
const behindItsBack: Situation = (author) => {
  const changes: ManualChangeName[] = ["delete the object", "delete the object and make it again", "change the object"];
  const looking = author.chance(30) ? author.command(["destroy --refresh"]) : author.looking();
  return [author.step({ manualChanges: author.manualChange(changes, author.slots()), command: looking })];
};

/** A command looks while a deployment is being deleted. */
const goesMeanwhile: Situation = (author) => [
  author.step({
    manualChanges: author.manualChange(["begin to delete the deployment"], author.agents()),
    command: author.command(["refresh", "up --refresh", "refresh", "up"]),
  }),
];

/** The lists, or everything, cannot be read while a command looks. */
const cannotLook: Situation = (author) => [author.step({ outage: author.draw(OUTAGES), command: author.looking() })];

/** A revision fails or is stuck, or the wait for it is cut off; then a refresh follows. */
const doesNotServe: Situation = (author) => {
  if (author.agents().length === 0) return [];
  const slot = author.draw(author.agents());
  const edits = author.edit(REVISION, slot);
  const command = author.command(["up", "up", "up, cut off while a revision builds"]);
  const outcome = { slot, ends: author.draw(OUTCOMES) };
  return [
    author.step({ edits, outcome, command }),
    author.step({ command: author.command(["refresh", "up --refresh"]) }),
  ];
};

/** One field of a deployment changes, and nothing else; an undeclared field may be set by hand before. */
const oneField: Situation = (author) => {
  if (author.agents().length === 0) return [];
  const slot = author.draw(author.agents());
  const manualChanges = author.chance(40) ? author.manualChange(["set what the program does not declare"], [slot]) : [];
  const first = author.chance(40) ? author.edit("change extra inside resource_spec", slot) : [];
  return [
    ...(first.length > 0 ? [author.step({ edits: first, command: author.command(["up"]) })] : []),
    author.step({ manualChanges, edits: author.edit(ALONE, slot), command: author.applying() }),
  ];
};

/** A push by another user fails, and the program asks for a new revision. */
const failedPush: Situation = (author) => {
  if (author.agents().length === 0) return [];
  const slot = author.draw(author.agents());
  const manualChanges = author.manualChange(
    ["push a revision that fails", "push a revision that fails", "push a revision"],
    [slot],
  );
  return [
    author.step({ manualChanges, edits: author.edit("change redeployTrigger", slot), command: author.applying() }),
  ];
};

/** An image does not build, and is corrected. */
const doesNotBuild: Situation = (author) => {
  if (author.agents().length === 0) return [];
  const slot = author.draw(author.agents());
  return [
    author.step({ edits: author.edit("declare an image that does not build", slot), command: author.applying() }),
    author.step({ edits: author.edit("declare an image that builds", slot), command: author.applying() }),
  ];
};

/** The key changes: to another one of the same tenant, or by mistake to that of another tenant. */
const anotherKey: Situation = (author) => [
  author.step({ command: author.command(["up"]) }),
  author.step({ command: author.command(["up and refresh with another tenant's key", "rotate the key, then up"]) }),
  ...(author.chance(50) ? [author.step({ command: author.looking() })] : []),
];

/** A rename in Pulumi by adopt whose `up` does not end: the old resource and the new one are in state, with one object. */
const renamedHalfway: Situation = (author) => {
  const slot = author.draw(author.slots());
  const failing = author.agents().length > 0 ? author.draw([...author.agents(), slot]) : slot;
  const edits = [
    ...author.edit("rename in Pulumi, with adopt", slot),
    ...(failing.startsWith("d") ? author.edit("change the environment", failing) : []),
  ];
  const outcome = failing.startsWith("d") ? { slot: failing, ends: author.draw(OUTCOMES) } : undefined;
  const next = author.command(["up", "up --refresh", "refresh", "destroy --refresh", "destroy --run-program"]);
  const command = author.command(["up", "up", "up --target", "up, cut off while a revision builds"], slot);
  return [
    author.step({ edits, outcome, command }),
    author.step({ command: author.chance(80) ? next : author.looking() }),
  ];
};

/** An object of the same name is there before the program declares it. */
const inTheWay: Situation = (author) => {
  const free = SLOTS.filter((slot) => !author.slots().includes(slot));
  if (free.length === 0) return [];
  const slot = author.draw(free);
  const manualChanges = author.manualChange(["make an object of its name"], [slot]);
  return [author.step({ manualChanges, edits: author.edit("add", slot), command: author.applying() })];
};

/** An object of the same name is adopted. */
const adopted: Situation = (author) => {
  const free = SLOTS.filter((slot) => !author.slots().includes(slot));
  if (free.length === 0) return [];
  const slot = author.draw(free);
  const manualChanges = author.manualChange(["make an object of its name"], [slot]);
  const edits = [...author.edit("add", slot), ...author.edit("set adopt", slot)];
  return [
    author.step({ manualChanges, edits, command: author.command(["up"]) }),
    author.step({ command: author.looking() }),
  ];
};

/** What leaves a rollout, an adoption or an import unfinished, and the step that goes on; none where the program has no resources for it. */
export const unfinished = (author: Author): Step[] =>
  author.draw([doesNotServe, doesNotServe, renamedHalfway, adopted, imported])(author);

const SITUATIONS: readonly Situation[] = [
  replacedBelow,
  replacedBelow,
  goesWithDependents,
  wholeConfigUnknown,
  behindItsBack,
  behindItsBack,
  goesMeanwhile,
  cannotLook,
  cannotLook,
  doesNotServe,
  doesNotServe,
  oneField,
  oneField,
  failedPush,
  inTheWay,
  renamedHalfway,
  doesNotBuild,
  anotherKey,
  ...OTHER_HANDS,
];

/** The steps of one situation; none where the program has no resources for it. */
export const situation = (author: Author): Step[] => author.draw(SITUATIONS)(author);
