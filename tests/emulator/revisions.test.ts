import { deployments, revisions, type NewRevision } from "../../emulator";
import { deploymentBody, field, platformForTests, startPlatform, text, uuid, type Platform } from "./api";

const platform = platformForTests();

const all = "/v2/deployments";
async function made(change: object = {}, on: Platform = platform): Promise<{ path: string; latest: string }> {
  const { body } = await on.call("POST", all, { body: { ...deploymentBody, ...change } });
  return { path: `${all}/${text(body, "id")}`, latest: text(body, "latest_revision_id") };
}
async function redeployed(path: string, image = "registry.example/triage:2"): Promise<string> {
  const { body } = await platform.call("PATCH", path, { body: { source_revision_config: { image_uri: image } } });
  return text(body, "latest_revision_id");
}

test("GET answers exactly the documented fields: no reason of a failure among them", async () => {
  const { path, latest } = await made({ source_revision_config: { image_uri: "emulator-fail-build" } });
  platform.advance(80);
  const answer = await platform.call("GET", `${path}/revisions/${latest}`);
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      id: latest,
      created_at: "2030-01-01T00:00:00.000Z",
      updated_at: "2030-01-01T00:01:15.000Z",
      status: "BUILD_FAILED",
      source: "external_docker",
      source_revision_config: {
        repo_ref: null,
        langgraph_config_path: null,
        image_uri: "emulator-fail-build",
        source_tarball_path: null,
        repo_commit_sha: null,
        tracked_packages: null,
      },
      deepagents_version: null,
    },
  ]);
});

test("repo_commit_sha is read-only", async () => {
  const { path, latest } = await made({
    source_revision_config: { image_uri: "registry.example/triage:1", repo_commit_sha: "sent" },
  });
  for (const at of [path, `${path}/revisions/${latest}`]) {
    expect(field((await platform.call("GET", at)).body, "source_revision_config", "repo_commit_sha")).toBeNull();
  }
});

test("a revision is found only below its own deployment, and its 404 does not mean that the deployment is gone", async () => {
  const one = await made();
  const other = await made({ name: "other" });
  const answer = await platform.call("GET", `${one.path}/revisions/${other.latest}`);
  expect([answer.status, answer.body]).toEqual([404, { detail: `Revision ${other.latest} not found` }]);
  expect((await platform.call("GET", one.path)).status).toBe(200);
});

test("superseding one revision after another leaves only the last one to be DEPLOYED", async () => {
  const { path } = await made();
  await redeployed(path, "a");
  platform.advance(10);
  await redeployed(path, "b");
  platform.advance(1000);
  const { body } = await platform.call("GET", `${path}/revisions`);
  expect(body).toMatchObject({
    resources: [
      { status: "DEPLOYED", source_revision_config: { image_uri: "b" } },
      { status: "SKIPPED", updated_at: "2030-01-01T00:00:10.000Z" },
      { status: "SKIPPED", updated_at: "2030-01-01T00:00:00.000Z" },
    ],
  });
});

describe("the list, newest first", () => {
  test("pages by limit and the returned offset, 20 unless a limit is given", async () => {
    const { path, latest } = await made();
    const ids = [latest];
    for (let index = 0; index < 20; index += 1) ids.unshift(await redeployed(path, `x:${index}`));
    const page = async (query: string) => {
      const { body } = await platform.call("GET", `${path}/revisions${query}`);
      const items = field(body, "resources");
      return [Array.isArray(items) ? items.map((item) => field(item, "id")) : items, field(body, "offset")];
    };
    expect(await page("")).toEqual([ids.slice(0, 20), 20]);
    expect(await page("?limit=2&offset=1")).toEqual([ids.slice(1, 3), 3]);
    expect(await page("?offset=20")).toEqual([[latest], 21]);
    expect(await page("?offset=21")).toEqual([[], 21]);
    expect(await page("?limit=100")).toEqual([ids, 21]);
  });
});

describe("nullLatestRevisionMs", () => {
  const slow = platformForTests({ nullLatestRevisionMs: 3000 });

  test("until then the first revision is in no answer, and its time runs all the same", async () => {
    const { body } = await slow.call("POST", all, { body: deploymentBody });
    // Without a revision there is no environment to show.
    expect(body).toMatchObject({ latest_revision_id: null, secrets: [] });
    const path = `${all}/${text(body, "id")}`;
    const [hidden] = slow.emulator.outOfBand(revisions).list();
    slow.clock.advance(2999);
    expect((await slow.call("GET", path)).body).toMatchObject({ latest_revision_id: null, active_revision_id: null });
    expect((await slow.call("GET", `${path}/revisions`)).body).toEqual({ resources: [], offset: 0 });
    expect((await slow.call("GET", `${path}/revisions/${String(hidden?.id)}`)).status).toBe(404);
    slow.clock.advance(1);
    expect((await slow.call("GET", path)).body).toMatchObject({
      latest_revision_id: hidden?.id,
      secrets: deploymentBody.secrets,
    });
    slow.clock.advance(97_000);
    expect((await slow.call("GET", path)).body).toMatchObject({ active_revision_id: hidden?.id });
  });

  test("a PATCH in the meantime makes a revision that is seen at once, and stays the latest", async () => {
    const { body } = await slow.call("POST", all, { body: deploymentBody });
    const path = `${all}/${text(body, "id")}`;
    const patched = await slow.call("PATCH", path, { body: { secrets: [{ name: "A", value: "v" }] } });
    const latest = text(patched.body, "latest_revision_id");
    slow.advance(10);
    expect((await slow.call("GET", path)).body).toMatchObject({ latest_revision_id: latest });
    expect(field((await slow.call("GET", `${path}/revisions`)).body, "resources")).toHaveLength(2);
  });
});

test("a queued outcome decides how a revision ends, else the hook, else the marker", async () => {
  const asked: NewRevision[] = [];
  const decided = await startPlatform({
    revisionOutcome: (revision) => {
      asked.push(revision);
      return revision.deploymentName === "hooked" ? "DEPLOY_FAILED" : undefined;
    },
  });
  const marked = { source_revision_config: { image_uri: "emulator-fail-create" } };
  decided.emulator.nextRevision("BUILD_FAILED");
  const paths = [
    await made({ ...marked, name: "queued" }, decided),
    await made({ ...marked, name: "hooked" }, decided),
    await made({ ...marked, name: "marked" }, decided),
  ];
  decided.advance(100);
  const statuses = await Promise.all(
    paths.map(async ({ path, latest }) =>
      field((await decided.call("GET", `${path}/revisions/${latest}`)).body, "status"),
    ),
  );
  expect(statuses).toEqual(["BUILD_FAILED", "DEPLOY_FAILED", "CREATE_FAILED"]);
  expect(asked[0]).toEqual({
    deploymentId: uuid,
    deploymentName: "hooked",
    sourceRevisionConfig: marked.source_revision_config,
  });
});

// docs/internals/platform.md, PATCH of a deployment: the two other ways to a revision.
const get = async (path: string) => (await platform.call("GET", path)).body;
const stored = () => platform.emulator.outOfBand(deployments).get("triage");

describe("POST of a revision", () => {
  test("answers the revision, which the deployment then names as its latest one", async () => {
    const { path, latest: first } = await made();
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
    const { path, latest: first } = await made();
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
});

describe("redeploy", () => {
  test("makes a new revision with the configuration of the old one, and answers the deployment", async () => {
    const { path, latest: first } = await made({
      source_config: { ...deploymentBody.source_config, install_command: "a" },
    });
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
    const { path, latest: first } = await made();
    expect((await platform.call("POST", `${path}/revisions/x/redeploy`)).status).toBe(404);
    expect(await get(path)).toMatchObject({ latest_revision_id: first });
  });

  test("of a deployment that is being deleted answers 409, as does a new revision", async () => {
    const { path, latest: first } = await made();
    await platform.call("DELETE", path);
    expect((await platform.call("POST", `${path}/revisions`, { body: {} })).status).toBe(409);
    expect((await platform.call("POST", `${path}/revisions/${first}/redeploy`)).status).toBe(409);
  });
});

test("revisions are listed by their status", async () => {
  const { path, latest: first } = await made();
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
