import { z } from "zod";
import { defineCollection, storedRecord } from "../store/define-collection";

const record = storedRecord.extend({
  agent_id: z.string(),
  name: z.string(),
  agent_type: z.string(),
  source_type: z.string(),
  owner_id: z.string().nullable(),
  environments: z.array(z.object({ id: z.string(), environment: z.string(), tracer_session_id: z.string() })),
});
export type PlatformAgentRecord = z.infer<typeof record>;

/** The agents of the platform, whose own id is the record's; out of band they are found by the id that their program chose too. */
export const platformAgents = defineCollection("platform_agents", record, ({ agent_id: id }) => [id]);
