import type { Layer } from "../../emulator";
import { workspaceSecrets } from "../../emulator/routes/workspace-secrets";
import { EngineModel } from "../support/engine-model";
import { CASES } from "./cases";
import { ofSuite, ofTest } from "../support/of-suite";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";

/** Answers the next request that changes something instead of the platform. */
let meanwhile: (() => Promise<Response>) | undefined;
const layer: Layer = {
  async beforeRoute({ request }) {
    const act = request.method !== "GET" ? meanwhile : undefined;
    if (act !== undefined) meanwhile = undefined;
    return act?.();
  },
};
const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ layers: [layer] }));
beforeEach(() => void (meanwhile = undefined));

const PATH = "/v1/workspaces/current/secrets";
const program = { key: "OPENAI_API_KEY", value: "shared-secret" };
const hosts = [{ hostPattern: "models.example", headerName: "x-key", headerValueTemplate: "{value}" }];
const theirs = { value: "their-secret", configs: [{ host_pattern: "theirs.example" }] };
const stored = (on = platform) => on.emulator.outOfBand(workspaceSecrets);
const made = async (over: object = {}, settings: Record<string, string> = {}, on = platform) => {
  const secret = await on.resource("WorkspaceSecret", settings);
  await secret.up({ ...program, ...over });
  on.clock.advance(60_000);
  on.emulator.clearLog();
  return secret;
};
const bodies = () =>
  platform.emulator.requests.filter(({ method }) => method === "PUT").map(({ requestBody }) => requestBody);

test("the provider's own hosts are no drift, and a change of hosts alone leaves the value and its time", async () => {
  const secret = await made();
  const { rotatedAt } = secret.current.outputs;
  expect(await secret.refresh()).toBe(false);
  await secret.up({ ...program, allowedHosts: hosts });
  await secret.up(program);
  const configs = [{ host_pattern: "<string>", header_name: "<string>", header_value_template: "<string>" }];
  expect(bodies()).toEqual([{ configs }, { configs: [] }]);
  expect(secret.current.outputs).toMatchObject({ rotatedAt });
  expect(stored().get(program.key)).toMatchObject(program);
});

test("a rotation keeps the hosts, and says when it was sent; a refresh keeps that", async () => {
  const secret = await made({ allowedHosts: hosts });
  const { rotatedAt } = secret.current.outputs;
  await secret.up({ ...program, allowedHosts: hosts, value: "another-secret" });
  expect(stored().get(program.key)).toMatchObject({
    value: "another-secret",
    configs: [{ host_pattern: "models.example" }],
  });
  const after = secret.current.outputs["rotatedAt"];
  expect(after).toBe(new Date(platform.clock.now()).toISOString());
  expect(after).not.toBe(rotatedAt);
  expect(await secret.refresh()).toBe(false);
  expect(secret.current.outputs["rotatedAt"]).toBe(after);
});

test("a rotation leaves hosts that somebody has set, and that the program does not declare", async () => {
  const secret = await made();
  stored().change(program.key, { configs: theirs.configs });
  await secret.up({ ...program, value: "another-secret" });
  expect(stored().get(program.key)).toMatchObject({ value: "another-secret", configs: theirs.configs });
});

test("another stack makes the key while our request fails: its hosts are not ours, so nothing is taken over", async () => {
  meanwhile = async () => {
    await platform.ask("PUT", `${PATH}/${program.key}`, theirs);
    return new Response("{}", { status: 500 });
  };
  const secret = await platform.resource("WorkspaceSecret");
  expect(await failureOf(secret.up(program))).toMatch(/already exists on the platform and differs .* allowedHosts/);
  expect(secret.state).toBeUndefined();
  expect(stored().get(program.key)).toMatchObject({ value: "their-secret" });
});

test.each([
  ["a gateway's 404", { status: 404, body: "html" }, /says nothing about the object/],
  ["the platform's own", { status: 404 }, /does not support such objects/],
  ["a 405", { status: 405 }, /does not support such objects/],
] as const)(
  "where the look before it gets %s, nothing is sent: the PUT would overwrite what somebody has made",
  async (_what, fault, said) => {
    await platform.ask("PUT", `${PATH}/${program.key}`, theirs);
    platform.emulator.faults.add({ kind: "status", ...fault, method: "GET", count: 2 });
    const secret = await platform.resource("WorkspaceSecret");
    expect(await failureOf(secret.up(program))).toMatch(said);
    expect(stored().get(program.key)).toMatchObject({ value: "their-secret" });
  },
);

test("a list that comes late does not drop it: two have to lack it", async () => {
  // The emulator remembers only while such a fault is on; this one never strikes.
  platform.emulator.faults.add({ kind: "stale-read", method: "OPTIONS" });
  const secret = await made();
  platform.emulator.faults.add({ kind: "stale-read", path: PATH, count: 1 });
  await secret.refresh();
  expect(secret.state).toBeDefined();
  stored().remove(program.key);
  platform.clock.advance(60_000);
  await secret.refresh();
  expect(secret.state).toBeUndefined();
});

test("a gateway answers its DELETE with another success: it is gone all the same", async () => {
  const secret = await made();
  meanwhile = () => {
    stored().remove(program.key);
    return Promise.resolve(new Response("{}"));
  };
  await secret.destroy();
  expect(stored().list()).toEqual([]);
});

test("hosts that differ in a double alone are a change; that the platform has each once is no drift", async () => {
  const other = { hostPattern: "others.example" };
  const secret = await made({ allowedHosts: [...hosts, ...hosts] });
  await secret.up({ ...program, allowedHosts: [...hosts, other] });
  expect(stored().get(program.key).configs).toHaveLength(2);
  expect(stored().get(program.key)).toMatchObject({ configs: [{}, { host_pattern: "others.example" }] });
  await secret.up({ ...program, allowedHosts: [...hosts, ...hosts, other] });
  expect(bodies()).toHaveLength(1);
});

test("one that somebody has deleted is not made by an update", async () => {
  const secret = await made();
  stored().remove(program.key);
  expect(await failureOf(secret.up({ ...program, value: "another-secret" }))).toMatch(
    /WorkspaceSecret "OPENAI_API_KEY" no longer exists on the platform; run `pulumi refresh`/,
  );
  expect(stored().list()).toEqual([]);
});

test("a platform that lists all keys at once, and one with many pages", async () => {
  for (const options of [{ offsetsOnly: true }, { pageSize: 1 }]) {
    const on = ofTest(await PlatformUnderTest.start(options));
    for (const key of ["A", "B"]) await on.ask("PUT", `${PATH}/${key}`, theirs);
    const secret = await made({ allowedHosts: hosts }, {}, on);
    expect(await secret.refresh()).toBe(false);
    await secret.destroy();
    expect(stored(on).list()).toHaveLength(2);
  }
});

test.each(["up", "destroy"] as const)("without the rights of an admin: an %s that says so", async (verb) => {
  const secret = await made();
  platform.emulator.faults.add({ kind: "status", status: 403, path: `${PATH}/*` });
  const act = verb === "up" ? secret.up({ ...program, value: "another-secret" }) : secret.destroy();
  expect(await failureOf(act)).toMatch(/answered 403.*only the key of a workspace admin may change workspace secrets/);
});

describe("the key of another workspace", () => {
  const tenant = (name: string, apiKey = `key-of-${name}`) => ({ tenantId: name, organizationId: "o", apiKey });
  test("is told from a new key of the same one, where the platform has deployments that name it", async () => {
    const tenants = [tenant("ours"), tenant("theirs"), tenant("ours", "rotated")];
    const shared = ofTest(await PlatformUnderTest.start({ tenants }));
    for (const apiKey of ["key-of-ours", "key-of-theirs"])
      await (await shared.resource("Deployment", { apiKey })).up(CASES.Deployment.program);
    const ours = await made({}, { apiKey: "key-of-ours" }, shared);
    await made({}, { apiKey: "key-of-theirs" }, shared);
    const withKey = async (apiKey: string) => {
      shared.newProcess();
      return Object.assign(await shared.resource("WorkspaceSecret", { apiKey }), { state: ours.state });
    };
    const wrong = await withKey("key-of-theirs");
    for (const act of [() => wrong.refresh(), () => wrong.destroy()])
      expect(await failureOf(act())).toMatch(/is in the workspace ours, but this key opens another one \(theirs/);
    const rotated = await withKey("rotated");
    expect(await rotated.refresh()).toBe(false);
    await rotated.destroy();
    expect(
      stored(shared)
        .list()
        .map((each) => each.tenant_id),
    ).toEqual(["theirs"]);
  });

  test("a secret that came before all deployments is placed by the next read, so that a rotated key finds it", async () => {
    const shared = ofTest(await PlatformUnderTest.start({ tenants: [tenant("ours"), tenant("ours", "rotated")] }));
    const ours = await made({}, { apiKey: "key-of-ours" }, shared);
    expect(ours.current.outputs).toMatchObject({ tenantId: null });
    await (await shared.resource("Deployment", { apiKey: "key-of-ours" })).up(CASES.Deployment.program);
    shared.newProcess();
    const read = Object.assign(await shared.resource("WorkspaceSecret", { apiKey: "key-of-ours" }), {
      state: ours.state,
    });
    expect(await read.refresh()).toBe(false);
    expect(read.current.outputs).toMatchObject({ tenantId: "ours" });
    shared.newProcess();
    const rotated = Object.assign(await shared.resource("WorkspaceSecret", { apiKey: "rotated" }), {
      state: read.state,
    });
    expect(await rotated.refresh()).toBe(false);
  });

  test("is told from a rotated one by the list that a deployment's read began", async () => {
    const shared = ofTest(await PlatformUnderTest.start({ tenants: [tenant("ours"), tenant("ours", "rotated")] }));
    const deployment = await shared.resource("Deployment", { apiKey: "key-of-ours" });
    await deployment.up(CASES.Deployment.program);
    const ours = await made({}, { apiKey: "key-of-ours" }, shared);
    shared.newProcess();
    const settings = { apiKey: "rotated" };
    const first = Object.assign(await shared.resource("Deployment", settings), { state: deployment.state });
    const then = Object.assign(await shared.resource("WorkspaceSecret", settings), { state: ours.state });
    for (const { handler, current } of [first, then]) await handler.read(current.id, current.outputs);
  });

  test("that only its key tells apart has a secret of its own: each is deleted with its own row", async () => {
    const shared = ofTest(await PlatformUnderTest.start({ tenants: [tenant("ours"), tenant("theirs")] }));
    const rows: EngineModel[] = [];
    for (const apiKey of ["key-of-ours", "key-of-theirs"]) {
      await (await shared.resource("Deployment", { apiKey })).up(CASES.Deployment.program);
      shared.clock.advance(1000);
      rows.push(await made({}, { apiKey }, shared));
    }
    shared.newProcess();
    for (const { handler, current } of rows) await handler.diff(current.id, current.outputs, current.inputs);
    await rows[1]?.handler.delete(rows[1].current.id, rows[1].current.outputs);
    expect(shared.warnings).toEqual([]);
    expect(stored(shared).list()).toMatchObject([{ tenant_id: "ours" }]);
  });

  test("with another key of the same one a second resource adopts the secret, and the first row leaves it there", async () => {
    const shared = ofTest(await PlatformUnderTest.start({ tenants: [tenant("ours"), tenant("ours", "rotated")] }));
    await (await shared.resource("Deployment", { apiKey: "key-of-ours" })).up(CASES.Deployment.program);
    const { handler, current } = await made({}, { apiKey: "key-of-ours" }, shared);
    const second = await shared.resource("WorkspaceSecret", { apiKey: "rotated" });
    await second.up({ ...program, adopt: true });
    await handler.delete(current.id, current.outputs);
    expect(shared.warnings).toEqual([expect.stringMatching(/now belongs to another resource of this program/)]);
    expect(stored(shared).list()).toHaveLength(1);
    // And while the program still declares the first, it is not adopted.
    shared.newProcess();
    await handler.diff(current.id, current.outputs, current.inputs);
    const third = new EngineModel(await shared.handler("WorkspaceSecret", { apiKey: "rotated" }), "WorkspaceSecret");
    expect(await failureOf(third.up({ ...program, adopt: true }))).toMatch(/would belong to two resources/);
  });

  test.each([
    ["that has no such key", false, "this key does not see it"],
    ["that has one of the same name", true, "this key sees one with its name"],
  ])("%s: nothing is read as gone, changed or deleted", async (_which, hasOne, told) => {
    const shared = ofTest(await PlatformUnderTest.start({ tenants: [tenant("ours"), tenant("theirs")] }));
    const ours = await made({}, { apiKey: "key-of-ours" }, shared);
    if (hasOne) await made({ value: "their-secret" }, { apiKey: "key-of-theirs" }, shared);
    const before = JSON.stringify(stored(shared).list());
    shared.newProcess();
    const wrong = await shared.resource("WorkspaceSecret", { apiKey: "key-of-theirs" });
    wrong.state = ours.state;
    for (const act of [() => wrong.refresh(), () => wrong.destroy()]) expect(await failureOf(act())).toMatch(told);
    await failureOf(wrong.up({ ...program, value: "another-secret" }));
    expect(wrong.state).toBe(ours.state);
    expect(JSON.stringify(stored(shared).list())).toBe(before);
  });
});
