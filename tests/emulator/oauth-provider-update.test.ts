import { oauthProviders } from "../../emulator";
import { field, startPlatform, problems, providerBody, type Platform, record } from "./api";

let platform: Platform;
let created: unknown;
beforeEach(async () => {
  platform = await startPlatform();
  created = (await platform.call("POST", "/v2/auth/providers", { body: providerBody })).body;
  platform.advance(60);
});
afterEach(() => platform.emulator.close());

const one = "/v2/auth/providers/tracker";

describe("PATCH", () => {
  test.each<[string, unknown]>([
    ["name", "New"],
    ["client_id", "client-2"],
    ["auth_url", "https://new.example/authorize"],
    ["token_url", "https://new.example/token"],
    ["uses_pkce", true],
    ["code_challenge_method", "plain"],
  ])("of %s changes that field and updated_at alone; GET shows it", async (name, value) => {
    const { status, body } = await platform.call("PATCH", one, { body: { [name]: value } });
    expect(status).toBe(200);
    expect(body).toEqual({ ...record(created), [name]: value, updated_at: "2030-01-01T00:01:00.000Z" });
    expect((await platform.call("GET", one)).body).toEqual(body);
  });

  test("null keeps each of them", async () => {
    const { client_secret } = platform.emulator.outOfBand(oauthProviders).get("tracker");
    const names = [...Object.keys(providerBody), "uses_pkce", "code_challenge_method", "token_endpoint_auth_method"];
    const { status, body } = await platform.call("PATCH", one, {
      body: Object.fromEntries(names.map((name) => [name, null])),
    });
    expect([status, body]).toEqual([200, { ...record(created), updated_at: "2030-01-01T00:01:00.000Z" }]);
    expect(platform.emulator.outOfBand(oauthProviders).get("tracker").client_secret).toBe(client_secret);
  });

  test("false is a value, not an absence", async () => {
    await platform.call("PATCH", one, { body: { uses_pkce: true } });
    expect(field((await platform.call("PATCH", one, { body: { uses_pkce: false } })).body, "uses_pkce")).toBe(false);
  });

  test.each<[string, object, string]>([
    ["name is a string", { name: 1 }, "body.name: string_type"],
    ["client_id is a string", { client_id: {} }, "body.client_id: string_type"],
    ["client_secret is a string", { client_secret: 1 }, "body.client_secret: string_type"],
    ["auth_url is a string", { auth_url: [] }, "body.auth_url: string_type"],
    ["token_url is a string", { token_url: false }, "body.token_url: string_type"],
    ["uses_pkce is a boolean", { uses_pkce: "true" }, "body.uses_pkce: bool_type"],
    ["code_challenge_method is a string", { code_challenge_method: 1 }, "body.code_challenge_method: string_type"],
    ["authorization_params is an object", { authorization_params: [] }, "body.authorization_params: dict_type"],
    ["allowed_redirect_uris is a list", { allowed_redirect_uris: "x" }, "body.allowed_redirect_uris: list_type"],
    ["a redirect URI is a string", { allowed_redirect_uris: [1] }, "body.allowed_redirect_uris.0: string_type"],
  ])("422: %s, and nothing changes", async (_rule, body, problem) => {
    const answer = await platform.call("PATCH", one, { body });
    expect([answer.status, problems(answer)]).toEqual([422, [problem]]);
    expect((await platform.call("GET", one)).body).toEqual(created);
  });

  test("of fields that never change names each of them", async () => {
    const answer = await platform.call("PATCH", one, { body: { provider_id: "b", provider_type: "x", name: "New" } });
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        detail: ["provider_id", "provider_type"].map((name) => ({
          loc: ["body", name],
          msg: "This field cannot be changed after creation",
          type: "extra_forbidden",
        })),
      },
    ]);
    expect((await platform.call("GET", one)).body).toEqual(created);
  });
});

test("a provider_id that needs encoding in a path is found", async () => {
  const providerId = "a/b c?d";
  await platform.call("POST", "/v2/auth/providers", { body: { ...providerBody, provider_id: providerId } });
  const { status, body } = await platform.call("GET", `/v2/auth/providers/${encodeURIComponent(providerId)}`);
  expect([status, field(body, "provider_id")]).toEqual([200, providerId]);
});

test("DELETE answers a message, leaves the others, and frees the provider_id", async () => {
  await platform.call("POST", "/v2/auth/providers", { body: { ...providerBody, provider_id: "other" } });
  const { body } = await platform.call("DELETE", one);
  expect(body).toEqual({ message: "OAuth provider tracker deleted" });
  expect((await platform.call("GET", "/v2/auth/providers")).body).toMatchObject([{ provider_id: "other" }]);
  expect((await platform.call("POST", "/v2/auth/providers", { body: providerBody })).status).toBe(200);
});

test("the exact validation records of an empty body", async () => {
  const { body } = await platform.call("POST", "/v2/auth/providers", { body: {} });
  expect(body).toEqual({
    detail: ["provider_id", "name", "client_id", "auth_url", "token_url"].map((name) => ({
      loc: ["body", name],
      msg: "Field required",
      type: "missing",
    })),
  });
});
