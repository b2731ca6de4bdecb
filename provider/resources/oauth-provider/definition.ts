import type { Answer, Send } from "../../http/client";
import { createOnce } from "../../lifecycle/create-once";
import type { ResourceDefinition } from "../../lifecycle/definition";
import { changesBetween } from "../../lifecycle/diff";
import { goneMeanwhile, isNotFound, isNotOffered, noUpdateOffered } from "../../lifecycle/errors";
import { compact } from "../../lifecycle/json";
import { KeptList } from "../../lifecycle/kept-list";
import { createProvider, deleteProvider, getProvider, listProviders, updateProvider } from "./api";
import {
  oauthProviderFields,
  oauthProviderInputs,
  toInputs,
  type OAuthProviderInputs,
  type OAuthProviderWire,
} from "./schema";

/** An OAuth provider, whose id is its provider_id. Everything but its creation belongs to contract `extended`. */
export const oauthProvider: ResourceDefinition<OAuthProviderInputs, OAuthProviderWire> = {
  kind: "OAuthProvider",
  api: "control",
  inputs: oauthProviderInputs,
  fields: oauthProviderFields,
  naturalKey: "providerId",
  undocumented: ["list", "read", "update", "delete"],
  list: new KeptList<OAuthProviderWire>(
    async function* ({ send }) {
      yield (await listProviders(send)).data.map((live) => ({ id: live.provider_id, live }));
    },
    ({ live }) => [live.client_id, live.auth_url, live.token_url].every((value) => value !== undefined),
  ),

  async create({ send, clock, connection }, inputs) {
    const live = await createOnce({
      what: `OAuthProvider "${inputs.providerId}"`,
      clock,
      post: () => createProvider(send, inputs),
      find: () =>
        connection.contract === "documented" ? Promise.resolve("no way" as const) : find(send, inputs.providerId),
      equal: (found) => isEqual(inputs, found),
      createdAt: (found) => found.created_at,
    });
    return { id: live.provider_id, live };
  },

  async find({ send, connection }, { name, id }) {
    if (connection.contract === "documented") return "no way";
    const found = await find(send, id ?? name);
    if (found === "no way" || found.data === undefined) return found === "no way" ? found : undefined;
    return { id: found.data.provider_id, live: found.data };
  },

  async read({ send }, { id }, listed) {
    const found = await find(send, id, listed?.isOffered === true);
    if (found === "no way") return "unreadable";
    return found.data === undefined ? "gone" : { id: found.data.provider_id, live: found.data };
  },

  async update({ send }, { id }, inputs, changes) {
    const changed = new Set(changes.map(({ path }) => String(path[0])));
    try {
      return (await updateProvider(send, inputs, changed)).data;
    } catch (error) {
      if (!isNotFound(error) && !isNotOffered(error)) throw error;
      const found = isNotOffered(error) ? "no way" : await find(send, id);
      const what = `OAuthProvider "${id}"`;
      throw found === "no way" || found.data !== undefined ? noUpdateOffered(what, error) : goneMeanwhile(what, error);
    }
  },

  async delete({ send }, { id }) {
    try {
      await deleteProvider(send, id);
    } catch (error) {
      if (!isNotFound(error) && !isNotOffered(error)) throw error;
      // Gone already, or a platform without this endpoint: only a look can tell.
      const found = await find(send, id);
      if (found === "no way" || found.data !== undefined) return { left: `OAuthProvider "${id}"` };
    }
    return "gone";
  },

  toInputs: (live) => toInputs(live),
  toComputed: (live) => ({
    uuid: live.id ?? null,
    organizationId: live.organization_id ?? null,
    providerType: live.provider_type ?? null,
    mcpServerUrl: live.mcp_server_url ?? null,
    isDynamicClient: live.is_dynamic_client ?? false,
    createdAt: live.created_at ?? null,
    updatedAt: live.updated_at ?? null,
  }),
};

function isEqual(inputs: OAuthProviderInputs, found: OAuthProviderWire): boolean {
  const declared = compact({ ...inputs, clientSecret: undefined });
  return changesBetween(oauthProviderFields, compact(toInputs(found)), declared).length === 0;
}

/**
 * The provider, or its surely confirmed absence; "no way" where the platform does not offer the collection either.
 * @param isUnlisted A list did not have it: then a 404 is enough.
 */
async function find(
  send: Send,
  providerId: string,
  isUnlisted = false,
): Promise<Answer<OAuthProviderWire | undefined> | "no way"> {
  try {
    return await getProvider(send, providerId);
  } catch (error) {
    if (!isNotFound(error) && !isNotOffered(error)) throw error;
    if (isUnlisted && isNotFound(error)) return { data: undefined, date: undefined };
  }
  try {
    const { data, date } = await listProviders(send);
    return { data: data.find((provider) => provider.provider_id === providerId), date };
  } catch (error) {
    if (isNotFound(error) || isNotOffered(error)) return "no way";
    throw error;
  }
}
