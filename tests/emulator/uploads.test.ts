import { deploymentBody, field, platformForTests, startPlatform, text, type Platform } from "./api";

// A client that uploads: it makes the deployment first, and its first revision once the upload is there.

const platform = platformForTests();

const all = "/v2/deployments";
async function made(source: string, on: Platform = platform): Promise<{ path: string; body: unknown }> {
  const config = { source_config: { deployment_type: "dev_zero" }, source_revision_config: {}, secrets: [] };
  const { body } = await on.call("POST", all, { body: { name: source, source, ...config } });
  return { path: `${all}/${text(body, "id")}`, body };
}
const get = async (path: string) => (await platform.call("GET", path)).body;

test.each(["internal_source", "internal_docker"])("%s has no revision until it has code to run", async (source) => {
  const { path, body } = await made(source);
  expect(body).toMatchObject({ latest_revision_id: null, active_revision_id: null, status: "AWAITING_DATABASE" });
  expect((await platform.call("GET", `${path}/revisions`)).body).toEqual({ resources: [], offset: 0 });
  platform.advance(1000);
  expect(await get(path)).toMatchObject({ latest_revision_id: null });
});

test("the name of the configuration can mark how the build ends: the path of an upload is the platform's", async () => {
  const { path } = await made("internal_source");
  const { body: place } = await platform.call("POST", `${path}/upload-url`, { body: {} });
  const config = {
    source_tarball_path: text(place, "object_path"),
    langgraph_config_path: "emulator-fail-build.json",
  };
  const { body } = await platform.call("PATCH", path, { body: { source_revision_config: config } });
  platform.advance(100);
  expect(await get(`${path}/revisions/${text(body, "latest_revision_id")}`)).toMatchObject({ status: "BUILD_FAILED" });
});

test("no other path is built: not a made-up one, not another tenant's", async () => {
  const tenants = ["a", "b"].map((id) => ({ tenantId: `tenant-${id}`, organizationId: "org", apiKey: `key-${id}` }));
  const shared = await startPlatform({ tenants });
  const own = await made("internal_source", shared);
  const headers = { "x-api-key": "key-b" };
  const body = { ...deploymentBody, source: "external_docker" };
  const other = await shared.call("POST", all, { body, headers });
  const theirs = await shared.call("POST", `${all}/${text(other.body, "id")}/upload-url`, { headers, body: {} });
  for (const path of ["uploads/mine.tar.gz", text(theirs.body, "object_path")]) {
    const change = { source_revision_config: { source_tarball_path: path, langgraph_config_path: "langgraph.json" } };
    const answer = await shared.call("PATCH", own.path, { body: change });
    expect([answer.status, field(answer.body, "detail")]).toEqual([
      400,
      "source_tarball_path is not one that upload-url returned",
    ]);
  }
});

test("an upload to a place that was never named answers 404", async () => {
  const { status } = await fetch(`${platform.emulator.url}/uploads/x`, { method: "PUT", body: "x" });
  expect(status).toBe(404);
});
