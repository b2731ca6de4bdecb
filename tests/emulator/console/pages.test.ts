import { deployments, listeners, oauthProviders, sandboxSnapshots, sandboxTemplates } from "../../../emulator";
import { platformAgents } from "../../../emulator/platform/resource-records";
import { sandboxRegistries } from "../../../emulator/routes/sandbox-registries";
import { deploymentBody, githubBody, providerBody, templateBody, text } from "../api";
import { everyPage, visit, type Visitor } from "./visitor";

let visitor: Visitor;
beforeEach(async () => void (visitor = await visit()));

const call = async (method: string, path: string, body?: object): Promise<unknown> =>
  (await visitor.platform.call(method, path, { body })).body;
const deploy = async (change: object = {}): Promise<string> =>
  text(await call("POST", "/v2/deployments", { ...deploymentBody, ...change }), "id");

test("an empty environment says what to run: what comes after a command that asks is a block of its own", async () => {
  const { text: page } = await visitor.get("/console");
  expect(page).toMatch(/--secret agent-platform:apiKey<\/pre><pre[^>]*>pulumi up<\/pre>/);
  expect(page).toContain(`pulumi config set agent-platform:baseUrl ${visitor.platform.emulator.url}`);
});

test("the commands of an empty environment read the key from its file, whatever it is called, and no page has the key", async () => {
  const own = await visit({ console: { keyFile: "/tmp/it's here/key" }, apiKey: "canary-key-of-the-test" });
  const { text: page } = await own.get("/console");
  expect(page).toContain("agent-platform:apiKey &lt; &#39;/tmp/it&#39;\\&#39;&#39;s here/key&#39;");
  expect(page).not.toContain("canary");
});

/** One object of each type that is no deployment, each with its id. */
async function oneOfEach(): Promise<readonly (readonly [collection: string, id: string])[]> {
  const { emulator } = visitor.platform;
  await call("POST", "/v2/auth/providers", providerBody);
  await call("POST", "/v2/sandboxes/templates", templateBody);
  await call("POST", "/v2/sandboxes/snapshots", { name: "notebook", docker_image: "python:3", fs_capacity_bytes: 1 });
  const access = { url: "registry.example/mirror", username: "puller", password: "a-password" };
  await call("POST", "/v2/sandboxes/registries", { name: "images", ...access });
  await call("POST", "/v2/listeners", { compute_type: "k8s", compute_id: "cluster-1", compute_config: {} });
  await call("POST", "/v1/agents", { id: "support" });
  return [
    ["platform_agents", emulator.outOfBand(platformAgents).get("support").id],
    ["oauth_providers", emulator.outOfBand(oauthProviders).get("tracker").id],
    ["sandbox_templates", emulator.outOfBand(sandboxTemplates).get("python").id],
    ["sandbox_snapshots", emulator.outOfBand(sandboxSnapshots).get("notebook").id],
    ["sandbox_registries", emulator.outOfBand(sandboxRegistries).get("images").id],
    ["listeners", emulator.outOfBand(listeners).get("cluster-1").id],
  ];
}

test("the environment shows each object with a link, and what tells it from others; its page shows the rest", async () => {
  const id = await deploy();
  const github = text(await call("POST", "/v2/deployments", githubBody), "id");
  const objects = [...(await oneOfEach()), ["deployments", id], ["deployments", github]];
  visitor.platform.advance(3 * 3600);
  const { text: page } = await visitor.get("/console");
  for (const [collection, key] of objects) {
    expect(page).toContain(`href="/console/${collection}/${key}"`);
    expect((await visitor.get(`/console/${collection}/${key}`)).status).toBe(200);
  }
  for (const cell of ["registry.example/triage:1", "3 h 0 min", "registry.example/mirror", "latest", "ready"])
    expect(page).toContain(`"><bdi>${cell}</bdi></td>`);
  expect(page).toMatch(/<bdi>commit [0-9a-f]{40}</);
  const address = `${visitor.platform.emulator.url}/agents/${id}`;
  expect(
    [page, (await visitor.get(`/console/deployments/${id}`)).text].map((shown) => shown.includes(address)),
  ).toEqual([false, true]);
});

test("the workspace has a column where there is more than one", async () => {
  const tenants = ["a", "b"].map((name) => ({
    apiKey: `key-${name}`,
    tenantId: `tenant-${name}`,
    organizationId: "o",
  }));
  const own = await visit({ tenants });
  const made = async (apiKey: string): Promise<string> => {
    await own.platform.call("POST", "/v2/auth/providers", { body: providerBody, headers: { "x-api-key": apiKey } });
    return (await own.get("/console")).text;
  };
  expect(await made("key-a")).not.toContain("Workspace");
  expect(await made("key-b")).toMatch(/Workspace<.*tenant-b.*tenant-a/s);
});

test("a deployment runs what serves, whatever waits for its build", async () => {
  const id = await deploy();
  visitor.platform.advance(100);
  await call("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: "registry.example/triage:2" } });
  for (const image of ["triage:1", "triage:2"]) {
    expect((await visitor.get("/console")).text).toContain(`<bdi>registry.example/${image}</bdi></td>`);
    visitor.platform.advance(100);
  }
});

test("a snapshot is ready without a request", async () => {
  await oneOfEach();
  const status = async (): Promise<string | undefined> =>
    /data-object="notebook".*?<bdi>(building|ready)</s.exec((await visitor.get("/console")).text)?.[1];
  expect(await status()).toBe("building");
  visitor.platform.advance(100);
  expect(await status()).toBe("ready");
});

test.each([
  ["sourceRevisionConfig.imageUri", "source_revision_config.image_uri"],
  ["sourceConfig.resourceSpec.maxScale", "source_config.resource_spec.max_scale"],
  ["displayName", "display_name"],
  ["proxyConfig.rules.0.matchHosts", "proxy_config.rules.0.match_hosts"],
  ["fsCapacityBytes", "fs_capacity_bytes"],
  ["computeConfig.k8sNamespaces", "compute_config.k8s_namespaces"],
  ["clientId", "client_id"],
])("a field has its name in a program, %s, before that of the API", async (name, wire) => {
  const id = await deploy({ source_config: { resource_spec: { max_scale: 2 } } });
  await call("PATCH", `/v2/deployments/${id}`, { display_name: "Triage" });
  await oneOfEach();
  const rules = [{ name: "r", match_hosts: ["api.example"] }];
  await call("POST", "/v2/sandboxes/templates", { ...templateBody, name: "proxied", proxy_config: { rules } });
  const pages = await Promise.all(
    (await everyPage(visitor)).map(async (path) => (await visitor.get(`/console${path}`)).text),
  );
  expect(pages.join()).toContain(`<dt><bdi>${name}</bdi><small> ${wire}</small></dt>`);
});

test("no page names a command that only a checkout has", async () => {
  await deploy();
  const pages = [
    ...(await Promise.all((await everyPage(visitor)).map((path) => visitor.get(`/console${path}`)))),
    await visitor.get("/console", { cookie: "" }),
  ];
  expect(pages.map(({ text: page }) => /npm (run|start)|checkout/.exec(page)?.[0]).filter(Boolean)).toEqual([]);
  expect(pages.map(({ text: page }) => page).join()).toContain("npx pulumi-agent-platform");
});

test("a revision has the time in each status, which grows with the clock", async () => {
  const id = await deploy();
  visitor.platform.advance(30);
  expect(await visitor.revisions(id)).toEqual(["Revision 1 BUILDING"]);
  expect((await visitor.get(`/console/deployments/${id}`)).text).toContain(
    "<p>CREATING 5.0 s, QUEUED 10 s, AWAITING_BUILD 10 s, BUILDING 5.0 s; id",
  );
  visitor.platform.advance(100);
  expect(await visitor.revisions(id)).toEqual(["Revision 1 DEPLOYED"]);
  expect((await visitor.get(`/console/deployments/${id}`)).text).toContain("Application startup complete");
});

test("a deployment shows its configuration, names of variables, revisions with logs, and the latest requests for it", async () => {
  const id = await deploy();
  visitor.platform.advance(100);
  await call("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: "registry.example/triage:2" } });
  visitor.platform.emulator.nextRevision("BUILD_FAILED");
  visitor.platform.advance(100);
  await call("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: "registry.example/triage:3" } });
  visitor.platform.advance(100);
  const { text: page } = await visitor.get(`/console/deployments/${id}`);
  expect(page).toContain("sourceConfig.resourceSpec.cpu");
  expect(page).toContain("MODEL_KEY");
  expect(page).toContain("Build failed: pip install exited with code 1");
  const asked = [...page.matchAll(/<tr data-request="(\d+)"/g)].map(([, seq]) => Number(seq));
  expect(asked).toEqual([3, 2]);
});

test.each<[string, readonly ("fails" | "works" | "builds" | "deletes")[], string, string]>([
  ["none was made for long enough", ["builds"], "No revision serves yet: BUILDING", "busy"],
  ["the only one failed: READY alone would hide it", ["fails"], "No revision serves: BUILD_FAILED", "bad"],
  ["the only one works", ["works"], "Revision 1 serves", "good"],
  ["the latest failed: users have the old", ["works", "fails"], "Revision 1 serves; revision 2: BUILD_FAILED", "bad"],
  ["the latest is on its way", ["works", "builds"], "Revision 1 serves; revision 2: BUILDING", "busy"],
  ["it is going", ["works", "deletes"], "Being deleted", "idle"],
])("the headline of a deployment is what serves: %s", async (_why, steps, said, tone) => {
  let id: string | undefined;
  for (const step of steps) {
    if (step === "fails") visitor.platform.emulator.nextRevision("BUILD_FAILED");
    if (step === "deletes") await call("DELETE", `/v2/deployments/${String(id)}`);
    else if (id === undefined) id = await deploy();
    else
      await call("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: "registry.example/b:2" } });
    visitor.platform.advance(step === "builds" ? 30 : step === "deletes" ? 1 : 100);
  }
  const { text: page } = await visitor.get(`/console/deployments/${String(id)}`);
  const line = `data-serving="${tone}">${said}</span>`;
  // Before everything else, and in the list of all deployments.
  expect(page.indexOf(line)).toBeGreaterThan(0);
  expect(page.indexOf(line)).toBeLessThan(page.indexOf('id="ask-title"'));
  expect((await visitor.get("/console")).text).toContain(line);
});

test("the page of a deployment opens the log of a failure that nothing replaced", async () => {
  const id = await deploy();
  visitor.platform.advance(100);
  visitor.platform.emulator.nextRevision("BUILD_FAILED");
  const change = () =>
    call("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: "registry.example/triage:2" } });
  await change();
  visitor.platform.advance(100);
  const openLogs = (page: string): string[] =>
    [...page.matchAll(/aria-label="(Revision \d+)"[^]*?<details( open="")?/g)].flatMap(([, name = "", open]) =>
      open === undefined ? [] : [name],
    );
  const { text: failed } = await visitor.get(`/console/deployments/${id}`);
  expect(openLogs(failed)).toEqual(["Revision 2"]);
  const places = ["revisions", "configuration", "requests", "ask-title", "behind"].map((name) =>
    failed.indexOf(`id="${name}"`),
  );
  expect(places).toEqual([...places].sort((one, other) => one - other));
  await change();
  visitor.platform.advance(100);
  expect(openLogs((await visitor.get(`/console/deployments/${id}`)).text)).toEqual([]);
});

test("the log of a failed revision ends with its failure, after all that happened before", async () => {
  const own = await visit({
    revisionLog: ({ kind }) =>
      kind === "deploy" ? [{ level: "INFO", message: "said early", at: Date.UTC(2030, 0, 1) }] : ["built"],
  });
  own.platform.emulator.nextRevision("DEPLOY_FAILED");
  const id = text((await own.platform.call("POST", "/v2/deployments", { body: deploymentBody })).body, "id");
  own.platform.advance(100);
  const { text: page } = await own.get(`/console/deployments/${id}`);
  const lines = [...page.matchAll(/<li class="[^"]*"><time[^>]*>[^<]*<\/time> (\w+) <bdi>([^<]*)/g)];
  expect(lines.map(([, level, message]) => [level, message])).toEqual([
    ["INFO", "said early"],
    ["INFO", "built"],
    ["ERROR", "DEPLOY_FAILED"],
  ]);
});

test("a line of a log is shown without what steers a terminal, and with its last state alone", async () => {
  const own = await visit({
    revisionLog: ({ kind }) => (kind === "build" ? [] : ["10 %\r\x1b[32m100 %\x1b[0m \u202edone"]),
  });
  const id = text((await own.platform.call("POST", "/v2/deployments", { body: deploymentBody })).body, "id");
  own.platform.advance(100);
  expect((await own.get(`/console/deployments/${id}`)).text).toContain("INFO <bdi>100 % done</bdi>");
});

test("a deployment is rolled back to an earlier revision by the platform's own endpoint, and the page says so", async () => {
  const id = await deploy();
  visitor.platform.advance(100);
  await call("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: "registry.example/triage:2" } });
  visitor.platform.advance(100);
  const page = `/console/deployments/${id}`;
  const [action = "", ...others] = [...(await visitor.get(page)).text.matchAll(/action="([^"]+\/redeploy)"/g)].map(
    ([, path = ""]) => path,
  );
  expect(others).toEqual([]);
  const { status, headers } = await visitor.submit(action, {}, page);
  expect([status, headers.get("location")]).toEqual([303, `${page}?done=rolled-back`]);
  expect((await visitor.get(`${page}?done=rolled-back`)).text).toContain("deployed once more");
  visitor.platform.advance(100);
  expect((await visitor.get(page)).text).toMatch(/>Revision 3 serves<.*Revision 3 .*<bdi>registry.example\/triage:1</s);
  const gone = await visitor.submit(action.replace(/[^/]+(?=\/redeploy)/, "none"), {}, page);
  expect([gone.status, gone.text.includes("Revision none")]).toEqual([422, true]);
});

test("a roll back asks, as the command redeploy does: it names the variables that come back, and those that are another today", async () => {
  const id = await deploy({ secrets: ["KEPT", "CHANGED"].map((name) => ({ name, value: "first value" })) });
  visitor.platform.advance(100);
  const secrets = [
    { name: "KEPT", value: "first value" },
    { name: "CHANGED", value: "second value" },
  ];
  await call("PATCH", `/v2/deployments/${id}`, { secrets });
  visitor.platform.advance(100);
  const { text: page } = await visitor.get(`/console/deployments/${id}`);
  const [question, ...others] = [...page.matchAll(/<details[^>]*><summary>Roll back to revision 1…<[^]*?<\/details>/g)];
  expect(others).toEqual([]);
  expect(question?.[0]).toContain("each variable as it was then: KEPT, CHANGED. Changed since: CHANGED. ");
  expect(question?.[0]).toContain('<button type="submit">Yes, roll back to revision 1</button>');
});

test("no roll back is offered to the revision that serves, though a newer one has come", async () => {
  const id = await deploy();
  visitor.platform.advance(100);
  visitor.platform.emulator.nextRevision("BUILD_FAILED");
  await call("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: "registry.example/triage:2" } });
  visitor.platform.advance(100);
  expect((await visitor.get(`/console/deployments/${id}`)).text).not.toContain("Roll back");
});

test("a revision that deploys an earlier one once more says which, on the page alone: no answer of the platform's does", async () => {
  const id = await deploy();
  visitor.platform.advance(100);
  const path = `/v2/deployments/${id}`;
  await call("PATCH", path, { source_revision_config: { image_uri: "registry.example/triage:2" } });
  visitor.platform.advance(100);
  const first = text(await call("GET", `${path}/revisions`), "resources", 1, "id");
  const answers = [await call("POST", `${path}/revisions/${first}/redeploy`), await call("GET", `${path}/revisions`)];
  expect((await visitor.revisions(id))[0]).toBe("Revision 3 CREATING deploys revision 1 once more");
  expect(JSON.stringify(answers)).not.toContain("redeploy");
});

test("the page of an object that goes says so by itself, and so does an address of none", async () => {
  const id = await deploy();
  await call("DELETE", `/v2/deployments/${id}`);
  visitor.platform.advance(100);
  const page = await visitor.get(`/console/deployments/${id}`);
  expect([page.status, page.text.includes("no longer exists")]).toEqual([404, true]);
  expect((await visitor.get("/console/requests/999999")).status).toBe(404);
  for (const path of ["deployments/x/y", "nothing", "faults", "next-revision"]) {
    const none = await visitor.get(`/console/${path}`);
    expect([path, none.status, none.text.includes("/console, /console/requests, /console/break")]).toEqual([
      path,
      404,
      true,
    ]);
  }
});

test("lists come in pages", async () => {
  for (let index = 1; index <= 60; index += 1) await deploy({ name: `agent-${index}` });
  const names = async (path: string): Promise<string[]> =>
    [...(await visitor.get(path)).text.matchAll(/<tr data-object="([^"]+)"/g)].map(([, name = ""]) => name);
  const [first, second] = [await names("/console"), await names("/console?deployments=2")];
  expect([first.length, second.length]).toEqual([50, 10]);
  expect(new Set([...first, ...second]).size).toBe(60);
  expect(first[0]).toBe("agent-60");
  expect(await names("/console?deployments=99")).toEqual(second);
  expect(await names("/console?deployments=x")).toEqual(first);
});

test("with 1,000 deployments a page comes soon, and is as small as ever", async () => {
  const { emulator } = visitor.platform;
  const id = await deploy();
  const all = emulator.outOfBand(deployments);
  const [pattern] = all.list();
  if (pattern === undefined) throw new Error("there is no deployment");
  const collection = deployments.in(emulator.store);
  for (let index = 0; index < 1000; index += 1) {
    collection.put({
      ...pattern,
      id: `d-${index}`,
      name: `agent-${index}`,
      secrets: [{ name: "A", value: `secret-${index}` }],
    });
  }
  for (const path of ["/console", "/console/requests", "/console/break", `/console/deployments/${id}`]) {
    const times: number[] = [];
    for (let look = 0; look < 3; look += 1) {
      const begin = performance.now();
      const { text: page } = await visitor.get(path);
      times.push(performance.now() - begin);
      expect(page.length).toBeLessThan(120_000);
    }
    // This bound holds on a busy machine, too.
    expect(Math.min(...times)).toBeLessThan(1_500);
  }
});
