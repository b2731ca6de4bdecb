// One program, a stack per environment. README.md shows how a version gets from dev to prod.
import * as pulumi from "@pulumi/pulumi";
import { AgentEnvironment } from "./agent-environment";
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
  agents: {
    reviewer: {
      image: `registry.example.com/agents/reviewer:${imageTag}`,
      minScale,
      maxScale,
      sandboxTemplate: "workshop",
      oauthProvider: "github",
    },
  },
});

export const urls = environment.urls;
