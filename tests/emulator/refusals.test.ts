import { platformForTests, deploymentBody, field, providerBody, templateBody, text } from "./api";
import { rawRequest } from "./console/visitor";

const tenants = [
  { tenantId: "tenant-a", organizationId: "org-a", apiKey: "key-a" },
  { tenantId: "tenant-b", organizationId: "org-b", apiKey: "key-b" },
  { tenantId: "tenant-shared-1", organizationId: "org-shared", apiKey: "key-shared" },
  { tenantId: "tenant-shared-2", organizationId: "org-shared", apiKey: "key-shared" },
];
const platform = platformForTests({ tenants });
const documented = platformForTests({ contract: "documented", unknownRoute: "404" });

const deployments = "/v2/deployments";
const providers = "/v2/auth/providers";
const templates = "/v2/sandboxes/templates";
const registries = "/v2/sandboxes/registries";
const snapshots = "/v2/sandboxes/snapshots";
const volumes = "/v2/sandboxes/volumes";
const listeners = "/v2/listeners";
const secrets = "/v1/workspaces/current/secrets";
const agents = "/v1/agents";

/** Every endpoint of the extended contract; those marked true are in the documented one too. */
const endpoints: readonly [method: string, path: string, documented: boolean, body: object | undefined][] = [
  ["POST", deployments, true, deploymentBody],
  ["GET", deployments, false, undefined],
  ["GET", `${deployments}/x`, true, undefined],
  ["PATCH", `${deployments}/x`, true, {}],
  ["DELETE", deployments, false, undefined],
  ["DELETE", `${deployments}/x`, false, undefined],
  ["POST", `${deployments}/x/revisions`, false, {}],
  ["GET", `${deployments}/x/revisions`, false, undefined],
  ["GET", `${deployments}/x/revisions/y`, true, undefined],
  ["POST", `${deployments}/x/revisions/y/redeploy`, false, undefined],
  ["POST", "/v1/projects/x/revisions/y/build_logs", false, {}],
  ["POST", "/v1/projects/x/revisions/y/deploy_logs", false, {}],
  ["POST", "/v1/projects/x/deploy_logs", false, {}],
  ["POST", `${deployments}/x/upload-url`, false, {}],
  ["POST", `${deployments}/x/push-token`, false, {}],
  ["GET", "/v1/integrations/github/install", false, undefined],
  ["POST", providers, true, providerBody],
  ["GET", providers, false, undefined],
  ["GET", `${providers}/x`, false, undefined],
  ["PATCH", `${providers}/x`, false, {}],
  ["DELETE", `${providers}/x`, false, undefined],
  ["POST", templates, true, templateBody],
  ["GET", templates, true, undefined],
  ["GET", `${templates}/x`, false, undefined],
  ["PATCH", `${templates}/x`, false, { name: "y" }],
  ["DELETE", `${templates}/x`, false, undefined],
  ["POST", registries, false, { name: "x", url: "https://x.example", username: "x", password: "x" }],
  ["GET", registries, false, undefined],
  ["GET", `${registries}/x`, false, undefined],
  ["PATCH", `${registries}/x`, false, {}],
  ["DELETE", `${registries}/x`, false, undefined],
  ["POST", snapshots, false, { name: "x", docker_image: "x", fs_capacity_bytes: 1 }],
  ["GET", snapshots, false, undefined],
  ["GET", `${snapshots}/x`, false, undefined],
  ["DELETE", `${snapshots}/x`, false, undefined],
  ["GET", secrets, false, undefined],
  ["PUT", `${secrets}/x`, false, { value: "x" }],
  ["DELETE", `${secrets}/x`, false, undefined],
  ["POST", volumes, false, { name: "x", size_bytes: 1 }],
  ["GET", volumes, false, undefined],
  ["GET", `${volumes}/x`, false, undefined],
  ["PATCH", `${volumes}/x`, false, {}],
  ["DELETE", `${volumes}/x`, false, undefined],
  ["POST", `${volumes}/x/clone`, false, { name: "y" }],
  ["POST", listeners, false, { compute_type: "k8s", compute_id: "x", compute_config: {} }],
  ["GET", listeners, false, undefined],
  ["GET", `${listeners}/x`, false, undefined],
  ["PATCH", `${listeners}/x`, false, {}],
  ["DELETE", `${listeners}/x`, false, undefined],
  ["POST", agents, false, { id: "x" }],
  ["GET", agents, false, undefined],
  ["GET", `${agents}/x`, false, undefined],
  ["PATCH", `${agents}/x`, false, {}],
  ["DELETE", `${agents}/x`, false, undefined],
];

describe("a request without the right credentials is refused before it is read, and changes nothing", () => {
  const elsewhere = "The API key gives no access to this tenant";
  const refusals: readonly [reason: string, headers: Record<string, string>, status: number, detail: string][] = [
    ["no credentials", {}, 401, "Not authenticated"],
    ["a scheme that is not Bearer", { authorization: "Basic a2V5LWE=" }, 401, "Not authenticated"],
    ["a tenant alone", { "x-tenant-id": "tenant-a" }, 401, "Not authenticated"],
    ["an empty key", { "x-api-key": "" }, 401, "Invalid API key"],
    ["an unknown key", { "x-api-key": "key-x" }, 401, "Invalid API key"],
    ["a part of a key", { "x-api-key": "key-" }, 401, "Invalid API key"],
    ["an unknown bearer token", { authorization: "Bearer key-x" }, 401, "Invalid API key"],
    ["the tenant of another key", { "x-api-key": "key-a", "x-tenant-id": "tenant-b" }, 403, elsewhere],
    ["the organization of another key", { "x-api-key": "key-a", "x-organization-id": "org-b" }, 403, elsewhere],
  ];
  // They come before the routes: all on one endpoint, and one on each.
  const rows = endpoints.flatMap((endpoint, at) =>
    refusals.flatMap((refusal, n) => (at === 0 || n === at % refusals.length ? [[endpoint, refusal] as const] : [])),
  );
  test.each(rows.map(([endpoint, refusal]) => [endpoint[0], endpoint[1], refusal[0], endpoint, refusal] as const))(
    "%s %s with %s",
    async (_method, _path, _reason, [method, path, , body], [, headers, status, detail]) => {
      const response = await fetch(`${platform.emulator.url}${path}`, {
        method,
        headers: { ...headers, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect([response.status, await response.json()]).toEqual([status, { detail }]);
      expect(Object.values(platform.emulator.store.snapshot()).flat()).toEqual([]);
      expect(platform.emulator.requests.at(-1)).toMatchObject({ status, tenant: null });
    },
  );
});

describe("a key of several tenants", () => {
  const shared = { "x-api-key": "key-shared" };
  test.each<[string, Record<string, string>, string]>([
    ["opens the first one unless told otherwise", shared, "tenant-shared-1"],
    ["opens the one of X-Tenant-Id", { ...shared, "x-tenant-id": "tenant-shared-2" }, "tenant-shared-2"],
    [
      "X-Organization-Id may come with it",
      { ...shared, "x-tenant-id": "tenant-shared-2", "x-organization-id": "org-shared" },
      "tenant-shared-2",
    ],
  ])("%s", async (_rule, headers, tenant) => {
    const { body } = await platform.call("POST", deployments, { body: deploymentBody, headers });
    expect(field(body, "tenant_id")).toBe(tenant);
  });

  test("may come as a bearer token", async () => {
    const headers = { authorization: "Bearer key-shared" };
    expect((await fetch(platform.emulator.url + templates, { headers })).status).toBe(200);
  });

  test("keeps their objects apart", async () => {
    await platform.call("POST", templates, { body: templateBody, headers: shared });
    const other = { ...shared, "x-tenant-id": "tenant-shared-2" };
    expect((await platform.call("GET", `${templates}/python`, { headers: other })).status).toBe(404);
    expect((await platform.call("POST", templates, { body: templateBody, headers: other })).status).toBe(201);
    expect((await platform.call("DELETE", `${templates}/python`, { headers: other })).status).toBe(204);
    expect((await platform.call("GET", `${templates}/python`, { headers: shared })).status).toBe(200);
  });
});

test("an object of another tenant cannot be read, changed or deleted, by id or by key, and blocks no name", async () => {
  const created = await platform.call("POST", deployments, { body: deploymentBody });
  const one = `${deployments}/${text(created.body, "id")}`;
  await platform.call("POST", providers, { body: providerBody });
  await platform.call("POST", templates, { body: templateBody });
  const before = platform.emulator.store.snapshot();
  const headers = { "x-api-key": "key-b" };
  const strangers: readonly [string, string, object?][] = [
    ["GET", one],
    ["PATCH", one, { display_name: "mine" }],
    ["DELETE", one],
    ["GET", `${one}/revisions`],
    ["DELETE", `${one}?delete_tracing_project=true`],
    ["POST", `${one}/revisions`, {}],
    ["GET", `${one}/revisions/${text(created.body, "latest_revision_id")}`],
    ["POST", `${one}/revisions/${text(created.body, "latest_revision_id")}/redeploy`],
    ["POST", `/v1/projects/${text(created.body, "id")}/deploy_logs`, {}],
    ["GET", `${providers}/tracker`],
    ["PATCH", `${providers}/tracker`, { name: "mine" }],
    ["DELETE", `${providers}/tracker`],
    ["GET", `${templates}/python`],
    ["PATCH", `${templates}/python`, { name: "mine" }],
    ["DELETE", `${templates}/python`],
  ];
  for (const [method, path, body] of strangers) {
    expect([method, path, (await platform.call(method, path, { body, headers })).status]).toEqual([method, path, 404]);
  }
  expect((await platform.call("GET", deployments, { headers })).body).toEqual({ resources: [], offset: 0 });
  expect((await platform.call("GET", templates, { headers })).body).toEqual({ templates: [], offset: 0 });
  expect((await platform.call("GET", providers, { headers })).body).toEqual([]);
  expect(platform.emulator.store.snapshot()).toEqual(before);
  expect((await platform.call("POST", deployments, { body: deploymentBody, headers })).status).toBe(201);
});

describe("an unknown object answers 404 with a string that names it", () => {
  const details: readonly (readonly [of: RegExp, detail: string])[] = [
    [/deployments\/|projects\//, "Deployment ID x not found."],
    [/providers\//, "OAuth provider x not found"],
    [/templates\//, "SandboxTemplate x not found"],
    [/registries\//, "SandboxRegistry x not found"],
    [/snapshots\//, "SandboxSnapshot x not found"],
    [/volumes\//, "SandboxVolume x not found"],
    [/listeners\//, "Listener ID x not found."],
    [/agents\//, "Agent x not found"],
  ];
  const rows = endpoints.flatMap(([method, path, , body]) =>
    details.flatMap(([of, detail]) => (of.test(path) ? [[method, path, body, detail] as const] : [])),
  );
  test.each([
    ...rows.filter(([, path]) => path.includes("/x")),
    ["GET", `${templates}/a%2Fb`, undefined, "SandboxTemplate a/b not found"] as const,
  ])("%s %s", async (method, path, body, detail) => {
    const answer = await platform.call(method, path, { body });
    expect([answer.status, answer.body]).toEqual([404, { detail }]);
  });
});

describe("a method that a path does not have answers 405 and names those it has", () => {
  test.each<["extended" | "documented", string, string, string]>([
    ["extended", "PUT", deployments, "POST, GET, DELETE"],
    ["extended", "PUT", `${deployments}/x`, "GET, PATCH, DELETE"],
    ["extended", "DELETE", `${deployments}/x/revisions/y`, "GET"],
    ["extended", "DELETE", templates, "POST, GET"],
    ["extended", "POST", `${providers}/x`, "GET, PATCH, DELETE"],
    ["documented", "GET", deployments, "POST"],
    ["documented", "DELETE", `${deployments}/x`, "GET, PATCH"],
    ["documented", "DELETE", `${deployments}/x/revisions/y`, "GET"],
    ["documented", "GET", providers, "POST"],
    ["documented", "DELETE", templates, "POST, GET"],
  ])("%s: %s %s", async (contract, method, path, allow) => {
    const answer = await (contract === "extended" ? platform : documented).call(method, path);
    expect([answer.status, answer.body, answer.headers.get("allow")]).toEqual([
      405,
      { detail: "Method Not Allowed" },
      allow,
    ]);
  });
});

describe("a method that no path has", () => {
  // fetch sends no TRACE.
  test.each(["TRACE", "PROPFIND", "OPTIONS", "QUERY"])("%s answers 405 or 501, and changes nothing", async (method) => {
    const before = platform.emulator.store.snapshot();
    const headers = { "x-api-key": "key-a" };
    const ask = (path: string) => rawRequest(platform.emulator.url + path, method, headers);
    expect(await ask(deployments)).toEqual({ status: 405, text: '{"detail":"Method Not Allowed"}' });
    expect(await ask("/v3")).toEqual({
      status: 501,
      text: JSON.stringify({ detail: `The emulator has no route ${method} /v3` }),
    });
    expect(platform.emulator.store.snapshot()).toEqual(before);
  });
});

describe("a path of neither contract", () => {
  test.each(["/", "/v2", "/v1/deployments", "/v2/deployments/", "/v2/deployments/x/logs", "/threads", "/runs/stream"])(
    "%s is never mistaken for a deleted object",
    async (path) => {
      const answer = await platform.call("GET", path);
      expect([answer.status, answer.body]).toEqual([501, { detail: `The emulator has no route GET ${path}` }]);
      const strict = await documented.call("GET", path);
      expect([strict.status, strict.body]).toEqual([404, { detail: "Not Found" }]);
    },
  );
});

test.each(endpoints.filter(([, , both]) => !both))("documented has no %s %s", async (method, path, _both, body) => {
  const before = documented.emulator.store.snapshot();
  expect([404, 405]).toContain((await documented.call(method, path, { body })).status);
  expect(documented.emulator.store.snapshot()).toEqual(before);
});

test("a body nested without end is refused, and spoils no later answer", async () => {
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const sent = JSON.stringify({ ...deploymentBody, extra: "DEEP" }).replace('"DEEP"', deep);
  const answer = await platform.call("POST", deployments, { text: sent });
  expect([answer.status, field(answer.body, "detail", 0)]).toEqual([
    422,
    { loc: ["body"], msg: "JSON is nested too deeply", type: "json_invalid" },
  ]);
  expect((await platform.call("GET", deployments)).status).toBe(200);
});
