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
import type { Deletion } from "../definition";
import type { Context, Found, State } from "../observe/context";
import type { KeptList, Listing } from "../observe/kept-list";
import {
  found,
  isSurelyAbsent,
  type Observation,
  requireSupported,
  UNSUPPORTED,
  valueOf,
} from "../observe/observation";
import type { Key } from "../observe/read-object";
import { areTwo, type Live, lookUntil, type RestCollection } from "./collection";

/** Where the object in state is: found, or absent ({@link ByName.locate}). `other`: another object that now has its name. */
type Location = Observation<Found<Live>> & { readonly other?: Found<Live> | undefined };

/** Objects whose path contains their name, which a PATCH can change; the platform assigns their ids. After a rename elsewhere, only lists find the object. */
export class ByName {
  /** @param platformId The output with the platform's id, if the id in state is not the platform's, because it had not assigned one yet. */
  constructor(
    private readonly all: RestCollection,
    private readonly list: KeptList<Live>,
    private readonly platformId = "",
  ) {}

  async observe(context: Context, wanted: Key, listed?: Listing<Live>): Promise<Observation<Found<Live>>> {
    if ("name" in wanted) return this.find(context, wanted.name);
    const located = await this.locate(context, { outputs: {}, ...wanted }, listed);
    // It was deleted and recreated by somebody else: return the object that now has its name.
    return located.other === undefined ? located : found(located.other);
  }

  async update(context: Context, state: State, wanted: Live): Promise<Live> {
    const from = valueOf(await this.locateSurely(context, state));
    if (from === undefined) throw goneMeanwhile(this.titleOf(this.nameIn(state)));
    return this.change(context, state, from, wanted);
  }

  async delete(context: Context, state: State): Promise<Deletion> {
    const located = await this.locateSurely(context, state);
    if (located.state === "found") return this.remove(context, state, this.nameOf(located.value));
    // Another object now has the name: it is not ours to delete.
    if (located.other !== undefined)
      context.log.warn(`${this.titleOf(this.nameOf(located.other))} was recreated outside of this stack; it stays`);
    return "absent";
  }

  /** The object with this name; absent only if neither the look-up by name nor the list has it. */
  private async find(context: Context, name: string): Promise<Observation<Found<Live>>> {
    const byItself = await this.lookUp(context, name);
    if (byItself.state === "found") return byItself;
    const listed = await this.all.lookInList(context.send, (each) => each[this.all.keyName] === name);
    return listed.state === "unsupported" && isSurelyAbsent(byItself) ? byItself : listed;
  }

  /**
   * Looks for the object in state by its name, and then in lists. Absence from one list is only a suspicion: it may be stale, or its pages may
   * have shifted.
   * @param listed A list that was read already; before a request of ours a recent one will do, so that many deletes share it.
   */
  private async locate(
    context: Context,
    state: State,
    listed: Listing<Live> = this.list.recent(context),
  ): Promise<Location> {
    const name = this.nameIn(state);
    const byItself = await this.lookUp(context, name);
    const fits = (each: Found<Live>): boolean => this.isSame(each, state);
    if (byItself.state === "found" && fits(byItself.value)) return byItself;
    const first = await listed.findWhere(fits);
    // A list is stale that shows the object under a name where the look-up has just found nothing. Where there is no look-up, one that lacks it may be.
    const isLate = (seen: Observation<Found<Live>>): boolean =>
      isSurelyAbsent(byItself)
        ? seen.state === "found" && this.nameOf(seen.value) === name
        : byItself.state !== "found" && seen.state === "absent";
    if (first.state === "found" && !isLate(first)) return first;
    let again = listed;
    const look = () => (again = this.list.after(context, again)).findWhere(fits);
    const second = await lookUntil(context, look, (seen) => !isLate(seen));
    if (second.state === "found") return second;
    if (first.state === "unsupported") return first;
    if (second.state === "unsupported") return second;
    const inList = await again.findWhere((each) => this.nameOf(each) === name);
    return { state: "absent", other: valueOf(byItself) ?? valueOf(inList) };
  }

  /** As {@link locate}, but throws if this platform cannot look the object up. */
  private async locateSurely(context: Context, state: State, listed?: Listing<Live>) {
    return requireSupported<Location>(await this.locate(context, state, listed), this.titleOf(this.nameIn(state)));
  }

  /** Changes the object that was seen as `from`. @param isAgain It was seen under another name before. */
  private async change(
    context: Context,
    state: State,
    from: Found<Live>,
    wanted: Live,
    isAgain = false,
  ): Promise<Live> {
    const { [this.all.keyName]: to, ...others } = wanted;
    const what = this.titleOf(this.nameIn(state));
    const name = this.nameOf(from);
    // The list may be stale and show an earlier name, so check whether the object really has the new one already.
    const isNamed = to === name && valueOf(await this.find(context, name))?.id === from.id;
    const body = isNamed ? others : wanted;
    if (Object.keys(body).length === 0) return from.live;
    try {
      const request = { method: "PATCH", repeatable: true, path: this.all.pathOf(name), body } as const;
      const { data: now } = await context.send(request, this.all.live);
      if (areTwo(from.live["id"], now["id"])) throw changedAnother(what);
      return now;
    } catch (error) {
      if (isConflict(error) && typeof to === "string" && to !== name) {
        const reason = `${what} cannot be renamed to "${to}": another ${this.all.table.kind} has that name`;
        throw new AgentPlatformError(reason, { cause: error });
      }
      if (!isMissing(error)) throw error;
      const now = await this.relocate(context, state, to);
      if (now === undefined) throw goneMeanwhile(what, error);
      // It was renamed meanwhile, by an attempt whose answer was lost or by somebody else.
      if (this.nameOf(now) !== name && !isAgain) return this.change(context, state, now, wanted, true);
      throw noUpdateOffered(what, error);
    }
  }

  /** Finds the object after a rename of unknown outcome. An object without the platform's id is also looked up under the new name. */
  private async relocate(context: Context, { id, outputs }: State, to: unknown): Promise<Found<Live> | undefined> {
    const here = valueOf(await this.locateSurely(context, { id, outputs }));
    if (here !== undefined || typeof to !== "string") return here;
    const { naturalKey = "" } = this.all.table;
    return valueOf(await this.locateSurely(context, { id, outputs: { ...outputs, [naturalKey]: to } }));
  }

  /** Deletes the object that was seen under this name. @param isAgain It was seen under another one before. */
  private async remove(context: Context, state: State, name: string, isAgain = false): Promise<Deletion> {
    const look = () => this.locateSurely(context, state, this.list.current(context));
    try {
      if (await this.all.delete(context.send, name)) return "deleted";
      if ((await look()).state === "found") throw notDeleted(this.titleOf(name));
      return "deleted";
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    // It was deleted or renamed meanwhile, or this platform lacks the endpoint: only a look-up shows which.
    const still = valueOf(await look());
    if (still === undefined) return "absent";
    const now = this.nameOf(still);
    if (now !== name && !isAgain) return this.remove(context, state, now, true);
    return { left: `${this.titleOf(now)} (${state.id})` };
  }

  /** Contract `documented` has no look-up by name. */
  private lookUp({ connection, send }: Context, name: string): Promise<Observation<Found<Live>>> {
    return connection.contract === "documented" ? Promise.resolve(UNSUPPORTED) : this.all.lookUp(send, name);
  }

  /**
   * Compares the platform's ids. If the state has none, its id is a name, which a rename may have changed since, and the platform may have assigned an
   * id later: such an object is recognized by its current name.
   */
  private isSame({ live }: Found<Live>, state: State): boolean {
    const { id, outputs } = state;
    const known = outputs[this.platformId];
    if (live["id"] === (typeof known === "string" ? known : id)) return true;
    if (typeof known === "string" || live[this.all.keyName] !== this.nameIn(state)) return false;
    return known === null || id === this.nameIn(state) || (live["id"] == null && !isUuid(id));
  }

  private nameOf({ live }: Found<Live>): string {
    return textIn(live, this.all.keyName) ?? "";
  }

  /** The name under which the object was last seen; if it was never read (`X.get`), its id may be its name. */
  private nameIn({ id, outputs }: State): string {
    return textIn(outputs, this.all.table.naturalKey ?? "") ?? id;
  }

  private titleOf(name: string): string {
    return `${this.all.table.kind} "${name}"`;
  }
}
