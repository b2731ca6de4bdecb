import type { Found, State } from "../../lifecycle/observe/context";
import { defineResource } from "../../lifecycle/defined";
import { KeptList } from "../../lifecycle/observe/kept-list";
import { deleteAndVerify, confirmAbsent, updateAndVerify } from "../../lifecycle/observe/confirm-absence";
import { observe, observeInPages, mapFound, type Observation } from "../../lifecycle/observe/observation";
import { toComputedNames } from "../../lifecycle/fields/rename";
import type { Send } from "../../http/request";
import { createListener, deleteListener, readListener, listenerPages, updateListener } from "./api";
import { listenerTable, type ListenerInputs } from "./fields";
import { toInputs, toPatch, toWire, type ListenerWire } from "./wire";

/** The listener of a self-hosted cluster. All of its endpoints belong to contract `extended`. */
export const listener = defineResource<ListenerInputs, ListenerWire>({
  api: "control",
  table: listenerTable,
  naturalKey: "computeId",
  undocumented: ["list", "create", "read", "update", "delete"],
  list: new KeptList<ListenerWire>(
    async function* ({ send }) {
      for await (const { data } of listenerPages(send)) yield data.map(identified);
    },
    ({ live }) => live.compute_id !== undefined && live.compute_config !== undefined,
  ),

  create: {
    body: toWire,
    post: ({ send }, _inputs, body) => createListener(send, body),
    createdAt: (live) => live.created_at,
    idOf: (live) => live.id,
    undeclared: "all",
  },

  async observe({ send }, key, listed) {
    if ("id" in key) return mapFound(await findListener(send, key.id, await listed?.find(key.id)), identified);
    return mapFound(await findByComputeId(send, key.name), identified);
  },

  patch: toPatch,
  update: ({ send }, state, inputs) =>
    updateAndVerify(
      nameOf(state),
      () => updateListener(send, state.id, toPatch(inputs)),
      () => findListener(send, state.id),
    ),

  delete: ({ send }, state) =>
    deleteAndVerify(
      nameOf(state),
      () => deleteListener(send, state.id),
      ({ status }) => status === 204,
      () => findListener(send, state.id),
    ),

  toInputs,
  toComputed: (live) => toComputedNames(listenerTable.fields, live),
});

const nameOf = ({ id, outputs }: State): string =>
  typeof outputs["computeId"] === "string" ? `Listener "${outputs["computeId"]}" (${id})` : `Listener "${id}"`;

const identified = (live: ListenerWire): Found<ListenerWire> => ({ id: live.id, live });

/** The listener, by its id and then in lists: absent only where both lack it, unsupported where the platform offers neither. */
export async function findListener(
  send: Send,
  id: string,
  listed?: Observation<unknown>,
): Promise<Observation<ListenerWire>> {
  const byId = await observe(() => readListener(send, id));
  return byId.state === "found" ? byId : confirmAbsent(byId, listed, () => lookUpInList(send, id));
}

const lookUpInList = (send: Send, id: string): Promise<Observation<ListenerWire>> =>
  observeInPages(listenerPages(send), (listed) => listed.id === id);

/** A POST of a name that is taken is refused, so one list is enough. */
const findByComputeId = (send: Send, computeId: string): Promise<Observation<ListenerWire>> =>
  observeInPages(listenerPages(send), ({ compute_id: listed }) => listed === computeId);
