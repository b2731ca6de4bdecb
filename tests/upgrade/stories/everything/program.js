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

const images = new platform.SandboxRegistry("images", {
  name: "images-v1",
  url: "registry.example",
  username: "puller",
  password: config.requireSecret("registryPassword"),
});
const python = new platform.SandboxSnapshot("python", {
  name: "python-v1",
  dockerImage: "registry.example/python:3.12",
  fsCapacityBytes: 1073741824,
  tag: "stable",
  labels: { team: "support" },
  registryId: images.id,
  rebuildTrigger: "1",
  buildTimeout: "20m",
});
new platform.SandboxSnapshot("defaults", { dockerImage: "python:3.12", fsCapacityBytes: 1073741824 });

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
  authorizationParams: { prompt: "consent" },
  allowedRedirectUris: ["https://desk.example/back"],
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
  providerType: "microsoft",
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
    installCommand: "npm ci",
    buildCommand: "npm run build",
  },
  sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
  environmentVariables: { LEVEL: "info", SANDBOX: notebook.name, LOGIN: github.providerId },
  secrets: { FROM_CONFIG: config.requireSecret("deploymentSecret"), LITERAL: "canary-literal-deployment" },
  displayName: "Support agent",
  extra: { shareable: true },
  redeployTrigger: { attempt: 1 },
  deleteTracingProject: true,
  rolloutTimeout: "45m",
});
const pod = { name: "proxy", image: "registry.example/proxy:1", command: ["proxy", "--quiet"] };
const cluster = new platform.Listener("cluster", {
  computeId: "cluster-eu",
  computeConfig: { k8sNamespaces: ["agents"] },
});
new platform.Deployment("hosted", {
  source: "external_docker",
  sourceConfig: {
    customUrl: "hosted.example",
    resourceSpec: {
      minScale: 1,
      maxScale: 4,
      cpu: 1,
      cpuLimit: 2,
      memoryMb: 1024,
      memoryLimitMb: 2048,
      queueMinScale: 1,
      queueMaxScale: 2,
      queueCpu: 0.5,
      queueCpuLimit: 1,
      queueMemoryMb: 512,
      queueMemoryLimitMb: 1024,
      orchestratorMinScale: 1,
      orchestratorMaxScale: 2,
      orchestratorCpu: 0.5,
      orchestratorCpuLimit: 1,
      orchestratorMemoryMb: 512,
      orchestratorMemoryLimitMb: 1024,
      executorCpu: 0.5,
      executorCpuLimit: 1,
      executorMemoryMb: 512,
      executorMemoryLimitMb: 1024,
      redisCpu: 0.5,
      redisCpuLimit: 1,
      redisMemoryMb: 512,
      redisMemoryLimitMb: 1024,
      dbCpu: 1,
      dbCpuLimit: 2,
      dbMemoryMb: 1024,
      dbMemoryLimitMb: 2048,
      dbStorageGi: 10,
      dbMaxConnections: 100,
      labels: { team: "support" },
      annotations: { owner: "desk" },
      serviceAccountName: "agents",
      imagePullSecrets: [{ name: "registry" }],
      volumes: [{ name: "cache", emptyDir: {} }],
      volumeMounts: [{ name: "cache", mountPath: "/cache" }],
      initContainers: [{ ...pod, name: "setup" }],
      sidecars: [pod],
    },
    listenerId: cluster.id,
    listenerConfig: { k8sNamespace: "agents" },
  },
  sourceRevisionConfig: { imageUri: "registry.example/hosted:1" },
  secretReferences: [{ name: "DATABASE_URL", secretName: "database", secretKey: "url" }],
});
new platform.Deployment("templated", {
  source: "internal_template",
  sourceConfig: { deploymentType: "dev", templateId: "template" },
});
const minimal = new platform.Deployment(
  "minimal",
  { source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example/minimal:1" } },
  { customTimeouts: { create: "20m" } },
);
new platform.Deployment("unattended", {
  source: "internal_docker",
  sourceConfig: { deploymentType: "dev_free" },
  sourceRevisionConfig: { imageUri: "registry.example/unattended:1" },
  secrets: { ONLY: "canary-literal-only" },
  awaitRollout: false,
});

const check = new platform.RunCheck("answers", {
  deployment: minimal,
  assistantId: "agent",
  input: { topic: "you" },
  streamSubgraphs: true,
  stateful: true,
  rollBack: true,
  secretsRevisionId: minimal.secretsRevisionId,
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
exports.images = [images.createdAt, images.updatedAt];
exports.python = [python.imageDigest, python.fsUsedBytes, python.createdAt];
exports.github = [github.uuid, github.organizationId, github.providerType, github.mcpServerUrl];
exports.githubTimes = [github.isDynamicClient, github.createdAt, github.updatedAt];
exports.support = [support.latestRevisionId, support.createdAt, support.url, support.activeRevisionId];
exports.waited = [support.deployed, support.tenantId, cluster.version];
exports.built = [support.repoCommitSha, support.imageVersion];
exports.rollout = [rollout.deploymentId, rollout.revisionId, rollout.activeRevisionId, rollout.url];
exports.check = [check.runId, check.attempt, check.threadId, check.tried, check.events, check.digest, check.output];
exports.times = [check.firstEventMs, check.totalMs];
exports.secrets = support.secrets;
