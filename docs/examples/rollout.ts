// a wait of its own
import { Deployment, Rollout } from "pulumi-agent-platform";

const quiet = new Deployment("waited-for-later", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agents/reader:1.4.0" },
  awaitRollout: false,
});

// A Deployment creates a Rollout of its own. With `awaitRollout: false` you decide where the wait stands.
export const rollout = new Rollout("waited-for-later", {
  deploymentId: quiet.id,
  revisionId: quiet.latestRevisionId,
  rolloutTimeout: "45m",
});
