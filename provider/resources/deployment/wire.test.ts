import { asObject, type Json, type JsonObject } from "../../base/json";
import { compare } from "../../lifecycle/fields/comparison";
import { problemsOfInputs } from "../../lifecycle/fields/schema";
import { deploymentTable, type DeploymentInputs } from "./fields";
import { DeploymentWire, showsValues, toInputs, toWire, urlOf } from "./wire";

const areInputs = (inputs: JsonObject): inputs is JsonObject & DeploymentInputs =>
  problemsOfInputs(deploymentTable, inputs).length === 0;
function inputsOf(inputs: JsonObject): DeploymentInputs {
  if (areInputs(inputs)) return inputs;
  throw new Error("these inputs are refused");
}

const nulls = (...names: string[]): Record<string, null> => Object.fromEntries(names.map((name) => [name, null]));
const NO_CONFIG = nulls(
  ...["integration_id", "repo_url", "custom_url", "resource_spec", "listener_id", "listener_config"],
  ...["install_command", "build_command", "template_id"],
);
const NO_REVISION_CONFIG = nulls(
  ...["repo_ref", "langgraph_config_path", "image_uri", "source_tarball_path", "repo_commit_sha"],
);
const ID = "8f3c2d1e-5b4a-4f60-9d7e-1a2b3c4d5e6f";
const REFERENCES = ["A", "B"].map((name) => ({ name, secret_name: "s", secret_key: name }));
const COMMIT = "9fceb02d0ae598e95dc970b74767f19372d61af8";

// docs/internals/platform.md, Answers of a deployment: every key is there, null where it is unset.
const answer = (over: Record<string, unknown>): DeploymentWire =>
  DeploymentWire.parse({
    id: "d",
    tenant_id: "t",
    name: "desk",
    secrets: [],
    secret_references: [],
    created_at: "2030-01-01T00:00:00Z",
    updated_at: "2030-01-01T00:10:00Z",
    status: "READY",
    latest_revision_id: "r1",
    active_revision_id: "r1",
    image_version: null,
    display_name: null,
    is_managed_deep_agent: false,
    ...over,
  });
const builtFrom = (over: Record<string, unknown> = {}): DeploymentWire =>
  answer({
    source: "github",
    source_config: {
      ...NO_CONFIG,
      integration_id: "i",
      repo_url: "https://git.example/desk",
      deployment_type: "dev",
      build_on_push: false,
      custom_url: "desk.platform.example",
      repo_branch: "main",
    },
    source_revision_config: {
      ...NO_REVISION_CONFIG,
      repo_ref: COMMIT,
      repo_commit_sha: COMMIT,
      langgraph_config_path: "langgraph.json",
      image_uri: "registry.platform.example/desk@sha256:0123",
    },
    ...over,
  });
const image = (over: Record<string, unknown> = {}): DeploymentWire =>
  answer({
    source: "external_docker",
    source_config: {
      ...NO_CONFIG,
      // Nobody sent either of them.
      deployment_type: "prod",
      build_on_push: false,
      resource_spec: {
        min_scale: 1,
        max_scale: 1,
        cpu: 0.3,
        memory_mb: 2048,
        ...nulls("labels", "sidecars", "db_cpu"),
      },
    },
    source_revision_config: { ...NO_REVISION_CONFIG, image_uri: "a:1" },
    ...over,
  });
const repository: JsonObject = {
  name: "desk",
  source: "github",
  sourceConfig: { integrationId: "i", repoUrl: "https://git.example/desk", deploymentType: "dev" },
  sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
};
const desk: JsonObject = { name: "desk", source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } };

describe("a create", () => {
  test.each<[why: string, inputs: JsonObject, expected: JsonObject]>([
    [
      "of an image sends a spec, though none is declared",
      desk,
      { source_config: { resource_spec: {} }, source_revision_config: { image_uri: "a:1" }, secrets: [] },
    ],
    [
      "of an image sends the spec that is declared",
      { ...desk, sourceConfig: { resourceSpec: { cpu: 2, dbStorageGi: 10 } } },
      { source_config: { resource_spec: { cpu: 2, db_storage_gi: 10 } } },
    ],
    ["from another source adds nothing", { ...desk, source: "a_new_source" }, { source_config: {} }],
  ])("%s", (_why, inputs, expected) => expect(toWire(inputsOf(inputs))).toMatchObject(expected));

  test("has the five fields that are required, and no other: no display name, no empty list of references", () => {
    const wire = toWire(inputsOf({ ...desk, displayName: "Desk", secretReferences: [] }));
    expect(Object.keys(wire).sort()).toEqual(["name", "secrets", "source", "source_config", "source_revision_config"]);
  });

  test("passes what Kubernetes has on as it is", () => {
    const sidecars: Json = [{ name: "proxy", volumeMounts: [{ mountPath: "/x", readOnly: true }] }];
    const spec = { sidecars, imagePullSecrets: [{ name: "pull" }], initContainers: sidecars };
    expect(toWire(inputsOf({ ...desk, sourceConfig: { resourceSpec: spec } }))).toMatchObject({
      source_config: {
        resource_spec: { sidecars, init_containers: sidecars, image_pull_secrets: [{ name: "pull" }] },
      },
    });
  });
});

/** What a refresh finds in this answer, by path. */
const drift = (live: DeploymentWire, declared: JsonObject): string[] =>
  compare({ table: deploymentTable, toInputs }, live, declared, "ignored").changes.map(({ path }) => path.join("."));
/** What an adoption finds: undeclared fields with a default count too. */
const different = (live: DeploymentWire, declared: JsonObject): string[] =>
  compare({ table: deploymentTable, toInputs }, live, declared, "defaults").changes.map(({ path }) => path.join("."));

describe("an answer that means the declaration", () => {
  const kubernetes = [{ name: "proxy", image: "p:1" }];
  test.each<[why: string, live: DeploymentWire, declared: JsonObject]>([
    ["the commit, the image and the address that came of a branch", builtFrom(), repository],
    [
      "a branch that the platform does not name: only what it resolved to is known",
      builtFrom({ source_config: { build_on_push: false } }),
      repository,
    ],
    [
      "an older answer, with the branch where it was sent",
      builtFrom({ source_config: null, source_revision_config: { repo_ref: "main" } }),
      { name: "desk", source: "github", sourceRevisionConfig: { repoRef: "main" } },
    ],
    ["null for every key that is not set", image(), desk],
    [
      "null for labels and lists that are declared as empty",
      image(),
      { ...desk, sourceConfig: { resourceSpec: { labels: {}, sidecars: [] } }, secretReferences: [] },
    ],
    ["cores, rounded to one decimal", image(), { ...desk, sourceConfig: { resourceSpec: { cpu: 0.26 } } }],
    [
      "a quarter of a core, which the platform rounds to the even one",
      image({ source_config: { resource_spec: { cpu: 0.2, cpu_limit: 1.8 } } }),
      { ...desk, sourceConfig: { resourceSpec: { cpu: 0.25, cpuLimit: 1.75 } } },
    ],
    [
      "ids in small letters",
      image({ source_config: { integration_id: ID, listener_id: ID } }),
      { ...desk, sourceConfig: { integrationId: ID.toUpperCase(), listenerId: ID.toUpperCase() } },
    ],
    [
      "a repository without its ending",
      builtFrom(),
      {
        ...repository,
        sourceConfig: { ...asObject(repository["sourceConfig"]), repoUrl: "https://GIT.example/desk.git/" },
      },
    ],
    [
      "references and secrets in another order",
      image({
        secret_references: [REFERENCES[1], REFERENCES[0]],
        source_config: { resource_spec: { image_pull_secrets: [{ name: "b" }, { name: "a" }] } },
      }),
      {
        ...desk,
        secretReferences: REFERENCES.map(({ name }) => ({ name, secretName: "s", secretKey: name })),
        sourceConfig: { resourceSpec: { imagePullSecrets: [{ name: "a" }, { name: "b" }] } },
      },
    ],
    [
      "a host in small letters, without the usual port",
      image({ source_config: { custom_url: "https://desk.example/a" } }),
      { ...desk, sourceConfig: { customUrl: "Desk.Example:443/a/" } },
    ],
    [
      "objects of Kubernetes with null for what is not set",
      image({ source_config: { resource_spec: { sidecars: [{ ...kubernetes[0], command: null }] } } }),
      { ...desk, sourceConfig: { resourceSpec: { sidecars: kubernetes } } },
    ],
    [
      "an address with its scheme",
      image({ source_config: { custom_url: "https://desk.example" } }),
      { ...desk, sourceConfig: { customUrl: "desk.example" } },
    ],
    [
      "no variables before the first revision has a name",
      image({ latest_revision_id: null }),
      { ...desk, environmentVariables: { LEVEL: "info" }, secrets: { TOKEN: "t" } },
    ],
    ["variables, where none is declared", image({ secrets: [{ name: "A", value: "x" }] }), desk],
    ["no display name, by an older platform", image({ display_name: undefined }), { ...desk, displayName: "Desk" }],
  ])("%s: no drift", (_why, live, declared) => {
    expect(drift(live, declared)).toEqual([]);
    expect(different(live, declared)).toEqual([]);
  });
});

describe("an answer that means something else", () => {
  test.each<[why: string, live: DeploymentWire, declared: JsonObject, paths: string[]]>([
    [
      "another branch",
      builtFrom(),
      { ...repository, sourceRevisionConfig: { repoRef: "release", langgraphConfigPath: "langgraph.json" } },
      ["sourceRevisionConfig.repoRef"],
    ],
    ["an image", image(), { ...desk, sourceRevisionConfig: { imageUri: "a:2" } }, ["sourceRevisionConfig.imageUri"]],
    ["no display name, where one is declared", image(), { ...desk, displayName: "Desk" }, ["displayName"]],
    ["another display name", image({ display_name: "Table" }), { ...desk, displayName: "Desk" }, ["displayName"]],
    [
      "no variables, once there is a revision",
      image(),
      { ...desk, environmentVariables: { LEVEL: "info" } },
      ["environmentVariables.LEVEL"],
    ],
    [
      "a variable beside those that are declared",
      image({ secrets: [{ name: "A", value: "x" }] }),
      { ...desk, environmentVariables: {} },
      ["environmentVariables.A"],
    ],
    [
      "one whose name would reach a prototype",
      image({ secrets: [{ name: "__proto__", value: "x" }] }),
      { ...desk, secrets: {} },
      ["secrets.__proto__"],
    ],
    [
      "cores that differ by more than a rounding",
      image(),
      { ...desk, sourceConfig: { resourceSpec: { cpu: 0.4 } } },
      ["sourceConfig.resourceSpec.cpu"],
    ],
  ])("%s: drift", (_why, live, declared, paths) => expect(drift(live, declared)).toEqual(paths));
});

test("before the first revision has a name, an answer shows no values", () => {
  expect(showsValues(image({ latest_revision_id: null }))).toBe(false);
  expect(showsValues(image())).toBe(true);
  expect(showsValues(image({ secrets: [{ name: "A" }] }))).toBe(false);
});

test.each<[why: string, live: DeploymentWire, url: string | null]>([
  ["the custom URL, which may be a host", builtFrom(), "https://desk.platform.example"],
  ["a URL as it is", image({ source_config: { custom_url: "http://desk.example/a" } }), "http://desk.example/a"],
  ["the field of older answers", image({ url: "https://old.example" }), "https://old.example"],
  ["nothing", image(), null],
])("the agent's address is %s", (_why, live, url) => expect(urlOf(live)).toBe(url));
