import { z } from "zod";

/** docs/internals/platform.md, Listeners. */
export const computeConfig = z.object({ k8s_namespaces: z.array(z.string()).nullable().default(null) });

/** docs/internals/platform.md, Listeners: at creation. */
export const createListenerBody = z.object({
  compute_type: z.literal("k8s"),
  compute_id: z.string(),
  compute_config: computeConfig,
  version: z.string().nullable().default(null),
});
