import { randomUUID } from "node:crypto";
import { ApiError, notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { Tenant } from "../base/exchange";
import type { Collection } from "../store/collection";
import type { Store } from "../store/store";
import type { CreateOAuthProviderBody, DiscoverOAuthProviderBody, PatchOAuthProviderBody } from "./oauth-provider-body";
import { oauthProviders, type OAuthProviderRecord } from "./oauth-provider-record";

type NewProvider = CreateOAuthProviderBody & Pick<OAuthProviderRecord, "mcp_server_url" | "is_dynamic_client">;

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

  create(tenant: Tenant, body: CreateOAuthProviderBody, now: number): OAuthProviderRecord {
    return this.add(tenant, { ...body, mcp_server_url: null, is_dynamic_client: false }, now);
  }

  /** A provider that an MCP server names, with a client that was registered there and then. All of it is made up. */
  discover(tenant: Tenant, body: DiscoverOAuthProviderBody, now: number): OAuthProviderRecord {
    const { origin } = new URL(body.mcp_server_url);
    const discovered = {
      client_id: `dynamic-${randomUUID()}`,
      client_secret: null,
      auth_url: `${origin}/authorize`,
      token_url: `${origin}/token`,
      uses_pkce: true,
      code_challenge_method: "S256",
      token_endpoint_auth_method: "none",
      provider_type: null,
      is_dynamic_client: true,
    } as const;
    return this.add(tenant, { ...body, ...discovered }, now);
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

  private add({ tenantId, organizationId }: Tenant, fields: NewProvider, now: number): OAuthProviderRecord {
    if (this.providers.having(tenantId, fields.provider_id).length > 0) {
      throw new ApiError(409, `An OAuth provider with provider_id ${fields.provider_id} already exists`);
    }
    const at = timestamp(now);
    return this.providers.put({
      ...fields,
      id: randomUUID(),
      tenant_id: tenantId,
      organization_id: organizationId,
      authorization_params: null,
      allowed_redirect_uris: null,
      created_at: at,
      updated_at: at,
    });
  }
}
