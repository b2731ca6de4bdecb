/* global platform */
for (const name of ["code", "gone"]) {
  new platform.SandboxTemplate(name, { image: "python:3.12", resources: { cpu: "1" } });
}
new platform.OAuthProvider("login", {
  providerId: "login",
  name: "Login",
  clientId: "client",
  clientSecret: "canary-literal-client",
  authUrl: "https://auth.example/authorize",
  tokenUrl: "https://auth.example/token",
});
const agent = new platform.Deployment("agent", {
  source: "external_docker",
  sourceConfig: { resourceSpec: { cpu: 1, labels: { team: "support" } } },
  sourceRevisionConfig: { imageUri: "registry.example/agent:1" },
  environmentVariables: { LEVEL: "info" },
  secrets: { TOKEN: "canary-literal-deployment" },
});
// A push makes a revision: no drift.
new platform.Deployment("pushed", {
  source: "github",
  sourceConfig: {
    integrationId: "integration",
    repoUrl: "https://github.example/acme/pushed",
    deploymentType: "dev",
    buildOnPush: true,
  },
  sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
});
exports.url = agent.url;
