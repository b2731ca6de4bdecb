import type { Answer } from "../../http/client";
import { createOnce } from "../../lifecycle/create-once";
import type { Context, Found, ResourceDefinition, State } from "../../lifecycle/definition";
import { changesBetween } from "../../lifecycle/diff";
import {
  AgentPlatformError,
  goneMeanwhile,
  isConflict,
  isNotFound,
  isNotOffered,
  noUpdateOffered,
} from "../../lifecycle/errors";
import { compact, type JsonObject } from "../../lifecycle/json";
import { KeptList } from "../../lifecycle/kept-list";
import { createTemplate, deleteTemplate, getTemplate, listTemplates, renameTemplate } from "./api";
import {
  sandboxTemplateFields,
  sandboxTemplateInputs,
  toInputs,
  type SandboxTemplateInputs,
  type SandboxTemplateWire,
} from "./schema";

const list = new KeptList<SandboxTemplateWire>(
  async function* ({ send }) {
    for await (const { data } of listTemplates(send)) yield data.map(identify);
  },
  ({ live }) => live.image !== undefined && live.resources !== undefined,
);

/** A sandbox template: found by its id, then by its name; everything but the name is fixed at creation (platform-facts.md). */
export const sandboxTemplate: ResourceDefinition<SandboxTemplateInputs, SandboxTemplateWire> = {
  kind: "SandboxTemplate",
  api: "sandbox",
  inputs: sandboxTemplateInputs,
  fields: sandboxTemplateFields,
  naturalKey: "name",
  undocumented: ["update", "delete"],
  list,

  async create({ send, clock }, inputs) {
    const live = await createOnce({
      what: `SandboxTemplate "${inputs.name}"`,
      clock,
      post: () => createTemplate(send, inputs),
      find: () => findByName(send, inputs.name),
      equal: (found) => isEqual(inputs, found),
      createdAt: (found) => found.created_at,
    });
    return identify(live);
  },

  async find(context, { name, id }) {
    if (id === undefined) return found(await findByName(context.send, name));
    const listed = list.current(context);
    return (await listed.find(id)) ?? list.after(context, listed).find(id);
  },

  async read(context, state, listed) {
    const name = nameOf(state.outputs) ?? state.id;
    const named = await lookByName(context, name);
    // `X.get` may name it by its name.
    if (named !== undefined && (named.id === state.id || name === state.id)) return named;
    const again = listed === undefined ? list.current(context) : list.after(context, listed);
    const inAgain = (await again.find(state.id)) ?? (await again.findWhere(({ live }) => live.name === name));
    return inAgain ?? named ?? "gone";
  },

  async update(context, state, inputs) {
    const what = `SandboxTemplate "${nameOf(state.outputs) ?? state.id}"`;
    const { byId: from } = await locate(context, state);
    if (from === undefined) throw goneMeanwhile(what);
    // A stale list shows a name of before: that it has the new one already is only a suspicion too.
    if (from.name === inputs.name && (await isNamed(context.send, from))) return from;
    return rename(context, state, what, from.name, inputs.name);
  },

  async delete(context, state) {
    const { byId, byName } = await locate(context, state);
    if (byId === undefined) {
      // Another object has the name by now: it is not ours to delete.
      if (byName !== undefined)
        context.log.warn(`SandboxTemplate "${byName.name}" was made anew outside of this stack; it stays`);
      return "gone";
    }
    return deleteNamed(context, state, byId.name);
  },

  toInputs: (live) => toInputs(live),
  toComputed: (live) => ({ createdAt: live.created_at ?? null, updatedAt: live.updated_at ?? null }),
};

/** Renames the template that was seen under the name `from`. */
async function rename(
  context: Context,
  state: State,
  what: string,
  from: string,
  to: string,
  seenBefore?: string,
): Promise<SandboxTemplateWire> {
  try {
    return (await renameTemplate(context.send, from, to)).data;
  } catch (error) {
    if (isConflict(error))
      throw new AgentPlatformError(`${what} cannot be renamed to "${to}": another template has that name`, {
        cause: error,
      });
    if (!isNotFound(error) && !isNotOffered(error)) throw error;
    const { byId: now } = await locate(context, state);
    if (now === undefined) throw goneMeanwhile(what, error);
    // Renamed by an attempt whose answer was lost.
    if (now.name === to && to !== from) return now;
    if (now.name !== from && seenBefore === undefined) return rename(context, state, what, now.name, to, from);
    throw noUpdateOffered(what, error);
  }
}

/** Deletes the template that was seen under this name. */
async function deleteNamed(
  context: Context,
  state: State,
  name: string,
  seenBefore?: string,
): Promise<"gone" | { left: string }> {
  try {
    await deleteTemplate(context.send, name);
    return "gone";
  } catch (error) {
    if (!isNotFound(error) && !isNotOffered(error)) throw error;
  }
  // Gone meanwhile, renamed meanwhile, or a platform without this endpoint: only a look can tell.
  const { byId: still } = await locate(context, state);
  if (still === undefined) return "gone";
  if (still.name !== name && seenBefore === undefined) return deleteNamed(context, state, still.name, name);
  return { left: `SandboxTemplate "${still.name}" (${state.id})` };
}

function found({ data }: Answer<SandboxTemplateWire | undefined>): Found<SandboxTemplateWire> | undefined {
  return data && identify(data);
}

function identify(live: SandboxTemplateWire): Found<SandboxTemplateWire> {
  return { id: idOf(live), live };
}

function isEqual(inputs: SandboxTemplateInputs, found: SandboxTemplateWire): boolean {
  return changesBetween(sandboxTemplateFields, compact(toInputs(found)), compact({ ...inputs })).length === 0;
}

interface Located {
  readonly byId?: SandboxTemplateWire | undefined;
  readonly byName?: SandboxTemplateWire | undefined;
}

/** What is live under the state's id, and what under its name. With `X.get` the id may be a name. */
async function locate(context: Context, state: State): Promise<Located> {
  const listed = await inList(context, state);
  if (listed.byId !== undefined) return listed;
  // Absence from one list is only a suspicion: it may be stale, or its pages may have shifted. A template that somebody
  // has renamed is in lists alone.
  const named = await getNamed(context.send, nameOf(state.outputs) ?? state.id);
  return named !== undefined && idOf(named.data) === state.id ? { byId: named.data } : inList(context, state);
}

async function inList(context: Context, state: State): Promise<Located> {
  const name = nameOf(state.outputs) ?? state.id;
  let byName: SandboxTemplateWire | undefined;
  for await (const { data } of listTemplates(context.send)) {
    const byId = data.find((template) => idOf(template) === state.id);
    byName ??= data.find((template) => template.name === name);
    if (byId !== undefined) return { byId, byName };
  }
  return { byName };
}

const idOf = (live: SandboxTemplateWire): string => live.id ?? live.name;

function nameOf(outputs: JsonObject): string | undefined {
  return typeof outputs["name"] === "string" ? outputs["name"] : undefined;
}

async function findByName(send: Context["send"], name: string): Promise<Answer<SandboxTemplateWire | undefined>> {
  const named = await getNamed(send, name);
  if (named !== undefined) return named;
  for await (const { data, date } of listTemplates(send)) {
    const template = data.find((listed) => listed.name === name);
    if (template !== undefined) return { data: template, date };
  }
  return { data: undefined, date: undefined };
}

async function isNamed(send: Context["send"], template: SandboxTemplateWire): Promise<boolean> {
  const { data: now } = await findByName(send, template.name);
  return now !== undefined && idOf(now) === idOf(template);
}

/** Under contract `documented` there is no such look: a second list decides. */
async function lookByName(
  { connection, send }: Context,
  name: string,
): Promise<Found<SandboxTemplateWire> | undefined> {
  const named = connection.contract === "documented" ? undefined : await getNamed(send, name);
  return named && identify(named.data);
}

/** Undefined also where this platform has no such endpoint: the documented list decides. */
async function getNamed(send: Context["send"], name: string): Promise<Answer<SandboxTemplateWire> | undefined> {
  try {
    return await getTemplate(send, name);
  } catch (error) {
    if (!isNotFound(error) && !isNotOffered(error)) throw error;
    return undefined;
  }
}
