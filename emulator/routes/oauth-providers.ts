import { z } from "zod";
import { ApiError, notFound } from "../base/api-error";
import { withoutNulls } from "../platform/nulls";
import { type OAuthProviderRecord, oauthProviders } from "../platform/resource-records";
import { createOAuthProviderBody } from "../platform/resource-bodies";
import { newRecord } from "../store/collection";
import { collectionRoutes } from "./collection-routes";
import type { RouteFactory } from "./route";
import { validated } from "./validation";

/** docs/internals/platform.md, PATCH of an OAuth provider. null means not sent. */
const patchBody = z.object({
  name: z.string().nullish(),
  client_id: z.string().nullish(),
  client_secret: z.string().nullish(),
  auth_url: z.string().nullish(),
  token_url: z.string().nullish(),
  uses_pkce: z.boolean().nullish(),
  code_challenge_method: z.string().nullish(),
  authorization_params: z.record(z.string(), z.unknown()).nullish(),
  allowed_redirect_uris: z.array(z.string()).nullish(),
});
const FIXED_FIELDS = ["provider_id", "provider_type", "token_endpoint_auth_method"];

/** What no create sets. */
const UNSET = {
  authorization_params: null,
  allowed_redirect_uris: null,
  mcp_server_url: null,
  is_dynamic_client: false,
};

/** docs/internals/platform.md, OAuthProviderResponse. */
const responseBody = ({
  tenant_id: _tenant,
  client_secret: _secret,
  authorization_params: _params,
  allowed_redirect_uris: _uris,
  ...shown
}: OAuthProviderRecord) => shown;

/** docs/internals/platform.md, OAuth providers: keyed by provider_id. */
export const oauthProviderRoutes: RouteFactory = ({ store, responses }) => {
  const all = oauthProviders.in(store);
  return collectionRoutes({
    ...{ all, responses },
    path: "/v2/auth/providers/:provider_id",
    unknown: (key) => notFound(`OAuth provider ${key}`),
    documented: ["create"],
    show: responseBody,
    created: 200,
    create({ tenant: { tenantId, organizationId }, now, json }) {
      const body = validated(createOAuthProviderBody, json());
      if (all.having(tenantId, body.provider_id).length > 0) {
        throw new ApiError(409, `An OAuth provider with provider_id ${body.provider_id} already exists`);
      }
      return { ...body, ...UNSET, organization_id: organizationId, ...newRecord(tenantId, now) };
    },
    update({ json }, find) {
      const body = validated(patchBody, json(), FIXED_FIELDS);
      return { ...find(), ...withoutNulls(body) };
    },
    removed: ({ provider_id: providerId }) => ({ message: `OAuth provider ${providerId} deleted` }),
  });
};
