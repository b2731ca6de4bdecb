// runs of an assistant on a schedule
import { Assistant, Cron, Deployment } from "pulumi-agent-platform";

const desk = new Deployment("scheduled", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agents/desk:1.4.0" },
});
const reporter = new Assistant("reporter", { deployment: desk, graphId: "agent" });

export const digest = new Cron("digest", {
  assistant: reporter,
  schedule: "0 9 * * 1-5",
  timezone: "Europe/Berlin",
  input: { topic: "what came in yesterday" },
});
