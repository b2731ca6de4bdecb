import {
  createOAuthProviderBody,
  discoverOAuthProviderBody,
  FIXED_OAUTH_PROVIDER_FIELDS,
  patchOAuthProviderBody,
} from "../platform/oauth-provider-body";
import type { OAuthProviderRecord } from "../platform/oauth-provider-record";
import { OAuthProviderService } from "../platform/oauth-provider-service";
import type { ApiRequest, RouteFactory } from "./route";
import { refuseFields, validated } from "./validation";

/** docs/internals/platform.md, OAuthProviderResponse. */
function responseBody(record: OAuthProviderRecord): Record<string, unknown> {
  return {
    id: record.id,
    organization_id: record.organization_id,
    provider_id: record.provider_id,
    name: record.name,
    client_id: record.client_id,
    auth_url: record.auth_url,
    token_url: record.token_url,
    uses_pkce: record.uses_pkce,
    code_challenge_method: record.code_challenge_method,
    provider_type: record.provider_type,
    mcp_server_url: record.mcp_server_url,
    token_endpoint_auth_method: record.token_endpoint_auth_method,
    is_dynamic_client: record.is_dynamic_client,
    created_at: record.created_at,
    updated_at: record.updated_at,
  };
}

/** docs/internals/platform.md, OAuth providers: keyed by provider_id. */
export const oauthProviderRoutes: RouteFactory = ({ platform }) => {
  const oauthProviders = platform.open((store) => new OAuthProviderService(store));
  const find = ({ tenant, param }: ApiRequest) => oauthProviders.get(tenant.tenantId, param("provider_id"));

  const list = ({ tenant }: ApiRequest): Response =>
    Response.json(oauthProviders.list(tenant.tenantId).map(responseBody));
  const create = (request: ApiRequest): Response => {
    const body = validated(createOAuthProviderBody, request.json(), "body");
    return Response.json(responseBody(oauthProviders.create(request.tenant, body, request.now)));
  };
  const discover = (request: ApiRequest): Response => {
    const body = validated(discoverOAuthProviderBody, request.json(), "body");
    return Response.json(responseBody(oauthProviders.discover(request.tenant, body, request.now)));
  };
  const read = (request: ApiRequest): Response => Response.json(responseBody(find(request)));
  const update = (request: ApiRequest): Response => {
    const json = request.json();
    refuseFields(json, FIXED_OAUTH_PROVIDER_FIELDS);
    const body = validated(patchOAuthProviderBody, json, "body");
    return Response.json(responseBody(oauthProviders.update(find(request), body, request.now)));
  };
  const remove = (request: ApiRequest): Response => {
    const record = find(request);
    oauthProviders.remove(record);
    return Response.json({ message: `OAuth provider ${record.provider_id} deleted` });
  };

  const all = "/v2/auth/providers";
  const one = `${all}/:provider_id`;
  return [
    { method: "POST", path: all, contract: "documented", handle: create },
    { method: "GET", path: all, contract: "extended", handle: list },
    { method: "POST", path: `${all}/mcp-discover`, contract: "extended", handle: discover },
    { method: "GET", path: one, contract: "extended", handle: read },
    { method: "PATCH", path: one, contract: "extended", handle: update },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
  ];
};
