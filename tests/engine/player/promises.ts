import { differences } from "../../conformance/cases";
import type { Ran } from "./commands";
import { isFull, names, succeeded, type Model } from "./model";
import { keyOf, type Live, type Platform } from "./platform";
import { checkUrnOf, nameOf, rolloutUrnOf, urnOf, type Declaration, type Program } from "./program";
import { lies } from "./reviewing";
import { keyOfRow, objectOf, rowsOf, typeOf, type Seen } from "./state";

/** What a promise is judged by: one command, and what was there before and after it. */
export interface Judged {
  readonly ran: Ran;
  readonly program: Program;
  readonly before: Seen;
  readonly after: Seen;
  readonly model: Model;
  readonly platform: Platform;
  /** The last request before the command. */
  readonly since: number;
  /** Something struck the command. */
  readonly wasStruck: boolean;
  /** Why the command may fail; undefined where it has to succeed. */
  readonly mayFail: string | undefined;
}
/** Each returns what breaks it. */
type Promised = (judged: Judged) => string[];

const stillThere = ({ after }: Judged): Live[] => after.objects.filter(({ isBeingDeleted }) => !isBeingDeleted);
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
const nothingLost: Promised = (judged) => {
  const { after, model, ran } = judged;
  const inState = new Set(rowsOf(after).map(keyOfRow));
  return stillThere(judged)
    .filter((each) => [inState, model.foreign, model.left, model.loose].every((keys) => !keys.has(keyOf(each))))
    .map((each) => `${shown(each)} is there and not in state after a command that ended with ${ran.ended.code}`);
};

/** Every row has its object, unless it was deleted by hand and no command has looked since. */
const nothingMissing: Promised = ({ after, model }) =>
  rowsOf(after)
    .filter((row) => {
      const object = objectOf(after, row);
      // Deleted, by the engine's own account: its successor comes with the next `up`.
      if (row.pendingReplacement) return false;
      return (object === undefined || object.isBeingDeleted === true) && !model.gone.has(keyOfRow(row));
    })
    .map(({ urn, id }) => `${urn} (${id ?? ""}) is in state, and there is no such object (any more)`);

/** No declaration has two objects, and no object two rows. */
const eachOnce: Promised = (judged) => {
  const { after, model, ran } = judged;
  const keys = rowsOf(after).filter(({ delete: going }) => !going).map(keyOfRow); // prettier-ignore
  // A rename by adopt that was cut off leaves both; the next `up` of everything takes the old one out.
  const isFullUp = ran.applies && isFull(ran) && succeeded(ran);
  const twice = isFullUp ? keys.filter((key, index) => keys.indexOf(key) !== index) : [];
  const ours = stillThere(judged).filter(
    (each) => ![model.foreign, model.left, model.loose].some((of) => of.has(keyOf(each))),
  );
  const live = new Set(keys);
  const doubled = ours.filter(
    (object, index) =>
      ours.slice(0, index).some((other) => other.type === object.type && other.name === object.name) &&
      live.has(keyOf(object)) &&
      isFullUp,
  );
  return [
    ...twice.map((key) => `${key} has two rows in state`),
    ...doubled.map((each) => `there are two of ${shown(each)} after "${ran.line}"`),
  ];
};

const inScope = ({ targets, withDependents }: Ran, declared: Declaration, urn: string): boolean =>
  targets === undefined || targets.includes(urn) || (withDependents === true && targets.includes(urnOf(declared)));

const REVISION = ["source_revision_config", "secrets"];
/** The part of a body that takes effect in a revision. */
function ofRevision(text: string): boolean {
  return [...REVISION, "source_config.resource_spec"].some((place) => text.startsWith(place));
}

/** `up` ends with 0 only where, for each deployment that it waits for, the revision that serves was made from the declared configuration. */
const neverFalselyGreen: Promised = (judged) => {
  const { ran, program, after, model, platform } = judged;
  if (!ran.applies || !succeeded(ran)) return [];
  const waited = program.filter(
    (each) => each.type === "Deployment" && each.awaits && !each.raw && inScope(ran, each, rolloutUrnOf(each)),
  );
  return waited.flatMap((declared) => {
    const row = rowsOf(after).find(({ urn }) => urn === urnOf(declared));
    const object = row && objectOf(after, row);
    if (row === undefined || object === undefined || model.gone.has(keyOfRow(row))) return [];
    const serving = platform.serving(object.id);
    if (serving === undefined) return [`"${object.name}": up ended with 0, and no revision serves`];
    return model
      .wrongIn(declared, object, after, serving)
      .filter(ofRevision)
      .map((text) => `"${object.name}": up ended with 0, and in the revision that serves ${text}`);
  });
};

/** After an `up` that ends with 0, each declared field holds the declared value, or what a hand has written there unseen. */
const declaredFieldsHold: Promised = ({ ran, program, after, model }) => {
  if (!ran.applies || !succeeded(ran)) return [];
  return program.flatMap((declared) => {
    const row = rowsOf(after).find(({ urn, delete: going }) => urn === urnOf(declared) && !going);
    const object = row && objectOf(after, row);
    if (!inScope(ran, declared, urnOf(declared)) || object === undefined) return [];
    return model
      .wrongIn(declared, object, after)
      .map((text) => `${shown(object)} is declared, up ended with 0, and ${text}`);
  });
};

/** What nobody declares stays as a hand has written it. */
const undeclaredKept: Promised = (judged) =>
  [...judged.model.undeclared].flatMap(([key, parts]) => {
    const object = stillThere(judged).find((each) => keyOf(each) === key);
    return object === undefined
      ? []
      : parts
          .flatMap((part) => differences(part, object.body))
          .map((text) => `${shown(object)}: an undeclared field was changed: ${text}`);
  });

/** After an `up` of everything that ends with 0, each declared resource is in state, and nothing else. */
const allDeclared: Promised = ({ ran, program, after }) => {
  if (!ran.applies || !succeeded(ran) || !isFull(ran)) return [];
  const declared = new Set(program.map(urnOf));
  const inState = rowsOf(after).map(({ urn }) => urn);
  return [
    ...[...declared].filter((urn) => !inState.includes(urn)).map((urn) => `${urn} is declared, and not in state`),
    ...inState.filter((urn) => !declared.has(urn)).map((urn) => `${urn} is in state, and not declared`),
  ];
};

/** The platform holds what state says, but for what a hand has written since the last look. */
const stateIsTrue: Promised = ({ ran, after, model }) => {
  if (!succeeded(ran)) return [];
  return rowsOf(after).flatMap((row) => {
    const [object, type] = [objectOf(after, row), typeOf(row)];
    if (object === undefined || type === undefined || row.delete || row.pendingReplacement) return [];
    // An import reads no values of an environment.
    if (model.imported.has(row.urn) || model.gone.has(keyOfRow(row))) return [];
    return model.untrueIn(row, type, object).map((text) => `${shown(object)}: state says otherwise, but ${text}`);
  });
};

/** A redeployTrigger that changed is sent. */
const triggerIsSent: Promised = ({ before, after, platform, since }) =>
  rowsOf(after).flatMap((row) => {
    const was = rowsOf(before).find(({ id, urn }) => id === row.id && urn === row.urn);
    const [old, now] = [was?.inputs["redeployTrigger"], row.inputs["redeployTrigger"]];
    if (was === undefined || now === undefined || JSON.stringify(old) === JSON.stringify(now)) return [];
    const sent = platform
      .writesSince(since)
      .some(({ method, path }) => method === "PATCH" && path.endsWith(`/${row.id ?? ""}`));
    return sent ? [] : [`${row.urn}: redeployTrigger changed in state, and nothing was sent`];
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
  mayFail === undefined &&
  !succeeded(ran) &&
  !ran.ended.cut &&
  isFull(ran) &&
  !ran.isAside &&
  !(ran.line.includes("agent-platform ") || ran.line.includes("import") || ran.line.includes("state "))
    ? [`nothing disturbed "${ran.line}", and it ended with ${ran.ended.code}`]
    : [];

/** What is declared, in nobody's state, and there already. */
const inTheWay = (program: Program, seen: Seen): Live[] => {
  const inState = new Set(rowsOf(seen).map(keyOfRow));
  return seen.objects.filter(
    (each) =>
      !inState.has(keyOf(each)) &&
      !each.isBeingDeleted &&
      HAS_ITS_NAME_ALONE.has(each.type) &&
      program.some(
        (declared) =>
          declared.type === each.type &&
          nameOf(declared) === each.name &&
          !declared.adopt &&
          declared.imports === undefined,
      ),
  );
};
/** Of these, only one can have a name. */
const HAS_ITS_NAME_ALONE: ReadonlySet<string> = new Set([
  "SandboxTemplate",
  "OAuthProvider",
  "SandboxRegistry",
  "Listener",
]);

/** Where an object is in the way, `up` fails, names it, and says `adopt`. */
const whatIsInTheWayIsNamed: Promised = ({ ran, program, before, wasStruck }) => {
  const held = program.filter((each) => rowsOf(before).some(({ urn }) => urn === urnOf(each)));
  const blocked = inTheWay(
    program.filter((each) => !held.includes(each)),
    before,
  );
  if (
    !ran.applies ||
    !isFull(ran) ||
    ran.isAside ||
    ran.ended.cut ||
    wasStruck ||
    ran.foreignKey ||
    blocked.length === 0
  )
    return [];
  const { output } = ran.ended;
  return !succeeded(ran) && (blocked.some((object) => names(output, object)) || !output.includes("adopt"))
    ? []
    : succeeded(ran)
      ? blocked.map((object) => `${shown(object)} is in the way, and "${ran.line}" ended with 0`)
      : [];
};

/** A way out, as a message of ours or of the engine's names it. */
const WAY_OUT =
  /adopt|refresh|unprotect|protect|--target|--exclude|pulumi |redeployTrigger|deleteBeforeReplace|[Cc]orrect|again|aliases|agent-platform |allowOriginChange|contract|set |new name/;
/** The engine's warning of what was cut off: it names every resource, and a refresh, whatever else the command says. */
const ABOUT_PENDING = /warning: Attempting to deploy or update[^]*?pending CREATE operations\./g;

/** A command that fails names an object, and a way out. */
const aFailureNamesAnObjectAndAWayOut: Promised = ({ ran, program, before, mayFail }) => {
  const { ended } = ran;
  if (succeeded(ran) || ended.cut || ran.isAside || ran.line.startsWith("pulumi-agent-platform")) return [];
  const output = ended.output.slice(Math.max(0, ended.output.indexOf("Diagnostics:"))).replace(ABOUT_PENDING, "");
  if (output.includes("while reading a snaphot")) return [`no engine would have left this state: ${output}`];
  const known = [
    ...program.flatMap((each) => [
      `"${nameOf(each)}"`,
      `'${each.pulumiName}'`,
      `(${each.pulumiName})`,
      urnOf(each),
      rolloutUrnOf(each),
      checkUrnOf(each),
    ]),
    ...before.rows.flatMap(({ urn, id }) => [urn, id ?? urn, `(${urn.split("::").at(-1) ?? urn})`]),
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
  whatIsInTheWayIsNamed,
  succeedsUndisturbed,
  aFailureNamesAnObjectAndAWayOut,
} as const satisfies Record<string, Promised>;
