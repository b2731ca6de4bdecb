import { z } from "zod";
import type { FieldRules } from "../../lifecycle/fields";
import type { JsonObject } from "../../base/json";
import { adoption, flag, inputsSchema, orUnknown, text, url, value, type Problem } from "../../lifecycle/schema";

/** docs/platform.md, OAuthProviderCreateRequest. */
export const oauthProviderInputs = inputsSchema(
  {
    providerId: orUnknown(
      z
        .string()
        .min(1, "must not be empty")
        .max(255, "must be at most 255 characters")
        .refine(
          (given) => !/[\s\p{Cc}/\\]/u.test(given),
          "must not contain spaces, slashes or control characters (it is part of a URL)",
        )
        .refine((given) => given !== "." && given !== "..", 'must not be "." or ".." (it is part of a URL)'),
    ),
    name: text(255),
    clientId: text(1024),
    clientSecret: orUnknown(
      value(16_384).refine((given) => given !== "", "must not be empty; leave it out for a public client"),
    ).optional(),
    authUrl: url(),
    tokenUrl: url(),
    usesPkce: flag().optional(),
    codeChallengeMethod: text(64).optional(),
    tokenEndpointAuthMethod: orUnknown(z.enum(["none", "client_secret_basic", "client_secret_post"])).optional(),
    adopt: adoption().optional(),
  },
  secretWithoutUse,
);
export type OAuthProviderInputs = z.infer<typeof oauthProviderInputs.schema>;

function secretWithoutUse(inputs: JsonObject): Problem[] {
  if (inputs["clientSecret"] === undefined || inputs["tokenEndpointAuthMethod"] !== "none") return [];
  return [
    { path: ["clientSecret"], reason: 'is never used with tokenEndpointAuthMethod "none"; leave one of the two out' },
  ];
}

/** Defaults: docs/platform.md, OAuthProviderCreateRequest; what PATCH cannot change: docs/platform.md, PATCH of an OAuth provider. */
export const oauthProviderFields: FieldRules = {
  providerId: { replaceOn: "always" },
  name: { replaceOn: "documented" },
  clientId: { replaceOn: "documented" },
  clientSecret: {
    replaceOn: "documented",
    unreadable: "always",
    writeOnly: true,
    secret: true,
    onRemove: {
      refuse:
        "cannot be removed: the platform has no documented way to clear it. Keep it, or give the provider another providerId (which makes a new one)",
    },
  },
  authUrl: { replaceOn: "documented" },
  tokenUrl: { replaceOn: "documented" },
  usesPkce: { replaceOn: "documented", default: false },
  // Without PKCE there is no challenge, and an answer may say null.
  codeChallengeMethod: { replaceOn: "documented", default: "S256" },
  tokenEndpointAuthMethod: { replaceOn: "always", default: "client_secret_post" },
  adopt: { control: true },
};

/** What is needed of an answer (docs/platform.md, OAuthProviderResponse). */
export const OAuthProviderWire = z.looseObject({
  provider_id: z.string().min(1),
  id: z.string().nullish().catch(undefined),
  organization_id: z.string().nullish().catch(undefined),
  name: z.string().optional().catch(undefined),
  client_id: z.string().optional().catch(undefined),
  auth_url: z.string().optional().catch(undefined),
  token_url: z.string().optional().catch(undefined),
  uses_pkce: z.boolean().optional().catch(undefined),
  code_challenge_method: z.string().nullish().catch(undefined),
  provider_type: z.string().nullish().catch(undefined),
  mcp_server_url: z.string().nullish().catch(undefined),
  token_endpoint_auth_method: z.string().optional().catch(undefined),
  is_dynamic_client: z.boolean().optional().catch(undefined),
  created_at: z.string().nullish().catch(undefined),
  updated_at: z.string().nullish().catch(undefined),
});
export type OAuthProviderWire = z.infer<typeof OAuthProviderWire>;

/** The platform's name of each input. */
const WIRE_NAMES: Readonly<Record<Exclude<keyof OAuthProviderInputs, "adopt">, string>> = {
  providerId: "provider_id",
  name: "name",
  clientId: "client_id",
  clientSecret: "client_secret",
  authUrl: "auth_url",
  tokenUrl: "token_url",
  usesPkce: "uses_pkce",
  codeChallengeMethod: "code_challenge_method",
  tokenEndpointAuthMethod: "token_endpoint_auth_method",
};

/** The request of a creation, or, with `only`, of an update of those fields; a removed field goes back to its default. */
export function toWire(inputs: OAuthProviderInputs, only?: ReadonlySet<string>): JsonObject {
  const given: JsonObject = { ...inputs };
  const wanted = Object.entries(WIRE_NAMES).filter(([key]) => only?.has(key) ?? given[key] !== undefined);
  return Object.fromEntries(wanted.map(([key, wire]) => [wire, given[key] ?? oauthProviderFields[key]?.default]));
}

/** A live provider in the vocabulary of the inputs. The secret is never returned. */
export function toInputs(live: OAuthProviderWire): JsonObject {
  return {
    providerId: live.provider_id,
    name: live.name,
    clientId: live.client_id,
    authUrl: live.auth_url,
    tokenUrl: live.token_url,
    usesPkce: live.uses_pkce,
    codeChallengeMethod:
      live.uses_pkce === false ? (live.code_challenge_method ?? undefined) : live.code_challenge_method,
    tokenEndpointAuthMethod: live.token_endpoint_auth_method,
  };
}
