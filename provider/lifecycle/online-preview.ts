import { isHttpError, isTransient, messageOf } from "../base/errors";
import { UNKNOWN, type JsonObject } from "../base/json";
import { configKey } from "../base/settings";
import { observeLasting, planAdoption, type AdoptionPlan } from "./adopt";
import { nameTaken } from "./create";
import type { Context, Found } from "./observe/context";
import type { ResourceDefinition, Wanted } from "./definition";
import { showPath, valueAt } from "./fields/fields";
import { isFilledIn, type Table } from "./fields/table";
import { describe, naturalNameIn } from "./naming";
import { offers } from "./observe/observable";
import { valueOf } from "./observe/observation";
import type { PreviewSession } from "./preview-session";

interface Question<Inputs, Live> {
  readonly definition: ResourceDefinition<Inputs, Live>;
  /** Empty for a new resource. */
  readonly before: JsonObject;
  readonly inputs: JsonObject;
  /** Such an object is gone before the new one comes. */
  readonly isBeingReplaced: Wanted<Inputs, Live>["isBeingReplaced"];
}

/**
 * Asks the platform, read-only, what `up` would meet, and logs which workspace the key opens and what will be adopted. Returns the problems, each with
 * its remedy. If the platform cannot be reached, warns and asks nothing more.
 */
export async function previewOnline<Inputs, Live>(
  question: Question<Inputs, Live>,
  context: Context,
  session: PreviewSession,
): Promise<string[]> {
  try {
    if (!(await session.isOpen(context, () => tellWorkspace(context)))) return [];
    const name = await problemOfName(question, context);
    return [...(name === undefined ? [] : [name]), ...(await problemsOfReferences(question, context))];
  } catch (error) {
    if (isHttpError(error) && (error.status === 401 || error.status === 403)) {
      session.close(context);
      return [`the platform rejects the key: ${error.message}. ${KEY_REMEDY}`];
    }
    if (!isHttpError(error) && !isTransient(error)) return [messageOf(error)];
    session.close(context);
    context.log.warn(
      `Could not ask the platform (${messageOf(error)}). The preview continues without it (${configKey("preview")}).`,
    );
    return [];
  }
}

// The plugin does not know whether its connection is that of a Platform.
const KEY_REMEDY =
  `Set the right one: \`pulumi config set --secret ${configKey("apiKey")}\`, ` +
  "or, for a resource with a `Platform`, its apiKey where the program takes it from";

/** Logs which workspace the key opens. Under contract `documented`, no answer names it. */
async function tellWorkspace({ workspaces, connection: { baseUrl, contract }, log }: Context): Promise<void> {
  if (contract === "documented") return;
  await workspaces.ask();
  const whose = workspaces.names === "" ? "the answers name no tenant yet" : `it opens ${workspaces.names}`;
  log.info(`Asked ${baseUrl}: the key works; ${whose}.`);
}

/** Whether the place of the object is known: an agent's object is at the address of its deployment, which a preview may not know. */
const isPlaced = ({ scope, fields }: Table, inputs: JsonObject): boolean =>
  scope === undefined || !Object.entries(fields).some(([name, { wire }]) => wire === false && inputs[name] === UNKNOWN);

/** Checks a new object: returns a problem if its name is taken; logs what adopting it would do. */
async function problemOfName<Inputs, Live>(
  { definition, before, inputs, isBeingReplaced }: Question<Inputs, Live>,
  context: Context,
): Promise<string | undefined> {
  const { table } = definition;
  const { adopt } = inputs;
  const what = describe(table, inputs);
  const name = naturalNameIn(table, inputs);
  const isNew = Object.keys(before).length === 0;
  if (!isNew || definition.creation === undefined || adopt === UNKNOWN || !isPlaced(table, inputs)) return undefined;
  // An object that can only be adopted by its id has no unique name.
  const hasName = table.fields["adopt"]?.type.kind === "flagOr" && name !== undefined;
  if (typeof adopt === "string" || (adopt === true && hasName)) {
    const plan = await planAdoption(definition, context, inputs, false, isBeingReplaced);
    context.log.info(
      plan === undefined ? `${what}: no object has this name, so it will be created.` : adoptionText(what, plan),
    );
    return undefined;
  }
  if (!hasName) return undefined;
  const there = await findByName(definition, context, name, inputs);
  return there && !isBeingReplaced(there)
    ? `${nameTaken(definition, context, { what, declared: inputs, isBeingReplaced }, there).message}. ${OTHER_HOLDER}`
    : undefined;
}

const OTHER_HOLDER = `If another resource of this stack frees the name first, set ${configKey("preview")} to "offline" for this command`;

function adoptionText(what: string, { found, different, hidden }: AdoptionPlan<unknown>): string {
  const paths = [...new Set([...different, ...hidden].map(({ path }) => showPath(path)))];
  const does = paths.length === 0 ? "it is as declared, so nothing is sent" : `this changes ${paths.join(", ")}`;
  return `${what} (${found.id}) will be adopted: ${does}.`;
}

/** Searches the kept list first, which takes one request a page for all resources; looks an object up by itself only if the list may have it. */
async function findByName<Inputs, Live>(
  definition: ResourceDefinition<Inputs, Live>,
  context: Context,
  name: string,
  inputs: JsonObject,
): Promise<Found<Live> | undefined> {
  const { list, table } = definition;
  const { naturalKey = "" } = table;
  // A list does not show the properties that replace a name.
  const isListed = offers(table, context.connection.contract, "list") && !isFilledIn(table.fields[naturalKey], inputs);
  const listed = isListed ? list?.current(context) : undefined;
  const isNamed = ({ live }: Found<Live>): boolean => definition.toInputs(live, {})[naturalKey] === name;
  const inList = await listed?.findWhere(isNamed);
  if (inList?.state === "absent") return undefined;
  return valueOf(await observeLasting(definition, context, { name, inputs }, false));
}

/** The problems of references: ids in the inputs that name nothing on the platform, except ids that are already in state. */
async function problemsOfReferences<Inputs, Live>(
  { definition: { references = [] }, before, inputs }: Question<Inputs, Live>,
  context: Context,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { path, one, observe, remedy } of references) {
    const id = valueAt(inputs, path);
    if (typeof id !== "string" || id === UNKNOWN || id === valueAt(before, path)) continue;
    if ((await observe(context, id, inputs)).state !== "absent") continue;
    problems.push(`${showPath(path)}: there is no ${one} ${JSON.stringify(id)} for this key and tenant. ${remedy}`);
  }
  return problems;
}
