import { REDACTED } from "../../provider/base/masker";
import { sandboxRegistries } from "../routes/sandbox-registries";
import { redacted } from "../server/request-log";
import { Store } from "../store/store";
import { KnownSecrets } from "./known-secrets";

const knowing = (...keys: string[]): KnownSecrets =>
  new KnownSecrets(
    new Store(),
    keys.map((apiKey) => ({ tenantId: "t", organizationId: "o", apiKey })),
  );

/** What the request log leaves of the address in a body, and what a page shows of that. */
test.each([
  ["https://user:pass@hooks.example/services/T1/B2", "https://[secret]"],
  ["https://files.example/folder/archive?signature=abc", "[secret]"],
  ["user:pass@hooks.example/services", "[secret]"],
  ["https://user:pass@hooks.example/a?b=c", "https://[secret]"],
])("of the secret %s the request log keeps no path", (secret, shown) => {
  expect(knowing(secret).mask(String(redacted(`at ${secret} now`, "name")))).toBe(`at ${shown} now`);
});

test("a secret is masked before the credentials of an address are", () => {
  const secret = "https://user:pass@hooks.example/services/T1/B2";
  expect(knowing(secret).mask(`at ${secret}, at https://a:b@c.example/d`)).toBe(
    "at [secret], at https://[secret]@c.example/d",
  );
});

test("a text that was cut before ends in no beginning of a secret", () => {
  const secrets = knowing("canary-secret");
  expect(secrets.mask("a text of canary-se", true)).toBe("a text of [secret]");
  expect(secrets.mask("a text of canary-se")).toBe("a text of canary-se");
  expect(secrets.mask("a text of canary", true)).toBe("a text of canary");
});

test.each<[how: string, text: string]>([
  ["JSON of Go", "https://us3r:P4ssw0rd-L1@host.example/hook/T0KEN-part99?a=1\\u0026sig=S1gnatureXYZ00"],
  ["JSON of PHP", "https:\\/\\/us3r:P4ssw0rd-L1@host.example\\/hook\\/T0KEN-part99?a=1&sig=S1gnatureXYZ00"],
  ["HTML", "https:&#x2F;&#x2F;us3r:P4ssw0rd-L1@host.example&#x2F;hook/T0KEN-part99?a=1&amp;sig=S1gnatureXYZ00"],
])("of an address with a password nothing is left, although the password comes before %s is undone", (_how, text) => {
  const secret = "https://us3r:P4ssw0rd-L1@host.example/hook/T0KEN-part99?a=1&sig=S1gnatureXYZ00";
  expect(knowing(secret).mask(`see ${text}!`)).toBe(`see ${REDACTED}!`);
});

describe("the name of an object", () => {
  const store = new Store();
  const at = { id: "1", tenant_id: "t", created_at: "", updated_at: "", auth_type: "DOCKER_CONFIG" as const };
  const value = "notebook-1a2b";
  sandboxRegistries.in(store).put({ ...at, name: value, url: "", username: "", password: value });
  const secrets = new KnownSecrets(store, [{ tenantId: "t", organizationId: "o", apiKey: "canary-key" }]);

  test.each([
    value,
    `/v2/sandboxes/templates/${value}`,
    `/v2/sandboxes/templates/notebook%2D1a2b`,
    `{"name":"${value}","of":["${value}"]}`,
    `curl -g 'http://127.0.0.1:80/${value}?name=${value}' -H @-`,
    `A deployment named ${value} already exists.`,
    `Starting registry.example/${value}:1`,
  ])("stays readable where it stands as a word: %s", (text) => expect(secrets.mask(text)).toBe(text));

  test("stays readable where it is a part of something else", () =>
    expect(secrets.mask(`/v2/${value}-canary`)).toBe(`/v2/${value}-canary`));

  test("is a secret again once there is no such object, and a key always is one", () => {
    sandboxRegistries.in(store).put({ ...at, id: "2", name: "canary-key", url: "", username: "", password: "" });
    expect(secrets.mask("canary-key")).toBe(REDACTED);
    sandboxRegistries.in(store).remove("1");
    expect(secrets.mask(value)).toBe(REDACTED);
  });
});
