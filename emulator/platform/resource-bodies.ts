import { z } from "zod";
import { defaulting } from "./nulls";

// What a creation sends, apart from the records, which are public: their declarations must not lead to zod.

/** docs/internals/platform.md, Listeners. */
export const createListenerBody = z.object({
  compute_type: z.literal("k8s"),
  compute_id: z.string(),
  compute_config: z.object({ k8s_namespaces: z.array(z.string()).nullable().default(null) }),
  version: z.string().nullable().default(null),
});

/** docs/internals/platform.md, OAuthProviderCreateRequest. */
export const createOAuthProviderBody = z.object({
  provider_id: z.string(),
  name: z.string(),
  client_id: z.string(),
  client_secret: z.string().nullable().default(null),
  auth_url: z.string(),
  token_url: z.string(),
  uses_pkce: z.boolean().default(false),
  code_challenge_method: z.string().default("S256"),
  token_endpoint_auth_method: z
    .enum(["none", "client_secret_basic", "client_secret_post"])
    .default("client_secret_post"),
  provider_type: z.enum(["microsoft", "salesforce", "slack"]).nullable().default(null),
});

/** docs/internals/platform.md, Sandbox snapshots: over what the image says. */
export const runConfig = z.object({
  user: z.string().optional(),
  work_dir: z.string().optional(),
  env_vars: z.record(z.string(), z.string()).optional(),
});

/** docs/internals/platform.md, Sandbox snapshots. There is no PATCH. */
export const createSandboxSnapshotBody = z.object({
  name: z.string().min(1),
  docker_image: z.string().min(1),
  fs_capacity_bytes: z.int().min(1),
  tag: defaulting(z.string().min(1), "latest"),
  labels: defaulting(z.record(z.string(), z.string()), {}),
  registry_id: defaulting(z.string().nullable(), null),
  description: defaulting(z.string().max(1024), ""),
  run_config: defaulting(runConfig.nullable(), null),
});

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

/** docs/internals/platform.md, SandboxTemplate. */
export const createSandboxTemplateBody = z.object({
  name: z.string().max(63),
  image: z.string().min(1),
  resources,
  volume_mounts: defaulting(z.array(volumeMount), []),
  proxy_config: defaulting(proxyConfig.nullable(), null),
});
