import { z } from "zod";
import type { JsonObject } from "../../base/json";
import type { Change } from "../../lifecycle/fields/diff";
import type { Fields } from "../../lifecycle/fields/table";
import { changedExtra, toInputNames, toRequest } from "../../lifecycle/fields/rename";
import { oauthProviderTable, type OAuthProviderInputs } from "./fields";

/** The part of an answer that we need (docs/internals/platform.md, OAuthProviderResponse). */
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
  authorization_params: z.record(z.string(), z.json()).nullish().catch(undefined),
  allowed_redirect_uris: z.array(z.string()).nullish().catch(undefined),
  mcp_server_url: z.string().nullish().catch(undefined),
  token_endpoint_auth_method: z.string().optional().catch(undefined),
  is_dynamic_client: z.boolean().optional().catch(undefined),
  created_at: z.string().nullish().catch(undefined),
  updated_at: z.string().nullish().catch(undefined),
});
export type OAuthProviderWire = z.infer<typeof OAuthProviderWire>;

const fields: Fields = oauthProviderTable.fields;

/** The request of a creation. */
export function toWire({
  authorizationParams: _params,
  allowedRedirectUris: _uris,
  ...created
}: OAuthProviderInputs): JsonObject {
  return toRequest(fields, created);
}

/** The request after a creation, with what that does not take. */
export const toCompletion = ({ authorizationParams, allowedRedirectUris }: OAuthProviderInputs): JsonObject =>
  toRequest(fields, { authorizationParams, allowedRedirectUris });

/** The request of an update: only what changed. A removed field goes back to its default. */
export function toPatch(inputs: OAuthProviderInputs, changes: readonly Change[], before: JsonObject): JsonObject {
  const given: JsonObject = { ...inputs, extra: changedExtra(before["extra"], inputs.extra) };
  const names = [...new Set(changes.map(({ path }) => String(path[0])))];
  const changed = names.map((name) => [name, given[name] ?? fields[name]?.default] as const);
  return toRequest(fields, Object.fromEntries(changed));
}

/** A live provider in the vocabulary of the inputs. */
export function toInputs(live: OAuthProviderWire): JsonObject {
  const { codeChallengeMethod, ...inputs } = toInputNames(fields, live);
  // Without PKCE there is no challenge, and null says nothing.
  const isMoot = live.uses_pkce === false && codeChallengeMethod === null;
  return { ...inputs, codeChallengeMethod: isMoot ? undefined : codeChallengeMethod };
}
