import { field, startPlatform, text, uuid, type Platform } from "./api";

let platform: Platform;

const all = "/v1/integrations/github";

test("there is one integration with repositories, the same at every start", async () => {
  platform = await startPlatform();
  const { status, body } = await platform.call("GET", `${all}/install`);
  expect([status, body]).toEqual([200, [{ id: uuid, installation_id: 1, name: "example" }]]);
  const id = text(field(body, 0), "id");
  const { body: repos } = await platform.call("GET", `${all}/${id}/repos`);
  expect(field(repos, 0)).toEqual({
    host_integration_id: id,
    id: 1,
    owner: "example",
    name: "agents",
    url: "https://github.com/example/agents",
    default_branch: "main",
  });
  expect((await platform.call("GET", `${all}/x/repos`)).status).toBe(404);
});

test("a test names its own", async () => {
  const repos = [{ owner: "acme", name: "desk", defaultBranch: "trunk" }];
  platform = await startPlatform({ githubIntegrations: [{ id: "i-1", name: "acme", repos }] });
  expect((await platform.call("GET", `${all}/install`)).body).toEqual([
    { id: "i-1", installation_id: 1, name: "acme" },
  ]);
  expect((await platform.call("GET", `${all}/i-1/repos`)).body).toMatchObject([
    { host_integration_id: "i-1", url: "https://github.com/acme/desk", default_branch: "trunk" },
  ]);
});
