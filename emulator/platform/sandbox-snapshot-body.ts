import { z } from "zod";

/** docs/internals/platform.md, Sandbox snapshots: at creation. There is no PATCH. */
export const createSandboxSnapshotBody = z.object({
  name: z.string().min(1),
  docker_image: z.string().min(1),
  fs_capacity_bytes: z.int().min(1),
  tag: z
    .string()
    .min(1)
    .nullish()
    .transform((tag) => tag ?? "latest"),
  labels: z
    .record(z.string(), z.string())
    .nullish()
    .transform((labels) => labels ?? {}),
  registry_id: z
    .string()
    .nullish()
    .transform((id) => id ?? null),
});
