import { z } from "zod";
import { ANY_JSON } from "../../http/request";
import { toInputNames } from "../../lifecycle/fields/rename";
import { restResource } from "../../lifecycle/rest/rest-resource";
import { oauthProviderTable, type OAuthProviderInputs } from "./fields";

const text = z.string().nullish().catch(undefined);
/** What a DELETE answers (docs/internals/platform.md, Endpoints). */
const Deleted = z.object({ message: z.string() });

/** An OAuth provider, whose id is its provider_id, not the platform's UUID. Everything except creation needs contract `extended`. */
export const oauthProvider = restResource<OAuthProviderInputs>({
  table: oauthProviderTable,
  path: "/v2/auth/providers",
  answer: {
    id: text,
    organization_id: text,
    name: z.string().optional().catch(undefined),
    client_id: z.string().optional().catch(undefined),
    auth_url: z.string().optional().catch(undefined),
    token_url: z.string().optional().catch(undefined),
    uses_pkce: z.boolean().optional().catch(undefined),
    code_challenge_method: text,
    provider_type: text,
    authorization_params: z.record(z.string(), ANY_JSON).nullish().catch(undefined),
    allowed_redirect_uris: z.array(z.string()).nullish().catch(undefined),
    mcp_server_url: text,
    token_endpoint_auth_method: z.string().optional().catch(undefined),
    is_dynamic_client: z.boolean().optional().catch(undefined),
    created_at: text,
    updated_at: text,
  },

  isDeleted: ({ data, status }) => status === 204 || Deleted.safeParse(data).success,
  isSameObject: ({ id }, { outputs }) => typeof id === "string" && id === outputs["uuid"],
  workspaceOf: ({ organization_id: id }) => ({ organizationId: typeof id === "string" ? id : undefined }),
  toInputs(live) {
    const inputs = toInputNames(oauthProviderTable.fields, live);
    // Without PKCE there is no challenge, and null says nothing.
    const isMoot = live["uses_pkce"] === false && inputs["codeChallengeMethod"] === null;
    return isMoot ? { ...inputs, codeChallengeMethod: undefined } : inputs;
  },
});
