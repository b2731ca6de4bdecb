import { oauthProviders } from "../../emulator";
import { containing, uuid, field, platformForTests, problems, providerBody, record } from "./api";

const platform = platformForTests();

const all = "/v2/auth/providers";
const one = `${all}/tracker`;
const create = (change: object = {}) => platform.call("POST", all, { body: { ...providerBody, ...change } });

test("POST answers 200 with exactly the fields of OAuthProviderResponse, defaults filled in, and no secret", async () => {
  const { client_secret: secret, ...echoed } = providerBody;
  const answer = await create();
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    ...echoed,
    id: uuid,
    organization_id: platform.emulator.tenants[0]?.organizationId,
    uses_pkce: false,
    code_challenge_method: "S256",
    provider_type: null,
    mcp_server_url: null,
    token_endpoint_auth_method: "client_secret_post",
    is_dynamic_client: false,
    created_at: "2030-01-01T00:00:00.000Z",
    updated_at: "2030-01-01T00:00:00.000Z",
  });
  expect(platform.emulator.outOfBand(oauthProviders).get("tracker").client_secret).toBe(secret);
});

/** What is sent; and what is answered, where that is more. */
test.each<[reason: string, change: object, answered?: object]>([
  ["client_secret may be null", { client_secret: null }],
  ["client_secret may be absent", { client_secret: undefined }],
  ["auth method none", { token_endpoint_auth_method: "none" }],
  ["auth method client_secret_basic", { token_endpoint_auth_method: "client_secret_basic" }],
  ["auth method client_secret_post", { token_endpoint_auth_method: "client_secret_post" }],
  ["uses_pkce", { uses_pkce: true, code_challenge_method: "plain" }],
  ["provider_type may be null", { provider_type: null }],
  ...["microsoft", "salesforce", "slack"].map((type): [string, object, object] => {
    const typed = { provider_type: type };
    return [`a provider of type ${type}`, typed, { ...typed, is_dynamic_client: false }];
  }),
])("accepted: %s", async (_reason, change, answered = {}) => {
  const { status, body } = await create(change);
  expect([status, body]).toMatchObject([200, answered]);
  expect((await platform.call("GET", one)).body).toEqual(body);
});

test.each<[reason: string, sent: object, records: readonly string[]]>([
  ["another provider_type", { ...providerBody, provider_type: "github" }, ["provider_type: literal_error"]],
  [
    "another auth method",
    { ...providerBody, token_endpoint_auth_method: "basic" },
    ["token_endpoint_auth_method: literal_error"],
  ],
  [
    "nothing at all",
    {},
    ["provider_id", "name", "client_id", "auth_url", "token_url"].map((name) => `${name}: missing`),
  ],
])("422: %s", async (_reason, sent, records) => {
  const refused = await platform.call("POST", all, { body: sent });
  expect(problems(refused)).toEqual(records.map((each) => `body.${each}`));
  expect(platform.emulator.outOfBand(oauthProviders).list()).toEqual([]);
});

test("its provider_id is the key, whatever it is made of, and not the UUID; one that is taken answers 409 with a string", async () => {
  const { body } = await create();
  expect((await platform.call("GET", `${all}/${String(field(body, "id"))}`)).status).toBe(404);
  expect(await create()).toMatchObject({ status: 409, body: { detail: containing("already exists") } });
  const other = "a/b c?d";
  await create({ provider_id: other });
  expect((await platform.call("GET", `${all}/${encodeURIComponent(other)}`)).body).toMatchObject({
    provider_id: other,
  });
  expect((await platform.call("GET", all)).body).toMatchObject([{ provider_id: "tracker" }, { provider_id: other }]);
});

describe("PATCH", () => {
  let created: unknown;
  beforeEach(async () => {
    created = (await create()).body;
    platform.advance(60);
  });

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

  test("of what no answer shows is stored", async () => {
    const change = { client_secret: "rotated", allowed_redirect_uris: ["https://a"], authorization_params: { a: "b" } };
    await platform.call("PATCH", one, { body: change });
    expect(platform.emulator.outOfBand(oauthProviders).get("tracker")).toMatchObject(change);
  });

  test("of fields that never change names each of them", async () => {
    const fixed = { provider_id: "b", provider_type: "x", token_endpoint_auth_method: "none" };
    const answer = await platform.call("PATCH", one, { body: { ...fixed, name: "New" } });
    expect(problems(answer)).toEqual(Object.keys(fixed).map((name) => `body.${name}: extra_forbidden`));
    expect((await platform.call("GET", one)).body).toEqual(created);
  });
});

test("DELETE answers a message, leaves the others, and frees the provider_id", async () => {
  await create();
  await platform.call("POST", "/v2/auth/providers", { body: { ...providerBody, provider_id: "other" } });
  const { body } = await platform.call("DELETE", one);
  expect(body).toEqual({ message: "OAuth provider tracker deleted" });
  expect((await platform.call("GET", "/v2/auth/providers")).body).toMatchObject([{ provider_id: "other" }]);
  expect((await platform.call("POST", "/v2/auth/providers", { body: providerBody })).status).toBe(200);
});
