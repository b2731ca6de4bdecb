import { request } from "node:http";
import { deploymentBody, field, platformForTests, startPlatform, problems, providerBody, templateBody } from "./api";

const tenants = [
  { tenantId: "tenant-a", organizationId: "org-a", apiKey: "key-canary-a" },
  { tenantId: "tenant-b", organizationId: "org-b", apiKey: "key-canary-b" },
];
const templates = "/v2/sandboxes/templates";
const platform = platformForTests({ tenants });

test("documented offers its seven endpoints", async () => {
  const documented = await startPlatform({ contract: "documented" });
  const created = await documented.call("POST", "/v2/deployments", { body: deploymentBody });
  const path = `/v2/deployments/${String(field(created.body, "id"))}`;
  const statuses = [
    created.status,
    (await documented.call("GET", path)).status,
    (await documented.call("GET", `${path}/revisions/${String(field(created.body, "latest_revision_id"))}`)).status,
    (await documented.call("PATCH", path, { body: { display_name: "x" } })).status,
    (await documented.call("POST", "/v2/auth/providers", { body: providerBody })).status,
    (await documented.call("POST", templates, { body: templateBody })).status,
    (await documented.call("GET", templates)).status,
  ];
  expect(statuses).toEqual([201, 200, 200, 200, 200, 201, 200]);
});

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
      const answer = await platform.call("POST", path, sent);
      expect([answer.status, problems(answer)]).toEqual([422, [problem]]);
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

  test("holds no key and no secret, even of requests that are refused", async () => {
    await platform.call("POST", "/v2/deployments", { body: { ...deploymentBody, extra: "deployment-canary" } });
    await platform.call("POST", "/v2/deployments", {
      body: { secrets: "deployment-canary", name: { a: "deployment-canary" } },
    });
    await platform.call("POST", "/v2/auth/providers", { body: providerBody });
    await platform.call("POST", "/v2/auth/providers", { text: `{"client_secret":"client-canary"` });
    await platform.call("GET", `${templates}?api_key=key-canary-a`);
    const proxy = { rules: [{ name: "r", match_hosts: [], inject_headers: { a: "client-canary" } }] };
    await platform.call("POST", templates, { body: { ...templateBody, proxy_config: proxy } });
    expect(platform.emulator.requests).toHaveLength(6);
    expect(JSON.stringify(platform.emulator.requests)).not.toContain("canary");
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
