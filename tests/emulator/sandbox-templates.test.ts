import { sandboxTemplates } from "../../emulator";
import { anyText, uuid, field, platformForTests, problems, templateBody, text, record } from "./api";

const platform = platformForTests();

const all = "/v2/sandboxes/templates";
const one = `${all}/python`;
const create = (change: object = {}) => platform.call("POST", all, { body: { ...templateBody, ...change } });
const rule = { name: "r", match_hosts: ["api.example"], inject_headers: { authorization: "Bearer ${KEY}" } };

test("POST answers 201 with exactly the fields of SandboxTemplate", async () => {
  const { status, body } = await create();
  expect(status).toBe(201);
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
  const full = { ...rule, name: "full", match_paths: ["/v1/*"], enabled: false };
  const { body } = await create({
    volume_mounts: volumeMounts,
    proxy_config: { rules: [rule, full], no_proxy: ["localhost"] },
  });
  expect(body).toMatchObject({
    volume_mounts: volumeMounts,
    proxy_config: { rules: [{ ...rule, match_paths: [], enabled: true }, full], no_proxy: ["localhost"] },
  });
});

test("422: name has at most 63 characters", async () => {
  expect(problems(await create({ name: "a".repeat(64) }))).toEqual(["body.name: string_too_long"]);
});

test.each([
  ["uppercase", { name: "Python" }],
  ["starts with a digit", { name: "3python" }],
  ["starts with a hyphen", { name: "-a" }],
  ["ends with a hyphen", { name: "a-" }],
  ["an underscore", { name: "a_b" }],
  ["empty", { name: "" }],
  ["a relative mount path", { volume_mounts: [{ volume_name: "v", mount_path: "data" }] }],
  ["a mount path twice", { volume_mounts: [1, 2].map((n) => ({ volume_name: `v${n}`, mount_path: "/a" })) }],
])("400 BadRequest: %s", async (_reason, change) => {
  expect(await create(change)).toMatchObject({
    status: 400,
    body: { detail: { error: "BadRequest", message: anyText } },
  });
});

describe("accepted", () => {
  test.each<[string, object, object]>([
    ...["a", "a".repeat(63), "py-3-12"].map((name): [string, object, object] => [
      `the name ${name}`,
      { name },
      { name },
    ]),
    ["cpu and memory have defaults, storage none", { resources: {} }, { resources: { cpu: "500m", memory: "512Mi" } }],
    ["volume_mounts may be null", { volume_mounts: null }, { volume_mounts: [] }],
    ["proxy_config may be null", { proxy_config: null }, { proxy_config: null }],
    ["proxy_config may be empty", { proxy_config: {} }, { proxy_config: { rules: [], no_proxy: [] } }],
    ["a field that the table does not name is dropped", { colour: "red" }, {}],
    ["id and times are the platform's", { id: "x", created_at: "x" }, { created_at: "2030-01-01T00:00:00.000Z" }],
  ])("%s", async (_rule, sent, answered) => {
    const { status, body } = await create(sent);
    expect(status).toBe(201);
    for (const [name, value] of Object.entries(answered)) expect(field(body, name)).toEqual(value);
    expect(field(body, "colour")).toBeUndefined();
    expect(field(body, "id")).not.toBe("x");
  });
});

describe("quantities", () => {
  test.each(["1", "0.5", "500m", "1000m", "1k", "2M", "1G", "1Ki", "512Mi", "1Gi", "2Ti"])(
    "%s is a quantity",
    async (cpu) => {
      const { status, body } = await create({ resources: { cpu } });
      expect([status, field(body, "resources", "cpu")]).toEqual([201, cpu]);
    },
  );
  test.each(["", "lots", "5ki", "5mi", "1 Gi", "-1", "1GB", ".5", "1e3"])(
    "%j is not a quantity: BadRequest",
    async (cpu) => {
      const answer = await create({ resources: { cpu } });
      expect([answer.status, answer.body]).toEqual([
        400,
        { detail: { error: "BadRequest", message: "resources.cpu is not a quantity" } },
      ]);
    },
  );
});

test("a page without a limit has 50 templates: a client that never asks for more misses some", async () => {
  for (let index = 0; index < 51; index += 1) await create({ name: `t-${index}` });
  const { body } = await platform.call("GET", all);
  expect([field(body, "templates"), field(body, "offset")]).toMatchObject([{ length: 50 }, 50]);
  expect((await platform.call("GET", `${all}?offset=50`)).body).toMatchObject({
    templates: [{ name: "t-50" }],
    offset: 51,
  });
  expect(field((await platform.call("GET", `${all}?limit=500`)).body, "templates")).toHaveLength(51);
});

describe("PATCH", () => {
  test("changes the name and updated_at, and nothing else", async () => {
    const { body } = await create({ volume_mounts: [{ volume_name: "v", mount_path: "/v" }] });
    platform.advance(60);
    const renamed = await platform.call("PATCH", one, { body: { name: "snake" } });
    expect(renamed.body).toEqual({ ...record(body), name: "snake", updated_at: "2030-01-01T00:01:00.000Z" });
    expect((await platform.call("GET", all)).body).toMatchObject({ templates: [{ name: "snake" }], offset: 1 });
    expect((await create()).status).toBe(201);
  });

  test("to its own name is no Conflict, and null for a field that never changes counts as not sent", async () => {
    await create();
    expect((await platform.call("PATCH", one, { body: { name: "python" } })).status).toBe(200);
    const body = { name: "snake", image: null, resources: null, volume_mounts: null, proxy_config: null };
    expect((await platform.call("PATCH", one, { body })).status).toBe(200);
  });

  test.each(["image", "resources", "volume_mounts", "proxy_config"])("of %s answers 422", async (name) => {
    await create();
    const answer = await platform.call("PATCH", one, { body: { [name]: {} } });
    expect(problems(answer)).toEqual([`body.${name}: extra_forbidden`]);
  });

  test("a name that is no DNS-1035 label is a BadRequest, one that is taken a Conflict, and both templates stay", async () => {
    for (const name of ["python", "b"]) await create({ name });
    for (const [name, status, detail] of [
      ["Snake", 400, { error: "BadRequest", message: anyText }],
      ["b", 409, { error: "Conflict", message: "SandboxTemplate b already exists" }],
    ] as const) {
      expect(await platform.call("PATCH", one, { body: { name } })).toMatchObject({ status, body: { detail } });
    }
    expect((await platform.call("GET", all)).body).toMatchObject({ templates: [{ name: "python" }, { name: "b" }] });
  });
});

describe("DELETE", () => {
  test("answers 204 without a body, and the name is free at once", async () => {
    const id = text((await create()).body, "id");
    const answer = await platform.call("DELETE", one);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect((await platform.call("GET", all)).body).toEqual({ templates: [], offset: 0 });
    expect(text((await create()).body, "id")).not.toBe(id);
  });

  test("of a template in use answers the Conflict body; an answer has no field for being in use", async () => {
    await create();
    platform.emulator.outOfBand(sandboxTemplates).change("python", { in_use: true });
    const answer = await platform.call("DELETE", one);
    expect([answer.status, answer.body]).toEqual([
      409,
      { detail: { error: "Conflict", message: "SandboxTemplate python is in use" } },
    ]);
    expect(field((await platform.call("GET", one)).body, "in_use")).toBeUndefined();
  });
});
