/* global pulumi, platform */
const desk = new platform.Deployment("desk", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/desk:1" },
});
const triage = new platform.Assistant("triage", {
  deployment: desk,
  name: "Triage",
  graphId: "agent",
  description: "Sorts what comes in",
  context: { tone: "brief" },
  config: { recursion_limit: 20 },
  metadata: { team: "support" },
});
const digest = new platform.Cron("digest", {
  assistant: triage,
  schedule: "0 9 * * 1-5",
  timezone: "Europe/Berlin",
  input: { topic: pulumi.secret("canary-literal-input") },
  context: { tone: "dry" },
  config: { recursion_limit: 10 },
  metadata: { team: "support" },
  enabled: false,
  endTime: "2040-01-31T12:00:00Z",
  onRunCompleted: "keep",
  webhook: "https://hooks.example/digest",
});
new platform.Cron("graph", {
  deploymentId: desk.id,
  url: desk.url.apply(String),
  assistantId: "other",
  schedule: "@daily",
  apiKey: "canary-stack-key",
});
exports.triage = [triage.version, triage.deploymentId, triage.url];
exports.digest = [digest.assistantId, digest.schedule];
