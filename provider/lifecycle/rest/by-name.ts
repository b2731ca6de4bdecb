import { textIn } from "../../base/json";
import {
  AgentPlatformError,
  changedAnother,
  goneMeanwhile,
  isConflict,
  isMissing,
  notDeleted,
  noUpdateOffered,
} from "../../base/errors";
import { isUuid } from "../../base/uuid";
import { NO_BODY } from "../../http/request";
import { segment } from "../../http/segment";
import type { Deletion } from "../definition";
import type { Context, Found, State } from "../observe/context";
import type { Listing } from "../observe/kept-list";
import {
  ABSENT,
  found,
  mapFound,
  type Observation,
  observe,
  observeInPages,
  requireSupported,
  UNSUPPORTED,
  valueOf,
} from "../observe/observation";
import { type Addressed, areTwo, type Live, lookUntil, type RestCollection } from "./addressed";

/** Where the object in state is: found, or absent from two lists. `other`: another object that now has its name. */
type Location = Observation<Live> & { readonly other?: Live | undefined };

/** Objects whose path contains their name, which a PATCH can change; the platform assigns their ids. After a rename elsewhere, only lists find the object. */
export function byName({
  table: { kind, naturalKey = "" },
  path,
  live: answer,
  keyName,
  idOf,
  pages,
  list,
  isDeleted,
  platformId,
}: RestCollection): Addressed {
  const one = (name: string): string => `${path}/${segment(name)}`;
  const nameOf = (live: Live): string => textIn(live, keyName) ?? "";
  const identified = (live: Live): Found<Live> => ({ id: idOf(live), live });
  /** The name under which the object was last seen; if it was never read (`X.get`), its id may be its name. */
  const nameIn = ({ id, outputs }: State): string => textIn(outputs, naturalKey) ?? id;
  const titleOf = (name: string): string => `${kind} "${name}"`;

  /**
   * Compares the platform's ids. If the state has none, its id is a name, which a rename may have changed since, and the platform may have assigned an
   * id later: such an object is recognized by its current name.
   */
  function isSame(live: Live, state: State): boolean {
    const { id, outputs } = state;
    const known = platformId === undefined ? undefined : outputs[platformId];
    if (live["id"] === (typeof known === "string" ? known : id)) return true;
    if (typeof known === "string" || nameOf(live) !== nameIn(state)) return false;
    return known === null || id === nameIn(state) || (live["id"] == null && !isUuid(id));
  }

  /** Contract `documented` has no look-up by name. */
  const lookUp = ({ connection, send }: Context, name: string): Promise<Observation<Live>> =>
    connection.contract === "documented"
      ? Promise.resolve(UNSUPPORTED)
      : observe(() => send({ method: "GET", path: one(name) }, answer));

  /** The object with this name; absent only if neither the look-up by name nor the list has it. */
  async function find(context: Context, name: string): Promise<Observation<Live>> {
    const byItself = await lookUp(context, name);
    if (byItself.state === "found") return byItself;
    const listed = await observeInPages(pages(context.send), (each) => nameOf(each) === name);
    const isKnown = byItself.state === "absent" && byItself.isBare !== true;
    return listed.state === "unsupported" && isKnown ? byItself : listed;
  }

  /**
   * Looks for the object in state by its name, and then in lists. Absence from one list is only a suspicion: it may be stale, or its pages may
   * have shifted.
   * @param listed A list that was read already; before a request of ours a recent one will do, so that many deletes share it.
   */
  async function locate(
    context: Context,
    state: State,
    listed: Listing<Live> = list.recent(context),
  ): Promise<Location> {
    const byItself = await lookUp(context, nameIn(state));
    if (byItself.state === "found" && isSame(byItself.value, state)) return byItself;
    const fits = ({ live }: Found<Live>): boolean => isSame(live, state);
    const first = await listed.findWhere(fits);
    // The look-up has just found nothing under this name, so a list that shows the object under it is stale: the object was renamed or deleted.
    const isDenied = byItself.state === "absent" && byItself.isBare !== true;
    const isLate = (seen: Observation<Found<Live>>): boolean =>
      isDenied && nameOf(valueOf(seen)?.live ?? {}) === nameIn(state);
    if (first.state === "found" && !isLate(first)) return { ...first, value: first.value.live };
    let again = listed;
    const look = () => (again = list.after(context, again)).findWhere(fits);
    const second = await lookUntil(context, look, (seen) => !isLate(seen));
    if (second.state === "found") return { ...second, value: second.value.live };
    if (first.state === "unsupported") return first;
    if (second.state === "unsupported") return second;
    const inList = await again.findWhere(({ live }) => nameOf(live) === nameIn(state));
    return { state: "absent", other: valueOf(byItself) ?? valueOf(inList)?.live };
  }

  /** As {@link locate}, but throws if this platform cannot look the object up. */
  const locateSurely = async (context: Context, state: State, listed?: Listing<Live>) =>
    requireSupported<Location>(await locate(context, state, listed), titleOf(nameIn(state)));

  async function isNamed(context: Context, live: Live): Promise<boolean> {
    const now = valueOf(await find(context, nameOf(live)));
    return now !== undefined && idOf(now) === idOf(live);
  }

  /** Changes the object that was seen under the name `from`. */
  async function change(context: Context, state: State, from: Live, wanted: Live, seenBefore?: string): Promise<Live> {
    const { [keyName]: to, ...others } = wanted;
    const what = titleOf(nameIn(state));
    const name = nameOf(from);
    // The list may be stale and show an earlier name, so check whether the object really has the new one already.
    const body = to === name && (await isNamed(context, from)) ? others : wanted;
    if (Object.keys(body).length === 0) return from;
    try {
      const patch = { method: "PATCH", repeatable: true, path: one(name), body } as const;
      const { data: now } = await context.send(patch, answer);
      if (areTwo(from, now)) throw changedAnother(what);
      return now;
    } catch (error) {
      if (isConflict(error) && typeof to === "string" && to !== name) {
        const reason = `${what} cannot be renamed to "${to}": another ${kind} has that name`;
        throw new AgentPlatformError(reason, { cause: error });
      }
      if (!isMissing(error)) throw error;
      const now = await relocate(context, state, to);
      if (now === undefined) throw goneMeanwhile(what, error);
      // It was renamed meanwhile, by an attempt whose answer was lost or by somebody else.
      if (nameOf(now) !== name && seenBefore === undefined) return change(context, state, now, wanted, name);
      throw noUpdateOffered(what, error);
    }
  }

  /** Finds the object after a rename of unknown outcome. An object without the platform's id is also looked up under the new name. */
  async function relocate(context: Context, state: State, to: unknown): Promise<Live | undefined> {
    const here = valueOf(await locateSurely(context, state));
    if (here !== undefined || typeof to !== "string") return here;
    return valueOf(await locateSurely(context, { id: state.id, outputs: { ...state.outputs, [naturalKey]: to } }));
  }

  /** Deletes the object that was seen under this name. */
  async function remove(context: Context, state: State, name: string, seenBefore?: string): Promise<Deletion> {
    try {
      if (isDeleted(await context.send({ method: "DELETE", path: one(name) }, NO_BODY))) return "deleted";
      // Any other success may come from a gateway in between.
      if ((await locateSurely(context, state, list.current(context))).state === "found")
        throw notDeleted(titleOf(name));
      return "deleted";
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    // It was deleted or renamed meanwhile, or this platform lacks the endpoint: only a look-up shows which.
    const still = valueOf(await locateSurely(context, state, list.current(context)));
    if (still === undefined) return "absent";
    if (nameOf(still) !== name && seenBefore === undefined) return remove(context, state, nameOf(still), name);
    return { left: `${titleOf(nameOf(still))} (${state.id})` };
  }

  return {
    async observe(context, wanted, listed) {
      if ("name" in wanted) return mapFound(await find(context, wanted.name), identified);
      const located = await locate(context, { outputs: {}, ...wanted }, listed);
      if (located.state !== "absent") return mapFound(located, identified);
      // It was deleted and recreated by somebody else: return the object that now has its name.
      return located.other === undefined ? ABSENT : found(identified(located.other));
    },

    async update(context, state, wanted) {
      const from = valueOf(await locateSurely(context, state));
      if (from === undefined) throw goneMeanwhile(titleOf(nameIn(state)));
      return change(context, state, from, wanted);
    },

    async delete(context, state) {
      const located = await locateSurely(context, state);
      if (located.state === "found") return remove(context, state, nameOf(located.value));
      // Another object now has the name: it is not ours to delete.
      if (located.other !== undefined)
        context.log.warn(`${titleOf(nameOf(located.other))} was recreated outside of this stack; it stays`);
      return "absent";
    },
  };
}
