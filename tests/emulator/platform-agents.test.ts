import { anyHeaders, deploymentBody, field, platformForTests, problems, text, uuid } from "./api";

const platform = platformForTests();

const all = "/v1/agents";
const one = `${all}/desk`;
const create = (body: object = {}) => platform.call("POST", all, { body: { id: "desk", ...body } });
const { name: _name, ...unnamed } = deploymentBody;
const deploy = (environment: string, agentId = "desk") =>
  platform.call("POST", "/v2/deployments", { body: { ...unnamed, agent: { agent_id: agentId, environment } } });
const environmentsOf = (body: unknown) => field(body, "environments");

test("POST answers 201 with defaults and all four environments; below /api, too", async () => {
  const answer = await create();
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    ...{ id: "desk", agent_uuid: uuid, name: "desk", agent_type: "CUSTOM", source_type: "EXTERNAL", owner_id: null },
    environments: ["LOCAL", "DEVELOPMENT", "STAGING", "PRODUCTION"].map((environment) => ({
      ...{ id: uuid, agent_id: "desk", environment, tracer_session_id: uuid },
      tracer_session_name: `desk-${environment.toLowerCase()}`,
    })),
  });
  expect((await platform.call("GET", `/api${one}`)).body).toEqual(answer.body);
});

test("production_only is for a FLEET agent alone, which then has one environment", async () => {
  expect((await create({ production_only: true })).status).toBe(400);
  const { body } = await create({ production_only: true, source_type: "FLEET" });
  expect(environmentsOf(body)).toMatchObject([{ environment: "PRODUCTION" }]);
});

test("an id is a DNS label, and taken by one agent", async () => {
  for (const id of ["Desk", "1desk", "desk-", "d".repeat(64)]) expect((await create({ id })).status).toBe(422);
  await create();
  expect(await create()).toMatchObject({ status: 409, headers: anyHeaders });
});

test("PATCH changes what it names, null clears the owner, and only an EXTERNAL agent gets another source", async () => {
  await create();
  const patch = (body: object) => platform.call("PATCH", one, { body });
  expect((await patch({ name: "Desk", owner_id: "u" })).body).toMatchObject({ name: "Desk", owner_id: "u" });
  expect((await patch({ owner_id: null, source_type: "LSD" })).body).toMatchObject({ name: "Desk", owner_id: null });
  expect(problems(await patch({ source_type: "MDA" }))).toEqual(["body.source_type: value_error"]);
});

test("the list pages by cursor, filters, and refuses what it does not know", async () => {
  for (const id of ["a", "ab", "b-c"]) await create({ id });
  const idsOf = async (query: string) => {
    const { body } = await platform.call("GET", `${all}?${query}`);
    return { ids: [field(body, "items")].flat().map((item) => text(item, "id")), next: field(body, "next_cursor") };
  };
  const { ids, next } = await idsOf("page_size=2");
  expect([ids.length, typeof next]).toEqual([2, "string"]);
  const rest = await idsOf(`page_size=2&cursor=${String(next)}`);
  expect([[...ids, ...rest.ids].sort(), rest.next]).toEqual([["a", "ab", "b-c"], null]);
  expect((await idsOf("search=BC")).ids).toEqual(["b-c"]);
  expect((await idsOf("name=-C&include_count=true")).ids).toEqual(["b-c"]);
  expect((await idsOf("name=bc")).ids).toEqual([]);
  expect((await idsOf("name=bc&search=ab")).ids).toEqual(["ab"]);
  expect((await idsOf("id=a&id=b-c")).ids.sort()).toEqual(["a", "b-c"]);
  for (const other of ["limit=1", "name_contains=b"])
    expect((await platform.call("GET", `${all}?${other}`)).status).toBe(400);
  expect((await platform.call("GET", `${all}?sort_by=name&sort_order=asc&include=runtime_bindings`)).status).toBe(200);
});

test("a deployment of an agent gets its name, is the only one there, is found by the filters, and keeps the agent", async () => {
  await create();
  const made = await deploy("production");
  expect([made.status, text(made.body, "name")]).toEqual([201, expect.stringMatching(/^desk-production-/)]);
  expect(made.body).not.toHaveProperty("agent");
  expect((await deploy("production")).status).toBe(409);
  expect((await deploy("staging")).status).toBe(201);
  expect((await deploy("production", "absent")).status).toBe(404);
  const { body } = await platform.call("GET", "/v2/deployments?agent_id=desk&agent_environment=production");
  expect(field(body, "resources")).toMatchObject([{ id: text(made.body, "id") }]);
});

test("a deployment has a name or an agent", async () => {
  const both = { ...deploymentBody, agent: { agent_id: "desk", environment: "production" } };
  expect(problems(await platform.call("POST", "/v2/deployments", { body: both }))).toEqual(["body.name: value_error"]);
  expect(problems(await platform.call("POST", "/v2/deployments", { body: unnamed }))).toEqual(["body.name: missing"]);
});

test("an agent can be deleted once the deletion of its deployment is over", async () => {
  await create();
  const { body } = await deploy("production");
  await platform.call("DELETE", `/v2/deployments/${text(body, "id")}`);
  expect((await platform.call("DELETE", one)).status).toBe(409);
  platform.advance(50);
  expect((await platform.call("DELETE", one)).status).toBe(204);
});
