/* global platform */
// The platform names its first revision only after it has answered, so the rollout found it by itself.
const agent = new platform.Deployment("agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/agent:1" },
});
exports.revision = agent.activeRevisionId;
