import { z } from "zod";

/** Documented as text; a number means the same as its text ("1"). Any other value says nothing: it must not read as cleared. */
const Quantity = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(undefined);
const ResourceSpec = z.looseObject({ cpu: Quantity, memory: Quantity, storage: Quantity });
const VolumeMount = z.looseObject({ volume_name: z.string(), mount_path: z.string() });
const ProxyRule = z.looseObject({
  name: z.string(),
  match_hosts: z.array(z.string()).nullish(),
  inject_headers: z.record(z.string(), z.string()).nullish(),
  match_paths: z.array(z.string()).nullish(),
  enabled: z.boolean().nullish(),
});

/** Only the part of an answer that we need: rows of older versions lack id and times (docs/internals/platform.md, Sandbox templates). */
export const answer: z.ZodRawShape = {
  id: z.string().nullish(),
  image: z.string().optional().catch(undefined),
  resources: ResourceSpec.nullish().catch(undefined),
  volume_mounts: z.array(VolumeMount).nullish().catch(undefined),
  proxy_config: z
    .looseObject({ rules: z.array(ProxyRule).nullish(), no_proxy: z.array(z.string()).nullish() })
    .nullish()
    .catch(undefined),
  created_at: z.string().nullish().catch(undefined),
  updated_at: z.string().nullish().catch(undefined),
};
