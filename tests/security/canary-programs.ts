/** The changes from one run to the next. */
export interface Variant {
  /** Which of the two secrets of each kind is declared. */
  readonly secrets?: 1 | 2;
  readonly image?: string;
  /** Changes a field that replaces. */
  readonly replaced?: boolean;
  /** More of the program. */
  readonly rest?: string;
}

/** The literal secrets, and where the second platform is. */
export interface Literals {
  readonly url: string;
  readonly apiKey: string;
  readonly bearerToken: string;
  readonly clientSecrets: readonly [string, string];
  readonly deploymentSecrets: readonly [string, string];
  readonly passwords: readonly [string, string];
}

const js = (value: unknown): string => JSON.stringify(value);

/** Both ways to give each secret, on both connections: the stack's own, and a Platform. */
export function canaryProgram(
  literal: Literals,
  { secrets = 1, image = "a:1", replaced = false, rest = "" }: Variant = {},
): string {
  const at = secrets - 1;
  return `
    const config = new pulumi.Config();
    const other = new platform.Platform("other", ${js({ baseUrl: literal.url, apiKey: literal.apiKey, bearerToken: literal.bearerToken })});
    const oauth = (name, clientSecret, options) => new platform.OAuthProvider(name, {
      providerId: name, name, clientId: "c", clientSecret, authUrl: "https://a.example/${secrets}", tokenUrl: "https://a.example",
      tokenEndpointAuthMethod: "${replaced ? "client_secret_basic" : "client_secret_post"}",
    }, options);
    const agent = (name, options) => new platform.Deployment(name, {
      ${replaced ? 'source: "internal_docker", sourceConfig: { deploymentType: "dev" }' : 'source: "external_docker"'}, sourceRevisionConfig: { imageUri: "${image}" }, environmentVariables: { LEVEL: "info" },
      secrets: { FROM_CONFIG: config.requireSecret("deploymentSecret${secrets}"), LITERAL: ${js(literal.deploymentSecrets[at])} },
    }, options);
    for (const [on, options] of [["stack", {}], ["other", { provider: other }]]) {
      oauth("config-" + on, config.requireSecret("clientSecret${secrets}"), options);
      const provider = oauth("literal-" + on, ${js(literal.clientSecrets[at])}, options);
      const deployment = agent("agent-" + on, options);
      const registry = (kind, password) => new platform.SandboxRegistry(kind + "-images-" + on, {
        url: "registry.example/${secrets}", username: "puller", password,
      }, options);
      registry("config", config.requireSecret("password${secrets}"));
      registry("literal", ${js(literal.passwords[at])});
      const shared = (key, value) => new platform.WorkspaceSecret(key + "-" + on, { key: key + "_" + on, value }, options);
      shared("config", config.requireSecret("password${secrets}"));
      shared("literal", ${js(literal.passwords[at])});
      // These hold no secret, and are told those of the others.
      new platform.SandboxSnapshot("python-" + on, {
        dockerImage: "registry.example/python:${secrets}", fsCapacityBytes: 1_000_000_000,
      }, options);
      new platform.SandboxTemplate("code-" + on, { image: "python:3.12", resources: { cpu: "1", memory: "${secrets}Gi" } }, options);
      new platform.Listener("cluster-" + on, { computeId: "prod-" + on, computeConfig: { k8sNamespaces: ["agents-${secrets}"] } }, options);
      exports["secrets-" + on] = deployment.secrets;
      exports["token-" + on] = deployment.secrets.apply((given) => "token " + given.LITERAL);
      exports["client-" + on] = provider.clientSecret;
    }
    ${rest}
  `;
}

/** Reads what the program above made on the second platform, as another program would. */
export const gets = (deploymentId: string): string => `
  exports.get1 = platform.OAuthProvider.get("got-provider", "literal-other", { provider: other }).clientSecret;
  exports.get2 = platform.Deployment.get("got-agent", "${deploymentId}", { provider: other }).secrets;
`;

/** Arguments that fail: on a secret itself and beside one. One resource a program, since the engine stops at the first that fails. */
export function failingProgram(kind: "OAuthProvider" | "Deployment", literal: Literals): string {
  const client = js(literal.clientSecrets[0]);
  const secret = js(literal.deploymentSecrets[0]);
  // Under a misspelt name, the SDK does not even treat it as a secret.
  return kind === "OAuthProvider"
    ? `new platform.OAuthProvider("wrong", {
        providerId: "wrong", name: "n", clientId: "c", tokenUrl: "https://a.example",
        clientSecret: { oops: ${client} }, authUrl: "nowhere", clientSecert: ${client}, usesPkce: "perhaps",
      });`
    : `new platform.Deployment("wrong", {
        source: "external_docker", sourceRevisionConfig: { imageUri: "a" }, environmentVariables: { TWICE: "a" },
        secrets: {
          LIST: [${secret}], "bad name": ${secret}, NUL: ${secret} + "\\0", TWICE: ${secret},
          CONFIG: new pulumi.Config().requireSecret("deploymentSecret1").apply((text) => [text]),
        },
      });`;
}
