/* global pulumi, platform */
const config = new pulumi.Config();

new platform.SandboxTemplate("adopted-code", {
  name: "code",
  image: "python:3.12",
  resources: { cpu: "1", memory: "1Gi" },
  adopt: true,
});
new platform.OAuthProvider("adopted-login", {
  providerId: "login",
  name: "Login",
  clientId: "client",
  clientSecret: config.requireSecret("clientSecret"),
  authUrl: "https://auth.example/authorize",
  tokenUrl: "https://auth.example/token",
  adopt: "login",
});
new platform.Deployment("adopted-agent", {
  name: "agent",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/agent:1" },
  secrets: { TOKEN: "canary-literal-deployment" },
  adopt: config.require("agentId"),
});

new platform.SandboxRegistry("adopted-images", {
  name: "images",
  url: "registry.example",
  username: "puller",
  password: "canary-literal-registry",
  adopt: true,
});

const code = platform.SandboxTemplate.get("read-code", "shared-code");
const login = platform.OAuthProvider.get("read-login", "shared-login");
const agent = platform.Deployment.get("read-agent", config.require("sharedAgentId"));
const images = platform.SandboxRegistry.get("read-images", "shared-images");
const python = platform.SandboxSnapshot.get("read-python", "shared-python:latest");
exports.read = {
  registry: images.url,
  digest: python.imageDigest,
  image: code.image,
  clientId: login.clientId,
  source: agent.source,
  revision: agent.latestRevisionId,
  waited: agent.deployed,
};
