import { deploymentBody, field, platformForTests, startPlatform, providerBody, templateBody, text } from "./api";

const platform = platformForTests({ apiKey: "key-canary", secrets: "names" });
/** All answers of a test, status line aside: headers and bodies. */
let answers: string[];
const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
  const answer = await platform.call(method, path, { body });
  answers.push(JSON.stringify([[...answer.headers], answer.body]));
  return answer.body;
};
beforeEach(() => void (answers = []));

test("client_secret is in no answer, not even in those to requests that are refused", async () => {
  const all = "/v2/auth/providers";
  const one = `${all}/tracker`;
  const canary = { client_secret: "client-canary" };
  await ask("POST", all, providerBody);
  await ask("POST", all, providerBody);
  await ask("POST", all, { ...providerBody, name: 1 });
  await ask("POST", all, { client_secret: ["client-canary"] });
  await ask("POST", all, { ...providerBody, token_endpoint_auth_method: "misplaced" });
  await ask("GET", all);
  await ask("GET", one);
  await ask("PATCH", one, canary);
  await ask("PATCH", one, { ...canary, token_endpoint_auth_method: "misplaced" });
  await ask("PATCH", one, { client_secret: { a: "client-canary" } });
  await ask("PATCH", `${all}/unknown`, canary);
  await ask("DELETE", one);
  await platform.call("POST", all, { text: `{"client_secret":"client-canary"` });
  expect(answers).toHaveLength(12);
  expect(answers.join("\n")).not.toMatch(/canary|misplaced|client_secret"?:\s*"/);
  expect(JSON.stringify(platform.emulator.requests)).not.toContain("canary");
});

test("the credentials of a registry are in no answer, not even in those to requests that are refused", async () => {
  const all = "/v2/sandboxes/registries";
  const canaries = { username: "user-canary", password: "password-canary" };
  const body = { name: "internal", url: "https://registry.example", ...canaries };
  await ask("POST", all, body);
  await ask("POST", all, body);
  await ask("POST", all, { ...body, name: 1 });
  await ask("POST", all, { ...body, password: ["password-canary"] });
  await ask("GET", all);
  await ask("GET", `${all}/internal`);
  await ask("PATCH", `${all}/internal`, canaries);
  await ask("PATCH", `${all}/internal`, { username: { a: "user-canary" } });
  await ask("PATCH", `${all}/unknown`, canaries);
  await ask("DELETE", `${all}/internal`);
  expect(answers).toHaveLength(10);
  expect(answers.join("\n")).not.toContain("canary");
  expect(JSON.stringify(platform.emulator.requests)).not.toContain("canary");
});

test("the value of a workspace's secret is in no answer, not even in those to requests that are refused", async () => {
  const all = "/v1/workspaces/current/secrets";
  await ask("PUT", `${all}/KEY`, { value: "value-canary" });
  await ask("PUT", `${all}/KEY`, { value: ["value-canary"] });
  await ask("PUT", `${all}/KEY`, { value: "value-canary", configs: [{ host_pattern: "value-canary/" }] });
  await ask("GET", all);
  await ask("GET", `${all}?include_configs=true&page_size=1`);
  await ask("DELETE", `${all}/KEY`);
  expect(answers).toHaveLength(6);
  expect(answers.join("\n")).not.toContain("canary");
  expect(JSON.stringify(platform.emulator.requests)).not.toContain("canary");
});

test("a deployment's secrets are answered by name alone, and not at all where a request is refused", async () => {
  const all = "/v2/deployments";
  const created = await ask("POST", all, deploymentBody);
  const one = `${all}/${text(created, "id")}`;
  const secrets = [
    { name: "B", value: "deployment-canary" },
    { name: "A", value: "deployment-canary" },
  ];
  await ask("POST", all, deploymentBody);
  await ask("POST", all, { ...deploymentBody, secrets: [{ name: 1, value: "deployment-canary" }] });
  const patched = await ask("PATCH", one, { secrets });
  await ask("PATCH", one, { secrets: "deployment-canary" });
  await ask("PATCH", one, { secrets, name: "deployment-canary-name" });
  const list = await ask("GET", all);
  await ask("GET", one);
  await ask("GET", `${one}/revisions`);
  await ask("GET", `${one}/revisions/${text(patched, "latest_revision_id")}`);
  await ask("DELETE", one);
  expect(field(patched, "secrets")).toEqual([{ name: "B" }, { name: "A" }]);
  expect(field(list, "resources", 0, "secrets")).toEqual([{ name: "B" }, { name: "A" }]);
  expect(answers).toHaveLength(11);
  expect(answers.join("\n")).not.toContain("canary");
  expect(JSON.stringify(platform.emulator.requests)).not.toMatch(/canary(?!-name)/);
});

test("by default the values are answered wherever the names are", async () => {
  const open = await startPlatform();
  const { body } = await open.call("POST", "/v2/deployments", { body: deploymentBody });
  const one = `/v2/deployments/${text(body, "id")}`;
  const seen = [
    field(body, "secrets"),
    field((await open.call("GET", one)).body, "secrets"),
    field((await open.call("GET", "/v2/deployments")).body, "resources", 0, "secrets"),
    field((await open.call("PATCH", one, { body: {} })).body, "secrets"),
  ];
  expect(seen).toEqual([1, 2, 3, 4].map(() => deploymentBody.secrets));
  expect(JSON.stringify(open.emulator.requests)).not.toContain("canary");
});

test("the key is in no answer and in no line of the log, however it is sent", async () => {
  const wrong = "/v2/sandboxes/templates?key=key-canary";
  await ask("POST", "/v2/sandboxes/templates", { ...templateBody, resources: { cpu: "key-canary" } });
  const ways: readonly Record<string, string>[] = [
    { "x-api-key": "key-canary" },
    { "x-api-key": "key-canary-wrong" },
    { "x-api-key": "", authorization: "Bearer key-canary" },
    { "x-api-key": "key-canary", "x-tenant-id": "key-canary" },
  ];
  for (const headers of ways) {
    const answer = await platform.call("GET", wrong, { headers });
    answers.push(JSON.stringify([[...answer.headers], answer.body]));
  }
  expect(answers.join("\n")).not.toContain("canary");
  expect(JSON.stringify(platform.emulator.requests.slice(1))).not.toContain("canary");
});
