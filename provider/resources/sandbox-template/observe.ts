import { isUuid } from "../../base/uuid";
import { KeptList, type Listing } from "../../lifecycle/observe/kept-list";
import { observe, observeInPages, UNSUPPORTED, valueOf, type Observation } from "../../lifecycle/observe/observation";
import { getTemplate, listTemplates } from "./api";
import type { SandboxTemplateWire } from "./wire";
import type { Context, Found, State } from "../../lifecycle/observe/context";

/** The templates of the tenant. */
export const templateList = new KeptList<SandboxTemplateWire>(
  async function* ({ send }) {
    for await (const { data } of listTemplates(send)) yield data.map(identify);
  },
  ({ live }) => live.image !== undefined && live.resources !== undefined,
);

/** The id of a template is the platform's, or its name if it is an old row without an id (docs/internals/platform.md, Sandbox templates). */
export const idOf = (live: SandboxTemplateWire): string => live.id ?? live.name;

export const identify = (live: SandboxTemplateWire): Found<SandboxTemplateWire> => ({ id: idOf(live), live });

/** The name under which the template was last seen; if it was never read (`X.get`), its id may be its name. */
export const nameIn = ({ id, outputs }: State): string => (typeof outputs["name"] === "string" ? outputs["name"] : id);

/**
 * By the platform's id. Where the state knows of none, it has a name in its place, which a rename may have changed since, and the platform may
 * have given the row an id later: such a template is known by its present name.
 */
function isSame(live: SandboxTemplateWire, state: State): boolean {
  const { id, outputs } = state;
  const known = outputs["templateId"];
  if (live.id === (typeof known === "string" ? known : id)) return true;
  if (typeof known === "string" || live.name !== nameIn(state)) return false;
  return known === null || id === nameIn(state) || (live.id == null && !isUuid(id));
}

/** Where the template in state is: found, or absent in two lists. `other`: the template that has its name by now. */
export type Location = Observation<SandboxTemplateWire> & { readonly other?: SandboxTemplateWire | undefined };

/**
 * Looks for the template in state by its name, and then in lists: only lists show one that was renamed outside of this program.
 * Absence from one list is only a suspicion: it may be stale, or its pages may have shifted.
 * @param listed A list that was read already; a recent one will do, so that many deletes share it.
 */
export async function observeInState(
  context: Context,
  state: State,
  listed: Listing<SandboxTemplateWire> = templateList.recent(context),
): Promise<Location> {
  const byName = await getByName(context, nameIn(state));
  if (byName.state === "found" && isSame(byName.value, state)) return byName;
  const fits = ({ live }: Found<SandboxTemplateWire>): boolean => isSame(live, state);
  const first = await listed.findWhere(fits);
  if (first.state === "found") return { ...first, value: first.value.live };
  const again = templateList.after(context, listed);
  const second = await again.findWhere(fits);
  if (second.state === "found") return { ...second, value: second.value.live };
  if (first.state === "unsupported") return first;
  if (second.state === "unsupported") return second;
  const inList = await again.findWhere(({ live }) => live.name === nameIn(state));
  return { state: "absent", other: valueOf(byName) ?? valueOf(inList)?.live };
}

/** The template of a name; absent only if neither the look-up by name nor the list has it. */
export async function observeByName(context: Context, name: string): Promise<Observation<SandboxTemplateWire>> {
  const byName = await getByName(context, name);
  if (byName.state === "found") return byName;
  const listed = await observeInPages(listTemplates(context.send), (template) => template.name === name);
  return listed.state === "unsupported" && byName.state === "absent" ? byName : listed;
}

/** Contract `documented` has no look-up by name. */
function getByName({ connection, send }: Context, name: string): Promise<Observation<SandboxTemplateWire>> {
  return connection.contract === "documented" ? Promise.resolve(UNSUPPORTED) : observe(() => getTemplate(send, name));
}
