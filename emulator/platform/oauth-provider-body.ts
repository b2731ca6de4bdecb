import { z } from "zod";

/** How a client shows its secret to the token endpoint. */
export const authMethod = z.enum(["none", "client_secret_basic", "client_secret_post"]);

const providerType = z.enum(["microsoft", "salesforce", "slack"]);

/** docs/internals/platform.md, OAuthProviderCreateRequest. */
export const createOAuthProviderBody = z.object({
  provider_id: z.string(),
  name: z.string(),
  client_id: z.string(),
  client_secret: z.string().nullable().default(null),
  auth_url: z.string(),
  token_url: z.string(),
  uses_pkce: z.boolean().default(false),
  code_challenge_method: z.string().default("S256"),
  token_endpoint_auth_method: authMethod.default("client_secret_post"),
  provider_type: providerType.nullable().default(null),
});
export type CreateOAuthProviderBody = z.infer<typeof createOAuthProviderBody>;

/** POST /v2/auth/providers/mcp-discover: the rest is discovered. */
export const discoverOAuthProviderBody = z.object({
  provider_id: z.string(),
  name: z.string(),
  mcp_server_url: z.url(),
});
export type DiscoverOAuthProviderBody = z.infer<typeof discoverOAuthProviderBody>;

/** docs/internals/platform.md, PATCH of an OAuth provider. null means not sent. */
export const patchOAuthProviderBody = z.object({
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
export type PatchOAuthProviderBody = z.infer<typeof patchOAuthProviderBody>;

/** Fields that a PATCH cannot change. */
export const FIXED_OAUTH_PROVIDER_FIELDS = ["provider_id", "provider_type", "token_endpoint_auth_method"];
