import type { EmulatorOptions, Tenant } from "../../emulator";

/** Encrypts the secrets of the committed states. It guards nothing: every secret in them is made up, and is in its program. */
export const PASSPHRASE = "guards-nothing";

/** The states of released versions were made against this tenant: never changed. */
export const TENANT: Tenant = {
  tenantId: "0d6d4a4e-6f0e-4d55-8d50-2a4b6f3c9a01",
  organizationId: "7b1c3f62-51a0-4c8e-9c1f-0b7f4e2d8a02",
  apiKey: "canary-stack-key",
};
/** The tenant of the story with Platforms, which has a key of its own. */
export const OTHER_TENANT: Tenant = {
  tenantId: "3e8f7b15-2c94-4a7d-b6e3-9d5a1c0f4b03",
  organizationId: TENANT.organizationId,
  apiKey: "canary-regional-key",
};

/** The platform that states are written against and read against; it answers variables with their values, so that they are compared. */
export const PLATFORM: EmulatorOptions = { tenants: [TENANT, OTHER_TENANT], secrets: "values" };
