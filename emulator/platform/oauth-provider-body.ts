import { z } from "zod";

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
  token_endpoint_auth_method: z
    .enum(["none", "client_secret_basic", "client_secret_post"])
    .default("client_secret_post"),
  provider_type: z.enum(["microsoft", "salesforce", "slack"]).nullable().default(null),
});
