import { z } from "zod";
import { allNull, withoutNulls } from "./nulls";

/** As Python rounds: to the even one where two are as near. */
const oneDecimal = (cores: number): number => Number((cores % 1 === 0.25 ? cores - 0.05 : cores).toFixed(1));

const amount = z.number().nullish();
const SIZE = {
  cpu: z.number().min(0.1).max(8).transform(oneDecimal).nullish(),
  cpu_limit: z.number().min(0.1).max(16).transform(oneDecimal).nullish(),
  memory_mb: amount,
  memory_limit_mb: amount,
};
/** What a part that scales may have. */
const SCALE = { min_scale: amount, max_scale: amount, ...SIZE };

/** The same fields, of a part with that prefix. */
const ofPart = (prefix: string, fields: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${prefix}_${name}`, field]));

const labels = z.record(z.string(), z.string()).nullish();
const kubernetes = z.array(z.record(z.string(), z.unknown())).nullish();

/** docs/internals/platform.md, resource_spec. Fields that the platform may grow pass through. */
export const resourceSpec = z.looseObject({
  ...SCALE,
  ...ofPart("queue", SCALE),
  ...ofPart("orchestrator", SCALE),
  ...ofPart("executor", SIZE),
  ...ofPart("redis", SIZE),
  ...ofPart("db", SIZE),
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
  // No labels at all are answered as null.
  const given = Object.entries(withoutNulls(sent)).filter(([, value]) => JSON.stringify(value) !== "{}");
  return { ...UNSET, ...DEFAULTS, ...Object.fromEntries(given) };
}
