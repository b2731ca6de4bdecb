import { z } from "zod";

import { defineResource } from "../../lifecycle/defined";
import { KeptList, type Listing } from "../../lifecycle/observe/kept-list";
import { observe, observeInPages, mapFound, type Observation } from "../../lifecycle/observe/observation";
import { deleteAndVerify, confirmAbsent, updateAndVerify } from "../../lifecycle/observe/confirm-absence";
import { createProvider, deleteProvider, getProvider, listProviders, updateProvider } from "./api";
import { toComputedNames } from "../../lifecycle/fields/rename";
import { oauthProviderTable, type OAuthProviderInputs } from "./fields";
import { toCompletion, toInputs, toPatch, toWire, type OAuthProviderWire } from "./wire";
import type { Answer, Send } from "../../http/request";
import type { Found } from "../../lifecycle/observe/context";

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
    createdAt: (live) => live.created_at,
    idOf: (live) => live.provider_id,
    undeclared: "all",
    completion: {
      inputs: ["authorizationParams", "allowedRedirectUris"],
      body: toCompletion,
      send: async ({ send }, _live, inputs, body) => (await updateProvider(send, inputs, body)).data,
    },
  },

  observe: ({ send }, key, listed) => find(send, "id" in key ? key.id : key.name, listed),

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
async function find(
  send: Send,
  id: string,
  listed?: Listing<OAuthProviderWire>,
): Promise<Observation<Found<OAuthProviderWire>>> {
  const byId = identified(await observe(() => getProvider(send, id)));
  return byId.state === "found" ? byId : confirmAbsent(byId, await listed?.find(id), () => lookUpInList(send, id));
}

const lookUpInList = async (send: Send, providerId: string): Promise<Observation<Found<OAuthProviderWire>>> =>
  identified(await observeInPages(listProviders(send), ({ provider_id: id }) => id === providerId));

const identified = (result: Observation<OAuthProviderWire>): Observation<Found<OAuthProviderWire>> =>
  mapFound(result, (live) => ({ id: live.provider_id, live }));
