// an agent of the platform, and what runs in its environment for production
import { Deployment, PlatformAgent } from "pulumi-agent-platform";

const desk = new PlatformAgent("desk", { agentId: "support-desk", name: "Support desk" });

export const production = new Deployment("production", {
  agent: { agentId: desk.agentId, environment: "production" },
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/desk:1.4.0" },
});
