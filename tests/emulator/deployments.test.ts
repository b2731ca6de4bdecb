import { deployments, revisions } from "../../emulator";
import {
  anyText,
  completeSpec,
  uuid,
  deploymentBody,
  field,
  githubBody,
  platformForTests,
  startPlatform,
  problems,
  text,
} from "./api";

const platform = platformForTests({ deleteSeconds: 30 });

const all = "/v2/deployments";
async function made(body: object = deploymentBody): Promise<{ path: string; body: unknown }> {
  const answer = await platform.call("POST", all, { body });
  expect(answer.status).toBe(201);
  return { path: `${all}/${text(answer.body, "id")}`, body: answer.body };
}
async function revisionStatus(path: string, revision: string): Promise<unknown> {
  return field((await platform.call("GET", `${path}/revisions/${revision}`)).body, "status");
}

describe("POST /v2/deployments", () => {
  test("answers id and latest_revision_id, and every documented field", async () => {
    const { body } = await made();
    expect(body).toEqual({
      id: uuid,
      tenant_id: platform.emulator.tenantId,
      name: "triage",
      display_name: null,
      source: "external_docker",
      source_config: {
        integration_id: null,
        repo_url: null,
        deployment_type: "prod",
        build_on_push: false,
        custom_url: null,
        resource_spec: completeSpec({ cpu: 2 }),
        listener_id: null,
        listener_config: null,
        install_command: null,
        build_command: null,
        template_id: null,
      },
      source_revision_config: {
        repo_ref: null,
        langgraph_config_path: null,
        image_uri: "registry.example/triage:1",
        source_tarball_path: null,
        repo_commit_sha: null,
      },
      secrets: deploymentBody.secrets,
      secret_references: [],
      created_at: "2030-01-01T00:00:00.000Z",
      updated_at: "2030-01-01T00:00:00.000Z",
      status: "AWAITING_DATABASE",
      latest_revision_id: uuid,
      active_revision_id: null,
      image_version: "1",
      is_managed_deep_agent: false,
    });
  });

  test("a platform that takes a name twice makes a second deployment of it", async () => {
    const lenient = await startPlatform({ sameNames: true });
    const make = () => lenient.call("POST", all, { body: deploymentBody });
    expect([(await make()).status, (await make()).status]).toEqual([201, 201]);
    expect(lenient.emulator.outOfBand(deployments).list()).toHaveLength(2);
  });

  test("a field that the API may gain is kept and answered, and overrides no field of the server", async () => {
    const owned = { id: "x", tenant_id: "x", latest_revision_id: "x", active_revision_id: "x", status: "READY" };
    const { body } = await made({ ...deploymentBody, ...owned, colour: "red" });
    expect(body).toMatchObject({
      ...{ colour: "red", id: uuid, tenant_id: platform.emulator.tenantId, status: "AWAITING_DATABASE" },
      ...{ latest_revision_id: uuid, active_revision_id: null },
    });
  });
});

describe("the walk of a revision", () => {
  test.each([
    ["create", "CREATE_FAILED"],
    ["build", "BUILD_FAILED"],
    ["deploy", "DEPLOY_FAILED"],
  ])("a marker in image_uri, repo_ref or langgraph_config_path makes it fail: %s", async (word, status) => {
    const marker = `emulator-fail-${word}`;
    for (const config of [{ image_uri: `x/${marker}:1` }, { repo_ref: marker }, { langgraph_config_path: marker }]) {
      const sourceRevisionConfig = { ...githubBody.source_revision_config, ...config };
      const { path, body } = await made(
        "image_uri" in config
          ? { ...deploymentBody, source_revision_config: config }
          : { ...githubBody, name: Object.keys(config).join(), source_revision_config: sourceRevisionConfig },
      );
      platform.advance(100);
      expect(await revisionStatus(path, text(body, "latest_revision_id"))).toBe(status);
      expect((await platform.call("GET", path)).body).toMatchObject({
        active_revision_id: null,
        source_config: { custom_url: null },
      });
    }
  });
});

describe("PATCH /v2/deployments/{deployment_id}", () => {
  const spec = { source_config: { resource_spec: { cpu: 1 } } };
  test.each([
    ["source_revision_config makes a revision", { source_revision_config: { image_uri: "x:2" } }, true],
    ["secrets make a revision", { secrets: [{ name: "B", value: "b" }] }, true],
    ["resource_spec makes a revision", spec, true],
    ["custom_url alone makes none", { source_config: { custom_url: "https://a.example" } }, false],
    ["display_name alone makes none", { display_name: "Triage" }, false],
    ["an empty list of secrets is ignored", { secrets: [] }, false],
    ["nulls make none", { secrets: null, source_revision_config: null, source_config: { resource_spec: null } }, false],
  ])("%s", async (_reason, body, makes) => {
    const before = await made();
    const after = await platform.call("PATCH", before.path, { body });
    expect(after.status).toBe(200);
    const moved = text(after.body, "latest_revision_id") !== text(before.body, "latest_revision_id");
    expect(moved).toBe(makes);
  });

  test.each([
    ["name", { name: "n" }, "body.name"],
    ["source", { source: "github" }, "body.source"],
    ["integration_id", { source_config: { integration_id: "i" } }, "body.source_config.integration_id"],
    ["repo_url", { source_config: { repo_url: "u" } }, "body.source_config.repo_url"],
    ["deployment_type", { source_config: { deployment_type: "prod" } }, "body.source_config.deployment_type"],
    ["listener_id", { source_config: { listener_id: "l" } }, "body.source_config.listener_id"],
    ["k8s", { source_config: { listener_config: { k8s_namespace: "k" } } }, "body.source_config.listener_config"],
    ["template_id", { source_config: { template_id: "t" } }, "body.source_config.template_id"],
  ])("%s needs a replacement", async (_field, body, at) => {
    const { path } = await made();
    for (const answer of [
      await platform.call("PATCH", path, { body }),
      await platform.call("POST", `${path}/revisions`, { body }),
    ]) {
      expect(problems(answer)).toEqual([`${at}: extra_forbidden`]);
    }
  });

  test("build_on_push alone makes no revision, and null does not clear it", async () => {
    const { path, body: created } = await made(githubBody);
    const pushed = await platform.call("PATCH", path, { body: { source_config: { build_on_push: true } } });
    expect(field(pushed.body, "latest_revision_id")).toBe(text(created, "latest_revision_id"));
    const { body } = await platform.call("PATCH", path, { body: { source_config: { build_on_push: null } } });
    expect(body).toMatchObject({ source_config: { build_on_push: true } });
  });
});

describe("DELETE and the list", () => {
  test("deletion is asynchronous: 204, AWAITING_DELETE for a while, then 404 and the name is free", async () => {
    const { path } = await made();
    expect((await platform.call("DELETE", path)).status).toBe(204);
    platform.advance(29);
    expect((await platform.call("GET", path)).body).toMatchObject({ status: "AWAITING_DELETE" });
    expect((await platform.call("GET", all)).body).toMatchObject({ resources: [{ status: "AWAITING_DELETE" }] });
    expect((await platform.call("POST", all, { body: deploymentBody })).status).toBe(409);
    expect((await platform.call("PATCH", path, { body: { display_name: "x" } })).status).toBe(409);
    expect((await platform.call("DELETE", path)).status).toBe(204);
    platform.advance(1);
    expect(await platform.call("GET", path)).toMatchObject({ status: 404, body: { detail: anyText } });
    expect((await platform.call("DELETE", path)).status).toBe(404);
    expect((await platform.call("GET", all)).body).toEqual({ resources: [], offset: 0 });
    expect(platform.emulator.outOfBand(revisions).list()).toEqual([]);
    await made();
  });

  test("pages of 20 unless a limit is given, filtered by name_contains", async () => {
    for (let index = 0; index < 22; index += 1) await made({ ...deploymentBody, name: `agent-${index}` });
    const first = await platform.call("GET", all);
    expect(field(first.body, "resources")).toHaveLength(20);
    expect(field(first.body, "offset")).toBe(20);
    expect(field((await platform.call("GET", `${all}?offset=20`)).body, "resources")).toHaveLength(2);
    expect(field((await platform.call("GET", `${all}?offset=22`)).body, "resources")).toEqual([]);
    expect(field((await platform.call("GET", `${all}?name_contains=agent-2`)).body, "resources")).toHaveLength(3);
  });
});

/** The id of one more. */
const madeId = async (name: string) => text((await made({ ...deploymentBody, name })).body, "id");
const deleted = (ids: readonly string[]) =>
  platform.call("DELETE", `${all}?${ids.map((id) => `deployment_ids=${id}`).join("&")}`);

test("deletes all that are named, each as a deletion of its own: AWAITING_DELETE first, then 404", async () => {
  const ids = [await madeId("a"), await madeId("b")];
  const kept = await madeId("c");
  const answer = await deleted(ids);
  expect([answer.status, answer.body]).toEqual([200, { deleted: ids, failed: [] }]);
  for (const id of ids) {
    expect((await platform.call("GET", `${all}/${id}`)).body).toMatchObject({ status: "AWAITING_DELETE" });
  }
  platform.advance(30);
  expect((await platform.call("GET", `${all}/${ids[0] ?? ""}`)).status).toBe(404);
  expect((await platform.call("GET", all)).body).toMatchObject({ resources: [{ id: kept }], offset: 1 });
});

test("207 where some failed: the others are deleted all the same; an id that is named twice is deleted once", async () => {
  const id = await madeId("a");
  const answer = await deleted([id, "x", id]);
  expect([answer.status, answer.body]).toMatchObject([207, { deleted: [id], failed: [{ deployment_id: "x" }] }]);
  expect((await platform.call("GET", `${all}/${id}`)).body).toMatchObject({ status: "AWAITING_DELETE" });
});

test.each<[reason: string, query: string, problem: string]>([
  ["without ids: never all of them", "", "query.deployment_ids: missing"],
  ["with empty ones", "?deployment_ids=", "query.deployment_ids: missing"],
  ["of 101", `?deployment_ids=${Array.from({ length: 101 }, (_, n) => n).join(",")}`, "query.deployment_ids: too_long"],
])("422 %s", async (_reason, query, problem) => {
  const id = await madeId("a");
  expect(problems(await platform.call("DELETE", all + query))).toEqual([problem]);
  expect((await platform.call("GET", `${all}/${id}`)).body).toMatchObject({ status: "AWAITING_DATABASE" });
});

test.each([
  ["true", 204],
  ["false", 204],
  ["perhaps", 422],
])("delete_tracing_project=%s answers %i, and the request log shows it", async (value, status) => {
  const id = await madeId("a");
  const answer = await platform.call("DELETE", `${all}/${id}?delete_tracing_project=${value}`);
  expect(answer.status).toBe(status);
  expect(platform.emulator.requests.at(-1)?.query).toEqual({ delete_tracing_project: value });
});
