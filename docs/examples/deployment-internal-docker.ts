// an image that you uploaded to the platform
import { Deployment } from "pulumi-agent-platform";

export const internal = new Deployment("from-uploaded-image", {
  source: "internal_docker",
  sourceConfig: { deploymentType: "prod" },
  sourceRevisionConfig: { imageUri: "registry.example.com/uploads/desk:2.1.0" },
});
