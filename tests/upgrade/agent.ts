import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import type { EmulatorOptions } from "../../emulator";
import { startAgentServer, type AgentServer, type KeptAssistant, type KeptCron } from "../support/agent-server";

const Kept = z.object({
  assistants: z.array(z.custom<KeptAssistant>()),
  crons: z.array(z.custom<KeptCron>()),
});

/** Keeps the objects of an agent. */
export function keepAgent({ assistants, crons }: AgentServer, file: string): void {
  writeFileSync(file, JSON.stringify({ assistants: [...assistants.values()], crons: [...crons.values()] }, null, 2));
}

/** An agent with the objects that were kept in the file, if it is there. */
export async function startAgent(file: string): Promise<AgentServer> {
  const agent = await startAgentServer();
  if (!existsSync(file)) return agent;
  const { assistants, crons } = Kept.parse(JSON.parse(readFileSync(file, "utf8")));
  for (const assistant of assistants) agent.assistants.set(assistant.assistant_id, assistant);
  for (const cron of crons) agent.crons.set(cron.cron_id, cron);
  return agent;
}

/** The option of the emulator that makes it the agent of the deployment that has one in a story. */
export const asAgent = (agent: AgentServer | undefined): EmulatorOptions =>
  agent === undefined ? {} : { agents: { [AGENT]: agent.url } };

/** The name of the deployment whose agent is a server of its own. */
const AGENT = "desk";
