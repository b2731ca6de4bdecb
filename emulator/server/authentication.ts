import { ApiError } from "../base/api-error";
import { keyOf, type Tenant } from "../base/exchange";

export function bringsKey(headers: Headers, tenants: readonly Tenant[]): boolean {
  const key = keyOf(headers);
  return tenants.some(({ apiKey }) => apiKey === key);
}

/**
 * The tenant of a request, by its key.
 * Throws 401 for a wrong or missing key, and 403 for a tenant or organization that is not the key's.
 */
export function authenticate(headers: Headers, tenants: readonly Tenant[]): Tenant {
  const key = keyOf(headers);
  if (key === undefined) throw new ApiError(401, "Not authenticated");
  const own = tenants.filter((tenant) => tenant.apiKey === key);
  if (own.length === 0) throw new ApiError(401, "Invalid API key");
  const tenantId = headers.get("x-tenant-id");
  const organizationId = headers.get("x-organization-id");
  const match = own.find(
    (tenant) =>
      (tenantId === null || tenant.tenantId === tenantId) &&
      (organizationId === null || tenant.organizationId === organizationId),
  );
  if (match === undefined) throw new ApiError(403, "The API key gives no access to this tenant");
  return match;
}
