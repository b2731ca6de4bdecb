import { z } from "zod";

import { defineResource } from "../../lifecycle/defined";
import { KeptList } from "../../lifecycle/kept-list";
import { observe, observeInPages, mapFound, UNSUPPORTED, type Observation } from "../../lifecycle/observation";
import { deleteAndVerify, confirmAbsent, updateAndVerify } from "../../lifecycle/confirm-absence";
import { createProvider, deleteProvider, getProvider, listProviders, updateProvider } from "./api";
import { toComputedNames } from "../../lifecycle/rename";
import { oauthProviderTable, type OAuthProviderInputs } from "./fields";
import { toCompletion, toInputs, toPatch, toWire, type OAuthProviderWire } from "./wire";
import type { Answer, Send } from "../../http/request";
import type { Found } from "../../lifecycle/context";

/** An OAuth provider, whose id is its provider_id. Everything except creation needs contract `extended`. */
export const oauthProvider = defineResource<OAuthProviderInputs, OAuthProviderWire>({
  api: "control",
  table: oauthProviderTable,
  naturalKey: "providerId",
  undocumented: ["list", "read", "update", "delete"],
  list: new KeptList<OAuthProviderWire>(
    async function* ({ send }) {
      for await (const { data } of listProviders(send)) yield data.map((live) => ({ id: live.provider_id, live }));
    },
    ({ live }) => [live.client_id, live.auth_url, live.token_url].every((value) => value !== undefined),
    ({ organization_id: organizationId }) => ({ organizationId }),
  ),

  create: {
    body: toWire,
    post: ({ send }, inputs, body) => createProvider(send, inputs, body),
    observe: ({ send, connection }, { providerId }) =>
      connection.contract === "documented" ? Promise.resolve(UNSUPPORTED) : find(send, providerId),
    createdAt: (live) => live.created_at,
    idOf: (live) => live.provider_id,
    undeclared: "all",
    completion: {
      inputs: ["authorizationParams", "allowedRedirectUris"],
      body: toCompletion,
      send: async ({ send }, _live, inputs, body) => (await updateProvider(send, inputs, body)).data,
    },
  },

  async observe({ send, connection }, { name, id }) {
    return connection.contract === "documented" ? UNSUPPORTED : identified(await find(send, id ?? name));
  },

  async read({ send }, { id }, listed) {
    const byId = await observe(() => getProvider(send, id));
    if (byId.state === "found") return identified(byId);
    return confirmAbsent(byId, await listed?.find(id), () => lookUpInList(send, id));
  },

  patch: toPatch,
  update({ send }, { id, outputs }, inputs, changes) {
    const body = toPatch(inputs, changes, outputs);
    const isEmpty = Object.keys(body).length === 0;
    const update = () => (isEmpty ? getProvider(send, id) : updateProvider(send, inputs, body));
    return updateAndVerify(nameOf(id), update, () => find(send, id));
  },

  delete({ send }, { id }) {
    const remove = () => deleteProvider(send, id);
    return deleteAndVerify(nameOf(id), remove, isDeleted, () => find(send, id));
  },

  incarnation: "uuid",
  isSurely: (live, { outputs }) => live.id != null && live.id === outputs["uuid"],
  workspaceOf: (live) => ({ organizationId: live.organization_id }),
  toInputs: (live) => toInputs(live),
  toComputed: (live) => toComputedNames(oauthProviderTable.fields, live),
});

const nameOf = (id: string): string => `OAuthProvider "${id}"`;

/** + What a DELETE answers (docs/internals/platform.md, Endpoints). */
const Deleted = z.object({ message: z.string() });
const isDeleted = ({ data, status }: Answer<unknown>): boolean => status === 204 || Deleted.safeParse(data).success;

/** The provider, by its id and then in the list: absent only if both lack it, unsupported if the platform offers neither. */
async function find(send: Send, providerId: string): Promise<Observation<OAuthProviderWire>> {
  const byId = await observe(() => getProvider(send, providerId));
  if (byId.state === "found") return byId;
  return mapFound(await confirmAbsent(byId, undefined, () => lookUpInList(send, providerId)), ({ live }) => live);
}

const lookUpInList = async (send: Send, providerId: string): Promise<Observation<Found<OAuthProviderWire>>> =>
  identified(await observeInPages(listProviders(send), ({ provider_id: id }) => id === providerId));

const identified = (result: Observation<OAuthProviderWire>): Observation<Found<OAuthProviderWire>> =>
  mapFound(result, (live) => ({ id: live.provider_id, live }));
