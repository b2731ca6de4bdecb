import { dynamicToken, RESOURCE_TYPES, nativeToken, type ResourceType } from "../../provider/resources/resource-types";
import { policies, RULES, type PolicySettings } from ".";
import { kindOf } from "./index";
import { unmatched } from "./rule";
import { plain, UNKNOWN_PROP, type Props } from "./props";
import { unchecked, type DependentNode } from "./run-checks";

/** A value as the engine passes a wrapped secret. */
const secret = (value: unknown) => ({ "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value });

/** Inputs as @pulumi/policy passes them at preview: reading an unknown value throws. */
function asPassed(value: unknown): unknown {
  if (Array.isArray(value)) return Object.defineProperties([], Object.getOwnPropertyDescriptors(passed(value)));
  return typeof value === "object" && value !== null ? passed(value) : value;
}

function passed(container: object): object {
  const made = Array.isArray(container) ? [] : {};
  for (const [key, value] of Object.entries(container)) {
    const get = (): unknown => {
      if (value === UNKNOWN_PROP) throw new Error("not known during preview");
      return asPassed(value);
    };
    Object.defineProperty(made, key, { enumerable: true, configurable: true, get });
  }
  return made;
}

const PACK: PolicySettings = {
  "listener-namespaces": { namespaces: ["agents", "team-*"] },
  "protected-deployments": { deployments: ["prod-*"] },
};

/** What a row says besides the inputs. */
interface More {
  /** @default the first kind of the rule */
  readonly kind?: ResourceType;
  readonly name?: string;
  readonly protect?: boolean;
  /** What the pack's program says. @default {@link PACK} */
  readonly given?: PolicySettings;
  /** The configuration of the pack, which goes over that. */
  readonly configured?: object;
}

/** The violations that a policy of the pack reports of one resource of this type. */
function violationsOf(rule: string, type: string, props: Props, more: More = {}): string[] {
  const { name = "r", protect = false, given = PACK, configured = {} } = more;
  const policy = policies(given).find((each) => each.name === rule);
  if (policy === undefined || !("validateResource" in policy) || typeof policy.validateResource !== "function") {
    throw new Error(`there is no rule ${rule}`);
  }
  const reported: string[] = [];
  const args = { type, name, props: asPassed(props), opts: { protect }, getConfig: () => configured };
  Reflect.apply(policy.validateResource, undefined, [args, (text: string) => reported.push(text)]);
  return reported;
}

const kindsOf = (rule: string): readonly ResourceType[] =>
  Object.values(RULES).find(({ name }) => name === rule)?.kinds ?? [];
const pathOf = (problem: string): string => problem.slice(0, problem.indexOf(":"));

const oauth = (over: Props = {}): Props => ({
  authUrl: "https://a.example/auth",
  tokenUrl: "https://a.example/token",
  ...over,
});
const hosts = (...matchHosts: unknown[]): Props => ({ proxyConfig: { rules: [{ name: "r", matchHosts }] } });
const resources = (of: Props): Props => ({ resources: of });
const spec = (resourceSpec: unknown): Props => ({ sourceConfig: { resourceSpec } });
const imageUri = (uri: unknown): Props => ({ sourceRevisionConfig: { imageUri: uri } });
const built = (repoRef = "main"): Props => ({
  source: "github",
  sourceRevisionConfig: { repoRef, langgraphConfigPath: "langgraph.json" },
});
const BUILT = "sourceRevisionConfig.langgraphConfigPath";
const env = (environmentVariables: Props): Props => ({ environmentVariables });
const listener = (k8sNamespaces: unknown): Props => ({ computeId: "c", computeConfig: { k8sNamespaces } });
const inNamespace = (k8sNamespace: string): Props => ({ sourceConfig: { listenerConfig: { k8sNamespace } } });
const DIGEST = "sha256:" + "0a".repeat(32);

/** Of a rule: inputs, the properties that it refuses, and what else is said of the resource or of the rule. */
type Row = [why: string, props: Props, refused: string[], more?: More];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  "encrypted-urls": [
    ["https is encrypted", oauth(), []],
    ["http is not", oauth({ authUrl: "http://a.example/auth" }), ["authUrl"]],
    ["a scheme has no case", oauth({ tokenUrl: "HTTP://a.example/token" }), ["tokenUrl"]],
    ["no exception for this machine", oauth({ authUrl: "http://127.0.0.1/a" }), ["authUrl"]],
    [
      "each is named",
      { sourceConfig: { repoUrl: "http://a.example/r", customUrl: "http://a.example" } },
      ["sourceConfig.repoUrl", "sourceConfig.customUrl"],
    ],
    ["ssh is encrypted", { sourceConfig: { repoUrl: "ssh://git@a.example/r" } }, []],
    ["the git protocol is not", { sourceConfig: { repoUrl: "git://a.example/r" } }, ["sourceConfig.repoUrl"]],
    ["the agent's own variables are its business", { environmentVariables: { modelUrl: "http://model" } }, []],
    ["unknown until up", oauth({ authUrl: UNKNOWN_PROP }), []],
    ["the provider refuses a text that is not a URL", oauth({ authUrl: "a" }), []],
    ["a host with a port has no scheme", { sourceConfig: { customUrl: "a.example:8443" } }, []],
    ["a registry gets a password", { url: "http://registry.example" }, ["url"], { kind: "SandboxRegistry" }],
    ["a registry without a scheme", { url: "registry.example:5000/team" }, [], { kind: "SandboxRegistry" }],
    [
      "a host that the pack allows",
      oauth({ authUrl: "http://localhost/a", tokenUrl: "http://b.localhost" }),
      ["tokenUrl"],
      { configured: { allowHosts: ["localhost"] } },
    ],
  ],
  "pkce-for-public-clients": [
    ["a confidential client proves itself", oauth({ clientSecret: "s" }), []],
    ["a public client with PKCE", oauth({ usesPkce: true }), []],
    ["no secret, no PKCE", oauth(), ["usesPkce"]],
    ["a secret that is null is none", oauth({ clientSecret: null }), ["usesPkce"]],
    ["PKCE switched off", oauth({ usesPkce: false }), ["usesPkce"]],
    ["method none", oauth({ tokenEndpointAuthMethod: "none", clientSecret: "s" }), ["usesPkce"]],
    ["a challenge without use", oauth({ usesPkce: true, codeChallengeMethod: "plain" }), ["codeChallengeMethod"]],
    ["a secret that is not known yet counts as a secret", oauth({ clientSecret: UNKNOWN_PROP }), []],
    ["PKCE not known yet", oauth({ usesPkce: UNKNOWN_PROP }), []],
  ],
  "no-wildcard-proxy-hosts": [
    ["a host by its name", hosts("api.example.com", "a.example:8443"), []],
    ["no proxy at all", {}, []],
    ["every host", hosts("api.example.com", "*"), ["proxyConfig.rules[0].matchHosts[1]"]],
    ["every subdomain", hosts("*.example.com"), ["proxyConfig.rules[0].matchHosts[0]"]],
    ["a wildcard in the middle", hosts("api-*.example.com"), ["proxyConfig.rules[0].matchHosts[0]"]],
    ["unknown host", hosts(UNKNOWN_PROP), []],
    ["unknown rules", { proxyConfig: UNKNOWN_PROP }, []],
    [
      "only the wildcard that the pack allows",
      hosts("*.a.example", "*.b.example"),
      ["proxyConfig.rules[0].matchHosts[1]"],
      { configured: { allow: ["*.a.example"] } },
    ],
  ],
  "template-ceilings": [
    ["at the ceiling", resources({ cpu: "4", memory: "8Gi" }), []],
    ["by value: 4000m is 4", resources({ cpu: "4000m", memory: "8192Mi" }), []],
    ["by value: 4001m is more", resources({ cpu: "4001m" }), ["resources.cpu"]],
    ["Gi and G differ", resources({ memory: "8.5G" }), []],
    ["too much of both", resources({ cpu: "5", memory: "9Gi" }), ["resources.cpu", "resources.memory"]],
    ["unknown", resources({ cpu: UNKNOWN_PROP }), []],
    ["not declared: the platform's default", resources({}), []],
    [
      "the pack's own ceilings",
      resources({ cpu: "3", memory: "99Gi" }),
      ["resources.cpu"],
      { given: { "template-ceilings": { ceilings: { "resources.cpu": "2" } } } },
    ],
    [
      "configuration goes over what the program gives",
      resources({ cpu: "3" }),
      [],
      {
        given: { "template-ceilings": { ceilings: { "resources.cpu": "2" } } },
        configured: { ceilings: { "resources.cpu": "3" } },
      },
    ],
  ],
  "deployment-ceilings": [
    ["at the ceiling", spec({ maxScale: 10, cpu: 4, memoryMb: 8192 }), []],
    [
      "above it, each",
      spec({ maxScale: 11, cpu: 4.5, memoryMb: 8193 }),
      ["sourceConfig.resourceSpec.maxScale", "sourceConfig.resourceSpec.cpu", "sourceConfig.resourceSpec.memoryMb"],
    ],
    ["limits do not get around it", spec({ cpu: 1, cpuLimit: 64 }), ["sourceConfig.resourceSpec.cpuLimit"]],
    [
      "numbers that no quantity spells",
      spec({ cpu: 100.00000000001, memoryMb: 1e21 }),
      ["sourceConfig.resourceSpec.cpu", "sourceConfig.resourceSpec.memoryMb"],
    ],
    ["unknown", { sourceConfig: UNKNOWN_PROP }, []],
  ],
  "pinned-template-image": [
    ["a version", { image: "python:3.12-slim" }, []],
    ["no tag", { image: "python" }, ["image"]],
    ["latest", { image: "python:latest" }, ["image"]],
    ["a digest", { image: `python@${DIGEST}` }, []],
    ["a digest beats the tag beside it", { image: `python:latest@${DIGEST}` }, []],
    ["unknown", { image: UNKNOWN_PROP }, []],
    ["a tag, where only a digest will do", { image: "python:3.12" }, ["image"], { configured: { digest: true } }],
    ["a digest, where only a digest will do", { image: `python@${DIGEST}` }, [], { configured: { digest: true } }],
  ],
  "pinned-deployment-image": [
    ["a version", imageUri("r.example/a:1.0.0"), []],
    ["a port is not a tag", imageUri("host:5000/a"), ["sourceRevisionConfig.imageUri"]],
    ["a port and a tag", imageUri("host:5000/a:1"), []],
    ["latest behind a port", imageUri("host:5000/a:latest"), ["sourceRevisionConfig.imageUri"]],
    ["an empty tag", imageUri("r.example/a:"), ["sourceRevisionConfig.imageUri"]],
    ["built from source: no image", { source: "github" }, []],
  ],
  "pinned-server-version": [
    ["an image brings its server", imageUri("r.example/a:1.0.0"), []],
    ["what the platform builds", built(), [BUILT]],
    ["a commit pins no server", built("0a".repeat(20)), [BUILT]],
    ["an upload", { sourceRevisionConfig: { sourceTarballPath: "a", langgraphConfigPath: "b" } }, [BUILT]],
    ["an image that was built elsewhere", { sourceRevisionConfig: { imageUri: "a:1", langgraphConfigPath: "b" } }, []],
    ["a template of the platform has a file of its own", { sourceConfig: { templateId: "t" } }, []],
    ["unknown", { sourceRevisionConfig: UNKNOWN_PROP }, []],
    ["one that the pack says is pinned", built(), [], { name: "desk", configured: { pinned: ["de*"] } }],
    ["any other one", built(), [BUILT], { configured: { pinned: ["de*"] } }],
  ],
  "no-secrets-in-environment": [
    [
      "plain settings",
      env({ LEVEL: "info", MAX_TOKENS: "4096", URL: "https://a.example/x?y=1", HOST: "db.internal:5432" }),
      [],
    ],
    ["a name", env({ MODEL_API_KEY: "x" }), ["environmentVariables.MODEL_API_KEY"]],
    ["a name in camel case", env({ clientSecret: "x" }), ["environmentVariables.clientSecret"]],
    [
      "DB_PASSWORD, SLACK_TOKEN",
      env({ DB_PASSWORD: "x", SLACK_TOKEN: "x" }),
      ["environmentVariables.DB_PASSWORD", "environmentVariables.SLACK_TOKEN"],
    ],
    [
      "names of what is only about a secret",
      env({ API_KEY_FILE: "/run/key", TOKEN_URL: "https://a.example/token", SECRET_NAME: "main" }),
      [],
    ],
    ["a switch, and an empty value", env({ USE_TOKEN: "true", OLD_PASSWORD: "" }), []],
    ["a private key", env({ SIGN: "-----BEGIN EC PRIVATE KEY-----\nabc" }), ["environmentVariables.SIGN"]],
    [
      "the form of a token",
      env({ A: "ghp_" + "a1".repeat(18), B: "AKIAIOSFODNN7EXAMPLE", C: "sk-proj-abcdefghijklmnopqrst" }),
      ["environmentVariables.A", "environmentVariables.B", "environmentVariables.C"],
    ],
    ["a signed token", env({ A: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc" }), ["environmentVariables.A"]],
    ["a URL with a password", env({ DATABASE: "postgres://u:pw@db.example/x" }), ["environmentVariables.DATABASE"]],
    ["random characters", env({ A: "q8Zr2LmX0vTn5KbYc3Hd7Wf" }), ["environmentVariables.A"]],
    ["no less random as base64", env({ A: "4fZ+Lk/9sQe1Vb7Yt0Xw3Rp6==" }), ["environmentVariables.A"]],
    [
      "a commit, a UUID, an image, a sentence, a path, a name",
      env({
        A: "9fceb02d0ae598e95dc970b74767f19372d61af8",
        B: "5a3f2c1e-7b4d-4f60-9a51-0c2d3e4f5a6b",
        C: "registry.example/Agents/Desk:1.4.0",
        D: "Answer in 3 short Sentences, please",
        E: "/Users/Shared/models/2",
        F: "production-europe-west1-primary-a",
      }),
      [],
    ],
    [
      "allowed by the pack",
      env({ PUBLIC_TOKEN: "x", PUBLIC_KEYS_A: "x", OTHER_TOKEN: "x" }),
      ["environmentVariables.OTHER_TOKEN"],
      { configured: { allow: ["PUBLIC_*"] } },
    ],
    [
      "the pack's own measure of randomness",
      env({ A: "aB3aB3aB3aB3" }),
      ["environmentVariables.A"],
      { configured: { minLength: 12, entropy: 1.5 } },
    ],
    [
      "a wrapped secret is judged like a plain one",
      env({ API_KEY: secret("x"), LEVEL: secret("info") }),
      ["environmentVariables.API_KEY"],
    ],
    ["unknown", env({ API_KEY: UNKNOWN_PROP }), []],
    ["all unknown", { environmentVariables: UNKNOWN_PROP }, []],
    ["in secrets, where it belongs", { secrets: secret({ API_KEY: "x" }) }, []],
  ],
  "protected-deployments": [
    ["a protected one", {}, [], { name: "prod-desk", protect: true }],
    ["one that counts as protected and is not", {}, ["protect"], { name: "prod-desk" }],
    ["any other", {}, [], { name: "dev-desk" }],
  ],
  "listener-namespaces": [
    ["allowed ones", listener(["agents", "team-a"]), []],
    [
      "each that is not allowed",
      listener(["agents", "kube-system", "team"]),
      ["computeConfig.k8sNamespaces[1]", "computeConfig.k8sNamespaces[2]"],
    ],
    ["those that the platform chooses", { computeConfig: {} }, ["computeConfig.k8sNamespaces"]],
    ["unknown", listener(UNKNOWN_PROP), []],
    ["one unknown", listener([UNKNOWN_PROP, "agents"]), []],
    ["none is allowed", listener(["agents"]), ["computeConfig.k8sNamespaces[0]"], { configured: { namespaces: [] } }],
    ["all are, where the pack says nothing", listener(["kube-system"]), [], { given: {} }],
    ["a deployment", inNamespace("kube-system"), ["sourceConfig.listenerConfig.k8sNamespace"], { kind: "Deployment" }],
    ["what a deployment may ask for", inNamespace("team-b"), [], { kind: "Deployment" }],
    ["a deployment without a listener", { sourceConfig: {} }, [], { kind: "Deployment" }],
  ],
};

describe("rules", () => {
  test.each<[rule: string, ...Row]>(
    Object.entries(ROWS).flatMap(([rule, rows]) => rows.map((row): [string, ...Row] => [rule, ...row])),
  )("%s: %s", (rule, _why, props, refused, more: More = {}) => {
    const kind = more.kind ?? kindsOf(rule)[0] ?? "Deployment";
    for (const type of [dynamicToken(kind), nativeToken(kind)]) {
      const problems = violationsOf(rule, type, props, more);
      expect(problems.map(pathOf)).toEqual(refused);
      // Property, reason and remedy: two sentences behind a path.
      for (const problem of problems)
        expect(problem).toMatch(/^[\w.[\]]+: .+\. (Use|Set|Write|Give|Add|Move|Ask|No) .+/);
    }
    // Of other kinds it says nothing.
    for (const other of RESOURCE_TYPES.filter((each) => !kindsOf(rule).includes(each)))
      expect(violationsOf(rule, nativeToken(other), props, more)).toEqual([]);
  });

  test("every rule has rows that it allows and rows that it refuses", () => {
    for (const name of Object.keys(RULES)) {
      const outcomes = ROWS[name]?.map(([, , refused]) => refused.length > 0);
      expect({ name, outcomes: new Set(outcomes) }).toEqual({ name, outcomes: new Set([true, false]) });
    }
  });

  test("of values, a message has only amounts, as they are spelled", () => {
    const props = resources({ cpu: "4001m", memory: UNKNOWN_PROP });
    expect(violationsOf("template-ceilings", nativeToken("SandboxTemplate"), props).join()).toMatch(
      /^resources\.cpu: 4001m is more than the ceiling of 4, /,
    );
  });

  test("no message holds any other value", () => {
    const url = "http://user:canary@a.example";
    const bad: Props = {
      authUrl: secret(url),
      image: "canary",
      ...imageUri("canary"),
      ...hosts("*.canary"),
      codeChallengeMethod: "canary",
      ...env({ API_KEY: "canary", DB: url, RANDOM: "canary8Zr2LmX0vTn5KbYc3" }),
      computeConfig: { k8sNamespaces: ["canary"] },
    };
    const said = Object.values(RULES).flatMap(({ name, kinds }) =>
      kinds.flatMap((kind) => violationsOf(name, nativeToken(kind), bad)),
    );
    expect(said.length).toBeGreaterThanOrEqual(9);
    expect(said.join()).not.toContain("canary");
  });

  test("a value that throws when read is unknown, and hides nothing beside it", () => {
    const props = passed({ authUrl: UNKNOWN_PROP, tokenUrl: "http://a.example" });
    expect(plain(Object.fromEntries([["p", props]]))).toEqual({
      p: { authUrl: UNKNOWN_PROP, tokenUrl: "http://a.example" },
    });
  });

  test("a type of this provider that no rule can match is reported, and no other", () => {
    expect(RESOURCE_TYPES.flatMap((kind) => [dynamicToken(kind), nativeToken(kind)]).map(kindOf)).toEqual(
      RESOURCE_TYPES.flatMap((kind) => [kind, kind]),
    );
    const others = [
      "pulumi:providers:agent-platform",
      "pulumi:pulumi:Stack",
      "aws:s3/bucket:Bucket",
      "my:agent-platform:Team",
      // Of a component, the rules check what is in it.
      "agent-platform:index:Agent",
      "agent-platform:index:AgentEnvironment",
    ];
    expect(unmatched(others)).toEqual([]);
    const newer = ["agent-platform:index:Newer", "pulumi-nodejs:dynamic/agent-platform:Newer"];
    expect(unmatched([...newer, ...newer, nativeToken("Deployment")])).toEqual(newer);
  });
});

describe("a pack", () => {
  const named = (given: PolicySettings) =>
    policies(given).map(({ name, enforcementLevel }) => `${name} ${enforcementLevel ?? ""}`);

  test("has every rule, mandatory but for what no program can show, unless it says otherwise", () => {
    const whole = [...Object.keys(RULES), "run-check-for-every-deployment", "every-resource-is-checked"];
    const level = (name: string) => (name === "pinned-server-version" ? "advisory" : "mandatory");
    expect(named({})).toEqual(whole.map((name) => `${name} ${level(name)}`));
    expect(named({ "pinned-server-version": { enforcementLevel: "mandatory" } })).toContain(
      "pinned-server-version mandatory",
    );
    const changed = named({
      "pkce-for-public-clients": { enforcementLevel: "advisory" },
      "run-check-for-every-deployment": false,
    });
    expect(changed).toHaveLength(whole.length - 1);
    expect(changed).toContain("pkce-for-public-clients advisory");
  });

  test("describes its settings to the engine, without defaults that would go over what it gives", () => {
    const schemas = policies().map(({ name, configSchema }) => [name, configSchema?.properties] as const);
    const { "pinned-template-image": pinned, "no-secrets-in-environment": secrets } = Object.fromEntries(schemas);
    expect(pinned).toEqual({
      digest: { type: "boolean", description: "Whether only a digest will do: any tag can be moved." },
    });
    expect(secrets).toMatchObject({
      allow: { type: "array", items: { type: "string" } },
      minLength: { type: "integer", minimum: 1 },
    });
    expect(JSON.stringify(schemas)).not.toContain('"default"');
    for (const [name, properties = {}] of schemas)
      for (const [setting, schema] of Object.entries(properties))
        expect([name, setting, schema.description]).toEqual([name, setting, expect.stringMatching(/\w/)]);
  });

  // As a program in JavaScript may write it.
  const wrong: [string, object, RegExp][] = [
    [
      "no such policy",
      { "encrypted-url": {} },
      /^there is no policy "encrypted-url"\. There are: .*; did you mean encrypted-urls\?$/,
    ],
    ["no such setting", { "encrypted-urls": { hosts: [] } }, /^policy encrypted-urls: .*"hosts"/s],
    ["another type", { "pinned-template-image": { digest: "yes" } }, /^policy pinned-template-image: .*digest/s],
    [
      "no quantity",
      { "template-ceilings": { ceilings: { "resources.cpu": "four" } } },
      /must be a quantity like "4" or "8Gi"/,
    ],
    [
      "a ceiling of no property, which would bound nothing",
      { "template-ceilings": { ceilings: { "resource.cpu": "4" } } },
      /^policy template-ceilings: .*"resource\.cpu" is no property of a SandboxTemplate.*resources\.cpu/s,
    ],
    [
      "a ceiling below the properties of a deployment",
      { "deployment-ceilings": { ceilings: { "sourceConfig.resourceSpec.memory": "4" } } },
      /is no property of a Deployment/,
    ],
    ["no level", { "encrypted-urls": { enforcementLevel: "strict" } }, /^policy encrypted-urls: .*enforcementLevel/s],
  ];
  test.each(wrong)("with %s is refused where it is made", (_why, given, reason) => {
    expect(() => policies(given)).toThrow(reason);
  });

  test("with such a setting in its configuration, the policy says so", () => {
    const configured = { digest: "yes" };
    expect(() => violationsOf("pinned-template-image", nativeToken("SandboxTemplate"), {}, { configured })).toThrow(
      /^policy pinned-template-image: /,
    );
  });
});

describe("run-check-for-every-deployment", () => {
  const node = (
    kind: ResourceType,
    name: string,
    more: Partial<DependentNode> = {},
    type = nativeToken(kind),
  ): DependentNode => ({
    type,
    name,
    urn: `urn:${kind}:${name}`,
    parent: undefined,
    dependencies: [],
    propertyDependencies: {},
    ...more,
  });
  const missing = (nodes: readonly DependentNode[], exempt: readonly string[] = []) =>
    unchecked(nodes, exempt).map(({ name }) => name);

  test.each([
    ["dynamic", dynamicToken],
    ["native", nativeToken],
  ] as const)("%s: a check counts for the deployment whose address it uses, and for no other", (_front, token) => {
    const of = (kind: ResourceType, name: string, more: Partial<DependentNode> = {}) =>
      node(kind, name, more, token(kind));
    const desk = of("Deployment", "desk");
    const rollout = of("Rollout", "desk", { propertyDependencies: { deploymentId: [desk] } });
    const other = of("Deployment", "other", { dependencies: [desk] });
    const check = of("RunCheck", "desk", { propertyDependencies: { url: [rollout], revisionId: [rollout] } });
    expect(missing([desk, rollout, other, check])).toEqual(["other"]);
    expect(missing([desk, rollout, other])).toEqual(["desk", "other"]);
    expect(missing([desk, other], ["o*"])).toEqual(["desk"]);
  });

  test("of a program without the SDK's class, by the rollout's own input, or by dependsOn", () => {
    const desk = node("Deployment", "desk");
    const rollout = node("Rollout", "wait", { propertyDependencies: { deploymentId: [desk] } });
    expect(missing([desk, rollout, node("RunCheck", "c", { propertyDependencies: { url: [rollout] } })])).toEqual([]);
    expect(missing([desk, node("RunCheck", "c", { dependencies: [desk] })])).toEqual([]);
  });

  test("what a check merely mentions is not checked by it", () => {
    const [desk, peer] = [node("Deployment", "desk"), node("Deployment", "peer")];
    const all = { dependencies: [desk, peer] };
    const asks = { url: [desk], input: [peer] };
    expect(missing([desk, peer, node("RunCheck", "c", { ...all, propertyDependencies: asks })])).toEqual(["peer"]);
    // Of an assistant's deployment it says nothing by that alone.
    const assistant = { assistantId: [node("Assistant", "triage")] };
    expect(missing([desk, node("RunCheck", "c", { ...all, propertyDependencies: assistant })])).toEqual([]);
  });

  test("by the outputs of an assistant or of a component, which depend on that alone", () => {
    const desk = node("Deployment", "desk");
    const triage = node("Assistant", "triage", {
      propertyDependencies: { url: [node("Rollout", "desk", { propertyDependencies: { deploymentId: [desk] } })] },
    });
    const ofAssistant = { url: [triage], deploymentId: [triage], assistantId: [triage] };
    expect(missing([desk, triage, node("RunCheck", "c", { propertyDependencies: ofAssistant })])).toEqual([]);
    const stack = { ...desk, type: "pulumi:pulumi:Stack", urn: "urn:stack" };
    const agent = { ...desk, type: "agent-platform:index:Agent", urn: "urn:agent", parent: stack };
    const inside = node("Deployment", "inside", {
      parent: { ...agent, type: "my:own:Part", urn: "urn:part", parent: agent },
    });
    const beside = node("Deployment", "beside", { parent: stack });
    const ofAgent = node("RunCheck", "c", {
      parent: stack,
      propertyDependencies: { url: [agent], deploymentId: [agent] },
    });
    expect(missing([inside, beside, ofAgent])).toEqual(["beside"]);
  });

  test("what a deployment uses does not make it checked", () => {
    const template = node("SandboxTemplate", "code");
    const desk = node("Deployment", "desk", { propertyDependencies: { environmentVariables: [template] } });
    expect(missing([template, desk, node("RunCheck", "c", { dependencies: [template] })])).toEqual(["desk"]);
  });
});
