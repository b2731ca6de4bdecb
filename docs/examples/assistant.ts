// an assistant with a context of its own
import { Assistant, Deployment } from "pulumi-agent-platform";

const desk = new Deployment("assisted", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agents/desk:1.4.0" },
});

export const triage = new Assistant("triage", {
  deployment: desk,
  graphId: "agent",
  description: "Sorts what comes in",
  context: { tone: "brief" },
  metadata: { team: "support" },
});
