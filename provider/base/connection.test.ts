import { resolveConnection, type Connection } from "./connection";
import { originOf, keyMarkOf } from "../lifecycle/identity/origin";

const resolve = (configured: Record<string, string>, environment: Record<string, string> = {}) =>
  resolveConnection((setting) => configured[setting], environment);
const connection = (configured: Record<string, string>, environment?: Record<string, string>): Connection => {
  const resolved = resolve(configured, environment);
  if ("problems" in resolved) throw new Error(resolved.problems.map(({ reason }) => reason).join("\n"));
  return resolved.connection;
};
const problems = (configured: Record<string, string>, environment?: Record<string, string>): readonly string[] => {
  const resolved = resolve(configured, environment);
  return "problems" in resolved ? resolved.problems.map(({ reason }) => reason) : [];
};
const key = { apiKey: "key-1" };
const local = { baseUrl: "http://127.0.0.1:8080", ...key };

describe("where a setting comes from", () => {
  test("configuration beats the environment, key by key except for address and credentials (sdk/platform.test.ts)", () => {
    const environment = { AGENT_PLATFORM_CONTRACT: "documented", AGENT_PLATFORM_RATE_LIMIT: "7" };
    expect(connection({ ...local, rateLimit: "8" }, environment)).toMatchObject({
      contract: "documented",
      rateLimit: 8,
    });
  });
  test("a base URL beats a region beside it", () => {
    expect(connection({ ...local, region: "eu", baseUrlEu: "https://eu.example" }).baseUrl).toBe(
      "http://127.0.0.1:8080",
    );
  });
  test("the sandbox API is at the control plane's address unless one is set for it; trailing slashes do not count", () => {
    expect(connection({ baseUrl: "https://a.example/api//", ...key }).sandboxBaseUrl).toBe("https://a.example/api");
    expect(connection({ ...local, sandboxBaseUrl: "https://s.example/" }).sandboxBaseUrl).toBe("https://s.example");
  });
  test("a bearer token can take the place of a key", () => {
    expect(connection({ baseUrl: "https://a.example", bearerToken: "t" }).apiKey).toBeUndefined();
  });
});

describe("a wrong setting is reported at once, with the ways to set it", () => {
  test("an empty configuration", () => {
    const found = problems({});
    expect(found).toHaveLength(2);
    for (const way of ["pulumi config set", "of a Platform", "AGENT_PLATFORM_BASE_URL"])
      expect(found[0]).toContain(way);
    for (const way of ["pulumi config set --secret", "of a Platform", "AGENT_PLATFORM_API_KEY"])
      expect(found[1]).toContain(way);
  });
  test.each<[string, Record<string, string>, RegExp]>([
    ["a region without its address", { region: "eu", ...key }, /baseUrlEu/],
    ["a region beside another's address", { region: "us", baseUrlEu: "https://e.example", ...key }, /baseUrlUs is/],
    [
      "a region without an address, beside one of the other region",
      { region: "eu", baseUrlUs: "https://u.example", ...key },
      /^region is "eu", but baseUrlEu is not configured\. Set it with/,
    ],
    ["an unknown region", { region: "moon", ...key }, /^region must be "us" or "eu"/],
    ["an address that is not a URL", { baseUrl: "platform", ...key }, /^baseUrl must be an absolute URL/],
    ["an address of another protocol", { baseUrl: "ftp://a.example", ...key }, /^baseUrl must be an http or https URL/],
    ["a query in the address", { baseUrl: "https://a.example/?x=1", ...key }, /^baseUrl must not have a query/],
    [
      "credentials in the address",
      { baseUrl: "https://user:pass@a.example", ...key },
      /^baseUrl must not contain a user name or password/,
    ],
    ["plain http for the sandboxes", { ...local, sandboxBaseUrl: "http://a.example" }, /^sandboxBaseUrl is plain http/],
    ["an unknown contract", { ...local, contract: "none" }, /^contract must be "extended" or "documented"/],
    ["another onUndeletable", { ...local, onUndeletable: "ignore" }, /^onUndeletable must be "warn" or "fail"/],
    ["a flag of another kind", { ...local, allowInsecure: "yes" }, /^allowInsecure must be "true" or "false"/],
    [
      "a time limit that is not a number",
      { ...local, requestTimeout: "soon" },
      /^requestTimeout must be a number of seconds above 0/,
    ],
    ["a time limit of zero", { ...local, requestTimeout: "0" }, /^requestTimeout must be a number of seconds above 0/],
    ["a negative rate", { ...local, rateLimit: "-1" }, /^rateLimit must be a number/],
  ])("%s", (_why, configured, expected) => {
    const found = problems(configured);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
    expect(found.join()).not.toMatch(/canary|pass@/);
  });
  test.each<[string, Record<string, string>, string, RegExp]>([
    [
      "a wrong address of the other region",
      { region: "us", baseUrlEu: "nowhere", ...key },
      "baseUrlUs",
      /but baseUrlUs is not configured\./,
    ],
    ["a wrong key", { apiKey: "a b" }, "baseUrl", /^No platform URL configured\. Set it with/],
    ["a wrong address", { baseUrl: "nowhere" }, "apiKey", /^No platform key configured\. Set it with/],
  ])("%s does not hide what is missing", (_what, configured, missing, expected) => {
    const found = problems(configured);
    expect(found).toHaveLength(2);
    expect(found.find((problem) => problem.includes(`as \`${missing}\` of a Platform`))).toMatch(expected);
  });
});

test("an origin tells address and tenant apart, and nothing else", () => {
  const origins = [
    originOf("https://a.example", "t"),
    originOf("https://b.example", "t"),
    originOf("https://a.example", "u"),
    originOf("https://a.example", undefined),
  ];
  expect(new Set(origins).size).toBe(4);
  expect(originOf("https://A.example", "t")).toBe(origins[0]);
  expect(origins[0]).toHaveLength(12);
});

test("a key's mark differs with the key and shows nothing of it; without an API key there is no mark", () => {
  expect(keyMarkOf("origin", "key-one")).toMatch(/^[0-9a-f]{6}$/);
  expect(keyMarkOf("origin", "key-one")).not.toBe(keyMarkOf("origin", "key-two"));
  expect(keyMarkOf("origin", undefined)).toBeUndefined();
});
