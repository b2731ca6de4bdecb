import { sandboxTemplates } from "../../emulator";
import { anyHeaders, anyText, uuid, field, startPlatform, problems, templateBody, text, type Platform } from "./api";

let platform: Platform;
beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.emulator.close());
beforeEach(() => platform.emulator.reset());

const all = "/v2/sandboxes/templates";
const one = `${all}/python`;
const create = (change: object = {}) => platform.call("POST", all, { body: { ...templateBody, ...change } });
const rule = { name: "r", match_hosts: ["api.example"], inject_headers: { authorization: "Bearer ${KEY}" } };

test("POST answers exactly the fields of SandboxTemplate", async () => {
  const { body } = await create();
  expect(body).toEqual({
    ...templateBody,
    id: uuid,
    volume_mounts: [],
    proxy_config: null,
    created_at: "2030-01-01T00:00:00.000Z",
    updated_at: "2030-01-01T00:00:00.000Z",
  });
});

test("mounts and proxy rules come back, with the defaults of a rule", async () => {
  const volumeMounts = [{ volume_name: "v", mount_path: "/data" }];
  const { body } = await create({
    volume_mounts: volumeMounts,
    proxy_config: { rules: [rule], no_proxy: ["localhost"] },
  });
  expect(body).toMatchObject({
    volume_mounts: volumeMounts,
    proxy_config: { rules: [{ ...rule, match_paths: [], enabled: true }], no_proxy: ["localhost"] },
  });
});

test.each([
  ["name is required", { name: undefined }, "body.name: missing"],
  ["name is a string", { name: 1 }, "body.name: string_type"],
  ["name has at most 63 characters", { name: "a".repeat(64) }, "body.name: string_too_long"],
  ["image is required", { image: undefined }, "body.image: missing"],
  ["image is a string", { image: null }, "body.image: string_type"],
  ["resources is required", { resources: undefined }, "body.resources: missing"],
  ["cpu is a string", { resources: { cpu: 1 } }, "body.resources.cpu: string_type"],
  ["memory is a string", { resources: { memory: 512 } }, "body.resources.memory: string_type"],
  ["storage is a string", { resources: { storage: 1 } }, "body.resources.storage: string_type"],
  ["volume_mounts is an array", { volume_mounts: {} }, "body.volume_mounts: list_type"],
  ["volume_name is required", { volume_mounts: [{ mount_path: "/a" }] }, "body.volume_mounts.0.volume_name: missing"],
  ["mount_path is required", { volume_mounts: [{ volume_name: "v" }] }, "body.volume_mounts.0.mount_path: missing"],
  ["rules is an array", { proxy_config: { rules: {} } }, "body.proxy_config.rules: list_type"],
  ["no_proxy is an array of string", { proxy_config: { no_proxy: [1] } }, "body.proxy_config.no_proxy.0: string_type"],
  [
    "a rule has a name",
    { proxy_config: { rules: [{ ...rule, name: undefined }] } },
    "body.proxy_config.rules.0.name: missing",
  ],
  [
    "match_hosts is an array",
    { proxy_config: { rules: [{ ...rule, match_hosts: "h" }] } },
    "body.proxy_config.rules.0.match_hosts: list_type",
  ],
  [
    "inject_headers is string to string",
    { proxy_config: { rules: [{ ...rule, inject_headers: { a: 1 } }] } },
    "body.proxy_config.rules.0.inject_headers.a: string_type",
  ],
  [
    "match_paths is an array",
    { proxy_config: { rules: [{ ...rule, match_paths: "/" }] } },
    "body.proxy_config.rules.0.match_paths: list_type",
  ],
  [
    "enabled is a boolean",
    { proxy_config: { rules: [{ ...rule, enabled: 1 }] } },
    "body.proxy_config.rules.0.enabled: bool_type",
  ],
])("422: %s", async (_reason, change, problem) => {
  const answer = await create(change);
  expect([answer.status, problems(answer)]).toEqual([422, [problem]]);
});

test.each([
  ["uppercase", { name: "Python" }],
  ["starts with a digit", { name: "3python" }],
  ["starts with a hyphen", { name: "-a" }],
  ["ends with a hyphen", { name: "a-" }],
  ["an underscore", { name: "a_b" }],
  ["empty", { name: "" }],
  ["not a quantity", { resources: { cpu: "lots" } }],
  ["a relative mount path", { volume_mounts: [{ volume_name: "v", mount_path: "data" }] }],
  ["a mount path twice", { volume_mounts: [1, 2].map((n) => ({ volume_name: `v${n}`, mount_path: "/a" })) }],
])("400 BadRequest: %s", async (_reason, change) => {
  expect(await create(change)).toMatchObject({
    status: 400,
    body: { detail: { error: "BadRequest", message: anyText } },
  });
});

test.each(["a", "a".repeat(63), "py-3-12"])("the name %s is accepted", async (name) => {
  expect((await create({ name })).status).toBe(201);
});

test("a name that is taken answers the Conflict body", async () => {
  await create();
  expect(await create()).toEqual({
    status: 409,
    body: { detail: { error: "Conflict", message: "SandboxTemplate python already exists" } },
    headers: anyHeaders,
  });
});

describe("GET /v2/sandboxes/templates", () => {
  test("pages by limit and the offset that was returned, to the end", async () => {
    for (const name of ["a", "b", "c"]) await create({ name });
    const first = await platform.call("GET", `${all}?limit=2`);
    expect(first.body).toMatchObject({ templates: [{ name: "a" }, { name: "b" }], offset: 2 });
    expect((await platform.call("GET", `${all}?limit=2&offset=2`)).body).toMatchObject({
      templates: [{ name: "c" }],
      offset: 3,
    });
    expect((await platform.call("GET", `${all}?limit=2&offset=3`)).body).toEqual({ templates: [], offset: 3 });
  });

  test.each([
    ["limit=0", "query.limit: greater_than_equal"],
    ["limit=501", "query.limit: less_than_equal"],
    ["limit=1.5", "query.limit: int_parsing"],
    ["offset=-1", "query.offset: greater_than_equal"],
    ["offset=x", "query.offset: int_parsing"],
  ])("422: %s", async (query, problem) => {
    const answer = await platform.call("GET", `${all}?${query}`);
    expect([answer.status, problems(answer)]).toEqual([422, [problem]]);
  });

  test.each(["limit=1", "limit=500", "offset=0"])("200: %s", async (query) => {
    expect((await platform.call("GET", `${all}?${query}`)).status).toBe(200);
  });
});

describe("extended: keyed by name", () => {
  test("PATCH changes only the name; the id stays", async () => {
    const id = text((await create()).body, "id");
    const renamed = await platform.call("PATCH", one, { body: { name: "snake" } });
    expect([renamed.status, field(renamed.body, "id"), field(renamed.body, "name")]).toEqual([200, id, "snake"]);
    expect((await platform.call("GET", one)).status).toBe(404);
    expect((await platform.call("GET", `${all}/snake`)).status).toBe(200);
  });

  test.each([
    ["image", { image: "x" }],
    ["resources", { resources: {} }],
    ["volume_mounts", { volume_mounts: [] }],
    ["proxy_config", { proxy_config: {} }],
  ])("PATCH of %s answers 422", async (name, body) => {
    await create();
    expect(problems(await platform.call("PATCH", one, { body }))).toEqual([`body.${name}: extra_forbidden`]);
  });

  test("PATCH to a taken name is a Conflict", async () => {
    await create();
    await create({ name: "b" });
    expect((await platform.call("PATCH", one, { body: { name: "b" } })).status).toBe(409);
  });

  test("DELETE of a template in use is a Conflict, else it is gone; unknown answers 404", async () => {
    await create();
    platform.emulator.outOfBand(sandboxTemplates).change("python", { in_use: true });
    expect(await platform.call("DELETE", one)).toMatchObject({ status: 409, body: { detail: { error: "Conflict" } } });
    platform.emulator.outOfBand(sandboxTemplates).change("python", { in_use: false });
    expect((await platform.call("DELETE", one)).status).toBe(204);
    expect((await platform.call("DELETE", one)).status).toBe(404);
  });
});
