import { plain, UNKNOWN, type Props } from "../../examples/gitops/policy/props";
import { rules } from "../../examples/gitops/policy/rules";

function problemsOf(rule: string, props: Props): string[] {
  const found = rules.find(({ name }) => name === rule);
  if (!found) throw new Error(`there is no rule ${rule}`);
  return found.problems(props);
}

const oauth = (over: Props = {}): Props => ({
  authUrl: "https://a.example/auth",
  tokenUrl: "https://a.example/token",
  ...over,
});
const hosts = (...matchHosts: unknown[]): Props => ({ proxyConfig: { rules: [{ name: "r", matchHosts }] } });
const resources = (of: Props): Props => ({ resources: of });
const spec = (resourceSpec: unknown): Props => ({ sourceConfig: { resourceSpec } });
const imageUri = (uri: unknown): Props => ({ sourceRevisionConfig: { imageUri: uri } });
const DIGEST = "sha256:" + "0a".repeat(32);

/** Rule, why, inputs, and the properties that it refuses. */
const ROWS: [string, string, Props, string[]][] = [
  ["encrypted-urls", "https is encrypted", oauth(), []],
  ["encrypted-urls", "http is not", oauth({ authUrl: "http://a.example/auth" }), ["authUrl"]],
  ["encrypted-urls", "a scheme has no case", oauth({ tokenUrl: "HTTP://a.example/token" }), ["tokenUrl"]],
  ["encrypted-urls", "no exception for this machine", oauth({ authUrl: "http://127.0.0.1/a" }), ["authUrl"]],
  [
    "encrypted-urls",
    "each is named",
    { sourceConfig: { repoUrl: "http://a.example/r", customUrl: "http://a.example" } },
    ["sourceConfig.repoUrl", "sourceConfig.customUrl"],
  ],
  ["encrypted-urls", "ssh is encrypted", { sourceConfig: { repoUrl: "ssh://git@a.example/r" } }, []],
  [
    "encrypted-urls",
    "the git protocol is not",
    { sourceConfig: { repoUrl: "git://a.example/r" } },
    ["sourceConfig.repoUrl"],
  ],
  [
    "encrypted-urls",
    "the agent's own variables are its business",
    { environmentVariables: { modelUrl: "http://model" } },
    [],
  ],
  ["encrypted-urls", "unknown until up", oauth({ authUrl: UNKNOWN }), []],
  ["encrypted-urls", "the provider refuses a text that is not a URL", oauth({ authUrl: "a" }), []],

  ["pkce-for-public-clients", "a confidential client proves itself", oauth({ clientSecret: "s" }), []],
  ["pkce-for-public-clients", "a public client with PKCE", oauth({ usesPkce: true }), []],
  ["pkce-for-public-clients", "no secret, no PKCE", oauth(), ["usesPkce"]],
  ["pkce-for-public-clients", "PKCE switched off", oauth({ usesPkce: false }), ["usesPkce"]],
  [
    "pkce-for-public-clients",
    "method none",
    oauth({ tokenEndpointAuthMethod: "none", clientSecret: "s" }),
    ["usesPkce"],
  ],
  [
    "pkce-for-public-clients",
    "a challenge that hides nothing",
    oauth({ usesPkce: true, codeChallengeMethod: "plain" }),
    ["codeChallengeMethod"],
  ],
  [
    "pkce-for-public-clients",
    "a secret that is not known yet counts as a secret",
    oauth({ clientSecret: UNKNOWN }),
    [],
  ],
  ["pkce-for-public-clients", "PKCE not known yet", oauth({ usesPkce: UNKNOWN }), []],

  ["no-wildcard-proxy-hosts", "a host by its name", hosts("api.example.com", "a.example:8443"), []],
  ["no-wildcard-proxy-hosts", "no proxy at all", {}, []],
  ["no-wildcard-proxy-hosts", "every host", hosts("api.example.com", "*"), ["proxyConfig.rules[0].matchHosts[1]"]],
  ["no-wildcard-proxy-hosts", "every subdomain", hosts("*.example.com"), ["proxyConfig.rules[0].matchHosts[0]"]],
  [
    "no-wildcard-proxy-hosts",
    "a wildcard in the middle",
    hosts("api-*.example.com"),
    ["proxyConfig.rules[0].matchHosts[0]"],
  ],
  ["no-wildcard-proxy-hosts", "unknown host", hosts(UNKNOWN), []],
  ["no-wildcard-proxy-hosts", "unknown rules", { proxyConfig: UNKNOWN }, []],

  ["template-ceilings", "at the ceiling", resources({ cpu: "4", memory: "8Gi" }), []],
  ["template-ceilings", "by value: 4000m is 4", resources({ cpu: "4000m", memory: "8192Mi" }), []],
  ["template-ceilings", "by value: 4001m is more", resources({ cpu: "4001m" }), ["resources.cpu"]],
  ["template-ceilings", "Gi and G differ", resources({ memory: "8.5G" }), []],
  [
    "template-ceilings",
    "too much of both",
    resources({ cpu: "5", memory: "9Gi" }),
    ["resources.cpu", "resources.memory"],
  ],
  ["template-ceilings", "unknown", resources({ cpu: UNKNOWN }), []],
  ["template-ceilings", "not declared: the platform's default", resources({}), []],
  ["deployment-ceilings", "at the ceiling", spec({ maxScale: 10, cpu: 4, memoryMb: 8192 }), []],
  [
    "deployment-ceilings",
    "above it, each",
    spec({ maxScale: 11, cpu: 4.5, memoryMb: 8193 }),
    ["sourceConfig.resourceSpec.maxScale", "sourceConfig.resourceSpec.cpu", "sourceConfig.resourceSpec.memoryMb"],
  ],
  [
    "deployment-ceilings",
    "limits do not get around it",
    spec({ cpu: 1, cpuLimit: 64 }),
    ["sourceConfig.resourceSpec.cpuLimit"],
  ],
  ["deployment-ceilings", "unknown", { sourceConfig: UNKNOWN }, []],

  ["pinned-template-image", "a version", { image: "python:3.12-slim" }, []],
  ["pinned-template-image", "no tag", { image: "python" }, ["image"]],
  ["pinned-template-image", "latest", { image: "python:latest" }, ["image"]],
  ["pinned-template-image", "a digest", { image: `python@${DIGEST}` }, []],
  ["pinned-template-image", "a digest beats the tag beside it", { image: `python:latest@${DIGEST}` }, []],
  ["pinned-template-image", "unknown", { image: UNKNOWN }, []],
  ["pinned-deployment-image", "a version", imageUri("r.example/a:1.0.0"), []],
  ["pinned-deployment-image", "a port is not a tag", imageUri("host:5000/a"), ["sourceRevisionConfig.imageUri"]],
  ["pinned-deployment-image", "a port and a tag", imageUri("host:5000/a:1"), []],
  [
    "pinned-deployment-image",
    "latest behind a port",
    imageUri("host:5000/a:latest"),
    ["sourceRevisionConfig.imageUri"],
  ],
  ["pinned-deployment-image", "an empty tag", imageUri("r.example/a:"), ["sourceRevisionConfig.imageUri"]],
  ["pinned-deployment-image", "built from source: no image", { source: "github" }, []],
];

describe("policies", () => {
  test.each(ROWS)("%s: %s", (rule, _why, props, refused) => {
    const problems = problemsOf(rule, props);
    expect(problems.map((problem) => problem.slice(0, problem.indexOf(":")))).toEqual(refused);
    // Property, reason and remedy: two sentences behind a path.
    for (const problem of problems) expect(problem).toMatch(/^[\w.[\]]+: .+\. (Use|Set|Write|Give|Ask) .+/);
  });

  test("every rule has rows that it allows and rows that it refuses", () => {
    for (const { name } of rules) {
      const outcomes = ROWS.filter(([rule]) => rule === name).map(([, , , refused]) => refused.length > 0);
      expect({ name, outcomes: new Set(outcomes) }).toEqual({ name, outcomes: new Set([true, false]) });
    }
  });

  test("a wrapped secret is judged like a plain one, and no message holds a value", () => {
    const secret = (value: unknown) => ({
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value,
    });
    const url = "http://user:canary@a.example";
    expect(problemsOf("encrypted-urls", plain(oauth({ authUrl: secret(url) })))).toHaveLength(1);
    const bad = {
      authUrl: url,
      image: "canary",
      ...imageUri("canary"),
      ...hosts("*.canary"),
      codeChallengeMethod: "canary",
    };
    const all = rules.flatMap(({ problems }) => problems(bad));
    expect(all.length).toBeGreaterThanOrEqual(5);
    expect(all.join()).not.toContain("canary");
  });

  test("a value that throws when read is unknown, and hides nothing beside it", () => {
    const props = Object.defineProperty({ tokenUrl: "http://a.example" }, "authUrl", {
      enumerable: true,
      get: () => {
        throw new Error("not known during preview");
      },
    });
    expect(plain(props)).toEqual({ authUrl: UNKNOWN, tokenUrl: "http://a.example" });
  });
});
