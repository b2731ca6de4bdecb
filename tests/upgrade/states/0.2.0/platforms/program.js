/* global pulumi, platform */
const config = new pulumi.Config();
const baseUrl = new pulumi.Config("agent-platform").require("baseUrl");

const connections = {
  regional: new platform.Platform("regional", {
    region: "eu",
    baseUrlUs: "https://us.platform.example",
    baseUrlEu: baseUrl,
    sandboxBaseUrl: `${baseUrl}/`,
    agentDomain: "agents.example",
    apiKey: config.requireSecret("regionalKey"),
    bearerToken: "canary-literal-token",
    tenantId: config.require("regionalTenant"),
    organizationId: config.require("regionalOrganization"),
    contract: "extended",
    checks: "strict",
    onUndeletable: "fail",
    preview: "offline",
    allowOriginChange: false,
    allowInsecure: false,
    requestTimeout: 20,
    requestAttempts: 5,
    requestBudget: 45,
    longestPause: 10,
    rateLimit: 500,
    log: "off",
    logFile: "requests.log",
  }),
  // Address and key come from the stack's configuration.
  documented: new platform.Platform("documented", { contract: "documented" }),
};

for (const [name, provider] of Object.entries(connections)) {
  const code = new platform.SandboxTemplate(
    `${name}-code`,
    { image: "python:3.12", resources: { cpu: "1" } },
    { provider },
  );
  const login = new platform.OAuthProvider(
    `${name}-login`,
    {
      providerId: `${name}-login`,
      name: "Login",
      clientId: "client",
      clientSecret: config.requireSecret("clientSecret"),
      authUrl: "https://auth.example/authorize",
      tokenUrl: "https://auth.example/token",
    },
    { provider },
  );
  const agent = new platform.Deployment(
    `${name}-agent`,
    {
      source: "external_docker",
      sourceRevisionConfig: { imageUri: "registry.example/agent:1" },
      environmentVariables: { SANDBOX: code.name, LOGIN: login.providerId },
      secrets: { LITERAL: "canary-literal-deployment" },
    },
    { provider },
  );
  exports[name] = agent.url;
}
