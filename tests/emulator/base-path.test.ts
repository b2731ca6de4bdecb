import { deploymentBody, startPlatform, templateBody, text, type Platform } from "./api";

// docs/internals/platform.md, Endpoints: where a control plane lives, and the sandbox API.

let platform: Platform;

test("the control plane answers at the root and below /api-host: one and the same", async () => {
  platform = await startPlatform();
  const { body } = await platform.call("POST", "/api-host/v2/deployments", { body: deploymentBody });
  const path = `/v2/deployments/${text(body, "id")}`;
  for (const base of ["", "/api-host"]) expect((await platform.call("GET", base + path)).body).toEqual(body);
  expect((await platform.call("PUT", `/api-host${path}`)).status).toBe(405);
  expect((await platform.call("GET", "/api-host/v2/nothing")).status).toBe(501);
});

test("the sandbox API answers below /api too", async () => {
  platform = await startPlatform();
  const { body } = await platform.call("POST", "/api/v2/sandboxes/templates", { body: templateBody });
  for (const base of ["", "/api", "/api-host"]) {
    expect((await platform.call("GET", `${base}/v2/sandboxes/templates/python`)).body).toEqual(body);
  }
  expect((await platform.call("GET", "/api/v2/deployments")).status).toBe(501);
});

test("another base path takes its place", async () => {
  platform = await startPlatform({ basePath: "/control/plane" });
  expect((await platform.call("GET", "/control/plane/v2/deployments")).status).toBe(200);
  expect((await platform.call("GET", "/api-host/v2/deployments")).status).toBe(501);
});

test("contract documented has none unless it is asked for", async () => {
  platform = await startPlatform({ contract: "documented" });
  for (const base of ["/api-host", "/api"]) {
    expect((await platform.call("GET", `${base}/v2/sandboxes/templates`)).status).toBe(501);
  }
  platform = await startPlatform({ contract: "documented", basePath: "/api-host" });
  expect((await platform.call("GET", "/api-host/v2/sandboxes/templates")).status).toBe(200);
});

test.each(["api-host", "/api-host/", "/", "/a?b"])("%s is no base path", async (basePath) => {
  platform = await startPlatform();
  await expect(startPlatform({ basePath })).rejects.toThrow(/base path/);
});
