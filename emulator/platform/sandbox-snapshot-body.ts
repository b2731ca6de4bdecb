import { z } from "zod";
import { defaulting } from "./nulls";

/** docs/internals/platform.md, Sandbox snapshots: over what the image says. */
export const runConfig = z.object({
  user: z.string().optional(),
  work_dir: z.string().optional(),
  env_vars: z.record(z.string(), z.string()).optional(),
});

/** docs/internals/platform.md, Sandbox snapshots: at creation. There is no PATCH. */
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
