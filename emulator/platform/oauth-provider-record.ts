import { z } from "zod";
import type { RecordOf } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { createOAuthProviderBody } from "./resource-bodies";

/** An OAuth provider as stored. Only the record holds the secret, never an answer. */
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
export const oauthProviders = defineCollection("oauth_providers", recordSchema, (record) => [record.provider_id]);
export type OAuthProviderRecord = RecordOf<typeof oauthProviders>;
