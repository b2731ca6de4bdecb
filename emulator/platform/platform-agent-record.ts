import { z } from "zod";
import { defineCollection, storedRecord } from "../store/define-collection";

const sourceType = z.enum(["LSD", "MDA", "EXTERNAL", "FLEET"]);
const agentType = z.enum(["CUSTOM", "CODING"]);

/** docs/internals/platform.md, Agents: what a creation sends. */
export const createPlatformAgentBody = z.object({
  id: z
    .string()
    .max(63)
    .refine((id) => /^[a-z]([a-z0-9-]*[a-z0-9])?$/.test(id), "is no id of an agent"),
  name: z.string().min(1).optional(),
  agent_type: agentType.default("CUSTOM"),
  source_type: sourceType.default("EXTERNAL"),
  production_only: z.boolean().default(false),
});

/** What a PATCH changes. */
export const patchPlatformAgentBody = z.object({
  name: z.string().min(1).optional(),
  agent_type: agentType.optional(),
  source_type: sourceType.optional(),
  owner_id: z.string().min(1).nullable().optional(),
});

const record = storedRecord.extend({
  agent_id: z.string(),
  name: z.string(),
  agent_type: agentType,
  source_type: sourceType,
  owner_id: z.string().nullable(),
  environments: z.array(z.object({ id: z.string(), environment: z.string(), tracer_session_id: z.string() })),
});
export type PlatformAgentRecord = z.infer<typeof record>;

/** The agents of the platform, whose own id is the record's; out of band they are found by the id that their program chose too. */
export const platformAgents = defineCollection("platform_agents", record, ({ agent_id: id }) => [id]);
