/* global pulumi, platform */
const config = new pulumi.Config();

const notebook = new platform.SandboxTemplate("notebook", {
  name: "notebook-v1",
  image: "python:3.12-slim",
  resources: { cpu: "1", memory: "1Gi", storage: "10Gi" },
  volumeMounts: [{ volumeName: "data", mountPath: "/data" }],
  proxyConfig: {
    rules: [
      {
        name: "api",
        matchHosts: ["*.example.com"],
        injectHeaders: { Authorization: "Bearer ${API_TOKEN}" },
        matchPaths: ["/v1/*"],
        enabled: true,
      },
    ],
    noProxy: ["localhost"],
  },
});
new platform.SandboxTemplate("defaults", { image: "node:20", resources: {} });
new platform.SandboxTemplate("secret-header", {
  image: "node:20",
  resources: { cpu: "500m" },
  proxyConfig: {
    rules: [
      { name: "key", matchHosts: ["a.example"], injectHeaders: { "X-Key": pulumi.secret("canary-literal-header") } },
    ],
  },
});

const github = new platform.OAuthProvider("github", {
  providerId: "github",
  name: "GitHub",
  clientId: "client",
  clientSecret: config.requireSecret("clientSecret"),
  authUrl: "https://github.example/authorize",
  tokenUrl: "https://github.example/token",
  usesPkce: true,
  codeChallengeMethod: "S256",
  tokenEndpointAuthMethod: "client_secret_basic",
});
new platform.OAuthProvider("defaults", {
  providerId: "defaults",
  name: "Defaults",
  clientId: "client",
  clientSecret: "canary-literal-client",
  authUrl: "https://auth.example/authorize",
  tokenUrl: "https://auth.example/token",
});
new platform.OAuthProvider("public-client", {
  providerId: "public-client",
  name: "Public client",
  clientId: "client",
  authUrl: "https://auth.example/authorize",
  tokenUrl: "https://auth.example/token",
  tokenEndpointAuthMethod: "none",
});

const support = new platform.Deployment("support", {
  name: "support-agent",
  source: "github",
  sourceConfig: {
    integrationId: "integration",
    repoUrl: "https://github.example/acme/support",
    deploymentType: "prod",
    buildOnPush: true,
    customUrl: "https://support.example",
    resourceSpec: {
      minScale: 1,
      maxScale: 4,
      cpu: 1,
      cpuLimit: 2,
      memoryMb: 1024,
      memoryLimitMb: 2048,
      labels: { team: "support" },
      annotations: { owner: "desk" },
      serviceAccountName: "agents",
    },
    listenerId: "listener",
    listenerConfig: { k8sNamespace: "agents" },
    installCommand: "npm ci",
    buildCommand: "npm run build",
    templateId: "template",
  },
  sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
  environmentVariables: { LEVEL: "info", SANDBOX: notebook.name, LOGIN: github.providerId },
  secrets: { FROM_CONFIG: config.requireSecret("deploymentSecret"), LITERAL: "canary-literal-deployment" },
  secretReferences: [{ name: "DATABASE_URL", secretName: "database", secretKey: "url" }],
  displayName: "Support agent",
  extra: { shareable: true },
  redeployTrigger: { attempt: 1 },
  rolloutTimeout: "45m",
});
const minimal = new platform.Deployment(
  "minimal",
  { source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example/minimal:1" } },
  { customTimeouts: { create: "20m" } },
);
new platform.Deployment("unattended", {
  source: "internal_source",
  sourceRevisionConfig: { sourceTarballPath: "uploads/unattended.tgz" },
  secrets: { ONLY: "canary-literal-only" },
  awaitRollout: false,
});

const check = new platform.RunCheck("answers", {
  deployment: minimal,
  assistantId: "agent",
  input: { topic: "you" },
  streamSubgraphs: true,
  stateful: true,
  expect: {
    modes: ["values", "messages-tuple"],
    nodes: ["chat"],
    values: [
      { mode: "messages-tuple", matches: "Hi you" },
      { mode: "values", path: "log[0]", equals: "chat" },
    ],
    firstEventWithin: "1m",
    totalWithin: "2m",
  },
  keepOutput: true,
  apiKey: "canary-stack-key",
  attempts: 5,
  interval: "1s",
  runTimeout: "3m",
});
new platform.RunCheck("runs", {
  url: minimal.url,
  revisionId: minimal.activeRevisionId,
  assistantId: "agent",
  input: { topic: "a" },
});

// What only the platform knows: whoever uses it in a program goes on getting it.
const { rollout } = support;
exports.notebook = [notebook.createdAt, notebook.updatedAt];
exports.github = [github.uuid, github.organizationId, github.providerType, github.mcpServerUrl];
exports.githubTimes = [github.isDynamicClient, github.createdAt, github.updatedAt];
exports.support = [support.latestRevisionId, support.createdAt, support.url, support.activeRevisionId];
exports.waited = support.deployed;
exports.rollout = [rollout.deploymentId, rollout.revisionId, rollout.activeRevisionId, rollout.url];
exports.check = [check.runId, check.attempt, check.threadId, check.tried, check.events, check.digest, check.output];
exports.times = [check.firstEventMs, check.totalMs];
exports.secrets = support.secrets;
