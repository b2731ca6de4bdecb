import { z } from "zod";

/** docs/internals/platform.md, Sandbox registries: at creation. */
export const createSandboxRegistryBody = z.object({
  name: z.string().min(1),
  url: z.string().min(1),
  username: z.string(),
  password: z.string(),
});

/** PATCH changes any of them. null means not sent. */
export const patchSandboxRegistryBody = z.object({
  name: z.string().min(1).nullish(),
  url: z.string().min(1).nullish(),
  username: z.string().nullish(),
  password: z.string().nullish(),
});
