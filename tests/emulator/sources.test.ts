import { deployments } from "../../emulator";
import { deploymentBody, field, githubBody, problems, record, platformForTests, text, uuid } from "./api";

// docs/internals/platform.md, Source: what a create and a change need and must not have.

const platform = platformForTests();

const all = "/v2/deployments";
type Body = Readonly<Record<string, unknown>>;

const uploaded = (source: string) => ({
  name: "upload",
  source,
  source_config: { deployment_type: "dev" },
  source_revision_config: { image_uri: "registry.example/upload:1" },
  secrets: [],
});
const bodies: Readonly<Record<string, Body>> = {
  github: githubBody,
  external_docker: deploymentBody,
  internal_docker: uploaded("internal_docker"),
  internal_source: uploaded("internal_source"),
  internal_template: {
    ...uploaded("internal_template"),
    source_config: { deployment_type: "dev", template_id: "t" },
    source_revision_config: {},
  },
};

/** The body of a source with these fields of one of its parts set; undefined takes a field out. */
function bodyOf(source: string, part: string, change: object): Body {
  const body = bodies[source] ?? {};
  return { ...body, [part]: { ...record(body[part]), ...change } };
}
const create = (body: Body) => platform.call("POST", all, { body });
async function refusal(body: Body): Promise<unknown[]> {
  const answer = await create(body);
  expect(platform.emulator.outOfBand(deployments).list()).toEqual([]);
  return [answer.status, field(answer.body, "detail")];
}

test.each(Object.keys(bodies))("%s: a create with what it needs makes a deployment and a revision", async (source) => {
  const answer = await create(bodies[source] ?? {});
  expect([answer.status, answer.body]).toMatchObject([201, { source, latest_revision_id: uuid }]);
});

test("a deployment is of a known type", async () => {
  const typed = (type: string) => bodyOf("github", "source_config", { deployment_type: type });
  for (const type of ["dev_free", "dev", "prod", "dev_zero"]) {
    const { body } = await create({ ...typed(type), name: type.replace("_", "-") });
    expect(body).toMatchObject({ source_config: { deployment_type: type } });
  }
  expect(problems(await create(typed("huge")))).toEqual(["body.source_config.deployment_type: literal_error"]);
});

describe("a field that a source needs", () => {
  const config = "source_config";
  const revision = "source_revision_config";
  test.each([
    ["github", config, "integration_id", "integration_id"],
    ["github", config, "repo_url", "repo_url"],
    ["github", config, "deployment_type", "deployment_type"],
    ["github", config, "build_on_push", "build_on_push"],
    ["github", revision, "repo_ref", "repo_ref"],
    ["github", revision, "langgraph_config_path", "langgraph_config_path"],
    ["external_docker", config, "resource_spec", "resource_spec"],
    ["external_docker", revision, "image_uri", "image_uri"],
    ["internal_docker", config, "deployment_type", "deployment_type"],
    ["internal_source", config, "deployment_type", "deployment_type"],
    ["internal_template", config, "deployment_type", "deployment_type"],
    ["internal_template", config, "template_id", "template_id"],
  ])("%s requires %s.%s", async (source, part, name, named) => {
    const refused = [400, `${source} requires ${named}`];
    expect(await refusal(bodyOf(source, part, { [name]: undefined }))).toEqual(refused);
    expect(await refusal(bodyOf(source, part, { [name]: null }))).toEqual(refused);
  });

  test.each(["internal_docker", "internal_source"])(
    "%s requires an image, or an upload and its configuration",
    async (source) => {
      const sent = { image_uri: undefined, langgraph_config_path: "langgraph.json" };
      expect(await refusal(bodyOf(source, revision, sent))).toEqual([
        400,
        `${source} requires image_uri, or source_tarball_path`,
      ]);
    },
  );

  test("an empty resource_spec is enough", async () => {
    expect((await create(bodyOf("external_docker", config, { resource_spec: {} }))).status).toBe(201);
  });
});

describe("a field that does not belong to a source", () => {
  const config = "source_config";
  const revision = "source_revision_config";
  const reference = [{ name: "A", secret_name: "s", secret_key: "k" }];
  const rows: readonly [source: string, part: string, name: string, value: unknown][] = [
    ["github", config, "custom_url", "https://a.example"],
    ["github", config, "listener_id", "l"],
    ["github", config, "listener_config", { k8s_namespace: "n" }],
    ["github", config, "resource_spec", {}],
    ["github", revision, "image_uri", "a:1"],
    ["external_docker", config, "deployment_type", "dev"],
    ["external_docker", config, "build_on_push", false],
    ["external_docker", config, "integration_id", "i"],
    ["external_docker", config, "repo_url", "https://github.com/a/b"],
    ["external_docker", revision, "repo_ref", "main"],
    ["external_docker", revision, "langgraph_config_path", "langgraph.json"],
    ["internal_docker", config, "build_on_push", false],
    ["internal_docker", config, "resource_spec", {}],
    ["internal_docker", revision, "repo_ref", "main"],
    ["internal_source", config, "build_on_push", true],
    ["internal_template", config, "build_on_push", false],
  ];
  test.each(rows)("%s does not take %s.%s", async (source, part, name, value) => {
    expect(await refusal(bodyOf(source, part, { [name]: value }))).toEqual([400, `${source} does not take ${name}`]);
    // As a client with optional fields sends what is not set.
    expect((await create(bodyOf(source, part, { [name]: null }))).status).toBe(201);
  });

  test.each(["github", "internal_docker", "internal_source", "internal_template"])(
    "%s does not take secret_references",
    async (source) => {
      const body = bodies[source] ?? {};
      expect(await refusal({ ...body, secret_references: reference })).toEqual([
        400,
        `${source} does not take secret_references`,
      ]);
      expect((await create({ ...body, secret_references: [] })).status).toBe(201);
    },
  );

  test.each([
    ["PATCH", ""],
    ["POST", "/revisions"],
  ])("%s%s refuses it too, and changes nothing", async (method, below) => {
    const { body } = await create(githubBody);
    const path = `${all}/${text(body, "id")}`;
    for (const [part, name, value] of [
      [config, "custom_url", "https://a.example"],
      [revision, "image_uri", "a:1"],
    ] as const) {
      const answer = await platform.call(method, path + below, { body: { [part]: { [name]: value } } });
      expect([answer.status, field(answer.body, "detail")]).toEqual([400, `github does not take ${name}`]);
    }
    expect((await platform.call("GET", path)).body).toEqual(body);
  });
});

describe("a tag is not built on push", () => {
  const tag = { ...githubBody.source_revision_config, repo_ref: "refs/tags/v1" };
  const refused = [400, "build_on_push cannot be enabled for a tag"];
  const change = async (live: Body, method: string, below: string, body: Body) => {
    const made = await create(live);
    const answer = await platform.call(method, `${all}/${text(made.body, "id")}${below}`, { body });
    return [answer.status, field(answer.body, "detail")];
  };
  const pushed = bodyOf("github", "source_config", { build_on_push: true });

  test("not by a create", async () => {
    expect(await refusal({ ...pushed, source_revision_config: tag })).toEqual(refused);
    expect((await create({ ...githubBody, source_revision_config: tag })).status).toBe(201);
  });

  test.each([
    ["PATCH", ""],
    ["POST", "/revisions"],
  ])("not by %s%s, judged together with what is live", async (method, below) => {
    expect(await change(pushed, method, below, { source_revision_config: tag })).toEqual(refused);
    platform.emulator.reset();
    const tagged = { ...githubBody, source_revision_config: tag };
    const push = { source_config: { build_on_push: true } };
    expect(await change(tagged, method, below, push)).toEqual(refused);
    platform.emulator.reset();
    const both = { ...push, source_revision_config: githubBody.source_revision_config };
    expect((await change(tagged, method, below, both))[0]).toBeLessThan(300);
  });
});

describe("names of variables", () => {
  const refused = (name: string) => [400, `Environment variable ${name} is reserved`];

  test("dots, dashes, spaces and other letters are fine in one", async () => {
    const names = ["with.dots", "with-dashes", "with space", "1st", "ключ", "langchain_tracing_v2"];
    const secrets = names.map((name) => ({ name, value: "v" }));
    expect((await create({ ...deploymentBody, secrets })).status).toBe(201);
  });

  test("a reference has no reserved name either, and neither do changes", async () => {
    const reference = { name: "REDIS_URI", secret_name: "s", secret_key: "k" };
    expect(await refusal({ ...deploymentBody, secret_references: [reference] })).toEqual(refused("REDIS_URI"));
    const path = `${all}/${text((await create(deploymentBody)).body, "id")}`;
    const body = { secrets: [{ name: "LOG_JSON", value: "1" }] };
    for (const [method, at] of [
      ["PATCH", path],
      ["POST", `${path}/revisions`],
    ] as const) {
      const answer = await platform.call(method, at, { body });
      expect([answer.status, field(answer.body, "detail")]).toEqual(refused("LOG_JSON"));
    }
  });
});
