import { textIn } from "../../base/json";
import {
  changedAnother,
  goneMeanwhile,
  isForeignNotFound,
  isMissing,
  isNotOffered,
  notDeleted,
  noUpdateOffered,
} from "../../base/errors";
import { type Answer, NO_BODY, type Send } from "../../http/request";
import { segment } from "../../http/segment";
import { wireName } from "../fields/rename";
import { nameOf } from "../naming";
import type { Context, Found, State } from "../observe/context";
import { ABSENT, mapFound, type Observation, observe, observeInPages, requireSupported } from "../observe/observation";
import { type Addressed, areTwo, type Live, lookUntil, type RestCollection } from "./addressed";

/**
 * Objects whose path contains their id, which never changes. They are looked up by id, and then in the list. Only contract `extended` may have these
 * endpoints: a 404 means that the object is gone or that this platform lacks the endpoint, and a look-up shows which.
 */
export function byId({
  table,
  path,
  live,
  keyName,
  idIsKey,
  alias,
  idOf,
  pages,
  isDeleted,
}: Omit<RestCollection, "list" | "platformId">): Addressed {
  const { incarnation } = table;
  /** The platform's name of its own id, if the id in state is a key that another object may get later. */
  const incarnationName = incarnation && wireName(incarnation, table.fields[incarnation]);
  const identified = (each: Live): Found<Live> => ({ id: idOf(each), live: each });
  const one = (id: string): string => `${path}/${segment(id)}`;
  const get = (send: Send, id: string): Promise<Answer<Live>> => send({ method: "GET", path: one(id) }, live);
  /** Absent only if two look-ups say so: the one by id (unless its 404 may mean an unknown path) and lists. Unsupported if the platform offers neither. */
  const find = async (context: Context, id: string, listed?: () => Promise<Observation<unknown>>) => {
    const byItself = await observe(() => get(context.send, id));
    if (byItself.state === "found") return byItself;
    const isAbsent = byItself.state === "absent" && byItself.isBare !== true;
    let seen = [isAbsent, (await listed?.())?.state === "absent"].filter(Boolean).length;
    const look = () => observeInPages(pages(context.send), (each) => idOf(each) === id);
    for (; seen < 2; seen++) {
      // If the look-up by id has just denied it, a list that shows it may be late.
      const inList = await lookUntil(context, look, ({ state }) => !isAbsent || state !== "found");
      if (inList.state !== "absent") return inList;
    }
    return ABSENT;
  };
  /** The platform's own id of the object in state; undefined if it is unknown or the same as the id in state. */
  const known = ({ outputs }: State): string | undefined => incarnation && textIn(outputs, incarnation);
  /** Whether an answer shows another object than the one in state. */
  const isAnother = (state: State, there: Live): boolean =>
    incarnationName !== undefined && areTwo({ id: known(state) }, { id: there[incarnationName] });
  /** Whether another object has the key by now. */
  async function isTaken(send: Send, state: State): Promise<boolean> {
    if (known(state) === undefined) return false;
    const there = await observe(() => get(send, state.id));
    return there.state === "found" && isAnother(state, there.value);
  }

  return {
    async observe(context, wanted, listed) {
      if ("name" in wanted && alias !== undefined) {
        const named = alias(wanted.name, wanted.inputs);
        const byItself = await observe(() => get(context.send, named));
        // The 404 may come from a router that does not know the path. A platform without such objects cannot list them either, so the list shows which.
        const isDoubtful = byItself.state === "absent" && byItself.isBare === true;
        return mapFound(isDoubtful ? await observeInPages(pages(context.send), () => false) : byItself, identified);
      }
      if ("name" in wanted && !idIsKey) {
        // One list is enough, because a POST is refused if the name is taken.
        return mapFound(await observeInPages(pages(context.send), (each) => each[keyName] === wanted.name), identified);
      }
      const id = "id" in wanted ? wanted.id : wanted.name;
      return mapFound(await find(context, id, listed && (() => listed.find(id))), identified);
    },

    async update(context, state, body) {
      const { send } = context;
      const { id } = state;
      const what = nameOf(table, state);
      const isRead = Object.keys(body).length === 0;
      if (!isRead && (await isTaken(send, state))) throw goneMeanwhile(what);
      const change = () => send({ method: "PATCH", repeatable: true, path: one(id), body }, live);
      const { data: now } = await (isRead ? get(send, id) : change()).catch(async (error: unknown) => {
        if (!isMissing(error)) throw error;
        const isGone = !isNotOffered(error) && (await find(context, id)).state === "absent";
        throw isGone ? goneMeanwhile(what, error) : noUpdateOffered(what, error);
      });
      if (isAnother(state, now)) throw isRead ? goneMeanwhile(what) : changedAnother(what);
      return now;
    },

    async delete(context, state) {
      const { send, log } = context;
      const what = nameOf(table, state);
      if (await isTaken(send, state)) {
        log.warn(`${what} was recreated outside of this stack; it stays`);
        return "absent";
      }
      try {
        if (isDeleted(await send({ method: "DELETE", path: one(state.id) }, NO_BODY))) return "deleted";
      } catch (error) {
        if (!isMissing(error)) throw error;
        const still = await find(context, state.id);
        // A gateway's 404 for the list says nothing about the object: it is an error, not a platform that cannot delete.
        if (still.state === "unsupported" && isForeignNotFound(still.cause)) requireSupported(still, what);
        return still.state === "absent" ? "absent" : { left: what };
      }
      // Any other success may come from a gateway in between.
      const still = await find(context, state.id);
      if (still.state === "absent") return "deleted";
      throw notDeleted(what, still.state === "found");
    },
  };
}
