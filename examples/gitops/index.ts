// One agent, with what it needs. A pull request shows the preview, and merging applies it: do not run `pulumi up` by hand.
import * as pulumi from "@pulumi/pulumi";
import { Deployment, OAuthProvider, RunCheck, SandboxTemplate } from "pulumi-agent-platform";

const config = new pulumi.Config();

const workshop = new SandboxTemplate("workshop", {
  image: "node:20.18.1-bookworm",
  resources: { cpu: "1", memory: "2Gi" },
  proxyConfig: {
    rules: [
      { name: "github", matchHosts: ["api.github.com"], injectHeaders: { Authorization: "Bearer ${GITHUB_TOKEN}" } },
    ],
  },
});

const github = new OAuthProvider("github", {
  providerId: "github",
  name: "GitHub",
  clientId: "release-notes",
  clientSecret: config.requireSecret("githubClientSecret"),
  authUrl: "https://github.com/login/oauth/authorize",
  tokenUrl: "https://github.com/login/oauth/access_token",
  usesPkce: true,
});

const agent = new Deployment(
  "release-notes",
  {
    source: "external_docker",
    sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3, cpu: 1, memoryMb: 2048 } },
    sourceRevisionConfig: { imageUri: "registry.example.com/agents/release-notes:1.0.0" },
    environmentVariables: { SANDBOX_TEMPLATE: workshop.name, OAUTH_PROVIDER: github.providerId },
    secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
  },
  // The engine refuses to replace or delete it. To do that all the same, take this out in a pull request of its own.
  { protect: true },
);

new RunCheck("release-notes", {
  deployment: agent,
  assistantId: "agent",
  input: { messages: [{ role: "user", content: "What is new?" }] },
  expect: { totalWithin: "1m" },
});

export const url = agent.url;
