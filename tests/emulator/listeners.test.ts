import { listeners } from "../../emulator";
import { anyText, deploymentBody, field, problems, record, platformForTests, startPlatform, text, uuid } from "./api";

const platform = platformForTests();

const all = "/v2/listeners";
const body = { compute_type: "k8s", compute_id: "prod", compute_config: { k8s_namespaces: ["agents"] } };
const create = (change: object = {}) => platform.call("POST", all, { body: { ...body, ...change } });
const made = async (change?: object) => {
  const answer = await create(change);
  return { answer, one: `${all}/${text(answer.body, "id")}` };
};
const stored = () => platform.emulator.outOfBand(listeners);

test("POST answers 201 with exactly the documented fields, version null unless it is sent", async () => {
  const answer = await create();
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    ...body,
    id: uuid,
    version: null,
    created_at: "2030-01-01T00:00:00.000Z",
    updated_at: "2030-01-01T00:00:00.000Z",
  });
  expect(field((await create({ compute_id: "b", version: "0.2" })).body, "version")).toBe("0.2");
});

test.each([
  ["no namespaces", { compute_config: {} }],
  ["null for them", { compute_config: { k8s_namespaces: null } }],
])("accepted, and answered as null: %s", async (_reason, change) => {
  const { status, body: answered } = await create(change);
  expect([status, field(answered, "compute_config")]).toEqual([201, { k8s_namespaces: null }]);
});

test("a compute_id that is taken answers 409 with a string; another workspace may have it", async () => {
  await create();
  expect(await create()).toMatchObject({ status: 409, body: { detail: anyText } });
  const two = await startPlatform({
    tenants: ["a", "b"].map((tenantId) => ({ tenantId, organizationId: "o", apiKey: `key-${tenantId}` })),
  });
  const headers = (key: string) => ({ headers: { "x-api-key": key }, body });
  expect((await two.call("POST", all, headers("key-a"))).status).toBe(201);
  expect((await two.call("POST", all, headers("key-b"))).status).toBe(201);
});

test("the list pages by limit and the answered offset, 20 unless a limit is given", async () => {
  for (let index = 0; index < 21; index += 1) await create({ compute_id: `c-${index}` });
  const page = async (query: string) => {
    const { body: answered } = await platform.call("GET", `${all}${query}`);
    const { resources, offset } = record(answered);
    return [Array.isArray(resources) ? resources.map((item) => field(item, "compute_id")) : resources, offset];
  };
  expect((await page(""))[1]).toBe(20);
  expect(await page("?limit=2&offset=20")).toEqual([["c-20"], 21]);
  expect(await page("?offset=21")).toEqual([[], 21]);
});

test("PATCH overwrites compute_config, keeps what is omitted or null, and makes no revision of anything", async () => {
  const { answer, one } = await made();
  platform.advance(1);
  const patched = await platform.call("PATCH", one, { body: { compute_config: { k8s_namespaces: ["b"] } } });
  expect(patched.body).toEqual({
    ...record(answer.body),
    compute_config: { k8s_namespaces: ["b"] },
    updated_at: "2030-01-01T00:00:01.000Z",
  });
  const kept = await platform.call("PATCH", one, { body: { compute_config: null, version: "0.3" } });
  expect(kept.body).toMatchObject({ compute_config: { k8s_namespaces: ["b"] }, version: "0.3" });
});

test("compute_type is k8s, and it and compute_id are fixed at creation; compute_id is no key of the path", async () => {
  expect(problems(await create({ compute_type: "ecs" }))).toEqual(["body.compute_type: literal_error"]);
  expect(stored().list()).toEqual([]);
  const { one } = await made();
  for (const name of ["compute_type", "compute_id"]) {
    const answer = await platform.call("PATCH", one, { body: { [name]: "k8s" } });
    expect(problems(answer)).toEqual([`body.${name}: extra_forbidden`]);
  }
  expect((await platform.call("GET", `${all}/prod`)).status).toBe(404);
});

test("a deployment cannot name a listener that is not there, unless the platform does not look", async () => {
  const placed = (listenerId: unknown) => ({
    ...deploymentBody,
    source_config: { resource_spec: {}, listener_id: listenerId },
  });
  const post = (listenerId: unknown) => platform.call("POST", "/v2/deployments", { body: placed(listenerId) });
  const detail = "Listener ID prod not found.";
  expect(await post("prod")).toMatchObject({ status: 400, body: { detail } });
  expect((await post(text((await create()).body, "id"))).status).toBe(201);
  const lax = await startPlatform({ anyListener: true });
  expect((await lax.call("POST", "/v2/deployments", { body: placed("prod") })).status).toBe(201);
});
