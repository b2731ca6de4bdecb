import { type JsonObject, textIn } from "../../base/json";
import {
  changedAnother,
  goneMeanwhile,
  isForeignNotFound,
  isMissing,
  isNotOffered,
  notDeleted,
  noUpdateOffered,
} from "../../base/errors";
import type { Request, Send } from "../../http/request";
import type { Deletion } from "../definition";
import { wireName } from "../fields/rename";
import { nameOf } from "../naming";
import type { Context, Found, State } from "../observe/context";
import type { Listing } from "../observe/kept-list";
import { ABSENT, isSurelyAbsent, type Observation, requireSupported } from "../observe/observation";
import type { Key } from "../observe/read-object";
import { areTwo, type Live, lookUntil, type RestCollection } from "./collection";

/**
 * Objects whose path contains their id, which never changes. They are looked up by id, and then in the list. Only contract `extended` may have these
 * endpoints: a 404 means that the object is gone or that this platform lacks the endpoint, and a look-up shows which.
 */
export class ById {
  /** @param alias What GET accepts instead of the id, to find an object by name; without it, a list finds the name. */
  constructor(
    private readonly all: RestCollection,
    private readonly alias?: (name: string, inputs: JsonObject | undefined) => string,
  ) {}

  async observe(context: Context, wanted: Key, listed?: Listing<Live>): Promise<Observation<Found<Live>>> {
    const { all, alias } = this;
    const { send } = context;
    if ("name" in wanted && alias !== undefined) {
      const named = await all.lookUp(send, alias(wanted.name, wanted.inputs));
      // The 404 may come from a router that does not know the path. A platform without such objects cannot list them either, so the list shows which.
      return named.state !== "absent" || isSurelyAbsent(named) ? named : all.lookInList(send, () => false);
    }
    if ("name" in wanted && all.table.reading?.idIsKey !== true) {
      // One list is enough, because a POST is refused if the name is taken.
      return all.lookInList(send, (each) => each[all.keyName] === wanted.name);
    }
    return this.find(context, "id" in wanted ? wanted.id : wanted.name, listed);
  }

  /** Sends the PATCH, which is idempotent. If there is nothing to send, only reads. */
  async update(context: Context, state: State, body: Live): Promise<Live> {
    const { all } = this;
    const { send } = context;
    const what = nameOf(all.table, state);
    const path = all.pathOf(state.id);
    const isRead = Object.keys(body).length === 0;
    if (!isRead && (await this.isTaken(send, state))) throw goneMeanwhile(what);
    const request: Request = isRead ? { method: "GET", path } : { method: "PATCH", repeatable: true, path, body };
    const { data: now } = await send(request, all.live).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      const isGone = !isNotOffered(error) && (await this.find(context, state.id)).state === "absent";
      throw isGone ? goneMeanwhile(what, error) : noUpdateOffered(what, error);
    });
    if (this.isAnother(state, now)) throw isRead ? goneMeanwhile(what) : changedAnother(what);
    return now;
  }

  async delete(context: Context, state: State): Promise<Deletion> {
    const { send, log } = context;
    const what = nameOf(this.all.table, state);
    if (await this.isTaken(send, state)) {
      log.warn(`${what} was recreated outside of this stack; it stays`);
      return "absent";
    }
    try {
      if (await this.all.delete(send, state.id)) return "deleted";
    } catch (error) {
      if (!isMissing(error)) throw error;
      const still = await this.find(context, state.id);
      // A gateway's 404 for the list says nothing about the object: it is an error, not a platform that cannot delete.
      if (still.state === "unsupported" && isForeignNotFound(still.cause)) requireSupported(still, what);
      return still.state === "absent" ? "absent" : { left: what };
    }
    const still = await this.find(context, state.id);
    if (still.state === "absent") return "deleted";
    throw notDeleted(what, still.state === "found");
  }

  /**
   * Absent only if two look-ups say so: the one by id (unless its 404 may mean an unknown path) and lists. Where nothing answers by id, lists alone, over
   * some seconds. Unsupported if the platform offers neither.
   */
  private async find(context: Context, id: string, listed?: Listing<Live>): Promise<Observation<Found<Live>>> {
    const byItself = await this.all.lookUp(context.send, id);
    if (byItself.state === "found") return byItself;
    const isAlone = byItself.state === "unsupported";
    // If the look-up by id has just denied it, a list that shows it may be late; if there is none, one that lacks it may.
    const late = isSurelyAbsent(byItself) ? "found" : isAlone ? "absent" : undefined;
    let seen = [isSurelyAbsent(byItself), (await listed?.find(id))?.state === "absent"].filter(Boolean).length;
    const look = () => this.all.lookInList(context.send, (each) => this.all.idOf(each) === id);
    for (; seen < 2; seen += isAlone ? 2 : 1) {
      const inList = await lookUntil(context, look, ({ state }) => state !== late);
      if (inList.state !== "absent") return inList;
    }
    return ABSENT;
  }

  /** Whether an answer shows another object than the one in state, under a key that another object may get later. */
  private isAnother({ outputs }: State, there: Live): boolean {
    const { incarnation = "", fields } = this.all.table;
    return areTwo(outputs[incarnation], there[wireName(incarnation, fields[incarnation]) ?? ""]);
  }

  /** Whether another object has the key by now. */
  private async isTaken(send: Send, state: State): Promise<boolean> {
    if (textIn(state.outputs, this.all.table.incarnation ?? "") === undefined) return false;
    const there = await this.all.lookUp(send, state.id);
    return there.state === "found" && this.isAnother(state, there.value.live);
  }
}
