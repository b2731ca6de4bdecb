import { deployments } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import { RESOURCES } from "../../provider/resources/registry";
import { declarationOf } from "../../provider/lifecycle/observe/shortest-declaration";
import { openPlatform } from "../../provider/functions/reading";
import { connectionTo } from "../support/connection";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite } from "../support/of-suite";

// A deployment of an agent of the platform: the pair of agent and environment identifies it, and the platform gives its name.

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start());

const program = {
  agent: { agentId: "desk", environment: "production" },
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/desk:1" },
};
const { agent: _agent, ...others } = program;
const named = { ...others, name: "other" };
const staging = { ...program, agent: { agentId: "desk", environment: "staging" } };
const updated = { ...program, sourceRevisionConfig: { imageUri: "registry.example/desk:2" } };
const of = { agent: { agent_id: "desk", environment: "production" } };
const all = () => platform.emulator.outOfBand(deployments).list();
const bodies = (wanted: string) =>
  platform.emulator.requests.flatMap(({ method, requestBody }) => (method === wanted ? [requestBody] : []));
const created = async (inputs: JsonObject = program) => {
  const resource = await platform.resource("Deployment");
  await resource.up(inputs);
  platform.emulator.clearLog();
  return resource;
};
/** Somebody else's deployment of the same agent and environment. */
const theirs = () =>
  platform.ask("POST", "/v2/deployments", {
    ...of,
    source: "external_docker",
    source_config: { resource_spec: {} },
    source_revision_config: { image_uri: "registry.example/desk:1" },
    secrets: [],
  });

beforeEach(() => platform.ask("POST", "/v1/agents", { id: "desk" }));

test("the POST has the pair and no name; the name that the platform gives is an output, and never a change", async () => {
  const resource = await platform.resource("Deployment");
  await resource.up(program);
  expect(Object.keys(bodies("POST").at(-1) ?? {})).toContain("agent");
  expect(bodies("POST").at(-1)).not.toHaveProperty("name");
  expect(all()).toMatchObject([of]);
  expect(resource.current.outputs["name"]).toMatch(/^desk-production-/);
  expect(await resource.up(program)).toBe("same");
  platform.newProcess();
  expect(await resource.refresh()).toBe(false);
  expect(resource.current.outputs["name"]).toBe(all()[0]?.name);
});

test("an update keeps the deployment and its name", async () => {
  const resource = await created();
  const { name } = resource.current.outputs;
  expect(await resource.up(updated)).toBe("update");
  expect(resource.current.outputs["name"]).toBe(name);
  expect(bodies("PATCH")).toHaveLength(1);
});

test("an update of unknown end that was made is not made again, and its name is no drift", async () => {
  const resource = await created();
  platform.emulator.faults.add({ kind: "reset-after-commit", method: "PATCH", count: 1 });
  platform.emulator.faults.add({ kind: "status", status: 403, method: "GET", nth: 2 });
  await failureOf(resource.up(updated));
  const { handler, current } = resource;
  expect((await handler.read(current.id, current.outputs)).inputs ?? {}).not.toHaveProperty("name");
  await resource.up(updated);
  expect(bodies("PATCH")).toHaveLength(1);
});

test.each<[what: string, to: JsonObject]>([
  ["another environment", staging],
  ["another source", { ...program, source: "internal_docker", sourceConfig: { deploymentType: "dev" } }],
  ["a name instead", named],
])("%s replaces it, the old one first where both are of one environment", async (_what, to) => {
  const resource = await created();
  expect(await resource.up(to)).toBe("replace");
  expect(all()).toHaveLength(1);
});

test("a pair that has a deployment is refused, and adopt takes that one over", async () => {
  await theirs();
  const resource = await platform.resource("Deployment");
  expect(await failureOf(resource.up(program))).toMatch(
    /Deployment "desk \(production\)" already exists on the platform .* with `adopt: true`/,
  );
  await resource.up({ ...updated, adopt: true });
  expect(resource.current).toMatchObject({ id: all()[0]?.id, outputs: { name: all()[0]?.name } });
  expect(all()).toHaveLength(1);
});

test("with adopt and nothing there, it is created", async () => {
  await created({ ...program, adopt: true });
  expect(all()).toMatchObject([of]);
});

test("after a POST whose answer is lost, it is found by its pair, and exists once", async () => {
  platform.emulator.faults.add({ kind: "reset-after-commit", method: "POST", count: 1 });
  const resource = await created();
  expect(all()).toHaveLength(1);
  expect(resource.current.id).toBe(all()[0]?.id);
});

test("a platform that ignores the filters is refused, however many deployments it has", async () => {
  const older = await PlatformUnderTest.start({ agentFilters: false });
  try {
    await older.ask("POST", "/v1/agents", { id: "desk" });
    await (await older.resource("Deployment")).up(named);
    const resource = await older.resource("Deployment");
    expect(await failureOf(resource.up({ ...program, adopt: true }))).toMatch(
      /does not filter deployments by agent, so it is not known which one is that of desk in production/,
    );
    expect(older.emulator.outOfBand(deployments).list()).toMatchObject([{ name: "other" }]);
  } finally {
    await older.close();
  }
});

test("under contract documented, the pair is refused before any request", async () => {
  const resource = await platform.resource("Deployment", { contract: "documented" });
  platform.emulator.clearLog();
  expect(await failureOf(resource.up(program))).toMatch(/agent: contract "documented" has no endpoint for/);
  expect(platform.emulator.requests).toEqual([]);
});

test("an agent with deployments stays, and says why", async () => {
  const agent = await platform.resource("PlatformAgent");
  await agent.up({ agentId: "desk", adopt: true });
  const resource = await created();
  expect(await failureOf(agent.destroy())).toMatch(/has deployments/);
  await resource.destroy();
  await agent.destroy();
});

test("a name that looks like an agent and its environment is a name: it is taken, adopted and imported as one", async () => {
  const slashed = { ...others, name: "desk/production" };
  const { id } = (await created(slashed)).current;
  const another = await platform.resource("Deployment");
  expect(await failureOf(another.up(slashed))).toMatch(/Deployment "desk\/production" already exists on the platform/);
  await another.up({ ...slashed, adopt: true });
  expect(another.current.id).toBe(id);
  const settings: Record<string, string> = { baseUrl: platform.emulator.url, apiKey: platform.emulator.apiKey };
  const reading = openPlatform([(setting) => settings[setting], {}]);
  expect((await reading.reader("Deployment").get({ name: slashed.name })).id).toBe(id);
});

test("a declaration written for one that shows its pair has the pair, and no name", () => {
  const live = { id: "1", inputs: { ...program, name: "desk-production-1" } };
  const { inputs } = declarationOf(RESOURCES.Deployment, live, connectionTo("https://platform.example"));
  expect(inputs).toEqual(program);
});
