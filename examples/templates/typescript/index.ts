import * as pulumi from "@pulumi/pulumi";
import { Deployment, SandboxTemplate } from "pulumi-agent-platform";

const notebook = new SandboxTemplate("notebook", {
  image: "python:3.12-slim",
  resources: { cpu: "500m", memory: "512Mi" },
});

const assistant = new Deployment("assistant", {
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 2 } },
  sourceRevisionConfig: { imageUri: new pulumi.Config().require("image") },
  environmentVariables: { SANDBOX_TEMPLATE: notebook.name },
});

// Known once the revision is DEPLOYED.
export const url = assistant.url;
