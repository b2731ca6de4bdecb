import { oauthProviders } from "../../emulator";
import { anyText, containing, uuid, field, startPlatform, problems, providerBody, type Platform } from "./api";

let platform: Platform;
beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.emulator.close());
beforeEach(() => platform.emulator.reset());

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

test.each([
  ["provider_id is required", { provider_id: undefined }, "body.provider_id: missing"],
  ["provider_id is a string", { provider_id: 1 }, "body.provider_id: string_type"],
  ["name is required", { name: undefined }, "body.name: missing"],
  ["name is a string", { name: null }, "body.name: string_type"],
  ["client_id is required", { client_id: undefined }, "body.client_id: missing"],
  ["client_id is a string", { client_id: [] }, "body.client_id: string_type"],
  ["client_secret is a string or null", { client_secret: 1 }, "body.client_secret: string_type"],
  ["auth_url is required", { auth_url: undefined }, "body.auth_url: missing"],
  ["auth_url is a string", { auth_url: {} }, "body.auth_url: string_type"],
  ["token_url is required", { token_url: undefined }, "body.token_url: missing"],
  ["token_url is a string", { token_url: true }, "body.token_url: string_type"],
  ["uses_pkce is a boolean", { uses_pkce: "yes" }, "body.uses_pkce: bool_type"],
  ["code_challenge_method is a string", { code_challenge_method: 256 }, "body.code_challenge_method: string_type"],
  [
    "token_endpoint_auth_method is one of three",
    { token_endpoint_auth_method: "basic" },
    "body.token_endpoint_auth_method: literal_error",
  ],
])("422: %s", async (_reason, change, problem) => {
  const answer = await create(change);
  expect([answer.status, problems(answer)]).toEqual([422, [problem]]);
  expect(platform.emulator.outOfBand(oauthProviders).list()).toEqual([]);
});

test.each([
  ["client_secret may be null", { client_secret: null }],
  ["client_secret may be absent", { client_secret: undefined }],
  ["auth method none", { token_endpoint_auth_method: "none" }],
  ["auth method client_secret_basic", { token_endpoint_auth_method: "client_secret_basic" }],
  ["auth method client_secret_post", { token_endpoint_auth_method: "client_secret_post" }],
  ["uses_pkce", { uses_pkce: true, code_challenge_method: "plain" }],
  ["provider_type may be null", { provider_type: null }],
])("accepted: %s", async (_reason, change) => {
  expect((await create(change)).status).toBe(200);
});

test.each(["microsoft", "salesforce", "slack"])("a provider of type %s says so", async (type) => {
  expect((await create({ provider_type: type })).body).toMatchObject({ provider_type: type, is_dynamic_client: false });
  expect((await platform.call("GET", one)).body).toMatchObject({ provider_type: type });
});

test("another type answers 422", async () => {
  const answer = await create({ provider_type: "github" });
  expect([answer.status, problems(answer)]).toEqual([422, ["body.provider_type: literal_error"]]);
});

describe("POST mcp-discover", () => {
  const body = { provider_id: "tracker", name: "Tracker", mcp_server_url: "https://mcp.tracker.example/mcp" };
  const discover = (change: object = {}) =>
    platform.call("POST", `${all}/mcp-discover`, { body: { ...body, ...change } });

  test("makes a provider with a client of its own, as the server names it", async () => {
    const answer = await discover();
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        ...body,
        client_id: anyText,
        auth_url: "https://mcp.tracker.example/authorize",
        token_url: "https://mcp.tracker.example/token",
        uses_pkce: true,
        is_dynamic_client: true,
        token_endpoint_auth_method: "none",
      },
    ]);
    expect((await platform.call("GET", one)).body).toEqual(answer.body);
  });

  test("of a provider_id that is taken answers 409", async () => {
    await create();
    expect((await discover()).status).toBe(409);
  });

  test.each([
    ["provider_id is required", { provider_id: undefined }, "body.provider_id: missing"],
    ["name is required", { name: undefined }, "body.name: missing"],
    ["mcp_server_url is a URL", { mcp_server_url: "tracker" }, "body.mcp_server_url: value_error"],
  ])("422: %s", async (_reason, change, problem) => {
    const answer = await discover(change);
    expect([answer.status, problems(answer)]).toEqual([422, [problem]]);
  });
});

test("all problems of a body are answered at once", async () => {
  expect(problems(await platform.call("POST", all, { body: {} }))).toHaveLength(5);
});

test("a provider_id that is taken answers 409 with a string", async () => {
  await create();
  expect(await create()).toMatchObject({ status: 409, body: { detail: containing("already exists") } });
});

describe("extended: keyed by provider_id", () => {
  test("the list is a plain array", async () => {
    await create();
    await create({ provider_id: "b" });
    expect((await platform.call("GET", all)).body).toMatchObject([{ provider_id: "tracker" }, { provider_id: "b" }]);
  });

  test("the UUID is not a key", async () => {
    const { body } = await create();
    expect((await platform.call("GET", `${all}/${String(field(body, "id"))}`)).status).toBe(404);
    expect((await platform.call("GET", one)).body).toEqual(body);
  });

  test("PATCH changes what is sent; omitted and null keep, the secret too", async () => {
    await create();
    const stored = () => platform.emulator.outOfBand(oauthProviders).get("tracker");
    const { status, body } = await platform.call("PATCH", one, {
      body: { name: "New", client_secret: null, auth_url: null },
    });
    expect([status, field(body, "name"), field(body, "auth_url")]).toEqual([200, "New", providerBody.auth_url]);
    expect(stored().client_secret).toBe("client-canary");
    await platform.call("PATCH", one, { body: { client_secret: "rotated" } });
    expect(stored().client_secret).toBe("rotated");
    await platform.call("PATCH", one, {
      body: { allowed_redirect_uris: ["https://a"], authorization_params: { a: "b" } },
    });
    expect(stored()).toMatchObject({ allowed_redirect_uris: ["https://a"], client_secret: "rotated" });
  });

  test.each(["provider_id", "provider_type", "token_endpoint_auth_method"])("PATCH of %s answers 422", async (name) => {
    await create();
    const answer = await platform.call("PATCH", one, { body: { [name]: "none" } });
    expect([answer.status, problems(answer)]).toEqual([422, [`body.${name}: extra_forbidden`]]);
  });

  test("DELETE answers 200 with a message; then everything answers 404 with a string", async () => {
    await create();
    expect(await platform.call("DELETE", one)).toMatchObject({ status: 200, body: { message: anyText } });
    for (const [method, body] of [
      ["GET", undefined],
      ["PATCH", {}],
      ["DELETE", undefined],
    ] as const) {
      expect(await platform.call(method, one, { body })).toMatchObject({ status: 404, body: { detail: anyText } });
    }
  });
});
