// One program, a stack per environment. README.md shows how a version gets from dev to prod.
import * as pulumi from "@pulumi/pulumi";
import { AgentEnvironment } from "pulumi-agent-platform";
import { readSettings } from "./settings";

const { imageTag, minScale, maxScale, githubClientSecret } = readSettings(new pulumi.Config());

const environment = new AgentEnvironment("agents", {
  sandboxTemplates: {
    workshop: { image: "node:20-bookworm", resources: { cpu: "1", memory: "2Gi" } },
  },
  oauthProviders: {
    github: {
      name: "GitHub",
      clientId: `reviewer-${pulumi.getStack()}`,
      clientSecret: githubClientSecret,
      authUrl: "https://github.com/login/oauth/authorize",
      tokenUrl: "https://github.com/login/oauth/access_token",
    },
  },
  agents: ({ sandboxTemplates, oauthProviders }) => ({
    reviewer: {
      source: "external_docker",
      sourceConfig: { resourceSpec: { minScale, maxScale } },
      sourceRevisionConfig: { imageUri: `registry.example.com/agents/reviewer:${imageTag}` },
      environmentVariables: {
        SANDBOX_TEMPLATE: sandboxTemplates.workshop.name,
        OAUTH_PROVIDER: oauthProviders.github.providerId,
      },
    },
  }),
});

export const urls = environment.urls;
