import { deployments } from "../../emulator";
import { deploymentBody, field, platformForTests, text, uuid } from "./api";

// docs/internals/platform.md, PATCH of a deployment: the two other ways to a revision.

const platform = platformForTests();

const all = "/v2/deployments";
async function made(change: object = {}): Promise<{ path: string; first: string }> {
  const { body } = await platform.call("POST", all, { body: { ...deploymentBody, ...change } });
  return { path: `${all}/${text(body, "id")}`, first: text(body, "latest_revision_id") };
}
const get = async (path: string) => (await platform.call("GET", path)).body;
const stored = () => platform.emulator.outOfBand(deployments).get("triage");

describe("POST of a revision", () => {
  test("answers the revision, which the deployment then names as its latest one", async () => {
    const { path, first } = await made();
    const body = { source_revision_config: { image_uri: "registry.example/triage:2" } };
    const answer = await platform.call("POST", `${path}/revisions`, { body });
    expect([answer.status, answer.body]).toMatchObject([201, { id: uuid, status: "CREATING", ...body }]);
    const id = text(answer.body, "id");
    expect(id).not.toBe(first);
    expect(await get(path)).toMatchObject({ latest_revision_id: id, ...body });
    expect(await get(`${path}/revisions/${id}`)).toEqual(answer.body);
  });

  test.each([
    ["nothing at all: one more of the same", {}],
    ["a field that makes none in a PATCH", { source_config: { custom_url: "orders.example.com" } }],
    ["an empty environment, which is ignored", { secrets: [] }],
  ])("makes one in any case: %s", async (_reason, body) => {
    const { path, first } = await made();
    const { body: answer } = await platform.call("POST", `${path}/revisions`, { body });
    expect(field(await get(path), "latest_revision_id")).toBe(text(answer, "id"));
    expect(text(answer, "id")).not.toBe(first);
    expect(stored().secrets).toEqual(deploymentBody.secrets);
  });

  test("changes image, environment, resources, commands and references, and keeps what it leaves out", async () => {
    const { path } = await made({ source_config: { ...deploymentBody.source_config, install_command: "npm ci" } });
    const reference = { name: "KEY", secret_name: "vault", secret_key: "key" };
    const change = {
      source_config: { build_command: "npm run build", resource_spec: { cpu: 4 } },
      secrets: [{ name: "B", value: "b" }],
      secret_references: [reference],
    };
    await platform.call("POST", `${path}/revisions`, { body: change });
    expect(stored()).toMatchObject({
      source_config: { install_command: "npm ci", build_command: "npm run build" },
      resource_spec: { cpu: 4 },
      source_revision_config: deploymentBody.source_revision_config,
      secrets: change.secrets,
      secret_references: [reference],
    });
    await platform.call("POST", `${path}/revisions`, { body: { secret_references: [] } });
    expect(stored()).toMatchObject({ secrets: change.secrets, secret_references: [] });
  });

  test("of a deployment that is being deleted answers 409", async () => {
    const { path } = await made();
    await platform.call("DELETE", path);
    expect((await platform.call("POST", `${path}/revisions`, { body: {} })).status).toBe(409);
  });
});

describe("redeploy", () => {
  test("makes a new revision with the configuration of the old one, and answers the deployment", async () => {
    const { path, first } = await made({ source_config: { ...deploymentBody.source_config, install_command: "a" } });
    platform.advance(100);
    const change = {
      source_revision_config: { image_uri: "registry.example/triage:2" },
      secrets: [{ name: "OTHER", value: "o" }],
      source_config: { install_command: "b", build_command: "c", resource_spec: { cpu: 4 } },
    };
    await platform.call("POST", `${path}/revisions`, { body: change });
    platform.advance(100);
    const answer = await platform.call("POST", `${path}/revisions/${first}/redeploy`);
    expect(answer.status).toBe(200);
    const latest = text(answer.body, "latest_revision_id");
    expect(answer.body).toMatchObject({ source_revision_config: deploymentBody.source_revision_config });
    expect(stored()).toMatchObject({
      secrets: deploymentBody.secrets,
      resource_spec: { cpu: 2 },
      source_config: { install_command: "a" },
    });
    expect(stored().source_config).not.toHaveProperty("build_command");
    const { body: list } = await platform.call("GET", `${path}/revisions`);
    expect(list).toMatchObject({
      resources: [{ id: latest, status: "CREATING" }, { status: "DEPLOYED" }, { id: first }],
    });
    platform.advance(100);
    expect(await get(path)).toMatchObject({ active_revision_id: latest });
  });

  test("an unknown revision answers 404, and makes none", async () => {
    const { path, first } = await made();
    expect((await platform.call("POST", `${path}/revisions/x/redeploy`)).status).toBe(404);
    expect(await get(path)).toMatchObject({ latest_revision_id: first });
  });

  test("of a deployment that is being deleted answers 409", async () => {
    const { path, first } = await made();
    await platform.call("DELETE", path);
    expect((await platform.call("POST", `${path}/revisions/${first}/redeploy`)).status).toBe(409);
  });
});

test("revisions are listed by their status", async () => {
  const { path, first } = await made();
  platform.advance(100);
  await platform.call("POST", `${path}/revisions`, { body: {} });
  await platform.call("POST", `${path}/revisions`, { body: {} });
  const found = async (query: string) => {
    const { body } = await platform.call("GET", `${path}/revisions?${query}`);
    return field(body, "resources");
  };
  expect(await found("status=DEPLOYED")).toMatchObject([{ id: first }]);
  expect(await found("status=SKIPPED,DEPLOYED")).toMatchObject([{ status: "SKIPPED" }, { id: first }]);
  expect(await found("status=BUILD_FAILED")).toEqual([]);
  expect(await found("status=SKIPPED,DEPLOYED&limit=1&offset=1")).toMatchObject([{ id: first }]);
});

test("updated_at of a deployment moves when a revision ends, well or not", async () => {
  platform.emulator.nextRevision("BUILD_FAILED");
  const { path } = await made();
  platform.advance(74);
  expect(await get(path)).toMatchObject({ updated_at: "2030-01-01T00:00:00.000Z" });
  platform.advance(26);
  expect(await get(path)).toMatchObject({ updated_at: "2030-01-01T00:01:15.000Z" });
  await platform.call("POST", `${path}/revisions`, { body: {} });
  platform.advance(200);
  expect(await get(path)).toMatchObject({ updated_at: "2030-01-01T00:03:20.000Z" });
});
