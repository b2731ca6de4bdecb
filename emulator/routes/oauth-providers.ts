import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ApiError, notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { Call, Noun, Services } from "./route";
import { defineCollection, storedRecord, type Collection } from "../store/store";
import { refuseFields, validated } from "./validation";

const authMethod = z.enum(["none", "client_secret_basic", "client_secret_post"]);

const recordSchema = storedRecord.extend({
  organization_id: z.string(),
  provider_id: z.string(),
  name: z.string(),
  client_id: z.string(),
  client_secret: z.string().nullable(),
  auth_url: z.string(),
  token_url: z.string(),
  uses_pkce: z.boolean(),
  code_challenge_method: z.string().nullable(),
  token_endpoint_auth_method: authMethod,
  authorization_params: z.record(z.string(), z.unknown()).nullable(),
  allowed_redirect_uris: z.array(z.string()).nullable(),
});

/** An OAuth provider as stored: the secret is here, and in no answer. */
export type OAuthProviderRecord = z.infer<typeof recordSchema>;

/** The OAuth providers; out of band they are found by provider_id too. */
export const oauthProviders = defineCollection("oauth_providers", recordSchema, (record) => [record.provider_id]);

/** docs/platform.md, OAuthProviderCreateRequest. */
const createBody = z.object({
  provider_id: z.string(),
  name: z.string(),
  client_id: z.string(),
  client_secret: z.string().nullable().default(null),
  auth_url: z.string(),
  token_url: z.string(),
  uses_pkce: z.boolean().default(false),
  code_challenge_method: z.string().default("S256"),
  token_endpoint_auth_method: authMethod.default("client_secret_post"),
});

/** docs/platform.md, PATCH of an OAuth provider. null means not sent. */
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
const fixedFields = ["provider_id", "provider_type", "token_endpoint_auth_method"];

/** docs/platform.md, OAuthProviderResponse. */
function answer(record: OAuthProviderRecord): Record<string, unknown> {
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
    provider_type: null,
    mcp_server_url: null,
    token_endpoint_auth_method: record.token_endpoint_auth_method,
    is_dynamic_client: false,
    created_at: record.created_at,
    updated_at: record.updated_at,
  };
}

type Providers = Collection<OAuthProviderRecord>;

function named(providers: Providers, call: Call): OAuthProviderRecord {
  const wanted = call.param("provider_id");
  const [found] = providers.having(call.tenant.tenantId, wanted);
  if (found === undefined) throw notFound(`OAuth provider ${wanted}`);
  return found;
}

function create(providers: Providers, call: Call): Response {
  const body = validated(createBody, call.json(), "body");
  const { tenantId, organizationId } = call.tenant;
  if (providers.having(tenantId, body.provider_id).length > 0) {
    throw new ApiError(409, `An OAuth provider with provider_id ${body.provider_id} already exists`);
  }
  const at = timestamp(call.now);
  const record = providers.put({
    ...body,
    id: randomUUID(),
    tenant_id: tenantId,
    organization_id: organizationId,
    authorization_params: null,
    allowed_redirect_uris: null,
    created_at: at,
    updated_at: at,
  });
  return Response.json(answer(record));
}

function update(providers: Providers, call: Call): Response {
  const json = call.json();
  refuseFields(json, fixedFields);
  const body = validated(patchBody, json, "body");
  const old = named(providers, call);
  const record = providers.put({
    ...old,
    name: body.name ?? old.name,
    client_id: body.client_id ?? old.client_id,
    client_secret: body.client_secret ?? old.client_secret,
    auth_url: body.auth_url ?? old.auth_url,
    token_url: body.token_url ?? old.token_url,
    uses_pkce: body.uses_pkce ?? old.uses_pkce,
    code_challenge_method: body.code_challenge_method ?? old.code_challenge_method,
    authorization_params: body.authorization_params ?? old.authorization_params,
    allowed_redirect_uris: body.allowed_redirect_uris ?? old.allowed_redirect_uris,
    updated_at: timestamp(call.now),
  });
  return Response.json(answer(record));
}

function remove(providers: Providers, call: Call): Response {
  const record = named(providers, call);
  providers.remove(record.id);
  return Response.json({ message: `OAuth provider ${record.provider_id} deleted` });
}

/** docs/platform.md, OAuth providers: keyed by provider_id. */
export const oauthProviderRoutes: Noun = ({ store }: Services) => {
  const providers = oauthProviders.in(store);
  const all = "/v2/auth/providers";
  const one = `${all}/:provider_id`;
  return [
    { method: "POST", path: all, contract: "documented", handle: (call) => create(providers, call) },
    {
      method: "GET",
      path: all,
      contract: "extended",
      handle: (call) => Response.json(providers.of(call.tenant.tenantId).map(answer)),
    },
    {
      method: "GET",
      path: one,
      contract: "extended",
      handle: (call) => Response.json(answer(named(providers, call))),
    },
    { method: "PATCH", path: one, contract: "extended", handle: (call) => update(providers, call) },
    { method: "DELETE", path: one, contract: "extended", handle: (call) => remove(providers, call) },
  ];
};
