import { z } from "zod";
import { withoutNulls } from "./nulls";

/** docs/platform.md, resource_spec. Fields that the platform may grow pass through. */
export const resourceSpec = z.looseObject({
  min_scale: z.number().nullish(),
  max_scale: z.number().nullish(),
  cpu: z.number().nullish(),
  cpu_limit: z.number().nullish(),
  memory_mb: z.number().nullish(),
  memory_limit_mb: z.number().nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
  annotations: z.record(z.string(), z.string()).nullish(),
  service_account_name: z.string().nullish(),
});

/** A resource_spec as the platform answers it: what was sent, over the server's defaults for the deployment type. */
export function completeResourceSpec(
  sent: Readonly<Record<string, unknown>> | null | undefined,
  deploymentType: unknown,
): Record<string, unknown> {
  const production = deploymentType === "prod";
  return {
    min_scale: 1,
    max_scale: production ? 10 : 1,
    cpu: production ? 2 : 1,
    cpu_limit: null,
    memory_mb: production ? 2048 : 1024,
    memory_limit_mb: null,
    labels: {},
    annotations: {},
    service_account_name: null,
    ...withoutNulls(sent ?? {}),
  };
}
