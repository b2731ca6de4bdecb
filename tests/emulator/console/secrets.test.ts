import { oauthProviders, sandboxTemplates, type Graph } from "../../../emulator";
import { isObject } from "../../../provider/base/json";
import { RESOURCES } from "../../../provider/resources/registry";
import { MANAGED_TYPES } from "../../../provider/resources/resource-types";
import { making, PLAYED } from "../../conformance/cases";
import { deploymentBody, providerBody, templateBody, text } from "../api";
import { everyPage, visit, withoutEntities, type Visitor } from "./visitor";

/** Agents that keep a secret in their state, and fail with one. */
const indiscreet: Graph = {
  channels: { topic: "last" },
  steps: [{ update: { update: { topic: "canary-variable" } } }],
};
const failing: Graph = {
  channels: { topic: "last" },
  steps: [
    { fails: { actions: [{ type: "throw", error: "Error", message: "with canary-variable, cut to canary-vari" }] } },
  ],
};

let visitor: Visitor;
let id: string;
beforeAll(async () => {
  visitor = await visit({
    apiKey: "canary-api-key",
    graphs: { indiscreet, failing },
    revisionLog: () => [
      "connecting with canary-variable",
      "pulling with canary-password",
      { level: "ERROR", message: "refused canary-client-secret" },
    ],
  });
  const { platform } = visitor;
  const { emulator } = platform;
  const call: typeof platform.call = (...asked) => platform.call(...asked);
  const deployment = {
    ...deploymentBody,
    source_config: {
      resource_spec: {
        sidecars: [{ name: "proxy", env: [{ name: "TOKEN", value: "canary-sidecar" }] }],
        annotations: { token: "canary-annotation" },
      },
      custom_url: "https://user:canary-userinfo@agent.example/x",
    },
    source_revision_config: { image_uri: "https://user:canary-registry@registry.example/triage:1" },
    secrets: [{ name: "MODEL_KEY", value: "canary-variable" }],
    unknown_field: { token: "canary-unknown" },
  };
  id = text((await call("POST", "/v2/deployments", { body: deployment })).body, "id");
  await call("POST", "/v2/auth/providers", {
    body: {
      ...providerBody,
      client_secret: "canary-client-secret",
      auth_url: "https://a:canary-auth@tracker.example/x",
    },
  });
  await call("PATCH", "/v2/auth/providers/tracker", { body: { authorization_params: { token: "canary-parameter" } } });
  const rule = { name: "r", match_hosts: ["api.example"], inject_headers: { authorization: "Bearer canary-header" } };
  await call("POST", "/v2/sandboxes/templates", { body: { ...templateBody, proxy_config: { rules: [rule] } } });
  await call("POST", "/v2/listeners", { body: { compute_type: "k8s", compute_id: "cluster", compute_config: {} } });
  await call("POST", "/v2/sandboxes/registries", {
    body: {
      name: "internal",
      url: "https://a:canary-url@registry.example",
      username: "robot",
      password: "canary-password",
    },
  });
  await call("POST", "/v2/sandboxes/snapshots", {
    body: {
      name: "notebook",
      docker_image: "https://a:canary-pull@registry.example/x",
      fs_capacity_bytes: 1,
      labels: { A: "canary-label" },
    },
  });
  visitor.platform.advance(100);

  // Requests that hold secrets wherever a request can: of all statuses, with and without a fault.
  const echo = emulator.faults.add({ kind: "status", status: 503, echo: true, method: "PUT" });
  const html = emulator.faults.add({ kind: "malformed-json", method: "OPTIONS" });
  const other = text((await call("POST", "/v2/deployments", { body: { ...deployment, name: "other" } })).body, "id");
  for (const method of ["POST", "PATCH", "PUT", "DELETE", "OPTIONS"]) {
    await fetch(`${emulator.url}/v2/deployments/${other}?token=canary-query&name=canary-variable`, {
      method,
      headers: {
        "x-api-key": "canary-api-key",
        authorization: "Bearer canary-bearer",
        cookie: "session=canary-cookie",
        "x-user-id": "canary-user",
        "content-type": "application/json",
      },
      body: JSON.stringify({ client_secret: "canary-new-secret", secrets: [{ name: "A", value: "canary-new-value" }] }),
    });
  }
  await fetch(`${emulator.url}/agents/${id}/runs/stream`, {
    method: "POST",
    headers: { "x-api-key": "canary-api-key" },
    body: JSON.stringify({ assistant_id: "indiscreet", input: { topic: "canary-input" } }),
  }).then((answer) => answer.text());
  await call("POST", `/v2/deployments/${id}/upload-url`, { body: {} });
  echo.remove();
  html.remove();
  // An object of each type, with a secret in each field that is one.
  for (const type of MANAGED_TYPES) {
    const { program, body } = PLAYED[type];
    const { fields } = RESOURCES[type].table;
    const given = Object.entries(program).map(([name, value]) => {
      if (fields[name]?.secret !== true) return [name, value] as const;
      return [name, isObject(value) ? { A: `canary-${type}` } : `canary-${type}`] as const;
    });
    const [method, path, sent] = making(type, body(Object.fromEntries(given)));
    expect([type, (await call(method, path, { body: sent })).status < 300]).toEqual([type, true]);
  }
  await call("DELETE", `/v2/deployments/none`);
});

test("no page holds any secret, and each page shows something", async () => {
  const paths = await everyPage(visitor);
  expect(paths.length).toBeGreaterThan(15);
  for (const path of paths) {
    const { status, text: page } = await visitor.get(`/console${path}`);
    expect([path, status]).toEqual([path, 200]);
    expect([path, ...(page.match(/.{40}canary.{20}/g) ?? [])]).toEqual([path]);
  }
});

test("what is masked is there otherwise: names of variables, the host, the shape of a body, the log", async () => {
  const { text: page } = await visitor.get(`/console/deployments/${id}`);
  for (const part of [
    "MODEL_KEY",
    "//[secret]@agent.example/x",
    "connecting with [secret]",
    "pulling with [secret]",
    "refused [secret]",
    "sidecars",
    "unknown_field",
  ]) {
    expect(page).toContain(part);
  }
  const refused = visitor.platform.emulator.requests.find(({ method }) => method === "PUT");
  const { text: request } = await visitor.get(`/console/requests/${refused?.seq ?? 0}`);
  expect(request).toContain("&lt;string&gt;");
});

test.each([
  ["in its state", "indiscreet", '"topic": "[secret]"'],
  ["in its error", "failing", "Error: with [secret], cut to [secret]"],
])("the answer of an agent holds none: %s", async (_where, graph, answer) => {
  const { status, text: page } = await visitor.submit(`/console/deployments/${id}/ask`, { question: "key?", graph });
  expect(status).toBe(200);
  expect(withoutEntities(page)).toContain(answer);
  expect(page).not.toContain("canary");
});

test("a refused change repeats no secret that was there before", async () => {
  const change = { display_name: "x", source_config: { resource_spec: { cpu: "many" } } };
  const page = await visitor.submit(`/console/objects/deployments/${id}/change`, { change: JSON.stringify(change) });
  expect(page.status).toBe(422);
  expect(page.text).not.toContain("canary");
});

test("a change leaves what the page masks as it is, and a mask is never written in its place", async () => {
  const { emulator } = visitor.platform;
  const [provider] = emulator.outOfBand(oauthProviders).list();
  const change = (fields: object) =>
    visitor.submit(`/console/objects/oauth_providers/${provider?.id ?? ""}/change`, { change: JSON.stringify(fields) });
  expect((await change({ name: "Renamed" })).status).toBe(303);
  expect((await change({ name: "Again", auth_url: "https://[secret]@tracker.example/x" })).status).toBe(422);
  expect(emulator.outOfBand(oauthProviders).list()[0]).toMatchObject({
    name: "Renamed",
    auth_url: "https://a:canary-auth@tracker.example/x",
  });
});

test("the name of an object stays readable, though a variable has it as its value; what is no name is masked there", async () => {
  const start = await visit();
  const { platform } = start;
  await platform.call("POST", "/v2/sandboxes/templates", { body: { ...templateBody, name: "notebook-1a2b3c" } });
  const secrets = ["notebook-1a2b3c", "support-agent", "canary-token"].map((value) => ({ name: "VARIABLE", value }));
  const agent = { ...deploymentBody, name: "support-agent", secrets };
  const made = text((await platform.call("POST", "/v2/deployments", { body: agent })).body, "id");
  await platform.call("POST", "/v2/deployments", { body: { ...agent, display_name: "canary-token" } });
  for (const name of ["notebook-1a2b3c", "canary-token"]) await platform.call("GET", `/v2/sandboxes/templates/${name}`);
  const [template] = platform.emulator.outOfBand(sandboxTemplates).list();
  const shown = async (path: string): Promise<string> => withoutEntities((await start.get(`/console${path}`)).text);
  expect(await shown("")).toMatch(/data-object="support-agent".*data-object="notebook-1a2b3c"/s);
  expect(await shown(`/sandbox_templates/${template?.id ?? ""}`)).toContain("<h1><bdi>notebook-1a2b3c</bdi></h1>");
  expect(await shown(`/deployments/${made}`)).toContain("<h1><bdi>support-agent</bdi></h1>");
  expect(await shown("/requests")).toContain("/v2/sandboxes/templates/notebook-1a2b3c");
  expect(await shown("/requests/1")).toContain('"name": "notebook-1a2b3c"');
  expect(await shown("/requests")).toContain("/v2/sandboxes/templates/[secret]");
  for (const path of await everyPage(start))
    expect([path, (await shown(path)).includes("canary")]).toEqual([path, false]);
});
