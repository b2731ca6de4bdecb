/** A workspace, and the key that opens it. Several tenants may share one key: X-Tenant-Id then picks (default: the first). */
export interface Tenant {
  readonly tenantId: string;
  readonly organizationId: string;
  readonly apiKey: string;
}
