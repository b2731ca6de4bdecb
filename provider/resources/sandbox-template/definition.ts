import { defineResource } from "../../lifecycle/defined";
import type { Deletion } from "../../lifecycle/observe/confirm-absence";
import {
  AgentPlatformError,
  goneMeanwhile,
  isConflict,
  isMissing,
  notDeleted,
  noUpdateOffered,
} from "../../base/errors";
import { ABSENT, requireSupported, found, mapFound, valueOf } from "../../lifecycle/observe/observation";
import { createTemplate, deleteTemplate, renameTemplate } from "./api";
import { observeByName, identify, idOf, observeInState, nameIn, templateList } from "./observe";
import { toComputedNames } from "../../lifecycle/fields/rename";
import { sandboxTemplateTable, type SandboxTemplateInputs } from "./fields";
import { renaming, toInputs, toWire, type SandboxTemplateWire } from "./wire";
import type { Context, State } from "../../lifecycle/observe/context";

/** A sandbox template: found by its id, then by its name; everything except the name is fixed at creation (docs/internals/platform.md, Sandbox templates). */
export const sandboxTemplate = defineResource<SandboxTemplateInputs, SandboxTemplateWire>({
  api: "sandbox",
  table: sandboxTemplateTable,
  naturalKey: "name",
  undocumented: ["update", "delete"],
  list: templateList,

  create: {
    body: toWire,
    post: ({ send }, _inputs, body) => createTemplate(send, body),
    createdAt: (live) => live.created_at,
    idOf,
    undeclared: "all",
  },

  async observe(context, key, listed) {
    if ("name" in key) return mapFound(await observeByName(context, key.name), identify);
    const located = await observeInState(context, { outputs: {}, ...key }, listed);
    if (located.state !== "absent") return mapFound(located, identify);
    // Deleted and recreated by hand: the template that has its name now.
    return located.other === undefined ? ABSENT : found(identify(located.other));
  },

  patch: renaming,
  async update(context, state, inputs) {
    const what = `SandboxTemplate "${nameIn(state)}"`;
    const from = valueOf(requireSupported(await observeInState(context, state), what));
    if (from === undefined) throw goneMeanwhile(what);
    // A stale list shows an earlier name: that the template already has the new one is only a suspicion too.
    if (from.name === inputs.name && (await isNamed(context, from))) return from;
    return rename(context, state, what, from.name, inputs.name);
  },

  async delete(context, state) {
    const located = await observeInState(context, state);
    if (located.state === "found") return deleteNamed(context, state, located.value.name);
    requireSupported(located, `SandboxTemplate "${nameIn(state)}"`);
    // Another object has the name by now: it is not ours to delete.
    if (located.other !== undefined)
      context.log.warn(`SandboxTemplate "${located.other.name}" was recreated outside of this stack; it stays`);
    return "absent";
  },

  isSurely: (live, { id, outputs }) => live.id != null && live.id === (outputs["templateId"] ?? id),
  toInputs: (live) => toInputs(live),
  toComputed: (live, before) => ({
    ...toComputedNames(sandboxTemplateTable.fields, live),
    // Only if the resource's id is not the platform's, because the platform had not assigned one when it was created.
    templateId: live.id == null || before["templateId"] !== undefined ? (live.id ?? null) : undefined,
  }),
});

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
    if (!isMissing(error)) throw error;
    const now = await relocate(context, state, to);
    if (now === undefined) throw goneMeanwhile(what, error);
    // Renamed by an attempt whose answer was lost.
    if (now.name === to && to !== from) return now;
    if (now.name !== from && seenBefore === undefined) return rename(context, state, what, now.name, to, from);
    throw noUpdateOffered(what, error);
  }
}

/** Where the template is after a rename of unknown outcome: a template known by its name may have the new one. */
async function relocate(context: Context, state: State, to: string): Promise<SandboxTemplateWire | undefined> {
  const what = `SandboxTemplate "${nameIn(state)}"`;
  const here = valueOf(requireSupported(await observeInState(context, state), what));
  const renamed = { id: state.id, outputs: { ...state.outputs, name: to } };
  return here ?? valueOf(requireSupported(await observeInState(context, renamed), what));
}

/** Deletes the template that was seen under this name. */
async function deleteNamed(context: Context, state: State, name: string, seenBefore?: string): Promise<Deletion> {
  const what = `SandboxTemplate "${name}"`;
  try {
    const { status } = await deleteTemplate(context.send, name);
    if (status === 204) return "deleted";
    // Any other success may come from something in between.
    if (requireSupported(await observeInState(context, state), what).state === "found") throw notDeleted(what);
    return "deleted";
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  // Deleted or renamed meanwhile, or a platform without this endpoint: only a look-up can tell.
  const still = valueOf(requireSupported(await observeInState(context, state), what));
  if (still === undefined) return "absent";
  if (still.name !== name && seenBefore === undefined) return deleteNamed(context, state, still.name, name);
  return { left: `SandboxTemplate "${still.name}" (${state.id})` };
}

async function isNamed(context: Context, template: SandboxTemplateWire): Promise<boolean> {
  const now = valueOf(await observeByName(context, template.name));
  return now !== undefined && idOf(now) === idOf(template);
}
