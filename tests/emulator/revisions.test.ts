import { revisions, type NewRevision } from "../../emulator";
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

test("a revision that fails leaves the one before it active", async () => {
  const { path, latest } = await made();
  platform.advance(100);
  const failing = await redeployed(path, "emulator-fail-deploy");
  platform.advance(100);
  const { body } = await platform.call("GET", path);
  expect(body).toMatchObject({ latest_revision_id: failing, active_revision_id: latest, status: "READY" });
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
