import { z } from "zod";
import { deployments, revisions, type DeploymentRecord } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import type { EngineModel } from "../support/engine-model";
import { PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite, ofTest } from "../support/of-suite";

// docs/internals/platform.md, PATCH of a deployment: it overwrites resource_spec and source_revision_config as a whole, and a body with one of them
// makes a revision. So the change is laid over the live values, and the body decides whether it may be repeated.

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ buildSeconds: 1 }));

const Body = z.record(z.string(), z.unknown());
type Program = Record<string, z.infer<ReturnType<typeof z.json>>>;
const program: Program = {
  name: "agent",
  source: "external_docker",
  sourceConfig: { resourceSpec: { cpu: 4, minScale: 3, maxScale: 6 } },
  sourceRevisionConfig: { imageUri: "a:1" },
};
const live = (): DeploymentRecord => platform.emulator.outOfBand(deployments).get("agent");
const revisionCount = (): number => platform.emulator.outOfBand(revisions).list().length;

async function made(over: Program = {}): Promise<EngineModel> {
  const resource = await platform.resource("Deployment");
  await resource.up({ ...program, ...over });
  platform.clock.advance(5_000);
  return resource;
}

test("a change of resourceSpec keeps what somebody has set of its other fields", async () => {
  const resource = await made({ sourceConfig: { resourceSpec: { cpu: 1 } } });
  const byHand = { cpu: 1, max_scale: 7 };
  await platform.ask("PATCH", `/v2/deployments/${resource.current.id}`, { source_config: { resource_spec: byHand } });
  platform.clock.advance(5_000);
  await resource.up({ ...program, sourceConfig: { resourceSpec: { cpu: 2 } } });
  expect(live().resource_spec).toMatchObject({ cpu: 2, max_scale: 7 });
});

describe("extra inside of an object that the platform overwrites", () => {
  const extra = { source_config: { resource_spec: { db_cpu: 2 } } };

  test("and a change of displayName alone: the spec stays, and there is no revision", async () => {
    const resource = await made({ extra, displayName: "One" });
    const before = live().resource_spec;
    expect(await resource.up({ ...program, extra, displayName: "Two" })).toBe("update");
    expect(live()).toMatchObject({ display_name: "Two", resource_spec: before });
    expect(before).toMatchObject({ cpu: 4, min_scale: 3, max_scale: 6, db_cpu: 2 });
    expect(revisionCount()).toBe(1);
  });

  test("that changes: the declared spec stays, and there is one revision", async () => {
    const resource = await made({ extra });
    await resource.up({ ...program, extra: { source_config: { resource_spec: { db_cpu: 3 } } } });
    expect(live().resource_spec).toMatchObject({ cpu: 4, min_scale: 3, max_scale: 6, db_cpu: 3 });
    expect(revisionCount()).toBe(2);
  });

  test("that changes, its answer lost twice: still one revision", async () => {
    const resource = await made({ extra });
    platform.emulator.faults.add({ kind: "reset-after-commit", method: "PATCH", count: 2 });
    const changed = { ...program, extra: { source_config: { resource_spec: { db_cpu: 3 } } } };
    // The content of `extra` is never shown: the outcome is unknown, and reported as unknown.
    await resource.up(changed).catch(() => undefined);
    expect(revisionCount()).toBe(2);
  });

  test("is sent along where the spec is overwritten for another reason", async () => {
    const resource = await made({ extra });
    // A platform that does not show the content of `extra`: it is not in the live spec that ours is laid over.
    const { db_cpu: _, ...shown } = live().resource_spec;
    platform.emulator.outOfBand(deployments).change("agent", { resource_spec: shown });
    await resource.up({ ...program, extra, sourceConfig: { resourceSpec: { cpu: 5, minScale: 3, maxScale: 6 } } });
    expect(live().resource_spec).toMatchObject({ cpu: 5, db_cpu: 2 });
  });

  test("of the revision's configuration makes a revision, and keeps the image", async () => {
    const resource = await made();
    await resource.up({ ...program, extra: { source_revision_config: { tracked_packages: ["a"] } } });
    expect(live().source_revision_config).toMatchObject({ image_uri: "a:1", tracked_packages: ["a"] });
    expect(revisionCount()).toBe(2);
  });
});

describe("of `extra` only what changed is sent", () => {
  const extra = {
    team: "a",
    color: { of: "red" },
    source_config: { zone: 1, row: 2, resource_spec: { db_cpu: 2 } },
    source_revision_config: { tracked_packages: ["a"] },
  };
  /** The fields of the PATCHes; of `source_config` its own. */
  const sent = (): string[][] =>
    platform.emulator.requests
      .filter(({ method }) => method === "PATCH")
      .map(({ requestBody }) =>
        Object.entries(Body.parse(requestBody)).flatMap(([name, value]) =>
          name === "source_config" ? Object.keys(Body.parse(value)).map((part) => `${name}.${part}`) : [name],
        ),
      );

  test.each<[what: string, over: JsonObject, fields: string[], revisions: number]>([
    ["a field", { team: "b" }, ["team"], 1],
    ["a field that is an object", { color: { of: "red", at: 1 } }, ["color"], 1],
    ["a part of source_config", { source_config: { ...extra.source_config, zone: 2 } }, ["source_config.zone"], 1],
    [
      "the specification",
      { source_config: { ...extra.source_config, resource_spec: { db_cpu: 3 } } },
      ["source_config.resource_spec"],
      2,
    ],
    ["the revision's part", { source_revision_config: { tracked_packages: ["b"] } }, ["source_revision_config"], 2],
  ])("%s", async (_what, over, fields, count) => {
    const resource = await made({ extra });
    platform.emulator.clearLog();
    expect(await resource.up({ ...program, extra: { ...extra, ...over } })).toBe("update");
    expect(sent()).toEqual([fields]);
    expect(revisionCount()).toBe(count);
  });

  test.each<[what: string, left: JsonObject]>([
    ["a field", { ...extra, team: undefined }],
    ["a part of source_config", { ...extra, source_config: { zone: 1, resource_spec: { db_cpu: 2 } } }],
    ["a key of the specification", { ...extra, source_config: { zone: 1, row: 2, resource_spec: {} } }],
    ["the revision's configuration", { ...extra, source_revision_config: {} }],
  ])("what leaves it keeps its value, so nothing is sent: %s", async (_what, left) => {
    const resource = await made({ extra });
    platform.emulator.clearLog();
    await resource.up({ ...program, extra: left });
    expect(platform.changing()).toEqual([]);
  });
});

describe("the revision's configuration, declared in part", () => {
  const undeclared = { tracked_packages: ["a"] };
  const uploaded: Program = {
    name: "agent",
    source: "internal_docker",
    sourceConfig: { deploymentType: "dev" },
    sourceRevisionConfig: { imageUri: "a:1", langgraphConfigPath: "langgraph.json" },
  };

  const latest = (): string => platform.emulator.outOfBand(revisions).list().at(-1)?.id ?? "";

  test.each<[what: string, over: Program]>([
    ["a redeploy trigger", { redeployTrigger: 1 }],
    ["a command", { sourceConfig: { deploymentType: "dev", buildCommand: "make" } }],
    ["another field of it", { sourceRevisionConfig: { imageUri: "a:2", langgraphConfigPath: "langgraph.json" } }],
  ])("%s keeps the undeclared fields", async (_what, over) => {
    const resource = await platform.resource("Deployment");
    await resource.up(uploaded);
    const config = { ...live().source_revision_config, ...undeclared };
    platform.emulator.outOfBand(deployments).change("agent", { source_revision_config: config });
    platform.emulator.outOfBand(revisions).change(latest(), { source_revision_config: config });
    await resource.up({ ...uploaded, ...over });
    expect(live().source_revision_config).toMatchObject(undeclared);
  });

  test("a field that has left the program is not carried on", async () => {
    const resource = await platform.resource("Deployment");
    await resource.up(uploaded);
    await resource.up({ ...uploaded, sourceRevisionConfig: { imageUri: "a:1" } });
    expect(live().source_revision_config).toMatchObject({ image_uri: "a:1" });
    expect(live().source_revision_config["langgraph_config_path"] ?? null).toBeNull();
  });

  test("the branch is sent again, never the commit and the image that resulted from it", async () => {
    const github: Program = {
      name: "agent",
      source: "github",
      sourceConfig: { integrationId: "i", repoUrl: "https://git.example/a", deploymentType: "dev" },
      sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
    };
    const resource = await platform.resource("Deployment");
    await resource.up(github);
    const resolved = {
      ...{ repo_ref: "0123abc", repo_commit_sha: "0123abc", image_uri: "built:1" },
      langgraph_config_path: "langgraph.json",
    };
    platform.emulator
      .outOfBand(deployments)
      .change("agent", { source_config: { ...live().source_config, repo_branch: "main" } });
    platform.emulator.outOfBand(revisions).change(latest(), { source_revision_config: resolved });
    expect(await resource.refresh()).toBe(false);
    expect(await resource.up(github)).toBe("same");
    await resource.up({ ...github, redeployTrigger: 1 });
    expect(live().source_revision_config).toEqual({ repo_ref: "main", langgraph_config_path: "langgraph.json" });
  });
});

test("a redeployTrigger whose answer is lost makes one revision, also where the platform names it late", async () => {
  const late = ofTest(
    await PlatformUnderTest.start({ buildSeconds: 1, lateRevision: { ms: 3_000, names: "the one before" } }),
  );
  const resource = await late.resource("Deployment");
  await resource.up(program);
  late.emulator.faults.add({ kind: "reset-after-commit", method: "PATCH", count: 1 });
  await resource.up({ ...program, redeployTrigger: 1 });
  expect(late.emulator.outOfBand(revisions).list()).toHaveLength(2);
});

test("an adoption sends no variable that the platform shows as equal, and makes no revision", async () => {
  const shows = ofTest(await PlatformUnderTest.start({ secrets: "values" }));
  const declared: Program = { ...program, environmentVariables: { LEVEL: "info" }, secrets: { TOKEN: "token-1" } };
  await (await shows.resource("Deployment")).up(declared);
  shows.newProcess();
  shows.emulator.clearLog();
  const other = await shows.resource("Deployment");
  await other.up({ ...declared, adopt: true });
  expect(shows.changing()).toEqual([]);
  const third = await shows.resource("Deployment");
  await third.up({ ...declared, secrets: { TOKEN: "token-2" }, adopt: true });
  expect(shows.changing()).toEqual(["PATCH"]);
});
