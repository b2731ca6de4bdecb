import { handlers } from "../../provider";
import { inputRows } from "../../provider/lifecycle/fields/table";
import {
  RESOURCE_TYPES,
  MANAGED_TYPES,
  dynamicToken,
  type ResourceType,
  type ManagedType,
} from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";
import { CASES } from "../conformance/cases";
import { record } from "../reliability/record";
import { UNKNOWN } from "../../provider/base/json";

/** The rule that is broken, the inputs with the mistake, and the beginning of each reason. */
interface Row {
  readonly rule: string;
  readonly inputs: Record<string, unknown>;
  readonly reasons: readonly RegExp[];
}

const CANARY = "canary-value-that-no-message-shows";

const template = { name: "code", image: "python:3.12", resources: { cpu: "500m", memory: "512Mi" } };
const rule = { name: "github", matchHosts: ["api.github.com"], injectHeaders: { Authorization: "Bearer ${TOKEN}" } };
const withRule = (over: Record<string, unknown>) => ({ ...template, proxyConfig: { rules: [{ ...rule, ...over }] } });
const provider = {
  providerId: "github",
  name: "GitHub",
  clientId: "client",
  authUrl: "https://a.example/auth",
  tokenUrl: "https://a.example/token",
};
const deployment = {
  name: "desk",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/a:1" },
};
const config = (over: Record<string, unknown>) => ({ ...deployment, sourceConfig: over });
const spec = (over: Record<string, unknown>) => config({ resourceSpec: over });
const references = [{ name: "A", secretName: "s", secretKey: "k" }];
const repository = {
  name: "desk",
  source: "github",
  sourceConfig: { integrationId: "i", repoUrl: "https://git.example/desk", deploymentType: "dev" },
  sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
};
const uploaded = {
  name: "desk",
  source: "internal_source",
  sourceConfig: { deploymentType: "dev" },
  sourceRevisionConfig: { sourceTarballPath: "t/1", langgraphConfigPath: "langgraph.json" },
};
const made = { name: "desk", source: "internal_template", sourceConfig: { deploymentType: "dev", templateId: "t" } };
const tagged = {
  ...repository,
  sourceConfig: { ...repository.sourceConfig, buildOnPush: true },
  sourceRevisionConfig: { ...repository.sourceRevisionConfig, repoRef: "refs/tags/v1" },
};
interface Inputs {
  readonly name: string;
  readonly source: string;
  readonly sourceConfig?: object;
  readonly sourceRevisionConfig?: object;
}
/** The inputs with something else in their configuration, or in that of the revision. */
const withConfig = (of: Inputs, over: object) => ({ ...of, sourceConfig: { ...of.sourceConfig, ...over } });
const withRevision = (of: Inputs, over: object) => ({
  ...of,
  sourceRevisionConfig: { ...of.sourceRevisionConfig, ...over },
});

/** Of each source: what it cannot do without, and what it refuses (docs/sources.md). */
const BY_SOURCE: readonly Row[] = [
  {
    rule: "an unknown source",
    inputs: { ...deployment, source: "bitbucket" },
    reasons: [
      /^source: must be "github", "external_docker", "internal_docker", "internal_source" or "internal_template" \(/,
    ],
  },
  {
    rule: "everything that github lacks, at once",
    inputs: { name: "desk", source: "github" },
    reasons: [
      /^sourceConfig\.integrationId: is required with source "github"/,
      /^sourceConfig\.repoUrl: is required with source "github"/,
      /^sourceConfig\.deploymentType: is required with source "github": "dev_free", "dev_zero", "dev" or "prod"/,
      /^sourceRevisionConfig\.repoRef: is required with source "github"/,
      /^sourceRevisionConfig\.langgraphConfigPath: is required with source "github".* agent-platform:checks/,
    ],
  },
  {
    rule: "external_docker lacks its image",
    inputs: { name: "desk", source: "external_docker" },
    reasons: [/^sourceRevisionConfig\.imageUri: is required with source "external_docker"/],
  },
  {
    rule: "internal_docker lacks everything",
    inputs: { name: "desk", source: "internal_docker" },
    reasons: [
      /^sourceConfig\.deploymentType: is required with source "internal_docker": "dev_free"/,
      /^sourceRevisionConfig: needs imageUri, or sourceTarballPath with langgraphConfigPath with source "internal_docker"/,
    ],
  },
  {
    rule: "internal_source with a tarball lacks the configuration in it",
    inputs: { ...uploaded, sourceRevisionConfig: { sourceTarballPath: "t/1" } },
    reasons: [/^sourceRevisionConfig: needs imageUri, or sourceTarballPath with langgraphConfigPath/],
  },
  {
    rule: "internal_template lacks its template",
    inputs: { name: "desk", source: "internal_template", sourceConfig: { deploymentType: "prod" } },
    reasons: [/^sourceConfig\.templateId: is required with source "internal_template"/],
  },
  {
    rule: "deploymentType is one of three",
    inputs: withConfig(repository, { deploymentType: "staging" }),
    reasons: [/^sourceConfig\.deploymentType: must be "dev_free", "dev_zero", "dev" or "prod" with source "github"/],
  },
  ...(
    [
      [repository, "customUrl", "a.example", "the platform sets it"],
      [repository, "listenerId", "l", "it runs on the platform's cloud"],
      [repository, "listenerConfig", { k8sNamespace: "n" }, "it runs on the platform's cloud"],
      [repository, "resourceSpec", {}, 'only "external_docker" takes it'],
      [deployment, "integrationId", "i", "there is no repository"],
      [deployment, "repoUrl", "https://git.example/desk", "there is no repository"],
      [deployment, "deploymentType", "dev", "it is for the platform's cloud"],
      [deployment, "buildOnPush", false, "there is no repository to push to"],
      [uploaded, "buildOnPush", true, "there is no repository to push to"],
      [uploaded, "resourceSpec", { cpu: 1 }, 'only "external_docker" takes it'],
      [made, "resourceSpec", { cpu: 1 }, 'only "external_docker" takes it'],
    ] as const
  ).map(([of, name, value, why]) => ({
    rule: `${of.source} refuses ${name}`,
    inputs: withConfig(of, { [name]: value }),
    reasons: [new RegExp(`^sourceConfig\\.${name}: must not be set with source "${of.source}": ${why}`)],
  })),
  ...(
    [
      [repository, "imageUri", "the platform builds the image"],
      [deployment, "repoRef", "there is no repository"],
      [deployment, "langgraphConfigPath", "the image has its own configuration"],
      [uploaded, "repoRef", "there is no repository"],
    ] as const
  ).map(([of, name, why]) => ({
    rule: `${of.source} refuses ${name}`,
    inputs: withRevision(of, { [name]: "x" }),
    reasons: [new RegExp(`^sourceRevisionConfig\\.${name}: must not be set with source "${of.source}": ${why}`)],
  })),
  ...[repository, uploaded].map((of) => ({
    rule: `${of.source} refuses references`,
    inputs: { ...of, secretReferences: references },
    reasons: [new RegExp(`^secretReferences: must not be set with source "${of.source}"`)],
  })),
  {
    rule: "a tag is not built on push",
    inputs: tagged,
    reasons: [/^sourceConfig\.buildOnPush: must not be true if sourceRevisionConfig\.repoRef is a tag/],
  },
  {
    rule: "cpu is at least a tenth of a core",
    inputs: spec({ cpu: 0.05 }),
    reasons: [/^sourceConfig\.resourceSpec\.cpu: must be 0\.1 to 8 cores/],
  },
  {
    rule: "cpu is at most 8 cores, its limit 16",
    inputs: spec({ cpu: 8.5, cpuLimit: 17 }),
    reasons: [
      /^sourceConfig\.resourceSpec\.cpu: must be 0\.1 to 8 cores/,
      /^sourceConfig\.resourceSpec\.cpuLimit: must be 0\.1 to 16 cores/,
    ],
  },
  {
    rule: "a name that is reserved everywhere, wherever it stands",
    inputs: {
      ...deployment,
      environmentVariables: { LOG_JSON: "1" },
      secrets: { POSTGRES_URI: CANARY },
      secretReferences: [{ name: "REDIS_URI", secretName: "s", secretKey: "k" }],
    },
    reasons: [
      /^environmentVariables\.LOG_JSON: is a name that the platform reserves; choose another name/,
      /^secrets\.POSTGRES_URI: is a name that the platform reserves/,
      /^secretReferences\[0\]\.name: is a name that the platform reserves/,
    ],
  },
  {
    rule: "a name that is reserved on the cloud",
    inputs: { ...repository, environmentVariables: { PORT: "80" } },
    reasons: [/^environmentVariables\.PORT: is a name that the platform reserves with source "github"/],
  },
  {
    rule: "a mistake of each sort, one failure each",
    inputs: {
      ...withConfig(repository, { deploymentType: undefined, customUrl: "a.example", cpu: 1 }),
      environmentVariables: { PATH: "/bin" },
      secretReferences: references,
      displayName: "",
    },
    reasons: [
      /^sourceConfig: has no property "cpu"/,
      /^displayName: must not be empty/,
      /^sourceConfig\.deploymentType: is required/,
      /^sourceConfig\.customUrl: must not be set/,
      /^secretReferences: must not be set/,
      /^environmentVariables\.PATH: is a name/,
    ],
  },
  {
    rule: "what is known is judged beside what is not",
    inputs: withConfig(repository, { integrationId: UNKNOWN, customUrl: "a.example", listenerId: UNKNOWN }),
    reasons: [/^sourceConfig\.customUrl: must not be set/],
  },
];
const runCheck = { url: "https://agent.example", customUrl: "agent.example", assistantId: "agent" };
const expecting = (expect: Record<string, unknown>) => ({ ...runCheck, expect });
const long = (length: number): string => "a".repeat(length);

const ROWS: Readonly<Partial<Record<ResourceType, readonly Row[]>>> = {
  SandboxTemplate: [
    { rule: "name is required", inputs: { ...template, name: undefined }, reasons: [/^name: is required/] },
    { rule: "name is a string", inputs: { ...template, name: 7 }, reasons: [/^name: must be a string, not a number/] },
    { rule: "name is not null", inputs: { ...template, name: null }, reasons: [/^name: must be a string, not null/] },
    { rule: "name is not empty", inputs: { ...template, name: "" }, reasons: [/^name: must be a DNS-1035 name/] },
    {
      rule: "name begins with a letter",
      inputs: { ...template, name: "1code" },
      reasons: [/^name: must be a DNS-1035 name/],
    },
    { rule: "name is lowercase", inputs: { ...template, name: "Code" }, reasons: [/^name: must be a DNS-1035 name/] },
    {
      rule: "name has no underscore",
      inputs: { ...template, name: "my_code" },
      reasons: [/^name: must be a DNS-1035 name/],
    },
    {
      rule: "name does not end with a hyphen",
      inputs: { ...template, name: "code-" },
      reasons: [/^name: must be a DNS-1035 name/],
    },
    {
      rule: "name has at most 63 characters",
      inputs: { ...template, name: long(64) },
      reasons: [/^name: must be at most 63 characters/],
    },
    {
      rule: "name of a megabyte",
      inputs: { ...template, name: long(1 << 20) },
      reasons: [/^name: must be at most 63 characters/],
    },
    {
      rule: "name with a line break at its end",
      inputs: { ...template, name: "code\n" },
      reasons: [/^name: must be a DNS-1035 name/],
    },
    { rule: "image is required", inputs: { ...template, image: undefined }, reasons: [/^image: is required/] },
    { rule: "image is not empty", inputs: { ...template, image: "" }, reasons: [/^image: must not be empty/] },
    {
      rule: "image has no spaces",
      inputs: { ...template, image: "python 3" },
      reasons: [/^image: must be an image reference/],
    },
    {
      rule: "image has no control characters",
      inputs: { ...template, image: "python\u0007" },
      reasons: [/^image: must be an image reference/],
    },
    {
      rule: "image is not a list",
      inputs: { ...template, image: ["python"] },
      reasons: [/^image: must be a string, not an array/],
    },
    {
      rule: "resources are an object",
      inputs: { ...template, resources: "1" },
      reasons: [/^resources: must be an object, not a string/],
    },
    {
      rule: "cpu is a quantity",
      inputs: { ...template, resources: { cpu: "fast" } },
      reasons: [/^resources\.cpu: must be a quantity, a number with or without a suffix, like "500m" or "2"$/],
    },
    {
      rule: "cpu is a string",
      inputs: { ...template, resources: { cpu: 2 } },
      reasons: [/^resources\.cpu: must be a string, not a number/],
    },
    {
      rule: "cpu is more than 0",
      inputs: { ...template, resources: { cpu: "0m" } },
      reasons: [/^resources\.cpu: must be more than 0/],
    },
    {
      rule: "cpu is not negative",
      inputs: { ...template, resources: { cpu: "-1" } },
      reasons: [/^resources\.cpu: must be a quantity/],
    },
    {
      rule: "memory is a quantity",
      inputs: { ...template, resources: { memory: "1 Gi" } },
      reasons: [/^resources\.memory: must be a quantity.*, like "512Mi" or "536870912"$/],
    },
    {
      rule: "storage is a quantity",
      inputs: { ...template, resources: { storage: "1GB" } },
      reasons: [/^resources\.storage: must be a quantity/],
    },
    {
      rule: "resources have no other keys",
      inputs: { ...template, resources: { gpu: "1" } },
      reasons: [/^resources: has no property "gpu"/],
    },
    {
      rule: "no other properties",
      inputs: { ...template, volume_mounts: [] },
      reasons: [/^has no property "volume_mounts"/],
    },
    {
      rule: "volumeMounts are a list",
      inputs: { ...template, volumeMounts: {} },
      reasons: [/^volumeMounts: must be an array, not an object/],
    },
    {
      rule: "a mount needs a volume",
      inputs: { ...template, volumeMounts: [{ mountPath: "/a" }] },
      reasons: [/^volumeMounts\[0\]\.volumeName: is required/],
    },
    {
      rule: "a mount path is absolute",
      inputs: { ...template, volumeMounts: [{ volumeName: "v", mountPath: "a" }] },
      reasons: [/^volumeMounts\[0\]\.mountPath: must be an absolute path/],
    },
    {
      rule: "a mount path is not the root",
      inputs: { ...template, volumeMounts: [{ volumeName: "v", mountPath: "/" }] },
      reasons: [/^volumeMounts\[0\]\.mountPath: must not be the root/],
    },
    {
      rule: "a mount path does not climb",
      inputs: { ...template, volumeMounts: [{ volumeName: "v", mountPath: "/a/../b" }] },
      reasons: [/^volumeMounts\[0\]\.mountPath: must not contain/],
    },
    {
      rule: "each mount path once, also with a slash behind it",
      inputs: {
        ...template,
        volumeMounts: [
          { volumeName: "v", mountPath: "/a" },
          { volumeName: "w", mountPath: "/a/" },
        ],
      },
      reasons: [/^volumeMounts\[1\]\.mountPath: is the same as in volumeMounts\[0\]/],
    },
    {
      rule: "a list of 10,000 mounts",
      inputs: {
        ...template,
        volumeMounts: Array.from({ length: 10_000 }, (_, i) => ({ volumeName: "v", mountPath: `/m${i}` })),
      },
      reasons: [/^volumeMounts: must have at most 1000 entries/],
    },
    {
      rule: "a rule needs a name",
      inputs: withRule({ name: undefined }),
      reasons: [/^proxyConfig\.rules\[0\]\.name: is required/],
    },
    {
      rule: "a rule needs hosts",
      inputs: withRule({ matchHosts: undefined }),
      reasons: [/^proxyConfig\.rules\[0\]\.matchHosts: is required/],
    },
    {
      rule: "a rule needs at least one host",
      inputs: withRule({ matchHosts: [] }),
      reasons: [/^proxyConfig\.rules\[0\]\.matchHosts: must name at least one host/],
    },
    {
      rule: "a host is not a URL",
      inputs: withRule({ matchHosts: ["https://a.example"] }),
      reasons: [/^proxyConfig\.rules\[0\]\.matchHosts\[0\]: must be a host name/],
    },
    {
      rule: "a host has no path",
      inputs: withRule({ matchHosts: ["a.example/x"] }),
      reasons: [/^proxyConfig\.rules\[0\]\.matchHosts\[0\]: must be a host name/],
    },
    {
      rule: "a path begins with a slash",
      inputs: withRule({ matchPaths: ["v1/*"] }),
      reasons: [/^proxyConfig\.rules\[0\]\.matchPaths\[0\]: must begin with/],
    },
    {
      rule: "enabled is a flag",
      inputs: withRule({ enabled: "yes" }),
      reasons: [/^proxyConfig\.rules\[0\]\.enabled: must be a boolean, not a string/],
    },
    {
      rule: "a header's name is a token",
      inputs: withRule({ injectHeaders: { "X Y": "v" } }),
      reasons: [/^proxyConfig\.rules\[0\]\.injectHeaders\["X Y"\]: the name is not a valid header name/],
    },
    {
      rule: "a header's value has no line break",
      inputs: withRule({ injectHeaders: { A: `${CANARY}\r\nB: c` } }),
      reasons: [/^proxyConfig\.rules\[0\]\.injectHeaders\.A: must not contain line breaks/],
    },
    {
      rule: "an unclosed reference",
      inputs: withRule({ injectHeaders: { A: "${TOKEN" } }),
      reasons: [/^proxyConfig\.rules\[0\]\.injectHeaders\.A: has a malformed variable reference/],
    },
    {
      rule: "an empty reference",
      inputs: withRule({ injectHeaders: { A: "${}" } }),
      reasons: [/injectHeaders\.A: has a malformed variable reference/],
    },
    {
      rule: "a reference with a digit first",
      inputs: withRule({ injectHeaders: { A: "${1A}" } }),
      reasons: [/injectHeaders\.A: has a malformed variable reference/],
    },
    {
      rule: "a header's value is a string",
      inputs: withRule({ injectHeaders: { A: 1 } }),
      reasons: [/injectHeaders\.A: must be a string, not a number/],
    },
    {
      rule: "each rule's name once",
      inputs: { ...template, proxyConfig: { rules: [rule, rule] } },
      reasons: [/^proxyConfig\.rules\[1\]\.name: is the same as in proxyConfig\.rules\[0\]/],
    },
    {
      rule: "noProxy is a list",
      inputs: { ...template, proxyConfig: { noProxy: "a" } },
      reasons: [/^proxyConfig\.noProxy: must be an array, not a string/],
    },
    {
      rule: "a rule has no other keys",
      inputs: withRule({ match_hosts: [] }),
      reasons: [/^proxyConfig\.rules\[0\]: has no property "match_hosts"/],
    },
    {
      rule: "everything at once, not the first",
      inputs: { name: "B A D", image: "", resources: { cpu: "x" }, volumeMounts: [{ volumeName: "", mountPath: "x" }] },
      reasons: [
        /^name: /,
        /^image: /,
        /^resources\.cpu: /,
        /^volumeMounts\[0\]\.volumeName: /,
        /^volumeMounts\[0\]\.mountPath: /,
      ],
    },
    {
      rule: "known values are checked beside unknown ones",
      inputs: { ...template, name: UNKNOWN, image: "" },
      reasons: [/^image: must not be empty/],
    },
  ],
  OAuthProvider: [
    ...(["providerId", "name", "clientId", "authUrl", "tokenUrl"] as const).map((field) => ({
      rule: `${field} is required`,
      inputs: { ...provider, [field]: undefined },
      reasons: [new RegExp(`^${field}: is required`)],
    })),
    {
      rule: "providerId is not empty",
      inputs: { ...provider, providerId: "" },
      reasons: [/^providerId: must not be empty/],
    },
    {
      rule: "providerId has no slash",
      inputs: { ...provider, providerId: "a/b" },
      reasons: [/^providerId: must not contain spaces, slashes/],
    },
    {
      rule: "providerId is not a dot segment",
      inputs: { ...provider, providerId: ".." },
      reasons: [/^providerId: must not be "\." or "\.\."/],
    },
    {
      rule: "providerId has no control characters",
      inputs: { ...provider, providerId: "a\u0000" },
      reasons: [/^providerId: must not contain/],
    },
    {
      rule: "providerId is not too long",
      inputs: { ...provider, providerId: long(256) },
      reasons: [/^providerId: must be at most 255/],
    },
    {
      rule: "name has no control characters",
      inputs: { ...provider, name: "a\nb" },
      reasons: [/^name: must not contain control characters/],
    },
    {
      rule: "clientId is a string",
      inputs: { ...provider, clientId: true },
      reasons: [/^clientId: must be a string, not a boolean/],
    },
    {
      rule: "authUrl is absolute",
      inputs: { ...provider, authUrl: "/auth" },
      reasons: [/^authUrl: must be an absolute URL/],
    },
    {
      rule: "tokenUrl is http(s)",
      inputs: { ...provider, tokenUrl: "javascript:alert(1)" },
      reasons: [/^tokenUrl: must be an http or https URL/],
    },
    {
      rule: "tokenUrl has no spaces",
      inputs: { ...provider, tokenUrl: "https://a.example/ b" },
      reasons: [/^tokenUrl: must be a URL without spaces/],
    },
    {
      rule: "authUrl has no password",
      inputs: { ...provider, authUrl: `https://u:${CANARY}@a.example` },
      reasons: [/^authUrl: must not contain a user name or password/],
    },
    {
      rule: "usesPkce is a flag",
      inputs: { ...provider, usesPkce: "true" },
      reasons: [/^usesPkce: must be a boolean, not a string/],
    },
    {
      rule: "usesPkce is not null",
      inputs: { ...provider, usesPkce: null },
      reasons: [/^usesPkce: must be a boolean, not null/],
    },
    {
      rule: "the challenge method is one of two, in its own spelling",
      inputs: { ...provider, usesPkce: true, codeChallengeMethod: "s256" },
      reasons: [/^codeChallengeMethod: must be "S256" or "plain" \(RFC 7636\)/],
    },
    {
      rule: "the auth method is one of three",
      inputs: { ...provider, tokenEndpointAuthMethod: "basic" },
      reasons: [/^tokenEndpointAuthMethod: must be one of "none", "client_secret_basic", "client_secret_post"/],
    },
    {
      rule: "the provider type is one of three",
      inputs: { ...provider, providerType: "github" },
      reasons: [/^providerType: must be one of "microsoft", "salesforce", "slack"/],
    },
    {
      rule: "authorization parameters are named values",
      inputs: { ...provider, authorizationParams: ["prompt"] },
      reasons: [/^authorizationParams: must be an object, not an array/],
    },
    {
      rule: "redirect URIs are a list of texts",
      inputs: { ...provider, allowedRedirectUris: ["https://a.example", 7] },
      reasons: [/^allowedRedirectUris\[1\]: must be a string, not a number/],
    },
    {
      rule: "the secret is not empty",
      inputs: { ...provider, clientSecret: "" },
      reasons: [/^clientSecret: must not be empty/],
    },
    {
      rule: "the secret is a string, and never shown",
      inputs: { ...provider, clientSecret: { value: CANARY } },
      reasons: [/^clientSecret: must be a string, not an object/],
    },
    {
      rule: "a secret that is never used",
      inputs: { ...provider, clientSecret: CANARY, tokenEndpointAuthMethod: "none" },
      reasons: [/^clientSecret: is never used with tokenEndpointAuthMethod "none"/],
    },
    {
      rule: "a secret beside a mistake is not shown",
      inputs: { ...provider, clientSecret: CANARY, client_id: "x" },
      reasons: [/^has no property "client_id"/],
    },
    {
      rule: "the platform's own fields are not arguments",
      inputs: { ...provider, organizationId: "x" },
      reasons: [/^has no property "organizationId"/],
    },
  ],
  Deployment: [
    { rule: "name is required", inputs: { ...deployment, name: undefined }, reasons: [/^name: is required/] },
    { rule: "name is not empty", inputs: { ...deployment, name: "" }, reasons: [/^name: must not be empty/] },
    { rule: "source is required", inputs: { ...deployment, source: undefined }, reasons: [/^source: is required/] },
    {
      rule: "source is a string",
      inputs: { ...deployment, source: ["github"] },
      reasons: [/^source: must be a string, not an array/],
    },
    {
      rule: "sourceConfig is an object",
      inputs: { ...deployment, sourceConfig: [] },
      reasons: [/^sourceConfig: must be an object, not an array/],
    },
    {
      rule: "sourceConfig has no other keys",
      inputs: config({ repo_url: "x" }),
      reasons: [/^sourceConfig: has no property "repo_url"/],
    },
    {
      rule: "repoUrl is a URL",
      inputs: withConfig(repository, { repoUrl: "git@a.example:b" }),
      reasons: [/^sourceConfig\.repoUrl: must be/],
    },
    {
      rule: "repoUrl has no token in it",
      inputs: withConfig(repository, { repoUrl: `https://x:${CANARY}@a.example/b` }),
      reasons: [/^sourceConfig\.repoUrl: must not contain a user name or password/],
    },
    ...["agent example", "/agent", "javascript:alert(1)", `me:${CANARY}@agent.example`].map((customUrl) => ({
      rule: `customUrl is a host or a URL, not ${customUrl.replace(CANARY, "...")}`,
      inputs: config({ customUrl }),
      reasons: [/^sourceConfig\.customUrl: must be a host, like a\.example\.com, or an absolute URL/],
    })),
    {
      rule: "a custom URL is http(s)",
      inputs: config({ customUrl: "ftp://agent.example" }),
      reasons: [/^sourceConfig\.customUrl: must be an http or https URL/],
    },
    ...BY_SOURCE,
    {
      rule: "buildOnPush is a flag",
      inputs: withConfig(repository, { buildOnPush: 1 }),
      reasons: [/^sourceConfig\.buildOnPush: must be a boolean, not a number/],
    },
    {
      rule: "minScale is a whole number",
      inputs: spec({ minScale: 1.5 }),
      reasons: [/^sourceConfig\.resourceSpec\.minScale: must be a whole number/],
    },
    {
      rule: "minScale is not negative",
      inputs: spec({ minScale: -1 }),
      reasons: [/^sourceConfig\.resourceSpec\.minScale: must be a whole number of at least 0/],
    },
    {
      rule: "maxScale is at least minScale",
      inputs: spec({ minScale: 3, maxScale: 2 }),
      reasons: [/^sourceConfig\.resourceSpec\.maxScale: must be at least minScale/],
    },
    {
      rule: "memoryLimitMb is at least memoryMb",
      inputs: spec({ memoryMb: 3, memoryLimitMb: 2 }),
      reasons: [/^sourceConfig\.resourceSpec\.memoryLimitMb: must be at least memoryMb/],
    },
    {
      rule: "the CPUs of every part are in the range",
      inputs: spec({ queueCpu: 0, orchestratorCpu: 9, dbCpuLimit: 17, redisCpu: 8 }),
      reasons: [
        /^sourceConfig\.resourceSpec\.queueCpu: must be 0\.1 to 8 cores/,
        /^sourceConfig\.resourceSpec\.orchestratorCpu: must be 0\.1 to 8 cores/,
        /^sourceConfig\.resourceSpec\.dbCpuLimit: must be 0\.1 to 16 cores/,
      ],
    },
    {
      rule: "an image's secret has a name",
      inputs: spec({ imagePullSecrets: [{}] }),
      reasons: [/^sourceConfig\.resourceSpec\.imagePullSecrets\[0\]\.name: is required/],
    },
    {
      rule: "a sidecar is an object",
      inputs: spec({ sidecars: ["proxy"] }),
      reasons: [/^sourceConfig\.resourceSpec\.sidecars\[0\]: must be an object, not a string/],
    },
    {
      rule: "cpu is a number",
      inputs: spec({ cpu: "2" }),
      reasons: [/^sourceConfig\.resourceSpec\.cpu: must be a number, not a string/],
    },
    {
      rule: "labels are strings",
      inputs: spec({ labels: { a: 1 } }),
      reasons: [/^sourceConfig\.resourceSpec\.labels\.a: must be a string, not a number/],
    },
    {
      rule: "imageUri is a string",
      inputs: withRevision(deployment, { imageUri: 1 }),
      reasons: [/^sourceRevisionConfig\.imageUri: must be a string, not a number/],
    },
    {
      rule: "sourceRevisionConfig has no other keys",
      inputs: withRevision(deployment, { repoCommitSha: "x" }),
      reasons: [/^sourceRevisionConfig: has no property "repoCommitSha"/],
    },
    {
      rule: "a variable's name is not empty",
      inputs: { ...deployment, environmentVariables: { "": "x" } },
      reasons: [/^environmentVariables\[""\]: the name must not be empty/],
    },
    {
      rule: "a reference's name is not empty",
      inputs: { ...deployment, secretReferences: [{ ...references[0], name: "" }] },
      reasons: [/^secretReferences\[0\]\.name: must not be empty/],
    },
    {
      rule: "a variable's value is a string",
      inputs: { ...deployment, environmentVariables: { A: 1 } },
      reasons: [/^environmentVariables\.A: must be a string, not a number/],
    },
    {
      rule: "a variable has no NUL",
      inputs: { ...deployment, secrets: { A: `${CANARY}\0` } },
      reasons: [/^secrets\.A: must not contain NUL/],
    },
    {
      rule: "a variable of a megabyte",
      inputs: { ...deployment, secrets: { A: long(1 << 20) } },
      reasons: [/^secrets\.A: must be at most 65536 characters/],
    },
    {
      rule: "a prototype key is not a variable",
      inputs: { ...deployment, secrets: Object.fromEntries([["__proto__", CANARY]]) },
      reasons: [/^secrets\.__proto__: is not allowed/],
    },
    {
      rule: "nor is constructor",
      inputs: { ...deployment, environmentVariables: { constructor: "x" } },
      reasons: [/^environmentVariables\.constructor: is not allowed as a name/],
    },
    {
      rule: "secrets are an object",
      inputs: { ...deployment, secrets: CANARY },
      reasons: [/^secrets: must be an object, not a string/],
    },
    {
      rule: "a variable is given once",
      inputs: { ...deployment, environmentVariables: { A: "x" }, secrets: { A: CANARY } },
      reasons: [/^secrets\.A: is also in environmentVariables/],
    },
    {
      rule: "a reference is given once",
      inputs: {
        ...deployment,
        environmentVariables: { A: "x" },
        secretReferences: references,
      },
      reasons: [/^secretReferences\[0\]\.name: is given twice/],
    },
    {
      rule: "a reference needs all three",
      inputs: { ...deployment, secretReferences: [{ name: "A" }] },
      reasons: [/^secretReferences\[0\]\.secretName: is required/, /^secretReferences\[0\]\.secretKey: is required/],
    },
    {
      rule: "extra is an object",
      inputs: { ...deployment, extra: [] },
      reasons: [/^extra: must be an object, not an array/],
    },
    { rule: "no other properties", inputs: { ...deployment, replicas: 2 }, reasons: [/^has no property "replicas"/] },
  ],
  RunCheck: [
    {
      rule: "a key goes only to an address that somebody of ours vouches for",
      inputs: { ...runCheck, customUrl: "other.example" },
      reasons: [/^url: agent\.example is no address of the platform, and the program does not declare it/],
    },
    {
      rule: "customUrl is an address",
      inputs: { ...runCheck, customUrl: "agent example" },
      reasons: [/^customUrl: must be a host/],
    },
    { rule: "url is required", inputs: { assistantId: "a" }, reasons: [/^url: is required/] },
    {
      rule: "url is not null",
      inputs: { ...runCheck, url: null },
      reasons: [/^url: is null: the platform names no address/],
    },
    { rule: "url is a URL", inputs: { ...runCheck, url: "agent" }, reasons: [/^url: must be an absolute URL/] },
    {
      rule: "assistantId is not empty",
      inputs: { ...runCheck, assistantId: "" },
      reasons: [/^assistantId: must not be empty/],
    },
    {
      rule: "a mode is one of six",
      inputs: expecting({ modes: ["tokens"] }),
      reasons: [/^expect.modes\[0\]: must be one of "values"/],
    },
    {
      rule: "at least one mode",
      inputs: expecting({ modes: [] }),
      reasons: [/^expect.modes: must name at least one/],
    },
    {
      rule: "a value has a single expectation, not two",
      inputs: expecting({ values: [{ mode: "values", equals: 1, matches: "1" }] }),
      reasons: [/^expect.values\[0\]: must have exactly one of equals and matches/],
    },
    {
      rule: "a value has an expectation",
      inputs: expecting({ values: [{ mode: "values" }] }),
      reasons: [/^expect.values\[0\]: must have exactly one of equals and matches/],
    },
    {
      rule: "a path is names and positions",
      inputs: expecting({ values: [{ mode: "values", path: "a..b", equals: 1 }] }),
      reasons: [/^expect.values\[0\].path: must be a path of names and positions/],
    },
    {
      rule: "a pattern is a regular expression",
      inputs: expecting({ values: [{ mode: "values", matches: "(" }] }),
      reasons: [/^expect.values\[0\].matches: must be a regular expression/],
    },
    {
      rule: "a limit is a duration",
      inputs: expecting({ totalWithin: "fast" }),
      reasons: [/^expect.totalWithin: must be a duration/],
    },
    {
      rule: "attempts are at least one",
      inputs: { ...runCheck, attempts: 0 },
      reasons: [/^attempts: must be a whole number of at least 1/],
    },
    { rule: "no other expectation", inputs: expecting({ node: "a" }), reasons: [/^expect: has no property "node"/] },
  ],
  Rollout: [
    {
      rule: "deploymentId is required, and the error says what to leave out with its deployment",
      inputs: { revisionId: "r" },
      reasons: [
        /^deploymentId: is required \(a string\), and the stack has no Deployment .* add `--exclude-dependents`/,
      ],
    },
    {
      rule: "revisionId is not empty",
      inputs: { deploymentId: "d", revisionId: "" },
      reasons: [/^revisionId: must not be empty/],
    },
    {
      rule: "rolloutTimeout has a unit",
      inputs: { deploymentId: "d", rolloutTimeout: "30" },
      reasons: [/^rolloutTimeout: must be a duration like/],
    },
    {
      rule: "rolloutTimeout is not a number",
      inputs: { deploymentId: "d", rolloutTimeout: 30 },
      reasons: [/^rolloutTimeout: must be a string, not a number/],
    },
    {
      rule: "rolloutTimeout is more than zero",
      inputs: { deploymentId: "d", rolloutTimeout: "0s" },
      reasons: [/^rolloutTimeout: must be a duration like/],
    },
    {
      rule: "followsPushes is a flag",
      inputs: { deploymentId: "d", followsPushes: "no" },
      reasons: [/^followsPushes: must be a boolean/],
    },
  ],
};

/** Rows for a resource type without any of its own: the arguments that its table requires. */
function requiredOf(managedType: ManagedType): Row[] {
  const required = inputRows(RESOURCES[managedType].table.fields).filter(([, field]) => field.required);
  return required.map(([name]) => ({
    rule: `${name} is required`,
    inputs: { ...CASES[managedType].program, [name]: undefined },
    reasons: [new RegExp(`^${name}: (is required|must be one of)`)],
  }));
}

const rowsOf = (kind: ResourceType): readonly Row[] =>
  ROWS[kind] ?? MANAGED_TYPES.filter((managedType) => managedType === kind).flatMap(requiredOf);
const rows = RESOURCE_TYPES.flatMap((kind) => rowsOf(kind).map((row) => ({ kind, ...row })));

// A key and an address, so that only the arguments are wrong; port 1 refuses every request.
const configuration = new Map([
  ["agent-platform:baseUrl", "http://127.0.0.1:1"],
  ["agent-platform:apiKey", "k"],
]);
const all = new Map(Object.entries(handlers));

async function check(kind: string, inputs: Record<string, unknown>) {
  const handler = all.get(kind);
  if (!handler) throw new Error(`no ${kind}`);
  await handler.configure({ config: { get: (key) => configuration.get(key) } });
  // Undefined keys do not cross gRPC; everything else does as it is.
  const sent = Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined));
  const { failures } = await handler.check({}, { ...sent, __provider: dynamicToken("Rollout") });
  return failures;
}

describe("a wrong argument is a check failure", () => {
  test.each(rows)("$kind: $rule", async ({ kind, inputs, reasons }) => {
    const failures = await check(kind, inputs);
    // One failure a mistake: none is swallowed, and no other property is blamed.
    expect(failures.map(({ reason }) => reason)).toHaveLength(reasons.length);
    reasons.forEach((expected, index) => expect(failures[index]?.reason).toMatch(expected));
    // The engine prints the value of a named property, secret or not (docs/internals/engine.md, trap 15).
    expect(failures.every(({ property }) => property === "")).toBe(true);
    expect(JSON.stringify(failures)).not.toContain(CANARY);
    expect(JSON.stringify(failures).length).toBeLessThan(2000);
  });

  test("at least 80 rules are tried", () => {
    expect(rows.length).toBeGreaterThanOrEqual(80);
    // The address refuses connections, and check has none to make: all refusals here come before any request.
    record("bad-input", { tried: rows.length, refusedBeforeARequest: rows.length });
  });
});

describe("right arguments pass", () => {
  test.each<[string, Record<string, unknown>]>([
    ["SandboxTemplate", template],
    ["SandboxTemplate", { ...template, name: `a${"b".repeat(62)}` }],
    [
      "SandboxTemplate",
      {
        ...withRule({ matchHosts: ["*.example.com", "a_b.example:8443"], matchPaths: ["/v1/*"], enabled: false }),
        volumeMounts: [],
      },
    ],
    ["SandboxTemplate", withRule({ injectHeaders: { A: "${A}-${B_2}$5 {x}" } })],
    [
      "SandboxTemplate",
      { name: UNKNOWN, image: UNKNOWN, resources: UNKNOWN, volumeMounts: UNKNOWN, proxyConfig: UNKNOWN },
    ],
    [
      "SandboxTemplate",
      {
        ...template,
        resources: { cpu: UNKNOWN },
        volumeMounts: [UNKNOWN, { volumeName: UNKNOWN, mountPath: UNKNOWN }],
      },
    ],
    [
      "OAuthProvider",
      {
        ...provider,
        clientSecret: "s",
        usesPkce: true,
        codeChallengeMethod: "plain",
        tokenEndpointAuthMethod: "client_secret_basic",
      },
    ],
    [
      "OAuthProvider",
      Object.fromEntries(Object.keys({ ...provider, clientSecret: 1, usesPkce: 1 }).map((key) => [key, UNKNOWN])),
    ],
    ["Deployment", deployment],
    ["Deployment", repository],
    ["Deployment", withConfig(repository, { buildOnPush: true, installCommand: "npm ci", buildCommand: "make" })],
    ["Deployment", { ...tagged, sourceConfig: repository.sourceConfig, secretReferences: [] }],
    ["Deployment", uploaded],
    ["Deployment", { ...uploaded, source: "internal_docker", sourceRevisionConfig: { imageUri: "a:1" } }],
    ["Deployment", made],
    // What the table does not name is the platform's to judge.
    ["Deployment", withRevision(withConfig(repository, { templateId: "t" }), { sourceTarballPath: "t/1" })],
    [
      "Deployment",
      withConfig(deployment, { installCommand: "make", templateId: "t", customUrl: "agent.example:8443" }),
    ],
    [
      "Deployment",
      { ...deployment, environmentVariables: { PORT: "80", "1-A.b c": "" }, secretReferences: references },
    ],
    // Of a value that is not known yet, nobody knows whether it is there.
    ["Deployment", { ...repository, source: UNKNOWN, secretReferences: references }],
    ["Deployment", { ...repository, sourceConfig: UNKNOWN, sourceRevisionConfig: UNKNOWN, secretReferences: UNKNOWN }],
    [
      "Deployment",
      withRevision(withConfig(repository, { deploymentType: UNKNOWN, resourceSpec: UNKNOWN, buildOnPush: UNKNOWN }), {
        repoRef: "refs/tags/v1",
        imageUri: UNKNOWN,
      }),
    ],
    ["Deployment", spec({ cpu: UNKNOWN, cpuLimit: 16, imagePullSecrets: [{ name: UNKNOWN }], volumes: [UNKNOWN] })],
    [
      "Deployment",
      {
        ...deployment,
        environmentVariables: { A: "", _B: "multi\nline" },
        secrets: { C: "x" },
        extra: { new_field: [1, null] },
        redeployTrigger: 5,
      },
    ],
    [
      "Deployment",
      {
        ...spec({ minScale: 0, maxScale: 3, cpu: 0.5, cpuLimit: 1, labels: { "a.b/c": "d" } }),
        secrets: UNKNOWN,
        redeployTrigger: UNKNOWN,
      },
    ],
    ["RunCheck", { url: UNKNOWN, assistantId: UNKNOWN, input: UNKNOWN, revisionId: UNKNOWN, expect: UNKNOWN }],
    [
      "RunCheck",
      { ...runCheck, revisionId: null, input: { a: [UNKNOWN] }, attempts: 3, interval: "1s", runTimeout: "2m" },
    ],
    [
      "RunCheck",
      expecting({ modes: ["values"], nodes: ["a"], values: [{ mode: "values", path: 'a[0]["b.c"]', equals: null }] }),
    ],
    ["SandboxTemplate", { ...template, extra: { new_field: [1, null] } }],
    ["OAuthProvider", { ...provider, extra: UNKNOWN }],
    ["Rollout", { deploymentId: UNKNOWN, revisionId: UNKNOWN }],
    ["Rollout", { deploymentId: "d", revisionId: null, rolloutTimeout: "1h30m" }],
  ])("%s %#", async (kind, inputs) => expect(await check(kind, inputs)).toEqual([]));
});
