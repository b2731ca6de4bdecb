import { z } from "zod";
import { allNull, withoutNulls } from "./nulls";

const oneDecimal = (cores: number): number => Math.round(cores * 10) / 10;

const cpu = z.number().min(0.1).max(8).transform(oneDecimal).nullish();
const cpuLimit = z.number().min(0.1).max(16).transform(oneDecimal).nullish();
const amount = z.number().nullish();
const labels = z.record(z.string(), z.string()).nullish();
/** Objects as Kubernetes has them. */
const kubernetes = z.array(z.record(z.string(), z.unknown())).nullish();

/** docs/internals/platform.md, resource_spec. Fields that the platform may grow pass through. */
export const resourceSpec = z.looseObject({
  min_scale: amount,
  max_scale: amount,
  cpu,
  cpu_limit: cpuLimit,
  memory_mb: amount,
  memory_limit_mb: amount,
  queue_min_scale: amount,
  queue_max_scale: amount,
  queue_cpu: cpu,
  queue_cpu_limit: cpuLimit,
  queue_memory_mb: amount,
  queue_memory_limit_mb: amount,
  orchestrator_min_scale: amount,
  orchestrator_max_scale: amount,
  orchestrator_cpu: cpu,
  orchestrator_cpu_limit: cpuLimit,
  orchestrator_memory_mb: amount,
  orchestrator_memory_limit_mb: amount,
  executor_cpu: cpu,
  executor_cpu_limit: cpuLimit,
  executor_memory_mb: amount,
  executor_memory_limit_mb: amount,
  redis_cpu: cpu,
  redis_cpu_limit: cpuLimit,
  redis_memory_mb: amount,
  redis_memory_limit_mb: amount,
  db_cpu: cpu,
  db_cpu_limit: cpuLimit,
  db_memory_mb: amount,
  db_memory_limit_mb: amount,
  db_storage_gi: amount,
  db_max_connections: amount,
  labels,
  annotations: labels,
  service_account_name: z.string().nullish(),
  image_pull_secrets: z.array(z.looseObject({ name: z.string() })).nullish(),
  volumes: kubernetes,
  volume_mounts: kubernetes,
  init_containers: kubernetes,
  sidecars: kubernetes,
});

const UNSET = allNull(Object.keys(resourceSpec.shape));
const DEFAULTS = { min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 2048 };

/** A resource_spec as the platform keeps and answers it: every key is there, and what was sent lies over the defaults. */
export function completeResourceSpec(sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(withoutNulls(sent)).filter(([, value]) => !isEmptyObject(value));
  return { ...UNSET, ...DEFAULTS, ...Object.fromEntries(given) };
}

/** No labels at all are answered as null. */
function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}
