import { randomUUID } from "node:crypto";
import { ApiError, notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { Tenant } from "../base/tenant";
import type { Collection } from "../store/collection";
import type { Store } from "../store/store";
import {
  oauthProviders,
  type CreateOAuthProviderBody,
  type OAuthProviderRecord,
  type PatchOAuthProviderBody,
} from "./oauth-provider-record";

/** OAuth providers by their provider_id, independent of HTTP. */
export class OAuthProviderService {
  private readonly providers: Collection<OAuthProviderRecord>;

  constructor(store: Store) {
    this.providers = oauthProviders.in(store);
  }

  list(tenantId: string): readonly OAuthProviderRecord[] {
    return this.providers.of(tenantId);
  }

  /** The provider, or 404. */
  get(tenantId: string, providerId: string): OAuthProviderRecord {
    const [found] = this.providers.having(tenantId, providerId);
    if (found === undefined) throw notFound(`OAuth provider ${providerId}`);
    return found;
  }

  create({ tenantId, organizationId }: Tenant, body: CreateOAuthProviderBody, now: number): OAuthProviderRecord {
    if (this.providers.having(tenantId, body.provider_id).length > 0) {
      throw new ApiError(409, `An OAuth provider with provider_id ${body.provider_id} already exists`);
    }
    const at = timestamp(now);
    return this.providers.put({
      ...body,
      id: randomUUID(),
      tenant_id: tenantId,
      organization_id: organizationId,
      authorization_params: null,
      allowed_redirect_uris: null,
      created_at: at,
      updated_at: at,
    });
  }

  /** Keeps what the body leaves out. */
  update(old: OAuthProviderRecord, body: PatchOAuthProviderBody, now: number): OAuthProviderRecord {
    return this.providers.put({
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
      updated_at: timestamp(now),
    });
  }

  remove(record: OAuthProviderRecord): void {
    this.providers.remove(record.id);
  }
}
