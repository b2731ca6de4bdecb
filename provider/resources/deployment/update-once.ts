import type { Change } from "../../lifecycle/fields/diff";
import { AgentPlatformError, goneMeanwhile, isUnclear, messageOf } from "../../base/errors";
import { instantOf } from "../../base/time";
import { compact, type JsonObject } from "../../base/json";
import { ATTEMPTS } from "../../lifecycle/create";
import { readRevision, type RevisionWire, updateDeployment } from "./api";
import { deploymentOf, lasting } from "./observe";
import {
  asksAnew,
  changedVariables,
  changesEnvironment,
  goesAlong,
  makesRevision,
  patchOf,
  withoutReleased,
} from "./patch";
import { awaitedAfter, ownBefore, supersededBy } from "./revision";
import { type DeploymentWire, environmentOf, showsValues, toInputs } from "./wire";
import { nameOf } from "../../lifecycle/naming";
import { showPath, valueAt } from "../../lifecycle/fields/fields";
import type { Context, State } from "../../lifecycle/observe/context";
import { observe, requireSupported, valueOf } from "../../lifecycle/observe/observation";
import { compare, type Compared, type Undeclared } from "../../lifecycle/fields/comparison";
import { type DeploymentInputs, deploymentTable } from "./fields";

const PATCH_PAUSE_MS = 1000;
/** Polls for the revision of a PATCH whose answer was lost, a second apart. */
const MAX_POLLS = 5;

/** A deployment after an update. `latest_revision_id` is the value for the state: "after <the previous one>" until the platform names the new one. */
export type DeploymentLive = DeploymentWire & {
  /** What the update changed in the environment with the revision that it created; undefined if it created none. */
  readonly made?: { readonly secrets: boolean; readonly variables: readonly string[] };
  /** The update set the declared address. */
  readonly isMoved?: boolean;
};

/**
 * Makes the deployment equal to the inputs, with at most one new revision, even after a run that was cut off (docs/internals/design.md, Creating once);
 * with another one if somebody changes it just before the PATCH.
 */
export async function updateOnce(
  context: Context,
  { id, outputs }: State,
  inputs: DeploymentInputs,
  differences: readonly Change[],
  attempt = 1,
): Promise<DeploymentLive> {
  const changes = withoutReleased(inputs, differences);
  const what = nameOf(deploymentTable, { id, outputs });
  if (changesEnvironment(changes) && environmentOf(inputs).length === 0) throw uncleared(what);
  const live = lasting(await deploymentOf(context, id), what, goneMeanwhile(what));
  const asked = patchOf(inputs, changes, outputs, live);
  if (!makesRevision(asked)) return patchInPlace(context, live, inputs, asked, outputs);
  const sent = [...changes, ...lostIn(live, inputs, outputs, asksAnew(changes))];
  const body = patchOf(inputs, sent, outputs, live);
  const known = latestIn(outputs);
  // If a run was cut off between the PATCH and its answer, the revision already exists. A changed redeployTrigger is always sent.
  const variables = changedVariables(inputs, changes, outputs);
  const wanted = { what, inputs, changes, variables };
  const seemsDone = !asksAnew(changes) && isNewer(live, known) && holds(live, { ...wanted, changes: sent });
  const isDone = seemsDone && (await isLater(context, live, known));
  const now = isDone ? live : await patchOnce(context, live, known, wanted, body);
  if (attempt < ATTEMPTS && isChangedBetween(live, now, inputs, outputs))
    return updateOnce(context, { id, outputs }, inputs, differences, attempt + 1);
  return { ...now, made: { secrets: sent.some(({ path }) => path[0] === "secrets"), variables } };
}

/** Keeps the latest revision that is in state: a newer one is somebody else's, and only a read may report it, as drift. */
async function patchInPlace(
  { send }: Context,
  live: DeploymentWire,
  inputs: DeploymentInputs,
  body: JsonObject,
  { latestRevisionId: known }: JsonObject,
): Promise<DeploymentLive> {
  const isSent = Object.keys(body).length > 0;
  const now = isSent ? (await updateDeployment(send, live.id, body, inputs, true)).data : live;
  return { ...now, latest_revision_id: typeof known === "string" ? known : null };
}

/** The latest revision that the state knows of; undefined if no revision had a name yet. */
function latestIn(outputs: JsonObject): string | undefined {
  const latest = outputs["latestRevisionId"];
  return typeof latest === "string" ? (supersededBy(latest) ?? latest) : undefined;
}

const isNewer = ({ latest_revision_id: latest }: DeploymentWire, known: string | null | undefined): boolean =>
  latest != null && latest !== known;

/**
 * The declared fields that a new revision would lack because somebody else created the latest one: the first update after that, such as a rollback, has to
 * restore them. Hidden values count as lost. A new `redeployTrigger` restores the whole environment in any case.
 */
function lostIn(
  live: DeploymentWire,
  inputs: DeploymentInputs,
  outputs: JsonObject,
  isAskedAnew: boolean,
): readonly Change[] {
  const { latest_revision_id: latest } = live;
  // If no revision had an id when the state was written, the latest one may be somebody else's.
  const isNameless = latestIn(outputs) === undefined;
  const isSomebodys = latest != null && (isNameless || ownBefore(latest, outputs) !== undefined);
  if (!isSomebodys && !isAskedAnew) return [];
  const { changes, hidden } = comparedWith(live, compact({ ...inputs }));
  const lost = [...changes, ...hidden].filter(
    (change) => goesAlong(change, outputs) || (isAskedAnew && changesEnvironment([change])),
  );
  return withoutReleased(inputs, lost);
}

/**
 * Whether somebody has changed what is declared between the look and the PATCH: the PATCH leaves out what was as declared, so its revision has theirs. What the
 * answer does not show says nothing.
 */
function isChangedBetween(
  live: DeploymentWire,
  now: DeploymentWire,
  inputs: DeploymentInputs,
  outputs: JsonObject,
): boolean {
  const declared = compact({ ...inputs });
  const before = comparedWith(live, declared).changes.map(({ path }) => showPath(path));
  const { shown, changes } = comparedWith(now, declared);
  return changes.some(
    (change) =>
      goesAlong(change, outputs) &&
      (valueAt(shown, change.path) ?? null) !== null &&
      !before.includes(showPath(change.path)),
  );
}

interface Wanted {
  readonly what: string;
  readonly inputs: DeploymentInputs;
  readonly changes: readonly Change[];
  /** The variables that must have their declared values; somebody else may have set the others. */
  readonly variables: readonly string[];
}

/** True if the answer shows that the deployment already has these changes. Fields that it does not show cannot be compared. */
function holds(live: DeploymentWire, { inputs, changes, variables }: Wanted): boolean {
  if (changesEnvironment(changes) && !showsValues(live)) return false;
  const removes = changes.some(({ removed }) => removed);
  const { changes: differences, hidden } = comparedWith(live, compact({ ...inputs }), removes ? "defaults" : "ignored");
  if (changes.some((change) => isUnseen(change) || hidden.some((field) => covers(field, change)))) return false;
  return differences.every((change) => changesEnvironment([change]) && !variables.includes(String(change.path[1])));
}

/** True for fields that no answer ever shows, except redeployTrigger: any newer revision counts as the one that it requested. */
const isUnseen = ({ path, rule }: Change): boolean => rule.notReturned === "always" && path[0] !== "redeployTrigger";

const covers = (hidden: Change, { path }: Change): boolean => hidden.path.every((step, index) => path[index] === step);

/**
 * True if the revision in the answer was created after the one in state. A stale answer may have an earlier revision, whose
 * configuration may equal the declared one. If the platform does not give the times, or has dropped the one in state, any other revision counts as later.
 */
async function isLater({ send }: Context, live: DeploymentWire, known: string | undefined): Promise<boolean> {
  if (known === undefined || live.latest_revision_id == null) return true;
  const timeOf = (revision?: RevisionWire): number => instantOf(revision?.created_at) ?? NaN;
  const { data: latest } = await readRevision(send, live.id, live.latest_revision_id);
  const before = requireSupported(await observe(() => readRevision(send, live.id, known)), `Revision ${known}`);
  return !(timeOf(latest) < timeOf(valueOf(before)));
}

/** Sends the PATCH until it has certainly been applied, once. It creates a revision, so after an unclear outcome the deployment is read first. */
async function patchOnce(
  context: Context,
  before: DeploymentWire,
  known: string | undefined,
  wanted: Wanted,
  body: JsonObject,
): Promise<DeploymentWire> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { data: now } = await updateDeployment(context.send, before.id, body, wanted.inputs, false);
      return awaitingRevision(now, before, known);
    } catch (error) {
      if (!isUnclear(error) || attempt >= ATTEMPTS) throw error;
      // A gateway may give up before the platform commits.
      await context.clock.sleep(PATCH_PAUSE_MS * attempt, context.signal);
      const now = await observeAfter(context, before, wanted);
      if (now !== undefined && holds(now, wanted)) return awaitingRevision(now, before, known);
      if (now !== undefined) throw unknownUpdate(wanted.what, error);
    }
  }
}

/**
 * The deployment after a PATCH whose answer was lost, if the PATCH was applied: there is a newer revision, or the deployment now has the
 * changes and did not have them before. The platform may name the revision a little later.
 */
async function observeAfter(
  context: Context,
  before: DeploymentWire,
  wanted: Wanted,
): Promise<DeploymentWire | undefined> {
  const heldBefore = holds(before, wanted);
  for (let polls = 1; ; polls++) {
    const now = lasting(await deploymentOf(context, before.id), wanted.what, goneMeanwhile(wanted.what));
    if (isNewer(now, before.latest_revision_id) || (!heldBefore && holds(now, wanted))) return now;
    if (!heldBefore || polls >= MAX_POLLS) return undefined;
    await context.clock.sleep(PATCH_PAUSE_MS);
  }
}

/** If the answer does not name the new revision yet, but the previous one or null, sets "after <the previous one>". */
function awaitingRevision(now: DeploymentWire, before: DeploymentWire, known: string | undefined): DeploymentWire {
  const latest = now.latest_revision_id;
  if (latest != null && latest !== before.latest_revision_id && latest !== known) return now;
  const superseded = latest ?? before.latest_revision_id ?? known;
  return superseded === undefined ? now : { ...now, latest_revision_id: awaitedAfter(superseded) };
}

/** The platform ignores an empty list of variables, so such an update would have no effect. */
const uncleared = (what: string): AgentPlatformError =>
  new AgentPlatformError(
    `${what} has variables, and the platform has no way to clear its environment. Keep one, leave out both environmentVariables ` +
      "and secrets (the environment is then left as it is), or replace the deployment",
  );

const unknownUpdate = (what: string, cause: unknown): AgentPlatformError =>
  new AgentPlatformError(
    `${what}: it is not known whether the update was made (${messageOf(cause)}). There is a newer revision, but the platform does not ` +
      "show what is in its environment. Run `pulumi up` again, which sends the update once more: at worst that makes one more revision with the same content",
    { cause },
  );

const COMPARED = { table: deploymentTable, toInputs, showsValues };

/** How a deployment differs from a declaration of it, and the declared fields that the answer does not show. */
export function comparedWith(live: DeploymentWire, declared: JsonObject, undeclared: Undeclared = "ignored"): Compared {
  return compare(COMPARED, live, declared, undeclared);
}
