import { oauthProviders, type OAuthProviderRecord } from "../platform/oauth-provider-record";
import { sandboxTemplates } from "../platform/sandbox-template-record";
import { Store } from "../store/store";
import { KnownSecrets } from "./known-secrets";

const at = "2030-01-01T00:00:00.000Z";
const stored = { tenant_id: "t", created_at: at, updated_at: at };
const provider = (id: string, secret: string): OAuthProviderRecord => ({
  ...{ ...stored, id, organization_id: "o", provider_id: id, name: id, client_id: "c", client_secret: secret },
  ...{ auth_url: "", token_url: "", uses_pkce: false, code_challenge_method: null, provider_type: null },
  ...{ token_endpoint_auth_method: "none", authorization_params: null, allowed_redirect_uris: null },
  ...{ mcp_server_url: null, is_dynamic_client: false },
});
function secretsWith(...values: readonly string[]) {
  const store = new Store();
  for (const value of values) oauthProviders.in(store).put(provider(`of ${value}`, value));
  return new KnownSecrets(store, [{ tenantId: "t", organizationId: "o", apiKey: "api-key-value" }]);
}

test.each<[string, string, string]>([
  ["a secret alone", "hunter2", "•••"],
  ["one in the middle of a text", "is hunter2 right", "is ••• right"],
  ["twice", "hunter2hunter2", "••••••"],
  ["the key of the API", "key api-key-value.", "key •••."],
  ["of two with one beginning, the longer", "hunter2-long!", "•••!"],
  ["the beginning of one alone is none", "hunter", "hunter"],
  ["too short to be one", "12345", "12345"],
  ["credentials of an address", "https://user:pass@host/x?a=b@c", "https://•••@host/x?a=b@c"],
  ["an address without any", "https://host/@scope/package", "https://host/@scope/package"],
])("%s: %s", (_which, text, safe) => {
  expect(secretsWith("hunter2", "hunter2-long", "12345").mask(text)).toBe(safe);
});

test("a secret that comes letter by letter is masked, and the rest is not held back", () => {
  const masker = secretsWith("hunter2").masker();
  const sent = Array.from("a hunter1, hunter2 and hunt").map((letter) => masker.add(letter));
  expect(sent.join("")).toBe("a hunter1, ••• and ");
  expect(masker.end()).toBe("hunt");
  // Only what may still become one waits: the key of the API begins with "a".
  expect(sent.slice(0, 9)).toEqual(["", "a ", "", "", "", "", "", "", "hunter1"]);
});

test("a secret that is set later is masked from then on, and one that is gone stays so", () => {
  const store = new Store();
  const secrets = new KnownSecrets(store, []);
  expect(secrets.mask("later-secret")).toBe("later-secret");
  oauthProviders.in(store).put(provider("p", "later-secret"));
  expect(secrets.mask("later-secret")).toBe("•••");
  oauthProviders.in(store).clear();
  expect(secrets.mask("later-secret")).toBe("•••");
});

test("the headers that a sandbox injects are secrets", () => {
  const store = new Store();
  const rule = {
    name: "r",
    match_hosts: [],
    inject_headers: { authorization: "Bearer canary" },
    match_paths: [],
    enabled: true,
  };
  sandboxTemplates.in(store).put({
    ...{ ...stored, id: "s", name: "s", image: "i", resources: { cpu: "1", memory: "1Gi" }, volume_mounts: [] },
    ...{ proxy_config: { rules: [rule], no_proxy: [] }, in_use: false, is_old_row: false },
  });
  expect(new KnownSecrets(store, []).mask("sent Bearer canary")).toBe("sent •••");
});

test("30,000 secrets make a page no slower: a text is searched once", () => {
  const values = Array.from({ length: 30_000 }, (_, index) => `secret-${index}-${"x".repeat(20)}`);
  const secrets = secretsWith(...values.map((value) => `${value.slice(-6)}${value}`));
  const text = "nothing of that kind in here. ".repeat(700);
  secrets.mask("");
  const begin = performance.now();
  expect(secrets.mask(text)).toBe(text);
  expect(performance.now() - begin).toBeLessThan(500);
});
