import { z } from "zod";
import { defaulting } from "./nulls";

/** docs/internals/platform.md, ResourceSpec. Defaults as the official client sends them. */
const resources = z.object({
  cpu: z.string().default("500m"),
  memory: z.string().default("512Mi"),
  storage: z.string().optional(),
});
/** docs/internals/platform.md, VolumeMountSpec. */
const volumeMount = z.object({ volume_name: z.string().min(1), mount_path: z.string() });
const proxyRule = z.object({
  name: z.string(),
  match_hosts: z.array(z.string()),
  inject_headers: z.record(z.string(), z.string()).default({}),
  match_paths: z.array(z.string()).default([]),
  enabled: z.boolean().default(true),
});
/** docs/internals/platform.md, ProxyConfig. */
const proxyConfig = z.object({
  rules: z.array(proxyRule).default([]),
  no_proxy: z.array(z.string()).default([]),
});

const templateName = z.string().max(63);

/** docs/internals/platform.md, SandboxTemplate: what POST takes. */
export const createSandboxTemplateBody = z.object({
  name: templateName,
  image: z.string().min(1),
  resources,
  volume_mounts: defaulting(z.array(volumeMount), []),
  proxy_config: defaulting(proxyConfig.nullable(), null),
});
export type CreateSandboxTemplateBody = z.infer<typeof createSandboxTemplateBody>;

/** PATCH renames, and nothing else. */
export const patchSandboxTemplateBody = z.object({ name: templateName });

/** Fields that a PATCH cannot change. */
export const FIXED_SANDBOX_TEMPLATE_FIELDS = ["image", "resources", "volume_mounts", "proxy_config"];
