import * as pulumi from "@pulumi/pulumi";
import {
  getDeployment,
  getGithubIntegration,
  getGithubIntegrationOutput,
  getListener,
  getOAuthProvider,
  getRevision,
  listDeployments,
  listDeploymentsOutput,
  listListeners,
  listListenersOutput,
  listOAuthProviders,
  listOAuthProvidersOutput,
  listRevisions,
  listRevisionsOutput,
  type FunctionOptions,
} from "..";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { deployed } from "../../tests/support/agent-under-test";
import { ask, providerOf } from "../../tests/support/ask";
import { valueOf } from "../../tests/support/value-of";

let emulator: Emulator;
let options: FunctionOptions;
type Integration = NonNullable<EmulatorOptions["githubIntegrations"]>[number];
/** What the platform lists. */
const integrations: Integration[] = [];
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0, githubIntegrations: integrations });
  options = { connection: { baseUrl: emulator.url, apiKey: emulator.apiKey } };
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

const post = (path: string, body: unknown): Promise<unknown> => ask(emulator, "POST", path, body);
const deployment = (name: string) => deployed(emulator, "registry.example/agent:1", name, { TOKEN: "canary" });
const provider = (id: string) => post("/v2/auth/providers", providerOf(id, "canary"));
const listener = (id: string) =>
  post("/v2/listeners", { compute_type: "k8s", compute_id: id, compute_config: { k8s_namespaces: ["a"] } });

async function arrayOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const documented = (): FunctionOptions => ({ connection: { ...options.connection, contract: "documented" } });
const REMEDY = 'set agent-platform:contract to "extended" (or `contract` of its `Platform`) if the platform offers it';

describe.each([
  {
    what: "deployments",
    path: "/v2/deployments",
    make: deployment,
    list: listDeployments,
    whole: async (): Promise<object[]> => valueOf(listDeploymentsOutput({}, options)),
    get: (name: string) => getDeployment({ name }, options),
  },
  {
    what: "OAuth providers",
    path: "/v2/auth/providers",
    make: provider,
    list: listOAuthProviders,
    whole: async (): Promise<object[]> => valueOf(listOAuthProvidersOutput({}, options)),
    get: (providerId: string) => getOAuthProvider({ providerId }, options),
  },
  {
    what: "listeners",
    path: "/v2/listeners",
    make: listener,
    list: listListeners,
    whole: async (): Promise<object[]> => valueOf(listListenersOutput({}, options)),
    get: (computeId: string) => getListener({ computeId }, options),
  },
])("a list of $what", ({ path, make, list, whole, get }) => {
  test("shows each object as a read of it alone does, and no secret", async () => {
    await make("one");
    await make("two");
    const all = await arrayOf<object>(list({}, options));
    expect(all).toEqual([await get("one"), await get("two")]);
    expect(await whole()).toEqual(all);
    expect(JSON.stringify(all)).not.toContain("canary");
  });

  test("ends at the maximum, with no request before it is asked for", async () => {
    await make("one");
    await make("two");
    emulator.clearLog();
    const first = list({ maximum: 1 }, options);
    expect(emulator.requests).toEqual([]);
    expect(await arrayOf<object>(first)).toHaveLength(1);
    expect(emulator.requests.filter((request) => request.path === path)).toHaveLength(1);
  });
});

describe("the revisions of a deployment", () => {
  const made = async (): Promise<string> => {
    await deployment("agent");
    const { id } = await getDeployment({ name: "agent" }, options);
    emulator.nextRevision("BUILD_FAILED");
    const config = { image_uri: "registry.example/agent:2" };
    await ask(emulator, "PATCH", `/v2/deployments/${id}`, { source_revision_config: config });
    emulator.clearLog();
    return id;
  };

  test("are listed with the image that each runs", async () => {
    const deploymentId = await made();
    const all = await arrayOf(listRevisions({ deploymentId }, options));
    expect(all).toMatchObject([
      { deploymentId, status: "BUILD_FAILED", imageUri: "registry.example/agent:2", repoCommitSha: null },
      { deploymentId, status: "DEPLOYED", imageUri: "registry.example/agent:1" },
    ]);
    expect(await getRevision({ deploymentId, revisionId: all[1]?.id }, options)).toEqual(all[1]);
    expect(await valueOf(listRevisionsOutput({ deploymentId }, options))).toEqual(all);
  });

  test("with a status: those alone, and the platform is asked for those alone", async () => {
    const deploymentId = await made();
    const statusOf = async (status: string | string[]) =>
      (await arrayOf(listRevisions({ deploymentId, status }, options))).map((each) => each.status);
    expect(await statusOf("DEPLOYED")).toEqual(["DEPLOYED"]);
    expect(await statusOf(["DEPLOYED", "BUILD_FAILED"])).toEqual(["BUILD_FAILED", "DEPLOYED"]);
    expect(await statusOf("SKIPPED")).toEqual([]);
    expect(emulator.requests.map(({ query }) => query["status"])).toEqual(
      expect.arrayContaining(["DEPLOYED", "DEPLOYED,BUILD_FAILED", "SKIPPED"]),
    );
  });

  test("at most as many as wanted", async () => {
    const deploymentId = await made();
    expect(await arrayOf(listRevisions({ deploymentId, maximum: 1 }, options))).toHaveLength(1);
    expect(emulator.requests).toHaveLength(1);
  });

  test("of a deployment that does not exist: an error that names it", async () => {
    await expect(arrayOf(listRevisions({ deploymentId: "none" }, options))).rejects.toThrow(
      `Deployment "none" does not exist at ${emulator.url}`,
    );
  });

  test("on a platform without such a list: an error that says so", async () => {
    const deploymentId = await made();
    emulator.faults.add({ kind: "status", status: 405, method: "GET", path: "/v2/deployments/*/revisions" });
    await expect(arrayOf(listRevisions({ deploymentId }, options))).rejects.toThrow(
      `The revisions of deployment "${deploymentId}" cannot be listed: this platform does not support it`,
    );
  });

  test("under contract documented: refused before any request", async () => {
    await expect(arrayOf(listRevisions({ deploymentId: "a" }, documented()))).rejects.toThrow(
      `The revisions of deployment "a" cannot be listed: contract "documented" has no endpoint for a list of them; ${REMEDY}`,
    );
    expect(emulator.requests).toEqual([]);
  });
});

describe("an integration with GitHub", () => {
  const acme: Integration = { id: "1a2b", name: "acme" };
  const labs: Integration = { id: "3c4d", name: "labs" };
  const listed = (...all: readonly Integration[]): void => void integrations.splice(0, integrations.length, ...all);

  test("is found by its name", async () => {
    listed(acme, labs);
    const found = { id: "3c4d", name: "labs", installationId: 2 };
    expect(await getGithubIntegration({ name: "labs" }, options)).toEqual(found);
    expect(await valueOf(getGithubIntegrationOutput({ name: pulumi.output("labs") }, options))).toEqual(found);
  });

  test.each([
    ["among others", [acme, labs], 'does not exist at .* for this key and tenant; there is only "acme", "labs"'],
    ["among none", [], "does not exist at .* for this key and tenant; there are none"],
  ])("that does not exist %s: an error that says which there are", async (_where, there, message) => {
    listed(...there);
    await expect(getGithubIntegration({ name: "none" }, options)).rejects.toThrow(
      new RegExp(`^GitHub integration "none" ${message}`),
    );
  });

  test("of a name that two have: neither is guessed", async () => {
    listed(acme, { ...labs, name: "acme" });
    await expect(getGithubIntegration({ name: "acme" }, options)).rejects.toThrow(/exists several times .*give its id/);
  });

  test.each([404, 405])("on a platform without integrations (%i): an error that says so", async (status) => {
    emulator.faults.add({ kind: "status", status, method: "GET", path: "/v1/**" });
    await expect(getGithubIntegration({ name: "acme" }, options)).rejects.toThrow(
      'GitHub integration "acme" cannot be looked up: this platform has no integrations',
    );
  });

  test("under contract documented: refused before any request", async () => {
    await expect(getGithubIntegration({ name: "acme" }, documented())).rejects.toThrow(
      `GitHub integration "acme" cannot be looked up: contract "documented" has no endpoint for integrations; ${REMEDY}`,
    );
    expect(emulator.requests).toEqual([]);
  });
});
