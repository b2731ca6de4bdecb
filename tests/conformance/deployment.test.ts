import { z } from "zod";
import { deployments, revisions, type Layer } from "../../emulator";
import { isUnfinished } from "../../provider/base/errors";
import { unmarshal } from "../../provider/native/values";
import { CheckFailed, type EngineModel } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite, ofTest } from "../support/of-suite";

// What answers do not show cannot be compared: the harder platform of the two.
const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ buildSeconds: 600 }));

const environment = { environmentVariables: { LEVEL: "info" }, secrets: { TOKEN: "t-1", OTHER: "o-1" } };
const program = {
  name: "agent",
  source: "external_docker",
  sourceConfig: { resourceSpec: { cpu: 1, memoryMb: 1024 } },
  sourceRevisionConfig: { imageUri: "a:1" },
  ...environment,
};
const github = {
  name: "agent",
  source: "github",
  sourceConfig: { integrationId: "i", repoUrl: "https://git.example/agent", deploymentType: "dev" },
  sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
  ...environment,
};

const made = async (over: object = {}, of: object = program): Promise<EngineModel> => {
  const resource = await platform.resource("Deployment");
  await resource.up(json({ ...of, ...over }));
  platform.emulator.clearLog();
  return resource;
};
const json = (value: Record<string, unknown>) =>
  z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(value)));
const live = () => platform.emulator.outOfBand(deployments).get("agent");
const variables = () => Object.fromEntries(live().secrets.map(({ name, value }) => [name, value]));
const allRevisions = () => platform.emulator.outOfBand(revisions).list();
const revisionCount = () => allRevisions().length;

describe("a PATCH sends the change and nothing else", () => {
  const env = { LEVEL: "info", TOKEN: "t-1", OTHER: "o-1" };
  test.each<[why: string, over: object, revision: boolean, live: object, environment?: object, of?: object]>([
    [
      "one variable: the whole environment, secrets with it",
      { environmentVariables: { LEVEL: "debug" } },
      true,
      {},
      { ...env, LEVEL: "debug" },
    ],
    ["one secret removed: the others stay", { secrets: { TOKEN: "t-1" } }, true, {}, { LEVEL: "info", TOKEN: "t-1" }],
    [
      "a secret that becomes a plain variable",
      { environmentVariables: { LEVEL: "info", OTHER: "o-1" }, secrets: { TOKEN: "t-1" } },
      true,
      {},
    ],
    [
      "another image: the environment is not touched",
      { sourceRevisionConfig: { imageUri: "a:2" } },
      true,
      { source_revision_config: { image_uri: "a:2" } },
    ],
    ["a display name: no revision", { displayName: "The agent" }, false, { display_name: "The agent" }],
    [
      "build on push: no revision",
      { sourceConfig: { ...github.sourceConfig, buildOnPush: true } },
      false,
      { source_config: { build_on_push: true } },
      env,
      github,
    ],
    [
      "a build command takes effect in a revision, so it asks for one",
      { sourceConfig: { ...github.sourceConfig, buildCommand: "make" } },
      true,
      { source_config: { build_command: "make" } },
      env,
      github,
    ],
    [
      "a redeploy trigger: the same configuration once more",
      { redeployTrigger: 1 },
      true,
      { source_revision_config: { image_uri: "a:1" } },
    ],
    [
      "a field that this version does not know",
      { extra: { future_field: { a: [1] } } },
      false,
      { extra: { future_field: { a: [1] } } },
    ],
  ])("%s", async (_why, over, revision, expected, kept = env, of = program) => {
    const resource = await made({}, { ...of });
    const next = json({ ...of, ...over });
    expect(await resource.up(next)).toBe("update");
    expect(live()).toMatchObject(expected);
    expect(variables()).toEqual(kept);
    expect(platform.changing()).toEqual(["PATCH"]);
    expect(revisionCount()).toBe(revision ? 2 : 1);
    expect(await resource.refresh()).toBe(false);
    expect(await resource.up(next)).toBe("same");
  });

  test("one field of the spec: the live spec with that field in it, so that what only the platform has is not lost", async () => {
    const resource = await made();
    const changed = { ...live().resource_spec, max_scale: 3 };
    platform.emulator.outOfBand(deployments).change("agent", { resource_spec: changed });
    await resource.up(json({ ...program, sourceConfig: { resourceSpec: { cpu: 2, memoryMb: 1024 } } }));
    expect(live().resource_spec).toEqual({ ...changed, cpu: 2 });
    expect(platform.changing()).toEqual(["PATCH"]);
  });
});

test.each([
  ["serverless", "dev_zero"],
  ["dedicated", "prod"],
])("the type %s is sent as %s, and either word means the same", async (word, type) => {
  const typed = (deploymentType: string) =>
    json({ ...github, sourceConfig: { ...github.sourceConfig, deploymentType } });
  const resource = await made({}, typed(word));
  expect(live()).toMatchObject({ source_config: { deployment_type: type } });
  expect(await resource.refresh()).toBe(false);
  expect(await resource.up(typed(word))).toBe("same");
  expect(await resource.up(typed(type))).toBe("same");
  expect(await resource.up(typed("dev"))).toBe("replace");
});

describe("removed from the program", () => {
  test("a key of the spec keeps its value on the platform, and is neither a change nor drift", async () => {
    const resource = await made();
    const less = json({ ...program, sourceConfig: { ...program.sourceConfig, resourceSpec: { cpu: 1 } } });
    expect(await resource.up(less)).toBe("same");
    platform.emulator
      .outOfBand(deployments)
      .change("agent", { resource_spec: { ...live().resource_spec, memory_mb: 4096 } });
    expect(await resource.refresh()).toBe(false);
    expect(await resource.up(less)).toBe("same");
    expect(live().resource_spec).toMatchObject({ memory_mb: 4096 });
  });

  test("a redeploy trigger makes no revision", async () => {
    const resource = await made({ redeployTrigger: "a" });
    expect(await resource.up(json(program))).toBe("same");
  });

  test("build on push goes back to its default", async () => {
    const resource = await made({ sourceConfig: { ...github.sourceConfig, buildOnPush: true } }, github);
    expect(await resource.up(json(github))).toBe("update");
    expect(live().source_config).toMatchObject({ build_on_push: false });
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>, RegExp]>([
    [
      "a custom URL",
      { sourceConfig: { ...program.sourceConfig, customUrl: "https://a.example" } },
      {},
      /^sourceConfig\.customUrl: cannot be removed/,
    ],
    [
      "the last variable, of a map that stays declared",
      { environmentVariables: undefined },
      { environmentVariables: undefined, secrets: {} },
      /^secrets: the last variable of the environment cannot be removed/,
    ],
    [
      "the last variable, of both maps",
      {},
      { environmentVariables: {}, secrets: {} },
      /^environmentVariables: the last variable of the environment/,
    ],
  ])("%s is refused at preview, since the platform cannot clear it", async (_what, before, after, reason) => {
    const resource = await made(before);
    const error: unknown = await resource.up(json({ ...program, ...after })).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(CheckFailed);
    expect(String(error).replace("Error: ", "")).toMatch(reason);
    expect(platform.emulator.requests).toEqual([]);
  });

  test("but a replacement starts afresh, so there it is allowed", async () => {
    const resource = await made({ displayName: "x" });
    expect(await resource.up(json(github))).toBe("replace");
  });
});

/** A PATCH of this image, of which no state knows. */
const patched = ({ current: { id } }: EngineModel, image: string): Promise<unknown> =>
  platform.ask("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: image } });

describe("an update that was cut off between the PATCH and its answer", () => {
  test("is not made twice", async () => {
    const resource = await made();
    await patched(resource, "a:2");
    platform.emulator.clearLog();
    expect(await resource.up(json({ ...program, sourceRevisionConfig: { imageUri: "a:2" } }))).toBe("update");
    expect(platform.changing()).toEqual([]);
    expect(revisionCount()).toBe(2);
    expect(resource.current.outputs["latestRevisionId"]).toBe(platform.emulator.outOfBand(revisions).list().at(-1)?.id);
  });

  test("is not made twice where the platform has dropped the revision in state", async () => {
    const resource = await made();
    const known = allRevisions().at(-1)?.id ?? "";
    await patched(resource, "a:2");
    platform.emulator.clearLog();
    platform.emulator.faults.add({ kind: "status", status: 404, path: `/v2/deployments/*/revisions/${known}` });
    expect(await resource.up(json({ ...program, sourceRevisionConfig: { imageUri: "a:2" } }))).toBe("update");
    expect(platform.changing()).toEqual([]);
  });

  test("is made, where the newer revision comes from another change", async () => {
    const resource = await made();
    await patched(resource, "other:1");
    expect(await resource.up(json({ ...program, sourceRevisionConfig: { imageUri: "a:2" } }))).toBe("update");
    expect(live().source_revision_config).toMatchObject({ image_uri: "a:2" });
  });

  test("of a field that no answer shows is always made, beside one that shows that it happened", async () => {
    const resource = await made();
    await patched(resource, "a:2");
    await resource.up(json({ ...program, sourceRevisionConfig: { imageUri: "a:2" }, extra: { tag: 1 } }));
    expect(live().extra).toMatchObject({ tag: 1 });
  });

  test("of secrets is always made, since it cannot be told whether it happened", async () => {
    const resource = await made();
    await patched(resource, "a:1");
    platform.emulator.clearLog();
    await resource.up(json({ ...program, secrets: { ...program.secrets, TOKEN: "t-2" } }));
    expect(variables()).toMatchObject({ TOKEN: "t-2" });
  });
});

describe("a PATCH whose outcome is unknown", () => {
  const onPatch = { method: "PATCH", count: 1 } as const;
  const release = { sourceRevisionConfig: { imageUri: "a:2" } };

  test("that happened is not sent again: one revision more, not two", async () => {
    const resource = await made();
    platform.emulator.faults.add({ kind: "reset-after-commit", ...onPatch });
    await resource.up(json({ ...program, ...release }));
    expect(platform.changing()).toEqual(["PATCH"]);
    expect(revisionCount()).toBe(2);
    expect(await resource.refresh()).toBe(false);
  });

  test("that did not happen is sent again", async () => {
    const resource = await made();
    platform.emulator.faults.add({ kind: "status", status: 503, ...onPatch });
    await resource.up(json({ ...program, ...release }));
    expect(platform.changing()).toEqual(["PATCH", "PATCH"]);
    expect(revisionCount()).toBe(2);
    expect(live().source_revision_config).toMatchObject({ image_uri: "a:2" });
  });

  test.each<[what: string, answer: { status: number; body?: "text" }]>([
    ["a gateway's 404", { status: 404, body: "text" }],
    ["a key without rights", { status: 403 }],
  ])("and whose look meets %s, stays open: the next up undoes what the program has reverted", async (_what, answer) => {
    const resource = await made();
    platform.emulator.faults.add({ kind: "reset-after-commit", ...onPatch });
    platform.emulator.faults.add({ kind: "status", method: "GET", nth: 2, ...answer });
    expect(await failureOf(resource.up(json({ ...program, ...release })))).toContain(`answered ${answer.status}`);
    expect(live().source_revision_config).toMatchObject({ image_uri: "a:2" });
    await resource.up(json(program));
    expect(live().source_revision_config).toMatchObject({ image_uri: "a:1" });
  });

  test("and whose second try is refused, stays open as well", async () => {
    const resource = await made();
    for (const status of [503, 403]) platform.emulator.faults.add({ kind: "status", status, ...onPatch });
    expect(await failureOf(resource.up(json({ ...program, ...release })))).toContain("answered 403");
    // A gateway has carried the first one out after all.
    await platform.ask("PATCH", `/v2/deployments/${resource.current.id}`, {
      source_revision_config: { image_uri: "a:2" },
    });
    await resource.up(json(program));
    expect(live().source_revision_config).toMatchObject({ image_uri: "a:1" });
  });

  const nextSecrets = json({ ...program, secrets: { ...program.secrets, TOKEN: "t-2" } });

  test("and that changed secrets is seen to have happened where the platform shows them", async () => {
    const resource = await made();
    platform.emulator.faults.add({ kind: "reset-after-commit", ...onPatch });
    expect(await resource.up(nextSecrets)).toBe("update");
    expect(platform.changing()).toEqual(["PATCH"]);
    expect(variables()).toMatchObject({ TOKEN: "t-2" });
    expect(revisionCount()).toBe(2);
  });

  test("and that changed secrets is this program's, also where only the next up sees it: an earlier revision has others", async () => {
    const resource = await made();
    platform.emulator.faults.add({ kind: "reset-after-commit", ...onPatch });
    platform.emulator.faults.add({ kind: "status", status: 403, method: "GET", nth: 2 });
    expect(await failureOf(resource.up(nextSecrets))).toContain("answered 403");
    expect(await resource.up(nextSecrets)).toBe("update");
    expect(revisionCount()).toBe(2);
    const { latestRevisionId, secretsRevisionId } = resource.current.outputs;
    expect([latestRevisionId, secretsRevisionId]).toEqual(Array(2).fill(allRevisions().at(-1)?.id));
    // Somebody brings the old secret back.
    const first = allRevisions()[0]?.id ?? "";
    await platform.ask("POST", `/v2/deployments/${resource.current.id}/revisions/${first}/redeploy`);
    await resource.up({ ...nextSecrets, sourceRevisionConfig: { imageUri: "a:2" } });
    expect(variables()).toMatchObject({ TOKEN: "t-2" });
  });

  test("that is carried out only after a gateway has given up is looked for first: one revision more, not two", async () => {
    let late: { readonly at: number; readonly path: string; readonly body: string } | undefined;
    let isFirst = true;
    const gateway: Layer = {
      async beforeRoute({ request, url, body }) {
        const due = late !== undefined && on.clock.now() >= late.at ? late : undefined;
        if (due !== undefined) late = undefined;
        if (due !== undefined) await on.ask("PATCH", due.path, JSON.parse(due.body));
        if (request.method !== "PATCH" || !isFirst) return undefined;
        isFirst = false;
        late = { at: on.clock.now() + 500, path: url.pathname, body };
        return Response.json({ message: "Gateway Timeout" }, { status: 504 });
      },
    };
    const on = ofTest(await PlatformUnderTest.start({ buildSeconds: 600, layers: [gateway] }));
    const resource = await on.resource("Deployment");
    await resource.up(json(program));
    await resource.up(json({ ...program, ...release }));
    expect(on.emulator.outOfBand(revisions).list()).toHaveLength(2);
  });

  test("stays unknown where it does not: it says so, keeps the state, and the next up settles it", async () => {
    const older = ofTest(await PlatformUnderTest.start({ buildSeconds: 600, secrets: "names" }));
    const resource = await older.resource("Deployment");
    await resource.up(json(program));
    older.emulator.faults.add({ kind: "reset-after-commit", ...onPatch });
    expect(await failureOf(resource.up(nextSecrets))).toMatch(
      /Deployment "agent" .*not known whether the update was made.*Run `pulumi up` again/,
    );
    expect(await resource.up(nextSecrets)).toBe("update");
    expect(older.emulator.outOfBand(deployments).get("agent").secrets).toContainEqual({ name: "TOKEN", value: "t-2" });
    expect(await resource.up(nextSecrets)).toBe("same");
  });
});

test("an update of unknown end leaves what the program no longer has as a secret: it may have been one", async () => {
  const { handler, current } = await made({ environmentVariables: { LEVEL: "info", MOVED: "s3cret" } });
  platform.emulator.faults.add({ kind: "status", status: 503, method: "PATCH" });
  const news = json({ ...program, secrets: { ...program.secrets, MOVED: "s3cret" } });
  const error: unknown = await handler.update(current.id, current.outputs, news).catch((reason: unknown) => reason);
  if (!isUnfinished(error)) throw error;
  const { values, secrets } = unmarshal(error.properties);
  expect(values["environmentVariables"]).toEqual({ LEVEL: "info", MOVED: "s3cret" });
  expect(secrets).toContain("environmentVariables");
});

describe("an error hook has a verb called again, which fails as well", () => {
  const onPatch = { method: "PATCH", count: 1 } as const;
  const urn = { __progressUrn: "urn:pulumi:dev::shop::agent-platform:index:Deployment::agent" };
  const failed = (act: Promise<unknown>): Promise<unknown> => act.catch((reason: unknown) => reason);

  test("a create: what the first call has made stays in state", async () => {
    const { handler } = await platform.resource("Deployment");
    const inputs = json({ ...program, ...urn, displayName: "Agent" });
    for (const status of [422, 403]) {
      platform.emulator.faults.add({ kind: "status", status, ...onPatch });
      const error = await failed(handler.create(inputs));
      expect(error).toMatchObject({ name: "UnfinishedError", id: live().id });
    }
  });

  test("a create whose first call has made what is gone by now leaves nothing", async () => {
    const { handler } = await platform.resource("Deployment");
    platform.emulator.faults.add({ kind: "status", status: 422, ...onPatch });
    const inputs = json({ ...program, ...urn, displayName: "Agent" });
    expect(isUnfinished(await failed(handler.create(inputs)))).toBe(true);
    platform.emulator.outOfBand(deployments).remove("agent");
    const error = await failed(handler.create(inputs));
    expect([String(error), isUnfinished(error)]).toEqual([expect.stringContaining("does not exist"), false]);
  });

  test("an adoption goes on", async () => {
    const before = await made();
    platform.newProcess();
    const { handler } = await platform.resource("Deployment");
    platform.emulator.faults.add({ kind: "status", status: 422, ...onPatch });
    const inputs = json({ ...program, ...urn, sourceRevisionConfig: { imageUri: "a:2" }, adopt: true });
    expect(String(await failed(handler.create(inputs)))).toContain("answered 422");
    expect(await handler.create(inputs)).toMatchObject({ id: before.current.id });
  });

  test("an update: that the first call may have been carried out stays in state", async () => {
    const { handler, current } = await made(urn);
    platform.emulator.faults.add({ kind: "reset-after-commit", ...onPatch });
    platform.emulator.faults.add({ kind: "status", status: 403, method: "GET", nth: 2, count: 2 });
    const news = json({ ...program, ...urn, sourceRevisionConfig: { imageUri: "a:2" } });
    const errors = [
      await failed(handler.update(current.id, current.outputs, news)),
      await failed(handler.update(current.id, current.outputs, news)),
    ];
    expect(errors.map(isUnfinished)).toEqual([true, true]);
  });
});

test("an update whose look has failed has sent nothing, so nothing is in doubt", async () => {
  const { handler, current } = await made();
  platform.emulator.faults.add({ kind: "status", status: 503, method: "GET" });
  const news = json({ ...program, secrets: { ...program.secrets, TOKEN: "t-2" } });
  const error: unknown = await handler.update(current.id, current.outputs, news).catch((reason: unknown) => reason);
  expect(String(error)).toContain("answered 503");
  expect(isUnfinished(error)).toBe(false);
});

describe("drift of the environment", () => {
  test.each<[string, string[], Record<string, string>]>([
    ["secrets.OTHER", ["LEVEL", "TOKEN"], { LEVEL: "info", TOKEN: "t-1" }],
    ["secrets.EVIL", ["EVIL", "LEVEL", "OTHER", "TOKEN"], { EVIL: "e", LEVEL: "info", OTHER: "o-1", TOKEN: "t-1" }],
  ])("%s, removed or added by hand, is named without its value, and undone", async (path, names, values) => {
    const resource = await made();
    platform.emulator
      .outOfBand(deployments)
      .change("agent", { secrets: names.map((name) => ({ name, value: values[name] ?? "" })) });
    expect(await resource.refresh()).toBe(true);
    expect(platform.warnings).toEqual([
      expect.stringContaining(`): ${path} differs on the platform from what is declared (values are not shown)`),
    ]);
    expect(JSON.stringify(resource.current)).not.toContain('"e"');
    expect(await resource.up(json(program))).toBe("update");
    expect(variables()).toEqual({ LEVEL: "info", TOKEN: "t-1", OTHER: "o-1" });
  });
});

describe("a variable of somebody's that a refresh has found, and that the program ignores (ignoreChanges)", () => {
  const found = async (secrets: "values" | "names") => {
    const on = ofTest(await PlatformUnderTest.start({ buildSeconds: 600, secrets }));
    const resource = await on.resource("Deployment");
    await resource.up(json(program));
    const all = on.emulator.outOfBand(deployments);
    all.change("agent", { secrets: [...all.get("agent").secrets, { name: "EVIL", value: "theirs" }] });
    expect(await resource.refresh()).toBe(true);
    // As the engine passes it on.
    const ignoring = json({ ...program, secrets: resource.current.inputs["secrets"] });
    const valueNow = () => all.get("agent").secrets.find(({ name }) => name === "EVIL")?.value;
    return { on, resource, all, ignoring, valueNow };
  };

  test("keeps its value in an update that sends the whole environment, and is no drift any more", async () => {
    const { resource, ignoring, valueNow } = await found("values");
    expect(await resource.up(ignoring)).toBe("same");
    await resource.up(json({ ...ignoring, redeployTrigger: 2 }));
    expect(valueNow()).toBe("theirs");
    expect(await resource.refresh()).toBe(false);
  });

  test("stays away once somebody has taken it away", async () => {
    const { resource, all, ignoring, valueNow } = await found("values");
    all.change("agent", { secrets: all.get("agent").secrets.filter(({ name }) => name !== "EVIL") });
    await resource.up(json({ ...ignoring, redeployTrigger: 2 }));
    expect(valueNow()).toBeUndefined();
  });

  test("is not written over where the platform does not show its value: the error names it", async () => {
    const { on, resource, ignoring, valueNow } = await found("names");
    on.emulator.clearLog();
    expect(await failureOf(resource.up(json({ ...ignoring, redeployTrigger: 2 })))).toMatch(
      /the variable EVIL was set outside of this program, which ignores it \(ignoreChanges\)/,
    );
    expect([on.changing(), valueNow()]).toEqual([[], "theirs"]);
  });
});

describe("delete", () => {
  test("is done when the deployment answers 404, not before; what takes long is not asked like something that is just born", async () => {
    const resource = await made();
    const before = platform.clock.now();
    await resource.destroy();
    expect(platform.emulator.requests.at(-1)).toMatchObject({ method: "GET", status: 404 });
    expect(platform.clock.now() - before).toBeGreaterThan(100_000);
    const early = platform.emulator.requests.filter(({ at }) => Date.parse(at) <= before + 5000);
    expect(early.length).toBeLessThanOrEqual(6);
    expect(platform.progress.join()).toMatch(/deleting Deployment "agent" .*AWAITING_DELETE/);
  });

  test("that never ends is an error that names object, status and time, and keeps the state", async () => {
    const slow = ofTest(await PlatformUnderTest.start({ deleteSeconds: 10_000 }));
    const resource = await slow.resource("Deployment");
    await resource.up(json(program));
    expect(await failureOf(resource.destroy())).toMatch(
      /Deployment "agent" \(.*\) is still AWAITING_DELETE 15m after it was deleted/,
    );
    expect(resource.state).toBeDefined();
  });
});

test("an id in upper case, as a person may type it, is that of the platform in the state", async () => {
  const upper: Layer = {
    async beforeRoute({ request, url }) {
      const path = url.pathname.toLowerCase();
      return request.method === "GET" && path !== url.pathname ? Response.json(await on.ask("GET", path)) : undefined;
    },
  };
  const on = ofTest(await PlatformUnderTest.start({ buildSeconds: 0, layers: [upper] }));
  const first = await on.resource("Deployment");
  await first.up(program);
  const { id } = first.current;
  on.newProcess();
  const second = await on.resource("Deployment");
  await second.up({ ...program, adopt: id.toUpperCase() });
  expect(second.current.id).toBe(id);
});

test("a name that only contains the declared one is another deployment", async () => {
  await made();
  const other = await platform.resource("Deployment");
  expect(await other.up(json({ ...program, name: "age" }))).toBe("create");
});

describe("deleteTracingProject", () => {
  const deletions = () =>
    platform.emulator.requests.filter(({ method }) => method === "DELETE").map(({ query }) => query);

  const declared = { delete_tracing_project: "true" };
  test.each<[why: string, made: object, then: object | undefined, sent: object]>([
    ["is not sent unless it is declared", {}, undefined, {}],
    ["is sent with the delete", { deleteTracingProject: true }, undefined, declared],
    ["can be taken out again: the delete then leaves the tracing project", { deleteTracingProject: true }, {}, {}],
    ["is not sent where false, its default, is written out", { deleteTracingProject: false }, undefined, {}],
  ])("%s", async (_why, before, then, sent) => {
    const resource = await made({ ...before });
    if (then !== undefined) await resource.up(json({ ...program, ...then }));
    await resource.destroy();
    expect(deletions()).toEqual([sent]);
  });

  test("can be declared later: that changes nothing on the platform, and the delete then sends it", async () => {
    const resource = await made();
    const before = JSON.stringify(platform.emulator.store.snapshot());
    expect(await resource.up(json({ ...program, deleteTracingProject: true }))).toBe("update");
    expect(platform.changing()).toEqual([]);
    expect(JSON.stringify(platform.emulator.store.snapshot())).toBe(before);
    expect(await resource.refresh()).toBe(false);
    await resource.destroy();
    expect(deletions()).toEqual([{ delete_tracing_project: "true" }]);
  });
});
