import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import {
  getDeployment,
  getDeploymentOutput,
  getGithubIntegration,
  getListener,
  getListenerOutput,
  getOAuthProvider,
  getOAuthProviderOutput,
  getRevision,
  getRevisionOutput,
  getSandboxTemplate,
  getSandboxTemplateOutput,
  listRevisions,
  listSandboxTemplates,
  type Deployment,
  type FunctionOptions,
  type GetDeploymentResult,
  type GetOAuthProviderResult,
  type GetSandboxTemplateResult,
  type OAuthProvider,
  type SandboxTemplate,
} from "..";
import { startEmulator, type Emulator } from "../../emulator";
import { ask } from "../../tests/support/ask";
import { valueOf } from "../../tests/support/value-of";

/** The outputs of a resource class, as plain values: a result has every one of them, of the same type. */
type Shown<Resource, Hidden extends keyof Resource = never> = {
  readonly [Name in Exclude<keyof Resource, Hidden | keyof pulumi.Resource>]: pulumi.Unwrap<Resource[Name]>;
};
type Extends<Whole, Part> = Whole extends Part ? true : false;
const shown: readonly true[] = [
  true satisfies Extends<GetSandboxTemplateResult, Shown<SandboxTemplate>>,
  true satisfies Extends<GetOAuthProviderResult, Shown<OAuthProvider, "clientSecret">>,
  true satisfies Extends<
    GetDeploymentResult,
    Shown<Deployment, "secrets" | "environmentVariables" | "rollout" | "deployed">
  >,
];

test("a result has the outputs of its class", () => expect(shown).not.toContain(false));

const CHECKOUT = join(__dirname, "..", "..");
const SECRET = "canary-of-the-platform";

const template = (name: string) => ({ name, image: "python:3.12", resources: { cpu: "1" } });
const provider = {
  provider_id: "github",
  name: "GitHub",
  client_id: "c",
  client_secret: SECRET,
  auth_url: "https://a.example/a",
  token_url: "https://a.example/t",
};
const cluster = { compute_type: "k8s", compute_id: "prod", compute_config: { k8s_namespaces: ["agents"] } };
const deployment = {
  name: "agent",
  source: "external_docker",
  source_config: { resource_spec: { cpu: 1 } },
  source_revision_config: { image_uri: "registry.example/agent:1" },
  secrets: [{ name: "TOKEN", value: SECRET }],
};

let emulator: Emulator;
let options: FunctionOptions;
let agentId: string;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0, secrets: "values" });
  options = { connection: { baseUrl: emulator.url, apiKey: emulator.apiKey } };
  await post("/v2/sandboxes/templates", template("code"));
  await post("/v2/auth/providers", provider);
  await post("/v2/listeners", cluster);
  await post("/v2/deployments", deployment);
  agentId = (await getDeployment({ name: "agent" }, options)).id;
});
beforeEach(() => emulator.clearLog());
afterAll(() => emulator.close());

const post = (path: string, body: unknown): Promise<unknown> => ask(emulator, "POST", path, body);

const some: unknown = expect.stringMatching(/./);
const shownTemplate = {
  id: some,
  name: "code",
  image: "python:3.12",
  resources: { cpu: "1", memory: "512Mi" },
  volumeMounts: [],
  createdAt: some,
  updatedAt: some,
};

describe("what is read", () => {
  test("a sandbox template, by its name and by its id", async () => {
    const byName = await getSandboxTemplate({ name: "code" }, options);
    expect(byName).toEqual(shownTemplate);
    expect(await getSandboxTemplate({ id: byName.id }, options)).toEqual(byName);
    expect(await valueOf(getSandboxTemplateOutput({ name: "code" }, options))).toEqual(byName);
  });

  test("a deployment, by its name and by its id, without a variable of its environment", async () => {
    const byName = await getDeployment({ name: "agent" }, options);
    expect(byName).toMatchObject({
      name: "agent",
      source: "external_docker",
      sourceConfig: { resourceSpec: { cpu: 1 } },
      sourceRevisionConfig: { imageUri: "registry.example/agent:1" },
      latestRevisionId: some,
      createdAt: some,
    });
    expect(await getDeployment({ id: byName.id }, options)).toEqual(byName);
    expect(await valueOf(getDeploymentOutput({ id: byName.id }, options))).toEqual(byName);
    expect(JSON.stringify(byName)).not.toMatch(/canary|TOKEN|secrets"/);
  });

  test("an OAuth provider, without its secret", async () => {
    const read = await getOAuthProvider({ providerId: "github" }, options);
    expect(read).toMatchObject({
      id: "github",
      providerId: "github",
      clientId: "c",
      isDynamicClient: false,
      uuid: some,
    });
    expect(await valueOf(getOAuthProviderOutput({ providerId: "github" }, options))).toEqual(read);
    expect(JSON.stringify(read)).not.toMatch(/canary|clientSecret/);
  });

  test("a listener, by its computeId and by its id", async () => {
    const byName = await getListener({ computeId: "prod" }, options);
    expect(byName).toEqual({
      id: some,
      computeId: "prod",
      computeType: "k8s",
      computeConfig: { k8sNamespaces: ["agents"] },
      version: null,
      createdAt: some,
    });
    expect(await getListener({ id: byName.id }, options)).toEqual(byName);
    expect(await valueOf(getListenerOutput({ computeId: "prod" }, options))).toEqual(byName);
  });

  test("a revision: the latest, or a given one", async () => {
    const latest = await getRevision({ deploymentId: agentId }, options);
    expect(latest).toEqual({
      id: some,
      deploymentId: agentId,
      status: "DEPLOYED",
      createdAt: some,
      imageUri: "registry.example/agent:1",
      repoCommitSha: null,
    });
    expect(await getRevision({ deploymentId: agentId, revisionId: latest.id }, options)).toEqual(latest);
    const args = { deploymentId: pulumi.output(agentId), revisionId: null };
    expect(await valueOf(getRevisionOutput(args, options))).toEqual(latest);
  });

  test("a property without a value on the platform is left out where a declaration could leave it out, so its type holds", async () => {
    const { repoCommitSha, ...declarable } = await getDeployment({ name: "agent" }, options);
    expect(Object.values(declarable)).not.toContain(null);
    // An image is not built from a commit.
    expect(repoCommitSha).toBeNull();
    expect((await getOAuthProvider({ providerId: "github" }, options)).mcpServerUrl).toBeNull();
  });

  test("values that are read with a secret key are not themselves secret", async () => {
    const secretly = { connection: { baseUrl: emulator.url, apiKey: pulumi.secret(emulator.apiKey) } };
    expect(await pulumi.isSecret(getSandboxTemplateOutput({ name: "code" }, secretly))).toBe(false);
    expect(await pulumi.isSecret(getSandboxTemplateOutput({ name: pulumi.secret("code") }, secretly))).toBe(true);
  });
});

describe("wrong arguments fail before any request, and say what to do", () => {
  const empty = "must not be empty; check that its value is set";
  const wrong: [reason: string, call: (options: FunctionOptions) => unknown, message: string][] = [
    ["neither", (o) => getDeployment({}, o), "getDeployment: neither id nor name is given; give one of them"],
    ["both", (o) => getDeployment({ id: "a", name: "b" }, o), "getDeployment: id and name are both given; give one"],
    ["an empty name", (o) => getDeployment({ name: "" }, o), `getDeployment: name ${empty}`],
    ["an empty id", (o) => getSandboxTemplate({ id: " " }, o), `getSandboxTemplate: id ${empty}`],
    ["empty", (o) => getOAuthProvider({ providerId: "" }, o), `getOAuthProvider: providerId ${empty}`],
    ["neither", (o) => getListener({}, o), "getListener: neither id nor computeId is given; give one of them"],
    ["empty", (o) => getRevision({ deploymentId: "" }, o), `getRevision: deploymentId ${empty}`],
    ["empty", (o) => getRevision({ deploymentId: "a", revisionId: "" }, o), `getRevision: revisionId ${empty}`],
    [
      "a misspelt property, which would read another revision",
      (o) => getRevision(Object.assign({ deploymentId: "a" }, { revisionID: "b" }), o),
      "getRevision: revisionID is not known; it takes deploymentId, revisionId",
    ],
    [
      "the option of resources, which would read from another platform",
      (o) => getDeployment({ id: "a" }, Object.assign({ provider: {} }, o)),
      "getDeployment, options: provider is not known; it takes platform, connection",
    ],
    [
      "a misspelt setting",
      () =>
        getDeployment({ id: "a" }, { connection: Object.assign({ apiKey: "k" }, { baseURL: "https://a.example" }) }),
      "getDeployment, connection: baseURL is not known; it takes baseUrl, region, baseUrlUs",
    ],
    ...[0, -1, 1.5, NaN, Infinity].map((maximum): (typeof wrong)[number] => [
      `maximum ${maximum}`,
      (o) => listSandboxTemplates({ maximum }, o),
      "listSandboxTemplates: maximum must be a whole number above 0; leave it out to get all",
    ]),
    ["no deployment", (o) => listRevisions({ deploymentId: "" }, o), `listRevisions: deploymentId ${empty}`],
    [
      "no status in the list",
      (o) => listRevisions({ deploymentId: "a", status: [] }, o),
      "listRevisions: status is an empty list; leave it out to get all",
    ],
    [
      "an empty status",
      (o) => listRevisions({ deploymentId: "a", status: ["DEPLOYED", ""] }, o),
      `listRevisions: status ${empty}`,
    ],
    ["empty", (o) => getGithubIntegration({ name: "" }, o), `getGithubIntegration: name ${empty}`],
  ];
  test.each(wrong)("%s", async (_reason, call, message) => {
    await expect((async () => await call(options))()).rejects.toThrow(message);
    expect(emulator.requests).toEqual([]);
  });
});

describe("a missing object is named, with where it was looked for", () => {
  test.each<[what: string, remedy: string | RegExp, call: () => Promise<unknown>]>([
    ['Deployment "none"', "correct the id, or the connection", () => getDeployment({ id: "none" }, options)],
    ['Deployment "none"', "correct the name, or the connection", () => getDeployment({ name: "none" }, options)],
    ['Deployment "none"', "correct the id", () => getRevision({ deploymentId: "none" }, options)],
    [
      'Revision "none" of deployment',
      /`npx pulumi-agent-platform revisions [0-9a-f-]{36}` shows which do/,
      () => getRevision({ deploymentId: agentId, revisionId: "none" }, options),
    ],
  ])("%s: %s", async (what, remedy, call) => {
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    for (const said of [what, `does not exist at ${emulator.url} for this key and tenant`])
      expect(String(error)).toContain(said);
    expect(error).toHaveProperty("message", expect.stringMatching(remedy));
    expect(String(error)).not.toContain(emulator.apiKey);
  });
});

describe("a plain script, without Pulumi's engine and with environment variables alone", () => {
  const run = (script: string, environment: Record<string, string> = {}) =>
    promisify(execFile)(
      process.execPath,
      ["-e", `const platform = require("./dist/sdk"); (async () => { ${script} })();`, "argument"],
      {
        cwd: CHECKOUT,
        env: {
          PATH: process.env["PATH"],
          AGENT_PLATFORM_BASE_URL: emulator.url,
          AGENT_PLATFORM_API_KEY: emulator.apiKey,
          ...environment,
        },
      },
    );

  test("reads, prints nothing of its own, and ends", async () => {
    const { stdout, stderr } = await run(`
      const names = [];
      for await (const { name } of platform.listSandboxTemplates()) names.push(name);
      const { source } = await platform.getDeployment({ name: "agent" });
      console.log(JSON.stringify({ names, source }));
    `);
    expect(JSON.parse(stdout)).toEqual({ names: ["code"], source: "external_docker" });
    expect(stderr).toBe("");
  });

  test("an uncaught error is its message, without a stack and without the key", async () => {
    const thrown: unknown = await run(`await platform.getDeployment({ name: "none" });`).catch(
      (error: unknown) => error,
    );
    expect(thrown).toMatchObject({ code: 1, stdout: "" });
    const said = typeof thrown === "object" && thrown && "stderr" in thrown ? String(thrown.stderr) : "";
    expect(said).toContain(`Deployment "none" does not exist at ${emulator.url} for this key and tenant`);
    expect(said).not.toMatch(/\n\s+at /);
    expect(said).not.toContain(emulator.apiKey);
  });
});
