import { z } from "zod";
import type { StoredRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { createOAuthProviderBody } from "./oauth-provider-body";

/** An OAuth provider as stored. Only the record holds the secret, never an answer. */
export interface OAuthProviderRecord extends StoredRecord {
  organization_id: string;
  provider_id: string;
  name: string;
  client_id: string;
  client_secret: string | null;
  auth_url: string;
  token_url: string;
  uses_pkce: boolean;
  code_challenge_method: string | null;
  token_endpoint_auth_method: "none" | "client_secret_basic" | "client_secret_post";
  authorization_params: Record<string, unknown> | null;
  allowed_redirect_uris: string[] | null;
  provider_type: string | null;
  mcp_server_url: string | null;
  is_dynamic_client: boolean;
}

const recordSchema = storedRecord.extend({
  ...createOAuthProviderBody.shape,
  organization_id: z.string(),
  code_challenge_method: z.string().nullable(),
  authorization_params: z.record(z.string(), z.unknown()).nullable(),
  allowed_redirect_uris: z.array(z.string()).nullable(),
  provider_type: z.string().nullable().default(null),
  mcp_server_url: z.string().nullable().default(null),
  is_dynamic_client: z.boolean().default(false),
});

/** The OAuth providers; out of band they are found by provider_id too. */
export const oauthProviders = defineCollection<OAuthProviderRecord>("oauth_providers", recordSchema, (record) => [
  record.provider_id,
]);
