import { deployments } from "../../emulator";
import { field, githubBody, matching, platformForTests, startPlatform, text, uuid, type Platform } from "./api";

// docs/internals/platform.md, Answers of a deployment: what a repository is resolved to.

let serverVersion: string;
beforeEach(() => void (serverVersion = "0.9.1"));
const platform = platformForTests({ serverVersion: () => serverVersion });

const all = "/v2/deployments";
const repoUrl = githubBody.source_config.repo_url;
const commit = matching(/^[0-9a-f]{40}$/);
async function made(change: object = {}, config: object = {}): Promise<string> {
  const body = { ...githubBody, ...change, source_config: { ...githubBody.source_config, ...config } };
  return `${all}/${text((await platform.call("POST", all, { body })).body, "id")}`;
}
const get = async (path: string) => (await platform.call("GET", path)).body;
const shaOf = async (path: string) => text(await get(path), "source_revision_config", "repo_commit_sha");

test("repo_branch is what was asked for, repo_ref and repo_commit_sha what it resolved to", async () => {
  const path = await made();
  const body = await get(path);
  const sha = text(body, "source_revision_config", "repo_commit_sha");
  expect(body).toMatchObject({
    source_config: { repo_branch: "main", resource_spec: null },
    source_revision_config: { repo_ref: sha, repo_commit_sha: commit, langgraph_config_path: "langgraph.json" },
  });
  expect(platform.emulator.outOfBand(deployments).get("desk").source_revision_config).toMatchObject({
    repo_ref: "main",
  });
});

test("image_uri is that of the latest revision, once it is built; image_version follows", async () => {
  const path = await made();
  expect(await get(path)).toMatchObject({ source_revision_config: { image_uri: null }, image_version: null });
  platform.advance(75);
  const body = await get(path);
  const image = text(body, "source_revision_config", "image_uri");
  expect(image).toContain(`:${(await shaOf(path)).slice(0, 12)}`);
  expect(body).toMatchObject({ status: "READY", image_version: "0.9.1" });
});

test("image_version is the newest agent server when the revision was made, and a filter of the list", async () => {
  const path = await made();
  const sha = await shaOf(path);
  platform.advance(100);
  serverVersion = "0.10.0";
  expect(await get(path)).toMatchObject({ image_version: "0.9.1" });
  const revision = text(await get(path), "latest_revision_id");
  await platform.call("POST", `${path}/revisions/${revision}/redeploy`);
  platform.advance(100);
  expect(await get(path)).toMatchObject({ image_version: "0.9.1" });
  await platform.call("POST", `${path}/revisions`, { body: {} });
  platform.advance(100);
  expect(await get(path)).toMatchObject({
    image_version: "0.10.0",
    source_revision_config: { repo_commit_sha: sha },
  });
  const having = async (version: string) => (await platform.call("GET", `${all}?image_version=${version}`)).body;
  expect(await having("0.10.0")).toMatchObject({ resources: [{ name: "desk" }] });
  expect(await having("0.9.1")).toMatchObject({ resources: [] });
});

test("a build that fails leaves no image", async () => {
  platform.emulator.nextRevision("BUILD_FAILED");
  const path = await made();
  platform.advance(100);
  expect(await get(path)).toMatchObject({ source_revision_config: { image_uri: null } });
});

test("the same branch of the same repository is the same commit, on every start; any other is another", async () => {
  const paths = [
    await made(),
    await made({ name: "again" }, { repo_url: `${repoUrl}.git` }),
    await made({ name: "dev", source_revision_config: { ...githubBody.source_revision_config, repo_ref: "dev" } }),
    await made({ name: "other" }, { repo_url: "https://github.com/example/tools" }),
  ];
  const [main, again, dev, other] = await Promise.all(paths.map(shaOf));
  expect(again).toBe(main);
  expect(new Set([main, dev, other]).size).toBe(3);
  const restarted = await startPlatform();
  const { body } = await restarted.call("POST", all, { body: githubBody });
  expect(field(body, "source_revision_config", "repo_commit_sha")).toBe(main);
});

test("a commit that is asked for is itself", async () => {
  const sha = "0123456789abcdef0123456789abcdef01234567";
  const path = await made({ source_revision_config: { ...githubBody.source_revision_config, repo_ref: sha } });
  expect(await shaOf(path)).toBe(sha);
});

describe("a push", () => {
  const push = (branch = "main", url = repoUrl) => platform.emulator.push({ repoUrl: url, branch });

  test("makes a revision of the new commit of each deployment that builds the branch on push", async () => {
    const path = await made({}, { build_on_push: true });
    const before = await get(path);
    platform.advance(100);
    push();
    const after = await get(path);
    expect(field(after, "latest_revision_id")).not.toBe(text(before, "latest_revision_id"));
    expect(await shaOf(path)).not.toBe(text(before, "source_revision_config", "repo_commit_sha"));
    expect(after).toMatchObject({
      source_config: { repo_branch: "main" },
      active_revision_id: text(before, "latest_revision_id"),
      updated_at: "2030-01-01T00:01:40.000Z",
    });
    platform.advance(100);
    expect(await get(path)).toMatchObject({ active_revision_id: text(after, "latest_revision_id") });
  });

  test.each<[reason: string, config: object, push: () => void]>([
    ["does not build on push", { build_on_push: false }, () => push()],
    ["builds another branch", { build_on_push: true }, () => push("dev")],
    ["builds another repository", { build_on_push: true }, () => push("main", "https://github.com/example/tools")],
  ])("leaves a deployment alone that %s", async (_reason, config, pushed) => {
    const path = await made({}, config);
    const before = await get(path);
    pushed();
    expect(await get(path)).toEqual(before);
  });

  test("leaves a deployment alone that is being deleted", async () => {
    const path = await made({}, { build_on_push: true });
    await platform.call("DELETE", path);
    const before = await get(path);
    push();
    expect(await get(path)).toEqual(before);
  });

  test("is what the next revision builds, however that comes about", async () => {
    const path = await made();
    const first = await shaOf(path);
    push();
    push();
    expect(await shaOf(path)).toBe(first);
    await platform.call("POST", `${path}/revisions`, { body: {} });
    expect(await shaOf(path)).not.toBe(first);
  });

  test("a redeploy builds the commit of the old revision, and the branch stays what it was", async () => {
    const path = await made();
    const [first, revision] = [await shaOf(path), text(await get(path), "latest_revision_id")];
    push();
    await platform.call("POST", `${path}/revisions`, { body: {} });
    await platform.call("POST", `${path}/revisions/${revision}/redeploy`);
    expect(await shaOf(path)).toBe(first);
    expect(await get(path)).toMatchObject({ source_config: { repo_branch: "main" } });
  });
});

test("there is one integration, the same at every start, unless a test names its own", async () => {
  const installed = async (at: Platform) => (await at.call("GET", "/v1/integrations/github/install")).body;
  expect(await installed(platform)).toEqual([{ id: uuid, installation_id: 1, name: "example" }]);
  expect(await installed(await startPlatform())).toEqual(await installed(platform));
  const own = await startPlatform({ githubIntegrations: [{ id: "i-1", name: "acme" }] });
  expect(await installed(own)).toEqual([{ id: "i-1", installation_id: 1, name: "acme" }]);
});
