import { handlers } from "../../provider";
import { inputRows } from "../../provider/lifecycle/fields/table";
import {
  RESOURCE_TYPES,
  MANAGED_TYPES,
  dynamicToken,
  type ResourceType,
  type ManagedType,
} from "../../provider/resources/resource-types";
import { type Source, sourceRow } from "../../provider/resources/deployment/sources";
import { RESOURCES } from "../../provider/resources/registry";
import { CASES } from "../conformance/cases";
import { UNKNOWN } from "../../provider/base/json";

/** The rule that is broken, the inputs with the mistake, and the beginning of each reason. */
type Row = readonly [rule: string, inputs: object, ...reasons: readonly (string | RegExp)[]];

const CANARY = "canary-value-that-no-message-shows";

/** The inputs with this value at this path. */
function withValue(inputs: unknown, [step = "", ...rest]: readonly string[], value: unknown): object {
  const all = new Map<string, unknown>(Object.entries(inputs ?? {}));
  all.set(step, rest.length === 0 ? value : withValue(all.get(step), rest, value));
  return /^\d+$/.test(step) ? [...all.values()] : Object.fromEntries(all);
}

/** One wrong value each, at a path of the inputs: the rule, the path, the value, and what is said of the path. */
const wrongIn = (inputs: object, rows: readonly (readonly [string, string, unknown, string])[]): Row[] =>
  rows.map(([rule, path, value, said]) => {
    const steps = path.match(/[^.[\]]+/g) ?? [];
    return [`${path}: ${rule}`, withValue(inputs, steps, value), `${path}: ${said}`];
  });

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
const byPassword = { name: "images", url: "registry.example", username: "puller", password: CANARY };
const byRole = {
  name: "images",
  url: "registry.example",
  authType: "AWS_ROLE",
  awsRoleArn: "arn:aws:iam::123456789012:role/pull",
};
const deployment = {
  name: "desk",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/a:1" },
};
const spec = (over: Record<string, unknown>) => ({ ...deployment, sourceConfig: { resourceSpec: over } });
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
/** A value of each place that a source may refuse; of the others, a text is one. */
const PLACED = new Map<string, unknown>([
  ["sourceConfig.repoUrl", "https://git.example/desk"],
  ["sourceConfig.deploymentType", "dev"],
  ["sourceConfig.buildOnPush", false],
  ["sourceConfig.listenerConfig", { k8sNamespace: "n" }],
  ["sourceConfig.resourceSpec", {}],
  ["secretReferences", references],
]);
/** What a source refuses, one place at a time. */
const refusedBy = (source: Source, of: object): Row[] =>
  [...sourceRow(source).refuses].flatMap(([path, why]) =>
    wrongIn(of, [["refused", path, PLACED.get(path) ?? "x", `must not be set with source "${source}": ${why}`]]),
  );

/** Of each source: what it cannot do without, and what it refuses (docs/sources.md). */
const BY_SOURCE: readonly Row[] = [
  [
    "an unknown source",
    { ...deployment, source: "bitbucket" },
    'source: must be "github", "external_docker", "internal_docker", "internal_source" or "internal_template" (',
  ],
  [
    "everything that github lacks, at once",
    { name: "desk", source: "github" },
    'sourceConfig.integrationId: is required with source "github"',
    'sourceConfig.repoUrl: is required with source "github"',
    'sourceConfig.deploymentType: is required with source "github": "dev_free", "dev_zero", "dev" or "prod"',
    'sourceRevisionConfig.repoRef: is required with source "github"',
    /^sourceRevisionConfig\.langgraphConfigPath: is required with source "github".* agent-platform:checks/,
  ],
  [
    "external_docker lacks its image",
    { name: "desk", source: "external_docker" },
    'sourceRevisionConfig.imageUri: is required with source "external_docker"',
  ],
  [
    "internal_docker lacks everything",
    { name: "desk", source: "internal_docker" },
    'sourceConfig.deploymentType: is required with source "internal_docker": "dev_free"',
    'sourceRevisionConfig: needs imageUri, or sourceTarballPath with langgraphConfigPath with source "internal_docker"',
  ],
  [
    "internal_source with a tarball lacks the configuration in it",
    { ...uploaded, sourceRevisionConfig: { sourceTarballPath: "t/1" } },
    "sourceRevisionConfig: needs imageUri, or sourceTarballPath with langgraphConfigPath",
  ],
  [
    "internal_template lacks its template",
    { name: "desk", source: "internal_template", sourceConfig: { deploymentType: "prod" } },
    'sourceConfig.templateId: is required with source "internal_template"',
  ],
  ...refusedBy("github", repository),
  ...refusedBy("external_docker", deployment),
  ...refusedBy("internal_source", uploaded),
  ...refusedBy("internal_template", made),
  ["no push of a tag", tagged, "sourceConfig.buildOnPush: must not be true if sourceRevisionConfig.repoRef is a tag"],
  [
    "a name that is reserved everywhere, wherever it stands",
    {
      ...deployment,
      environmentVariables: { LOG_JSON: "1" },
      secrets: { POSTGRES_URI: CANARY },
      secretReferences: [{ name: "REDIS_URI", secretName: "s", secretKey: "k" }],
    },
    "environmentVariables.LOG_JSON: is a name that the platform reserves; choose another name",
    "secrets.POSTGRES_URI: is a name that the platform reserves",
    "secretReferences[0].name: is a name that the platform reserves",
  ],
  [
    "a mistake of each sort, one failure each",
    {
      ...withConfig(repository, { deploymentType: undefined, customUrl: "a.example", cpu: 1 }),
      environmentVariables: { PATH: "/bin" },
      secretReferences: references,
      displayName: "",
    },
    'sourceConfig: has no property "cpu"',
    "displayName: must not be empty",
    "sourceConfig.deploymentType: is required",
    "sourceConfig.customUrl: must not be set",
    "secretReferences: must not be set",
    "environmentVariables.PATH: is a name",
  ],
  [
    "what is known is judged beside what is not",
    withConfig(repository, { integrationId: UNKNOWN, customUrl: "a.example", listenerId: UNKNOWN }),
    "sourceConfig.customUrl: must not be set",
  ],
];
const runCheck = { url: "https://agent.example", customUrl: "agent.example", assistantId: "agent" };
const expecting = (expect: Record<string, unknown>) => ({ ...runCheck, expect });
/** What an agent keeps. */
const onAgent = { deploymentId: "d", url: runCheck.url, customUrl: runCheck.customUrl };
const assistant = { ...onAgent, name: "triage", graphId: "agent", context: { tone: "brief" } };
const cron = { ...onAgent, assistantId: "agent", schedule: "0 9 * * 1-5", input: { topic: "news" } };
const snapshot = { name: "python", dockerImage: "python:3.12", fsCapacityBytes: 1 };
/** A text of a file, as the engine passes it. */
const ASSET = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: CANARY };
/** Beyond 2^53: a number has rounded it on its way here. */
const ROUNDED = Number("1795292668348461057");
const NO_ROUNDED = "must not be a whole number beyond 2^53, which is rounded on its way here";
const BOTH = { mode: "values", equals: 1, matches: "1" };
const NO_ADDRESS = "must be a host, like a.example.com, or an absolute URL";
const long = (length: number): string => "a".repeat(length);

const ROWS: Readonly<Partial<Record<ResourceType, readonly Row[]>>> = {
  SandboxTemplate: [
    ...wrongIn(template, [
      ["a string", "name", 7, "must be a string, not a number"],
      ["not null", "image", null, "must be a string, not null"],
      ["not empty", "name", "", "must be a DNS-1035 name"],
      ["begins with a letter", "name", "1code", "must be a DNS-1035 name"],
      ["lowercase", "name", "Code", "must be a DNS-1035 name"],
      ["no underscore", "name", "my_code", "must be a DNS-1035 name"],
      ["no hyphen at the end", "name", "code-", "must be a DNS-1035 name"],
      ["no line break at the end", "name", "code\n", "must be a DNS-1035 name"],
      ["at most 63 characters", "name", long(64), "must be at most 63 characters"],
      ["a megabyte", "name", long(1 << 20), "must be at most 63 characters"],
      ["not empty", "image", "", "must not be empty"],
      ["no spaces", "image", "python 3", "must be an image reference"],
      ["no control characters", "image", "python\u0007", "must be an image reference"],
      ["not a list", "image", ["python"], "must be a string, not an array"],
      ["an object", "resources", "1", "must be an object, not a string"],
      ["no other keys", "resources", { gpu: "1" }, 'has no property "gpu"'],
      ["a size", "resources.cpu", "fast", 'must be a quantity, a number with or without a suffix, like "500m" or "2"'],
      ["a string", "resources.cpu", 2, "must be a string, not a number: write it in quotes"],
      ["more than 0", "resources.cpu", "0m", "must be more than 0"],
      [
        "a quantity",
        "resources.memory",
        "1 Gi",
        'must be a quantity, a number with or without a suffix, like "512Mi" or "536870912"',
      ],
      ["a list", "volumeMounts", {}, "must be an array, not an object"],
      [
        "not 10,000",
        "volumeMounts",
        Array.from({ length: 10_000 }, (_, i) => ({ volumeName: "v", mountPath: `/m${i}` })),
        "must have at most 1000 entries",
      ],
      ["a list", "proxyConfig.noProxy", "a", "must be an array, not a string"],
    ]),
    ...wrongIn({ ...template, volumeMounts: [{ volumeName: "v", mountPath: "/a" }] }, [
      ["required", "volumeMounts[0].volumeName", undefined, "is required"],
      ["absolute", "volumeMounts[0].mountPath", "a", "must be an absolute path"],
      ["not the root", "volumeMounts[0].mountPath", "/", "must not be the root"],
      ["does not climb", "volumeMounts[0].mountPath", "/a/../b", "must not contain"],
    ]),
    ...wrongIn(withRule({}), [
      ["required", "proxyConfig.rules[0].name", undefined, "is required"],
      ["required", "proxyConfig.rules[0].matchHosts", undefined, "is required"],
      ["at least one", "proxyConfig.rules[0].matchHosts", [], "must name at least one host"],
      ["not a URL", "proxyConfig.rules[0].matchHosts[0]", "https://a.example", "must be a host name"],
      ["no path", "proxyConfig.rules[0].matchHosts[0]", "a.example/x", "must be a host name"],
      ["begins with a slash", "proxyConfig.rules[0].matchPaths[0]", "v1/*", "must begin with"],
      ["a flag", "proxyConfig.rules[0].enabled", "yes", "must be a boolean, not a string"],
      ["no line break", "proxyConfig.rules[0].injectHeaders.A", `${CANARY}\r\nB: c`, "must not contain line breaks"],
      ["unclosed", "proxyConfig.rules[0].injectHeaders.A", "${TOKEN", "has a malformed variable reference"],
      ["empty", "proxyConfig.rules[0].injectHeaders.A", "${}", "has a malformed variable reference"],
      ["a digit first", "proxyConfig.rules[0].injectHeaders.A", "${1A}", "has a malformed variable reference"],
      ["a string", "proxyConfig.rules[0].injectHeaders.A", 1, "must be a string, not a number"],
    ]),
    [
      "a header's name is a token",
      withRule({ injectHeaders: { "X Y": "v" } }),
      'proxyConfig.rules[0].injectHeaders["X Y"]: the name is not a valid header name',
    ],
    [
      "each header once, in any case",
      withRule({ injectHeaders: { "X-Team": "a", "x-team": "b" } }),
      "proxyConfig.rules[0].injectHeaders: has x-team twice",
    ],
    ["a rule has no other keys", withRule({ match_hosts: [] }), 'proxyConfig.rules[0]: has no property "match_hosts"'],
    [
      "no other properties",
      { ...template, volume_mounts: [] },
      'has no property "volume_mounts"; check the spelling (names are written like imageUri, in Python like image_uri)',
    ],
    [
      "each mount path once, also with a slash behind it",
      { ...template, volumeMounts: ["/a", "/a/"].map((mountPath) => ({ volumeName: "v", mountPath })) },
      "volumeMounts[1].mountPath: is the same as in volumeMounts[0]",
    ],
    [
      "each rule's name once",
      { ...template, proxyConfig: { rules: [rule, rule] } },
      "proxyConfig.rules[1].name: is the same as in proxyConfig.rules[0]",
    ],
    [
      "everything at once, not the first",
      { name: "B A D", image: "", resources: { cpu: "x" }, volumeMounts: [{ volumeName: "", mountPath: "x" }] },
      ...["name: ", "image: ", "resources.cpu: ", "volumeMounts[0].volumeName: ", "volumeMounts[0].mountPath: "],
    ],
    ["known values are checked beside unknown ones", { ...template, name: UNKNOWN, image: "" }, "image: must not be"],
  ],
  SandboxSnapshot: [
    ...wrongIn(snapshot, [
      ["no tag in it", "name", "python:v2", "must not contain a colon"],
      ["a tag that is one", "tag", "a:b", "must not contain a colon"],
      ["not nothing", "fsCapacityBytes", 0, "must be a whole number of at least 1"],
      ["has a unit", "buildTimeout", "10", "must be a duration"],
      ["not too long", "description", "🐍".repeat(1025), "must be at most 1024 characters"],
    ]),
    ["a label of no name", { ...snapshot, labels: { "": "x" } }, /^labels.*must not be empty/],
    ["our own label", { ...snapshot, labels: { "pulumi-agent-platform": "x" } }, /^labels.* marks what this provider/],
  ],
  SandboxVolume: [
    ...wrongIn({ name: "data", sizeBytes: 1 }, [
      ["not nothing", "sizeBytes", 0, "must be a whole number of at least 1"],
      ["not a dot segment", "name", "..", 'must not be "." or ".."'],
    ]),
    ...wrongIn({ name: "copy" }, [["not a dot segment", "sourceVolume", ".", 'must not be "." or ".."']]),
    ["neither a size nor a source", { name: "data" }, "sizeBytes: is required (in bytes), unless sourceVolume names"],
    [
      "a size of a clone",
      { name: "data", sizeBytes: 1, sourceVolume: "other" },
      "sizeBytes: must not be set with sourceVolume: a clone has the size of its source",
    ],
  ],
  PlatformAgent: [
    ...wrongIn({ agentId: "desk" }, [
      ["begins with a letter", "agentId", "1-desk", "must be of a-z, 0-9 and hyphens, begin with a letter"],
      ["no capitals", "agentId", "Desk", "must be of a-z, 0-9 and hyphens"],
      ["no hyphen at the end", "agentId", "desk-", "must be of a-z, 0-9 and hyphens"],
      ["not too long", "agentId", long(64), "must be at most 63 characters"],
      ["one of four", "sourceType", "external", 'must be one of "LSD", "MDA", "EXTERNAL", "FLEET"'],
      ["for a fleet alone", "productionOnly", true, 'is possible with sourceType "FLEET" alone'],
    ]),
  ],
  OAuthProvider: [
    ...wrongIn(provider, [
      ["not empty", "providerId", "", "must not be empty"],
      ["no slash", "providerId", "a/b", "must not contain spaces, slashes"],
      ["not a dot segment", "providerId", "..", 'must not be "." or ".."'],
      ["no control characters", "providerId", "a\u0000", "must not contain"],
      ["not too long", "providerId", long(256), "must be at most 255"],
      ["no control characters", "name", "a\nb", "must not contain control characters"],
      ["absolute", "authUrl", "/auth", "must be an absolute URL"],
      ["no password", "authUrl", `https://u:${CANARY}@a.example`, "must not contain a user name or password"],
      ["http(s)", "tokenUrl", "javascript:alert(1)", "must be an http or https URL"],
      ["no spaces", "tokenUrl", "https://a.example/ b", "must be a URL without spaces"],
      ["one of", "tokenEndpointAuthMethod", "x", 'must be one of "none", "client_secret_basic", "client_secret_post"'],
      ["one of three", "providerType", "github", 'must be one of "microsoft", "salesforce", "slack"'],
      ["not empty", "clientSecret", "", "must not be empty"],
      ["a string, and never shown", "clientSecret", { value: CANARY }, "must be a string, not an object"],
    ]),
    [
      "the challenge method is one of two, in its own spelling",
      { ...provider, usesPkce: true, codeChallengeMethod: "s256" },
      'codeChallengeMethod: must be "S256" or "plain" (RFC 7636)',
    ],
    [
      "a secret that is never used",
      { ...provider, clientSecret: CANARY, tokenEndpointAuthMethod: "none" },
      'clientSecret: is never used with tokenEndpointAuthMethod "none"',
    ],
    ["no secret is shown", { ...provider, clientSecret: CANARY, client_id: "x" }, 'has no property "client_id"'],
  ],
  Deployment: [
    [
      "a name or an agent",
      { ...deployment, agent: { agentId: "desk", environment: "production" } },
      "name: must not be given with agent: leave one of the two out",
    ],
    ...wrongIn({ ...deployment, name: undefined, agent: { agentId: "desk", environment: "production" } }, [
      ["the id of an agent", "agent.agentId", "Desk", "must be of a-z, 0-9 and hyphens"],
      ["not without the agent", "agent.agentId", undefined, "is required (a string)"],
      ["one of three", "agent.environment", "PRODUCTION", 'must be one of "development", "staging", "production"'],
    ]),
    ...wrongIn(deployment, [
      ["not empty", "name", "", "must not be empty"],
      ["no other keys", "sourceConfig", { repo_url: "x" }, 'has no property "repo_url"'],
      ["a host has no space", "sourceConfig.customUrl", "agent example", NO_ADDRESS],
      ["a host, no path", "sourceConfig.customUrl", "/agent", NO_ADDRESS],
      ["no script", "sourceConfig.customUrl", "javascript:alert(1)", NO_ADDRESS],
      ["no password", "sourceConfig.customUrl", `me:${CANARY}@agent.example`, NO_ADDRESS],
      ["http(s)", "sourceConfig.customUrl", "ftp://agent.example", "must be an http or https URL"],
      ["no commit", "sourceRevisionConfig", { imageUri: "a", repoCommitSha: "x" }, 'has no property "repoCommitSha"'],
      ["no NUL", "secrets.A", `${CANARY}\0`, "must not contain NUL"],
      ["a megabyte", "secrets.A", long(1 << 20), "must be at most 65536 characters"],
      ["a word of JavaScript", "environmentVariables.constructor", "x", "is not allowed as a name"],
      ["an object", "secrets", CANARY, "must be an object, not a string"],
      ["an object", "extra", [], "must be an object, not an array"],
      ["not rounded", "extra.channel", ROUNDED, NO_ROUNDED],
      ["not rounded", "sourceConfig.resourceSpec.maxScale", ROUNDED, NO_ROUNDED],
    ]),
    ...wrongIn({ ...deployment, secretReferences: references }, [
      ["not empty", "secretReferences[0].name", "", "must not be empty"],
      ["required", "secretReferences[0].secretName", undefined, "is required"],
      ["required", "secretReferences[0].secretKey", undefined, "is required"],
    ]),
    ...wrongIn(repository, [
      ["a URL", "sourceConfig.repoUrl", "git@a.example:b", "must be"],
      ["no token", "sourceConfig.repoUrl", `https://x:${CANARY}@a.example/b`, "must not contain a user name"],
      ["one of four", "sourceConfig.deploymentType", "staging", 'must be "dev_free", "dev_zero", "dev" or "prod" with'],
      ["not reserved there", "environmentVariables.PORT", "80", "is a name that the platform reserves with source"],
    ]),
    ...wrongIn(spec({ minScale: 3, memoryMb: 3 }), [
      ["at least minScale", "sourceConfig.resourceSpec.maxScale", 2, "must be at least minScale"],
      ["at least memoryMb", "sourceConfig.resourceSpec.memoryLimitMb", 2, "must be at least memoryMb"],
    ]),
    ...wrongIn(spec({ redisCpu: 8 }), [
      ["whole", "sourceConfig.resourceSpec.minScale", 1.5, "must be a whole number"],
      ["not negative", "sourceConfig.resourceSpec.minScale", -1, "must be a whole number of at least 0"],
      ["a number", "sourceConfig.resourceSpec.cpu", "2", "must be a number, not a string"],
      ["at least a tenth of a core", "sourceConfig.resourceSpec.cpu", 0.05, "must be 0.1 to 8 cores"],
      ["at most 8", "sourceConfig.resourceSpec.cpu", 8.5, "must be 0.1 to 8 cores"],
      ["at most 16, as a limit", "sourceConfig.resourceSpec.cpuLimit", 17, "must be 0.1 to 16 cores"],
      ["that of the queue, too", "sourceConfig.resourceSpec.queueCpu", 0, "must be 0.1 to 8 cores"],
      ["an orchestrator's, too", "sourceConfig.resourceSpec.orchestratorCpu", 9, "must be 0.1 to 8 cores"],
      ["that of the database, too", "sourceConfig.resourceSpec.dbCpuLimit", 17, "must be 0.1 to 16 cores"],
      ["named", "sourceConfig.resourceSpec.imagePullSecrets[0].name", undefined, "is required"],
    ]),
    ...BY_SOURCE,
    [
      "a variable's name is not empty",
      { ...deployment, environmentVariables: { "": "x" } },
      'environmentVariables[""]: the name must not be empty',
    ],
    [
      "a prototype key is not a variable",
      { ...deployment, secrets: Object.fromEntries([["__proto__", CANARY]]) },
      "secrets.__proto__: is not allowed",
    ],
    [
      "a variable is given once",
      { ...deployment, environmentVariables: { A: "x" }, secrets: { A: CANARY } },
      "secrets.A: is also in environmentVariables",
    ],
    [
      "a reference is given once",
      { ...deployment, environmentVariables: { A: "x" }, secretReferences: references },
      "secretReferences[0].name: is given twice",
    ],
    ["no other properties", { ...deployment, replicas: 2 }, 'has no property "replicas"'],
  ],
  RunCheck: [
    [
      "a key goes only to an address that somebody of ours vouches for",
      { ...runCheck, customUrl: "other.example" },
      "url: agent.example is no address of the platform, and the program does not declare it",
    ],
    [
      "url is required, and its Rollout may have failed",
      { assistantId: "a" },
      "url: is required (a string); if it comes from a Rollout that failed, mend that first",
    ],
    ...wrongIn(runCheck, [
      ["an address", "customUrl", "agent example", "must be a host"],
      ["not null", "url", null, "is null: the platform names no address"],
      ["a URL", "url", "agent", "must be an absolute URL"],
      ["of a server", "url", "https://agent.example/?a=b", "must not have a query or a fragment"],
      ["a header", "apiKey", "k\u00e9y", "must be visible ASCII without spaces or line breaks"],
      ["not empty", "assistantId", "", "must not be empty"],
      ["at least one", "attempts", 0, "must be a whole number of at least 1"],
      ["one of six", "expect.modes[0]", "tokens", 'must be one of "values"'],
      ["at least one", "expect.modes", [], "must name at least one"],
      ["a duration", "expect.totalWithin", "fast", "must be a duration"],
      ["no other", "expect", { node: "a" }, 'has no property "node"'],
      ["not rounded", "input.channel", ROUNDED, NO_ROUNDED],
      ["what it needs", "rollBack", true, "needs deploymentId, revisionId, secretsRevisionId of the deployment"],
    ]),
    [
      "rollBack is one of three, and needs the revision",
      { ...runCheck, rollBack: "always" },
      'rollBack: must be true, false or "with-old-secrets"',
      "rollBack: needs deploymentId",
    ],
    ...wrongIn(expecting({ values: [{ mode: "values", matches: "1" }] }), [
      ["one of two", "expect.values[0]", { mode: "values" }, "must have exactly one of equals and matches"],
      ["not both", "expect.values[0]", BOTH, "must have exactly one of equals and matches"],
      ["names and positions", "expect.values[0].path", "a..b", "must be a path of names and positions"],
      ["a regular expression", "expect.values[0].matches", "(", "must be a regular expression"],
    ]),
    ...wrongIn(expecting({ values: [{ mode: "values" }] }), [
      ["not rounded", "expect.values[0].equals", ROUNDED, NO_ROUNDED],
    ]),
  ],
  Assistant: [
    ...wrongIn(assistant, [
      ["of a server", "url", "https://agent.example/?a=b", "must not have a query or a fragment"],
      ["a header", "apiKey", "k\u00e9y", "must be visible ASCII without spaces or line breaks"],
      ["has a setting", "config", {}, "must have a setting"],
      ["the context once", "config.configurable", { a: 1 }, "cannot be given with context"],
      ["not the server's own mark", "metadata.created_by", "system", 'must not be "system"'],
      ["not a key that the server drops", "metadata.run_id", "1", "is a key that the server takes out"],
      ["nothing that the server replaces", "metadata.note", "a\0b", "must not contain NUL characters"],
      ["not by the name", "adopt", true, "must be a string"],
      ["not rounded", "context.channel", ROUNDED, NO_ROUNDED],
      ["not rounded", "config.recursion_limit", 1e300, NO_ROUNDED],
      ["no file", "context.prompt", ASSET, "must not be an asset or an archive: give the text of the file"],
    ]),
    ["a vouched address", { ...assistant, customUrl: undefined }, "url: agent.example is no address of the platform"],
    ["no plain http", { ...assistant, url: "http://agent.example" }, "url: is plain http to another machine"],
  ],
  Cron: [
    ...wrongIn(cron, [
      ["one that servers take", "schedule", "0 9 * *", "is not a cron schedule ("],
      ["one that is known", "timezone", "Mars", "is not an IANA time zone"],
      ["not a dot segment", "threadId", "..", 'must not be "." or ".."'],
      ["a time", "endTime", "soon", "must be a time like 2030-01-31T12:00:00Z"],
      ["a time that servers read", "endTime", "12/31/2030", "must be a time like 2030-01-31T12:00:00Z"],
      ["one that servers take", "input", "cats", "must be an object, or a list of objects"],
      ["of objects alone", "input", [{ topic: "a" }, 1], "must be an object, or a list of objects"],
      ["not the server's own", "config.configurable.cron_id", "1", "is the server's own: use another key"],
      ["not a key that the server drops", "metadata.cron_id", "1", "is a key that the server takes out"],
      ["not rounded", "input.channel", ROUNDED, NO_ROUNDED],
      ["no import's text", "input.channel", `${ROUNDED} (a number)`, "must not be a whole number beyond 2^53"],
      ["not rounded", "context.channel", ROUNDED, NO_ROUNDED],
      ["not rounded", "config.configurable.channel", 2 ** 53, NO_ROUNDED],
      ["not rounded", "metadata.channel", ROUNDED, NO_ROUNDED],
    ]),
    [
      "no end for a thread that stays",
      { ...cron, threadId: "b0000000-0000-4000-8000-000000000001", onRunCompleted: "delete" },
      "onRunCompleted: must not be given with threadId",
    ],
    [
      "our own mark",
      { ...cron, metadata: { "pulumi-agent-platform": "1" } },
      "metadata.pulumi-agent-platform: is kept for the provider, which finds the cron by it",
    ],
    ["in any list", { ...cron, input: [{ channels: [1, -ROUNDED] }] }, `input[0].channels[1]: ${NO_ROUNDED}`],
  ],
  SandboxRegistry: [
    ...wrongIn(byRole, [
      ["a role, not its name", "awsRoleArn", "pull", 'must be like "arn:aws:iam::123456789012:role/a"'],
      ["a role, not a user", "awsRoleArn", "arn:aws:iam::123456789012:user/pull", "must be like"],
      ["nothing behind it", "awsRoleArn", `${byRole.awsRoleArn} canary`, "must be like"],
      ["not too long", "awsRoleArn", byRole.awsRoleArn + long(2048), "must be at most 2048 characters"],
      ["not a dot segment", "name", ".", 'must not be "." or ".."'],
      ["one of two", "authType", "GCP_ROLE", 'must be one of "DOCKER_CONFIG", "AWS_ROLE"'],
      ["with a role", "username", "puller", "must not be given with awsRoleArn: leave one of the two out"],
      ["with a role", "password", CANARY, "must not be given with awsRoleArn: leave one of the two out"],
    ]),
    [
      "a role without authType",
      { ...byRole, authType: undefined },
      'awsRoleArn: needs authType "AWS_ROLE"; without it, give username and password instead',
    ],
    [
      "a role that is not named",
      { ...byPassword, authType: "AWS_ROLE" },
      'awsRoleArn: is required with authType "AWS_ROLE", instead of username and password',
    ],
    ["no password", { ...byPassword, password: undefined }, "password: is required (a string)"],
    ...wrongIn(byPassword, [
      ["required", "username", undefined, "is required"],
      ["not empty", "url", "", ""],
      ["not empty", "password", "", "must not be empty"],
    ]),
  ],
  WorkspaceSecret: [
    ...wrongIn({ key: "MODEL_KEY", value: CANARY }, [
      ["a name", "key", "model-key", "must be letters, digits and underscores"],
      ["begins with a letter", "key", "1KEY", "must be letters, digits and underscores"],
      ["not empty", "value", "", "must not be empty"],
      ["a string", "value", { oops: CANARY }, "must be a string"],
      ...[
        "*",
        "*models.example",
        "https://models.example",
        "models.example:443",
        "models.example/v1",
        "Models.example",
      ].map(
        (host) => [`a host: ${host}`, "allowedHosts[0].hostPattern", host, "must be a host in lower case"] as const,
      ),
    ]),
    ...wrongIn({ key: "MODEL_KEY", value: CANARY, allowedHosts: [{ hostPattern: "*.models.example" }] }, [
      ["the name of a header", "allowedHosts[0].headerName", "a: b", "must be the name of an HTTP header"],
      ["has the secret", "allowedHosts[0].headerValueTemplate", "Bearer", 'must contain "{value}"'],
    ]),
  ],
  Rollout: [
    [
      "deploymentId is required, and the error says what to leave out with its deployment",
      { revisionId: "r" },
      /^deploymentId: is required \(a string\), and the stack has no Deployment .* add `--exclude-dependents`; if `--target` does, run `pulumi up` without it first$/,
    ],
    ...wrongIn({ deploymentId: "d" }, [
      ["not empty", "revisionId", "", "must not be empty"],
      ["has a unit", "rolloutTimeout", "30", "must be a duration like"],
      ["not a number", "rolloutTimeout", 30, 'must be a string, not a number: must be a duration like "90s"'],
      ["more than zero", "rolloutTimeout", "0s", "must be a duration like"],
    ]),
  ],
};

/** The arguments that the table of a resource type requires. */
function requiredOf(managedType: ManagedType): Row[] {
  const required = inputRows(RESOURCES[managedType].table.fields).filter(([, field]) => field.required);
  return required.map(([name]) => [
    `${name}: required`,
    { ...CASES[managedType].program, [name]: undefined },
    new RegExp(`^${name}: (is required|must be one of)`),
  ]);
}

const rowsOf = (kind: ResourceType): readonly Row[] => [
  ...MANAGED_TYPES.filter((managedType) => managedType === kind).flatMap(requiredOf),
  ...(ROWS[kind] ?? []),
];
const rows = RESOURCE_TYPES.flatMap((kind) =>
  rowsOf(kind).map(([broken, inputs, ...reasons]) => [kind, broken, inputs, reasons] as const),
);

// A key and an address, so that only the arguments are wrong; port 1 refuses every request.
const configuration = new Map([
  ["agent-platform:baseUrl", "http://127.0.0.1:1"],
  ["agent-platform:apiKey", "k"],
]);
const all = new Map(Object.entries(handlers));

async function check(kind: string, inputs: object) {
  const handler = all.get(kind);
  if (!handler) throw new Error(`no ${kind}`);
  await handler.configure({ config: { get: (key) => configuration.get(key) } });
  // Undefined keys do not cross gRPC; everything else does as it is.
  const sent = Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined));
  const { failures } = await handler.check({}, { ...sent, __provider: dynamicToken("Rollout") });
  return failures;
}

describe("a wrong argument is a check failure", () => {
  test.each(rows)("%s: %s", async (kind, _rule, inputs, reasons) => {
    const failures = await check(kind, inputs);
    // One failure a mistake: none is swallowed, and no other property is blamed.
    expect(failures.map(({ reason }) => reason)).toHaveLength(reasons.length);
    for (const [index, expected] of reasons.entries()) {
      const reason = failures[index]?.reason ?? "";
      expect(typeof expected === "string" ? reason.slice(0, expected.length) : reason).toMatch(expected);
    }
    // The engine prints the value of a named property, secret or not (docs/internals/engine.md, trap 15).
    expect(failures.every(({ property }) => property === "")).toBe(true);
    expect(JSON.stringify(failures)).not.toContain(CANARY);
    expect(JSON.stringify(failures).length).toBeLessThan(2000);
  });
});

const RIGHT: Readonly<Partial<Record<ResourceType, readonly object[]>>> = {
  SandboxTemplate: [
    template,
    { ...template, name: `a${"b".repeat(62)}` },
    {
      ...withRule({ matchHosts: ["*.example.com", "a_b.example:8443"], matchPaths: ["/v1/*"], enabled: false }),
      volumeMounts: [],
    },
    withRule({ injectHeaders: { A: "${A}-${B_2}$5 {x}" } }),
    { name: UNKNOWN, image: UNKNOWN, resources: UNKNOWN, volumeMounts: UNKNOWN, proxyConfig: UNKNOWN },
    {
      ...template,
      resources: { cpu: UNKNOWN },
      volumeMounts: [UNKNOWN, { volumeName: UNKNOWN, mountPath: UNKNOWN }],
    },
    { ...template, extra: { new_field: [1, null] } },
  ],
  // A character may be two units of a text.
  SandboxSnapshot: [{ ...snapshot, description: "🐍".repeat(1024) }],
  SandboxVolume: [
    { name: "data", sizeBytes: 1, description: "", labels: {} },
    { name: "data", sourceVolume: UNKNOWN },
    { name: "data", sizeBytes: UNKNOWN },
  ],
  SandboxRegistry: [
    { ...byPassword, authType: "DOCKER_CONFIG" },
    byPassword,
    byRole,
    { ...byRole, awsRoleArn: "arn:aws-us-gov:iam::123456789012:role/images/pull" },
    { ...byRole, authType: UNKNOWN, awsRoleArn: UNKNOWN },
    { ...byPassword, authType: UNKNOWN },
  ],
  OAuthProvider: [
    {
      ...provider,
      clientSecret: "s",
      usesPkce: true,
      codeChallengeMethod: "plain",
      tokenEndpointAuthMethod: "client_secret_basic",
    },
    Object.fromEntries(Object.keys({ ...provider, clientSecret: 1, usesPkce: 1 }).map((key) => [key, UNKNOWN])),
    { ...provider, extra: UNKNOWN },
  ],
  Deployment: [
    deployment,
    repository,
    withConfig(repository, { buildOnPush: true, installCommand: "npm ci", buildCommand: "make" }),
    { ...tagged, sourceConfig: repository.sourceConfig, secretReferences: [] },
    uploaded,
    { ...uploaded, source: "internal_docker", sourceRevisionConfig: { imageUri: "a:1" } },
    made,
    // What the table does not name is the platform's to judge.
    withRevision(withConfig(repository, { templateId: "t" }), { sourceTarballPath: "t/1" }),
    withConfig(deployment, { installCommand: "make", templateId: "t", customUrl: "agent.example:8443" }),
    { ...deployment, environmentVariables: { PORT: "80", "1-A.b c": "" }, secretReferences: references },
    // Of a value that is not known yet, nobody knows whether it is there.
    { ...repository, source: UNKNOWN, secretReferences: references },
    { ...repository, sourceConfig: UNKNOWN, sourceRevisionConfig: UNKNOWN, secretReferences: UNKNOWN },
    withRevision(withConfig(repository, { deploymentType: UNKNOWN, resourceSpec: UNKNOWN, buildOnPush: UNKNOWN }), {
      repoRef: "refs/tags/v1",
      imageUri: UNKNOWN,
    }),
    spec({ cpu: UNKNOWN, cpuLimit: 16, imagePullSecrets: [{ name: UNKNOWN }], volumes: [UNKNOWN] }),
    {
      ...deployment,
      environmentVariables: { A: "", _B: "multi\nline" },
      secrets: { C: "x" },
      extra: { new_field: [1, null] },
      redeployTrigger: 5,
    },
    {
      ...spec({ minScale: 0, maxScale: 3, cpu: 0.5, cpuLimit: 1, labels: { "a.b/c": "d" } }),
      secrets: UNKNOWN,
      redeployTrigger: UNKNOWN,
    },
  ],
  Cron: ["2030-01-31", "2030-01-31 12:00", "2030-01-31T12:00:00.5+01:00", UNKNOWN].map((endTime) => ({
    ...cron,
    endTime,
  })),
  RunCheck: [
    { url: UNKNOWN, assistantId: UNKNOWN, input: UNKNOWN, revisionId: UNKNOWN, expect: UNKNOWN },
    { ...runCheck, revisionId: null, input: { a: [UNKNOWN] }, attempts: 3, interval: "1s", runTimeout: "2m" },
    expecting({ modes: ["values"], nodes: ["a"], values: [{ mode: "values", path: 'a[0]["b.c"]', equals: null }] }),
  ],
  Rollout: [
    { deploymentId: UNKNOWN, revisionId: UNKNOWN },
    { deploymentId: "d", revisionId: null, rolloutTimeout: "1h30m" },
  ],
};

describe.each(Object.entries(RIGHT))("right arguments of a %s pass", (kind, given) => {
  test.each(given)("%#", async (inputs) => expect(await check(kind, inputs)).toEqual([]));
});
