// a sandbox template, and an agent that uses it
import { AgentEnvironment } from "pulumi-agent-platform";

const team = new AgentEnvironment("team", {
  sandboxTemplates: { toolbox: { image: "node:20-bookworm", resources: { cpu: "1", memory: "2Gi" } } },
  agents: {
    reviewer: {
      source: "external_docker",
      sourceRevisionConfig: { imageUri: "registry.example.com/agents/reviewer:1.0.0" },
      environmentVariables: { SANDBOX_TEMPLATE: "toolbox" },
      check: { assistantId: "agent", input: { topic: "opening hours" } },
    },
  },
});

export const { urls } = team;
