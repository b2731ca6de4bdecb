// The same agent for customers in the US and in the EU. README.md shows how to run it.
import * as pulumi from "@pulumi/pulumi";
import { AgentEnvironment } from "pulumi-agent-platform";

const config = new pulumi.Config();
const imageTag = config.require("imageTag");

const environment = new AgentEnvironment("support", {
  // Each region is a tenant of its own, whose key no other region accepts. `region` picks the address: `agent-platform:baseUrlUs` or
  // `agent-platform:baseUrlEu`. The tenant is needed where a key opens more than one.
  regions: [
    { name: "us", region: "us", apiKey: config.requireSecret("usApiKey"), tenantId: config.get("usTenantId") },
    { name: "eu", region: "eu", apiKey: config.requireSecret("euApiKey"), tenantId: config.get("euTenantId") },
  ],
  sandboxTemplates: {
    notebook: { image: "python:3.12-slim", resources: { cpu: "500m", memory: "512Mi" } },
  },
  agents: ({ sandboxTemplates, region }) => ({
    assistant: {
      source: "external_docker",
      sourceRevisionConfig: { imageUri: `registry.example.com/agents/assistant:${imageTag}` },
      environmentVariables: { SANDBOX_TEMPLATE: sandboxTemplates.notebook.name, DATA_REGION: region },
    },
  }),
});

export const urls = environment.urls;
