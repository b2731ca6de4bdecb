import { z } from "zod";

import { defineResource } from "../../lifecycle/defined";
import {
  goneMeanwhile,
  isForeignNotFound,
  isMissing,
  isNotOffered,
  notDeleted,
  noUpdateOffered,
} from "../../base/errors";
import { KeptList } from "../../lifecycle/kept-list";
import {
  ABSENT,
  demanded,
  lookup,
  lookUpIn,
  mapFound,
  UNSUPPORTED,
  type Absent,
  type Lookup,
  type Unsupported,
} from "../../lifecycle/lookup";
import { createProvider, deleteProvider, getProvider, listProviders, updateProvider } from "./api";
import { toComputedNames } from "../../lifecycle/rename";
import { oauthProviderTable } from "./fields";
import { oauthProviderFields, oauthProviderInputs, type OAuthProviderInputs } from "./schema";
import { toInputs, type OAuthProviderWire } from "./wire";
import type { Send } from "../../http/request";
import type { Found } from "../../lifecycle/context";

/** An OAuth provider, whose id is its provider_id. Everything except creation needs contract `extended`. */
export const oauthProvider = defineResource<OAuthProviderInputs, OAuthProviderWire>({
  kind: "OAuthProvider",
  api: "control",
  table: oauthProviderTable,
  inputs: oauthProviderInputs,
  fields: oauthProviderFields,
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
    post: ({ send }, inputs) => createProvider(send, inputs),
    lookup: ({ send, connection }, { providerId }) =>
      connection.contract === "documented" ? Promise.resolve(UNSUPPORTED) : find(send, providerId),
    createdAt: (live) => live.created_at,
    idOf: (live) => live.provider_id,
    undeclared: "all",
  },

  async find({ send, connection }, { name, id }) {
    return connection.contract === "documented" ? UNSUPPORTED : identified(await find(send, id ?? name));
  },

  async read({ send }, { id }, listed) {
    const byId = await lookup(() => getProvider(send, id));
    if (byId.state === "found") return identified(byId);
    return seenTwice(byId, await listed?.find(id), () => lookUpInList(send, id));
  },

  async update({ send }, { id }, inputs, changes) {
    const changed = new Set(changes.map(({ path }) => String(path[0])));
    try {
      return (await updateProvider(send, inputs, changed)).data;
    } catch (error) {
      if (!isMissing(error)) throw error;
      const what = `OAuthProvider "${id}"`;
      const isGone = !isNotOffered(error) && (await find(send, id)).state === "absent";
      throw isGone ? goneMeanwhile(what, error) : noUpdateOffered(what, error);
    }
  },

  async delete({ send }, { id }) {
    const what = `OAuthProvider "${id}"`;
    try {
      const { data, status } = await deleteProvider(send, id);
      // Any other success may come from something in between.
      if (status === 204 || Deleted.safeParse(data).success) return "deleted";
    } catch (error) {
      if (!isMissing(error)) throw error;
      // Already gone, or a platform without this endpoint: only a look-up can tell.
      const still = await find(send, id);
      // A gateway's 404 of the list says nothing: it is an error, not a platform that cannot delete.
      if (still.state === "unsupported" && isForeignNotFound(still.cause)) demanded(still, what);
      return still.state === "absent" ? "absent" : { left: what };
    }
    const still = await find(send, id);
    if (still.state === "absent") return "deleted";
    throw notDeleted(what, still.state === "found");
  },

  incarnation: "uuid",
  isSurely: (live, { outputs }) => live.id != null && live.id === outputs["uuid"],
  workspaceOf: (live) => ({ organizationId: live.organization_id }),
  toInputs: (live) => toInputs(live),
  toComputed: (live) => toComputedNames(oauthProviderTable.fields, live),
});

/** + What a DELETE answers (docs/platform.md, Endpoints). */
const Deleted = z.object({ message: z.string() });

/** The provider, by its id and then in the list: absent only if both lack it, unsupported if the platform offers neither. */
async function find(send: Send, providerId: string): Promise<Lookup<OAuthProviderWire>> {
  const byId = await lookup(() => getProvider(send, providerId));
  if (byId.state === "found") return byId;
  return mapFound(await seenTwice(byId, undefined, () => lookUpInList(send, providerId)), ({ live }) => live);
}

/** Absence has to be seen twice: by the id, unless a router may have answered for a path that it does not know, and in lists. */
async function seenTwice(
  byId: Absent | Unsupported,
  listed: Lookup<Found<OAuthProviderWire>> | undefined,
  list: () => Promise<Lookup<Found<OAuthProviderWire>>>,
): Promise<Lookup<Found<OAuthProviderWire>>> {
  let seen = [byId.state === "absent" && byId.isBare !== true, listed?.state === "absent"].filter(Boolean).length;
  for (; seen < 2; seen++) {
    const result = await list();
    if (result.state !== "absent") return result;
  }
  return ABSENT;
}

const lookUpInList = async (send: Send, providerId: string): Promise<Lookup<Found<OAuthProviderWire>>> =>
  identified(await lookUpIn(listProviders(send), ({ provider_id: id }) => id === providerId));

const identified = (result: Lookup<OAuthProviderWire>): Lookup<Found<OAuthProviderWire>> =>
  mapFound(result, (live) => ({ id: live.provider_id, live }));
