// with an assistant, a cron and a check
import { Agent } from "pulumi-agent-platform";

const desk = new Agent("front-desk", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/desk:1.4.0" },
  assistants: { triage: { graphId: "agent", context: { tone: "brief" } } },
  crons: { digest: { assistant: "triage", schedule: "0 9 * * 1-5" } },
  check: { assistant: "triage", input: { topic: "opening hours" } },
});

export const { url, revisionId } = desk;
