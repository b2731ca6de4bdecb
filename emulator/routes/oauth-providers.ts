import { z } from "zod";
import { ApiError, notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import { withoutNulls } from "../platform/nulls";
import { createOAuthProviderBody } from "../platform/oauth-provider-body";
import { type OAuthProviderRecord, oauthProviders } from "../platform/oauth-provider-record";
import { newRecord } from "../store/collection";
import type { ApiRequest, RouteFactory } from "./route";
import { refuseFields, validated } from "./validation";

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
export const oauthProviderRoutes: RouteFactory = ({ store }) => {
  const all = oauthProviders.in(store);
  const find = ({ tenant, param }: ApiRequest): OAuthProviderRecord => {
    const [found] = all.having(tenant.tenantId, param("provider_id"));
    if (found === undefined) throw notFound(`OAuth provider ${param("provider_id")}`);
    return found;
  };

  const list = ({ tenant }: ApiRequest): Response => Response.json(all.of(tenant.tenantId).map(responseBody));
  const create = ({ tenant: { tenantId, organizationId }, now, json }: ApiRequest): Response => {
    const body = validated(createOAuthProviderBody, json(), "body");
    if (all.having(tenantId, body.provider_id).length > 0) {
      throw new ApiError(409, `An OAuth provider with provider_id ${body.provider_id} already exists`);
    }
    const made = { ...body, ...UNSET, organization_id: organizationId, ...newRecord(tenantId, now) };
    return Response.json(responseBody(all.put(made)));
  };
  const read = (request: ApiRequest): Response => Response.json(responseBody(find(request)));
  const update = (request: ApiRequest): Response => {
    const json = request.json();
    refuseFields(json, FIXED_FIELDS);
    const body = validated(patchBody, json, "body");
    const changed = { ...find(request), ...withoutNulls(body), updated_at: timestamp(request.now) };
    return Response.json(responseBody(all.put(changed)));
  };
  const remove = (request: ApiRequest): Response => {
    const { id, provider_id: providerId } = find(request);
    all.remove(id);
    return Response.json({ message: `OAuth provider ${providerId} deleted` });
  };

  const collection = "/v2/auth/providers";
  const one = `${collection}/:provider_id`;
  return [
    { method: "POST", path: collection, contract: "documented", handle: create },
    { method: "GET", path: collection, contract: "extended", handle: list },
    { method: "GET", path: one, contract: "extended", handle: read },
    { method: "PATCH", path: one, contract: "extended", handle: update },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
  ];
};
