// A support desk: one agent answers customers, one reads code. Run it with `npm start` at the root of the repository.
import * as pulumi from "@pulumi/pulumi";
import { Deployment, OAuthProvider, RunCheck, SandboxTemplate } from "pulumi-agent-platform";

const config = new pulumi.Config();

// Sandboxes in which agents run tools: a small one, and a large one that reaches GitHub through a proxy that adds the token.
const notebook = new SandboxTemplate("notebook", {
  image: "python:3.12-slim",
  resources: { cpu: "500m", memory: "512Mi" },
});

const workshop = new SandboxTemplate("workshop", {
  image: "node:20-bookworm",
  resources: { cpu: "2", memory: "4Gi", storage: "20Gi" },
  volumeMounts: [{ volumeName: "repositories", mountPath: "/work" }],
  proxyConfig: {
    rules: [
      {
        name: "github",
        matchHosts: ["api.github.com"],
        injectHeaders: { Authorization: "Bearer ${GITHUB_TOKEN}" },
      },
    ],
    noProxy: ["localhost"],
  },
});

// People sign in at these authorization servers, so that agents may act for them.
const github = new OAuthProvider("github", {
  providerId: "github",
  name: "GitHub",
  clientId: "support-desk",
  clientSecret: config.requireSecret("githubClientSecret"),
  authUrl: "https://github.com/login/oauth/authorize",
  tokenUrl: "https://github.com/login/oauth/access_token",
});

const google = new OAuthProvider("google", {
  providerId: "google",
  name: "Google Workspace",
  clientId: "support-desk.apps.example.com",
  clientSecret: config.requireSecret("googleClientSecret"),
  authUrl: "https://accounts.google.com/o/oauth2/v2/auth",
  tokenUrl: "https://oauth2.googleapis.com/token",
  usesPkce: true,
});

// The agents. The Rollout of each Deployment waits until its revision is DEPLOYED.
const reader = new Deployment("code-reader", {
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 2, cpu: 1, memoryMb: 2048 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/agents/code-reader:1.4.0" },
  environmentVariables: { SANDBOX_TEMPLATE: workshop.name, OAUTH_PROVIDER: github.providerId },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});

const desk = new Deployment("support-desk", {
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 5, cpu: 2, memoryMb: 4096 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/agents/support-desk:2.1.0" },
  environmentVariables: { SANDBOX_TEMPLATE: notebook.name, OAUTH_PROVIDER: google.providerId },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});

// DEPLOYED means that the server runs, not that the graph works: `pulumi up` is done once both agents have answered a question.
const question = { topic: "opening hours" };
new RunCheck("code-reader", {
  deployment: reader,
  assistantId: "agent",
  input: question,
  expect: { nodes: ["chat", "last"], totalWithin: "30s" },
});
new RunCheck("support-desk", {
  deployment: desk,
  assistantId: "agent",
  input: question,
  expect: { values: [{ mode: "messages-tuple", matches: "opening hours" }], firstEventWithin: "10s" },
});

export const agents = {
  "code-reader": { url: reader.url, revision: reader.activeRevisionId },
  "support-desk": { url: desk.url, revision: desk.activeRevisionId },
};
