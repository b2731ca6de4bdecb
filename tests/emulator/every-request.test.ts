import { request } from "node:http";
import { deploymentBody, platformForTests, startPlatform, problems, templateBody, text } from "./api";

const tenants = [
  { tenantId: "tenant-a", organizationId: "org-a", apiKey: "key-canary-a" },
  { tenantId: "tenant-b", organizationId: "org-b", apiKey: "key-canary-b" },
];
const templates = "/v2/sandboxes/templates";
const platform = platformForTests({ tenants });

describe("bodies that are not JSON objects", () => {
  test.each<[string, { text: string; headers?: Record<string, string> }, string]>([
    ["nothing", { text: "" }, "body: missing"],
    ["not JSON", { text: "{" }, "body: json_invalid"],
    ["HTML", { text: "<p>" }, "body: json_invalid"],
    ["an array", { text: "[]" }, "body: dict_type"],
    ["a string", { text: '"x"' }, "body: dict_type"],
    ["null", { text: "null" }, "body: dict_type"],
    ["another content type", { text: "{}", headers: { "content-type": "text/plain" } }, "body: json_type"],
  ])("%s", async (_reason, sent, problem) => {
    for (const path of ["/v2/deployments", "/v2/auth/providers", templates]) {
      expect(problems(await platform.call("POST", path, sent))).toEqual([problem]);
    }
  });
});

describe("a page of a list", () => {
  test.each<[list: string, most: number]>([
    ["/v2/deployments", 100],
    ["/v2/deployments/ID/revisions", 100],
    ["/v2/listeners", 100],
    [templates, 500],
  ])("%s has at most %i items", async (list, most) => {
    const { body } = await platform.call("POST", "/v2/deployments", { body: deploymentBody });
    const path = list.replace("ID", text(body, "id"));
    for (const query of ["limit=1", `limit=${most}`, "offset=0"]) {
      expect([query, (await platform.call("GET", `${path}?${query}`)).status]).toEqual([query, 200]);
    }
    for (const [query, problem] of [
      ["limit=0", "limit: greater_than_equal"],
      [`limit=${most + 1}`, "limit: less_than_equal"],
      ["limit=", "limit: int_parsing"],
      ["limit=1.5", "limit: int_parsing"],
      ["offset=-1", "offset: greater_than_equal"],
      ["offset=1e3", "offset: int_parsing"],
    ] as const) {
      const answer = await platform.call("GET", `${path}?${query}`);
      expect([query, answer.status, problems(answer)]).toEqual([query, 422, [`query.${problem}`]]);
    }
  });
});

describe("the request log", () => {
  test("shows each request, its sender and its answer", async () => {
    await platform.call("GET", `${templates}?limit=3`);
    await platform.call("POST", templates, { body: templateBody });
    expect(platform.emulator.requests).toMatchObject([
      { method: "GET", path: templates, query: { limit: "3" }, status: 200, tenant: "tenant-a", phase: "answered" },
      { method: "POST", status: 201, requestBody: { name: "python", resources: { cpu: "500m" } } },
    ]);
    platform.emulator.clearLog();
    expect(platform.emulator.requests).toEqual([]);
  });
});

test("a client that would rather speak another protocol is answered in this one", async () => {
  const headers = { "x-api-key": "key-canary-a", connection: "Upgrade", upgrade: "websocket" };
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${platform.emulator.url}${templates}`, { headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    });
    sent.on("error", reject).end();
  });
  expect(status).toBe(200);
});

// docs/internals/platform.md, Endpoints: where a control plane lives, and the sandbox API.

test("the control plane answers at the root and below /api-host: one and the same", async () => {
  const at = await startPlatform();
  const { body } = await at.call("POST", "/api-host/v2/deployments", { body: deploymentBody });
  const path = `/v2/deployments/${text(body, "id")}`;
  for (const base of ["", "/api-host"]) expect((await at.call("GET", base + path)).body).toEqual(body);
  expect((await at.call("PUT", `/api-host${path}`)).status).toBe(405);
  expect((await at.call("GET", "/api-host/v2/nothing")).status).toBe(501);
});

test("the sandbox API answers below /api too", async () => {
  const at = await startPlatform();
  const { body } = await at.call("POST", "/api/v2/sandboxes/templates", { body: templateBody });
  for (const base of ["", "/api", "/api-host"]) {
    expect((await at.call("GET", `${base}/v2/sandboxes/templates/python`)).body).toEqual(body);
  }
  expect((await at.call("GET", "/api/v2/deployments")).status).toBe(501);
});

test("another base path takes its place", async () => {
  const at = await startPlatform({ basePath: "/control/plane" });
  expect((await at.call("GET", "/control/plane/v2/deployments")).status).toBe(200);
  expect((await at.call("GET", "/api-host/v2/deployments")).status).toBe(501);
});

test("contract documented has none unless it is asked for", async () => {
  let at = await startPlatform({ contract: "documented" });
  for (const base of ["/api-host", "/api"]) {
    expect((await at.call("GET", `${base}/v2/sandboxes/templates`)).status).toBe(501);
  }
  at = await startPlatform({ contract: "documented", basePath: "/api-host" });
  expect((await at.call("GET", "/api-host/v2/sandboxes/templates")).status).toBe(200);
});

test.each(["api-host", "/api-host/", "/", "/a?b"])("%s is no base path", async (basePath) => {
  await expect(startPlatform({ basePath })).rejects.toThrow(/base path/);
});
