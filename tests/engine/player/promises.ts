import { differences } from "../../conformance/cases";
import type { Ran } from "./commands";
import { isFull, succeeded, type Model, type Passed } from "./model";
import { keyOf, type Live, type Platform } from "./platform";
import { checkUrnOf, nameOf, rolloutUrnOf, urnOf, type Declaration } from "./program";
import { lies } from "./reviewing";
import { keyOfRow, objectOf, rowsOf, unheld } from "./state";

/** What a promise is judged by. */
interface Judged extends Passed {
  readonly model: Model;
  readonly platform: Platform;
  /** Something struck the command. */
  readonly wasStruck: boolean;
  /** Why the command may fail; undefined where it has to succeed. */
  readonly mayFail: string | undefined;
}
/** Each returns what breaks it. */
type Promised = (judged: Judged) => string[];

const stillThere = ({ after }: Judged): Live[] => after.objects.filter(({ isBeingDeleted }) => !isBeingDeleted);
const isGreenUp = ({ ran }: Judged): boolean => ran.applies === true && succeeded(ran);
const isFullUp = (judged: Judged): boolean => isGreenUp(judged) && isFull(judged.ran);
const shown = ({ type, name, id }: Live): string => `${type} "${name}" (${id})`;

/** Every command ends by itself. */
const everyCommandEnds: Promised = ({ ran }) => (ran.ended.hung ? [`"${ran.line}" did not end`] : []);

/** What others made is neither changed nor deleted, unless the program adopts it. */
const foreignUntouched: Promised = ({ after, model }) =>
  [...model.foreign.values()].flatMap((made) => {
    const now = after.objects.find((each) => keyOf(each) === keyOf(made));
    if (now === undefined) return [`${shown(made)} was made by somebody else, and is gone`];
    return differences(made.body, now.body).map((text) => `${shown(made)} was made by somebody else, and ${text}`);
  });

const adoptedOnlyWhereAsked: Promised = ({ before, after, program, model }) => {
  const known = new Set(rowsOf(before).map(keyOfRow));
  return rowsOf(after).flatMap((row) => {
    const key = keyOfRow(row);
    const declared = program.find((each) => urnOf(each) === row.urn);
    if (objectOf(after, row) === undefined || known.has(key) || !model.wasForeign.has(key)) return [];
    if (model.successors.has(key) || model.imported.has(row.urn)) return [];
    if (declared === undefined || declared.adopt || declared.imports !== undefined) return [];
    return [`${key} was made by somebody else, and is in state without adopt`];
  });
};

/** Every object made through the provider is in state, was left on purpose, or was named by a command that failed. */
const nothingLost: Promised = ({ after, model, ran }) =>
  unheld(after)
    .filter((each) => !model.isFree(each))
    .map((each) => `${shown(each)} is there and not in state after a command that ended with ${ran.ended.code}`);

/** Every row has its object, unless it was deleted by hand and no command has looked since. */
const nothingMissing: Promised = ({ after, model }) =>
  rowsOf(after)
    // One that the engine has deleted gets its successor with the next `up`.
    .filter((row) => !row.pendingReplacement && !model.gone.has(keyOfRow(row)))
    .filter((row) => !after.objects.some((each) => keyOf(each) === keyOfRow(row) && !each.isBeingDeleted))
    .map(({ urn, id }) => `${urn} (${id ?? ""}) is in state, and there is no such object (any more)`);

/** After an `up` of everything, no declaration has two objects, and no object two rows: until then, a rename by adopt that was cut off leaves both. */
const eachOnce: Promised = (judged) => {
  if (!isFullUp(judged)) return [];
  const { after, model, ran } = judged;
  const keys = rowsOf(after).filter(({ delete: going }) => !going).map(keyOfRow); // prettier-ignore
  const ours = stillThere(judged).filter((each) => !model.isFree(each));
  const doubled = ours.filter(
    (object, index) =>
      keys.includes(keyOf(object)) &&
      ours.slice(0, index).some(({ type, name }) => object.type === type && object.name === name),
  );
  return [
    ...keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${key} has two rows in state`),
    ...doubled.map((each) => `there are two of ${shown(each)} after "${ran.line}"`),
  ];
};

const inScope = ({ targets, withDependents }: Ran, declared: Declaration, urn: string): boolean =>
  targets === undefined || targets.includes(urn) || (withDependents === true && targets.includes(urnOf(declared)));

/** The parts of a body that take effect in a revision. */
const OF_REVISION = ["source_revision_config", "secrets", "source_config.resource_spec"];

/** A declaration's row under its present name, and the object of it. */
function heldUnderItsName({ after }: Judged, declared: Declaration): Live | undefined {
  const row = rowsOf(after).find(({ urn, delete: going }) => urn === urnOf(declared) && !going);
  return row && objectOf(after, row);
}

/** `up` ends with 0 only where, for each deployment that it waits for, the revision that serves was made from the declared configuration. */
const neverFalselyGreen: Promised = (judged) => {
  const { ran, program, after, model, platform } = judged;
  const waited = program.filter(
    (each) => each.type === "Deployment" && each.awaits && !each.raw && inScope(ran, each, rolloutUrnOf(each)),
  );
  return (isGreenUp(judged) ? waited : []).flatMap((declared) => {
    const object = heldUnderItsName(judged, declared);
    if (object === undefined || model.gone.has(keyOf(object))) return [];
    const serving = platform.serving(object.id);
    if (serving === undefined) return [`"${object.name}": up ended with 0, and no revision serves`];
    return model
      .wrongIn(declared, object, after, serving)
      .filter((text) => OF_REVISION.some((place) => text.startsWith(place)))
      .map((text) => `"${object.name}": up ended with 0, and in the revision that serves ${text}`);
  });
};

/** After an `up` that ends with 0, each declared field holds the declared value, or what a hand has written there unseen. */
const declaredFieldsHold: Promised = (judged) => {
  const { ran, program, after, model } = judged;
  const applied = isGreenUp(judged) ? program.filter((each) => inScope(ran, each, urnOf(each))) : [];
  return applied.flatMap((declared) => {
    const object = heldUnderItsName(judged, declared);
    const wrong = object === undefined ? [] : model.wrongIn(declared, object, after);
    return wrong.map((text) => `${urnOf(declared)} is declared, up ended with 0, and ${text}`);
  });
};

/** What nobody declares stays as a hand has written it. */
const undeclaredKept: Promised = (judged) =>
  stillThere(judged).flatMap((object) =>
    (judged.model.undeclared.get(keyOf(object)) ?? [])
      .flatMap((part) => differences(part, object.body))
      .map((text) => `${shown(object)}: an undeclared field was changed: ${text}`),
  );

/** After an `up` of everything that ends with 0, each declared resource is in state, and nothing else. */
const allDeclared: Promised = (judged) => {
  if (!isFullUp(judged)) return [];
  const declared = judged.program.map(urnOf);
  const inState = rowsOf(judged.after).map(({ urn }) => urn);
  return [
    ...declared.filter((urn) => !inState.includes(urn)).map((urn) => `${urn} is declared, and not in state`),
    ...inState.filter((urn) => !declared.includes(urn)).map((urn) => `${urn} is in state, and not declared`),
  ];
};

/** The platform holds what state says, but for what a hand has written since the last look. */
const stateIsTrue: Promised = ({ ran, after, model }) =>
  (succeeded(ran) ? rowsOf(after) : []).flatMap((row) => {
    const object = objectOf(after, row);
    if (object === undefined || row.delete || row.pendingReplacement) return [];
    // An import reads no values of an environment.
    if (model.imported.has(row.urn) || model.gone.has(keyOfRow(row))) return [];
    return model.untrueIn(row, object).map((text) => `${shown(object)}: state says otherwise, but ${text}`);
  });

/** A redeployTrigger that changed is sent. */
const triggerIsSent: Promised = ({ before, after, platform, since }) =>
  rowsOf(after).flatMap((row) => {
    const was = rowsOf(before).find(({ id, urn }) => id === row.id && urn === row.urn);
    const [old, now] = [was?.inputs["redeployTrigger"], row.inputs["redeployTrigger"]];
    if (was === undefined || now === undefined || JSON.stringify(old) === JSON.stringify(now)) return [];
    const writes = platform.writesSince(since);
    const isSent = writes.some(({ method, path }) => method === "PATCH" && path.endsWith(`/${row.id ?? ""}`));
    return isSent ? [] : [`${row.urn}: redeployTrigger changed in state, and nothing was sent`];
  });

/** What the review of the same change said is what was sent. */
const reviewIsTrue: Promised = ({ ran, before, after, platform, since }) => {
  const known = [...before.objects, ...after.objects];
  return ran.review === undefined ? [] : lies(ran.review, platform.writesSince(since), known, succeeded(ran));
};

/** A preview, a refresh or a look of the command line sends nothing. */
const lookingSendsNothing: Promised = ({ ran, platform, since }) =>
  ran.applies || ran.destroys || ran.isAside
    ? []
    : platform.writesSince(since).map(({ method, path }) => `"${ran.line}" sent ${method} ${path}`);

/** What the command itself is wrong about. */
const commandsAreRight: Promised = ({ ran }) => [...(ran.wrong ?? [])];

const succeedsUndisturbed: Promised = ({ ran, mayFail }) =>
  mayFail !== undefined ||
  succeeded(ran) ||
  ran.ended.cut ||
  !isFull(ran) ||
  ran.isAside ||
  /agent-platform |import|state /.test(ran.line)
    ? []
    : [`nothing disturbed "${ran.line}", and it ended with ${ran.ended.code}`];

/** Of these, only one can have a name. */
const HAS_ITS_NAME_ALONE = ["SandboxTemplate", "OAuthProvider", "SandboxRegistry", "SandboxVolume", "WorkspaceSecret", "PlatformAgent", "Listener"]; // prettier-ignore

/** A whole `up` fails where what it would make is there already, in nobody's state. */
const whatIsInTheWayIsRefused: Promised = (judged) => {
  const { ran, program, before, wasStruck } = judged;
  if (!isFullUp(judged) || wasStruck || ran.foreignKey) return [];
  const isNew = (each: Declaration): boolean =>
    !each.adopt && each.imports === undefined && !rowsOf(before).some(({ urn }) => urn === urnOf(each));
  const made = new Set(program.filter(isNew).map((each) => `${each.type} ${nameOf(each)}`));
  return unheld(before)
    .filter(({ type, name }) => HAS_ITS_NAME_ALONE.includes(type) && made.has(`${type} ${name}`))
    .map((object) => `${shown(object)} is in the way, and "${ran.line}" ended with 0`);
};

/** A way out, as a message of ours or of the engine's names it. */
const WAY_OUT =
  /adopt|refresh|unprotect|protect|--target|--exclude|pulumi |redeployTrigger|deleteBeforeReplace|[Cc]orrect|again|aliases|agent-platform |allowOriginChange|contract|[Ss]et |new name/;
/** The engine's warning of what was cut off: it names every resource, and a refresh, whatever else the command says. */
const ABOUT_PENDING = /warning: Attempting to deploy or update[^]*?pending CREATE operations\./g;

/** The engine took a target from the state for another resource, which has used it until now (docs/internals/engine.md, trap 61). */
function isNoDuplicate({ ran, before }: Judged): boolean {
  const urn = /error: Duplicate resource URN '([^']*)'/.exec(ran.ended.output)?.[1];
  return !isFull(ran) && urn !== undefined && before.rows.some(({ dependencies }) => dependencies.includes(urn));
}

/** A command that fails names an object, and a way out. */
const aFailureNamesAnObjectAndAWayOut: Promised = (judged) => {
  const { ran, program, before, mayFail } = judged;
  const { ended } = ran;
  if (
    succeeded(ran) ||
    isNoDuplicate(judged) ||
    ended.cut ||
    ran.isAside ||
    ran.line.startsWith("pulumi-agent-platform")
  )
    return [];
  const output = ended.output.slice(Math.max(0, ended.output.indexOf("Diagnostics:"))).replace(ABOUT_PENDING, "");
  if (output.includes("while reading a snaphot")) return [`no engine would have left this state: ${output}`];
  const known = [
    ...program.flatMap(({ pulumiName }) => [`'${pulumiName}'`, `(${pulumiName})`]),
    ...program.flatMap((each) => [`"${nameOf(each)}"`, urnOf(each), rolloutUrnOf(each), checkUrnOf(each)]),
    ...before.rows.flatMap(({ urn, id }) => [urn, id ?? urn, `(${urn.split("::").at(-1) ?? urn})`]),
    // What a command imports is neither in the program nor in the state.
    ...(ran.line.startsWith("pulumi import ") ? [`"${ran.line.split(" ").at(-1) ?? ""}"`] : []),
  ];
  return known.some((text) => output.includes(text)) && WAY_OUT.test(output)
    ? []
    : [`${mayFail ?? "nothing is in the way"}: ${output}`];
};

/** In the order in which they are judged; the first that is broken ends the story. */
export const PROMISES = {
  everyCommandEnds,
  foreignUntouched,
  adoptedOnlyWhereAsked,
  nothingLost,
  nothingMissing,
  eachOnce,
  neverFalselyGreen,
  declaredFieldsHold,
  undeclaredKept,
  allDeclared,
  triggerIsSent,
  stateIsTrue,
  reviewIsTrue,
  lookingSendsNothing,
  commandsAreRight,
  whatIsInTheWayIsRefused,
  succeedsUndisturbed,
  aFailureNamesAnObjectAndAWayOut,
} as const satisfies Record<string, Promised>;
