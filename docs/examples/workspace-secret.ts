// one key of a model's provider for every agent; a rotation gives the agent a new revision
import * as pulumi from "@pulumi/pulumi";
import { Deployment, WorkspaceSecret } from "pulumi-agent-platform";

const config = new pulumi.Config();

const key = new WorkspaceSecret("model-key", {
  key: "OPENAI_API_KEY",
  value: config.requireSecret("openaiApiKey"),
  allowedHosts: [{ hostPattern: "api.openai.com", headerName: "Authorization", headerValueTemplate: "Bearer {value}" }],
});

export const desk = new Deployment("desk", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agents/desk:1.4.0" },
  secretReferences: [{ name: key.key, secretName: key.key, secretKey: key.key }],
  redeployTrigger: key.rotatedAt,
});
