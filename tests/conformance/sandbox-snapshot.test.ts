import { sandboxSnapshots } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import type { EngineModel } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite } from "../support/of-suite";

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start());

const SNAPSHOTS = "/v2/sandboxes/snapshots";
const program = { name: "python", dockerImage: "registry.example/python:3.12", fsCapacityBytes: 1000 };
const theirs = { name: "python", docker_image: "registry.example/theirs:1", fs_capacity_bytes: 7 };
const failing = { ...program, dockerImage: "registry.example/emulator-fail-build:1" };
const stuck = { ...program, dockerImage: "registry.example/emulator-stuck:1" };

const stored = () => platform.emulator.outOfBand(sandboxSnapshots).list();
const ids = () => stored().map(({ id }) => id);
const change = (key: string, to: object) => platform.emulator.outOfBand(sandboxSnapshots).change(key, to);
const fresh = () => platform.resource("SandboxSnapshot");
async function made(inputs: JsonObject = program): Promise<EngineModel> {
  const snapshot = await fresh();
  await snapshot.up(inputs);
  platform.emulator.clearLog();
  return snapshot;
}
const notes = () => platform.told.map(({ message }) => message);
/** The platform carries out the next POST, and its answer is lost. */
const loseAnswer = () => platform.emulator.faults.add({ kind: "reset-after-commit", method: "POST", count: 1 });
/** The second look of its kind is refused: the first one comes before the POST. */
const refuseSecond = (path: string) =>
  platform.emulator.faults.add({ kind: "status", status: 403, method: "GET", path, nth: 2, count: 1 });

describe("a creation", () => {
  test("ends when the snapshot is ready, and its row shows what is waited for", async () => {
    const snapshot = await made();
    const [record] = stored();
    expect(platform.clock.now() - Date.parse(record?.created_at ?? "")).toBeGreaterThanOrEqual(60_000);
    expect(snapshot.current.outputs).toMatchObject({ fsUsedBytes: 500, createdAt: record?.created_at });
    expect(snapshot.current.outputs["imageDigest"]).toMatch(/^sha256:/);
    expect(snapshot.current.outputs).not.toHaveProperty("status");
    expect(platform.progress[0]).toBe("building; Ctrl-C twice ends the wait");
    expect(platform.progress.at(-1)).toMatch(/^ready in 1m/);
  });

  // The platform takes a tag from an older snapshot without a word.
  test.each([405, 501])("sends nothing where a look whether its name is taken answers %d", async (status) => {
    await platform.ask("POST", SNAPSHOTS, theirs);
    platform.emulator.faults.add({ kind: "status", status, method: "GET" });
    expect(await failureOf((await fresh()).up(program))).toMatch(/^SandboxSnapshot "python".* answered/);
    expect(stored()).toMatchObject([{ docker_image: theirs.docker_image, tags: ["latest"] }]);
  });

  test("whose build fails says why, and leaves nothing", async () => {
    const snapshot = await fresh();
    const error = await failureOf(snapshot.up(failing));
    expect(error).toMatch(
      /SandboxSnapshot "python:latest" \(.*\): its build failed: The image could not be pulled or unpacked\. It was of no use, and has been deleted/,
    );
    expect(snapshot.state).toBeUndefined();
    expect(stored()).toEqual([]);
  });

  test("whose failed snapshot cannot be deleted names it, and the next up removes it before it builds a new one", async () => {
    const snapshot = await fresh();
    platform.emulator.faults.add({ kind: "status", status: 403, method: "DELETE", count: 1 });
    const [, id] =
      /\((.*?)\): its build failed: .* could not be deleted/.exec(await failureOf(snapshot.up(failing))) ?? [];
    expect(ids()).toEqual([id]);
    await snapshot.up(program);
    expect(ids()).toEqual([snapshot.current.id]);
  });

  test.each<[reason: string, cut: () => void, how: RegExp]>([
    ["the answer to its POST is lost", loseAnswer, /^it succeeded$/],
    ["the look-up then is refused", () => [loseAnswer(), refuseSecond(SNAPSHOTS)], /not known whether it was created/],
    ["the wait is refused", () => refuseSecond(`${SNAPSHOTS}/*`), /the wait ended after .* 403.* It goes on building/],
  ])("is made once where %s", async (_reason, cut, how) => {
    const snapshot = await fresh();
    cut();
    expect(await failureOf(snapshot.up(program))).toMatch(how);
    await snapshot.up(program);
    expect(ids()).toEqual([snapshot.current.id]);
    expect(platform.changing()).toEqual(["POST"]);
  });

  test("goes on where the platform gives the tag only to what is ready", async () => {
    const snapshot = await fresh();
    await failureOf(snapshot.up({ ...program, buildTimeout: "10s" }));
    change("python", { tags: [] });
    const before = ids();
    await snapshot.up(program);
    expect(ids()).toEqual(before);
  });

  test("is waited for also after refreshes, which take the mark of an unfinished create out of the state", async () => {
    const snapshot = await fresh();
    await failureOf(snapshot.up({ ...stuck, buildTimeout: "10s" }));
    for (let times = 0; times < 2; times++) {
      expect(await snapshot.refresh()).toBe(true);
      expect(snapshot.current.inputs["problem"]).toBe("is not ready yet");
      expect(await failureOf(snapshot.up({ ...stuck, buildTimeout: "20s" }))).toMatch(/is still building after 20s/);
    }
    const before = ids();
    change(stuck.name, { status_override: "ready" });
    await snapshot.refresh();
    await snapshot.up(stuck);
    expect(ids()).toEqual(before);
    expect(platform.changing()).toEqual(["POST"]);
    expect(await snapshot.refresh()).toBe(false);
    expect(await snapshot.up(stuck)).toBe("same");
  });

  test("whose build fails while the next up waits on names the refresh, after which an up builds a new one", async () => {
    const snapshot = await platform.resource("SandboxSnapshot");
    const objects = platform.emulator.outOfBand(sandboxSnapshots);
    await failureOf(snapshot.up({ ...program, buildTimeout: "10s" }));
    const { id } = snapshot.current;
    objects.change(id, { status_override: "failed" });
    expect(await failureOf(snapshot.up(program))).toMatch(
      /has been deleted\. Correct the arguments, and run `pulumi up --refresh`, which builds a new one$/,
    );
    await snapshot.refresh();
    await snapshot.up(program);
    expect(objects.list().map((each) => each.id)).toEqual([snapshot.current.id]);
    expect(snapshot.current.id).not.toBe(id);
  });

  test("with other inputs after a wait that ended builds a new one, and deletes the other", async () => {
    const snapshot = await fresh();
    await failureOf(snapshot.up({ ...stuck, buildTimeout: "10s" }));
    const [left] = ids();
    expect(await snapshot.up(program)).toBe("replace");
    expect(ids()).toEqual([snapshot.current.id]);
    expect(notes()).toEqual([`python:latest moves from snapshot ${left} to a new one`]);
  });

  test("whose wait ended leaves nothing when it leaves the program", async () => {
    const snapshot = await fresh();
    await failureOf(snapshot.up({ ...stuck, buildTimeout: "10s" }));
    await snapshot.destroy();
    expect(stored()).toEqual([]);
  });

  test("takes a 404 of what it has just made for not there yet", async () => {
    platform.emulator.faults.add({
      kind: "status",
      status: 404,
      method: "GET",
      path: `${SNAPSHOTS}/*`,
      nth: 2,
      count: 3,
    });
    const snapshot = await made();
    expect(ids()).toEqual([snapshot.current.id]);
  });

  test("that a run was cut off from is taken over, and waited for", async () => {
    const cut = await fresh();
    await failureOf(cut.up({ ...program, buildTimeout: "10s" }));
    const [before] = ids();
    const snapshot = await fresh();
    // The kill came before the state was written.
    await snapshot.up({ ...program, __progressUrn: cut.current.inputs["__progressUrn"] });
    expect([snapshot.current.id, ...ids()]).toEqual([before, before]);
    expect(notes()).toEqual([expect.stringMatching(/ was made .* ago by a run of this resource that was cut off/)]);
  });

  test("that an error hook asks for again goes on with what it has made", async () => {
    const handler = await platform.handler("SandboxSnapshot");
    const inputs = { ...program, buildTimeout: "10s", __progressUrn: "urn:a::b::c::d" };
    expect(await failureOf(handler.create(inputs))).toMatch(/is still building/);
    expect(await failureOf(handler.create(inputs))).toMatch(/is still building/);
    const { id } = await handler.create({ ...inputs, buildTimeout: "5m" });
    expect(ids()).toEqual([id]);
  });
});

test("what its sandboxes run with is sent, and its variables are in no text", async () => {
  const runConfig = { user: "agent", workDir: "/work", envVars: { TOKEN: "token-canary" } };
  const snapshot = await made({ ...program, runConfig });
  const sent = { user: "agent", work_dir: "/work", env_vars: { TOKEN: "token-canary" } };
  expect(stored()).toMatchObject([{ run_config: sent }]);
  for (const shown of [null, { ...sent, env_vars: { TOKEN: "***" } }]) {
    change("python", { run_config: shown });
    expect(await snapshot.refresh()).toBe(false);
  }
  platform.emulator.faults.add({ kind: "status", status: 400, echo: true, method: "POST", count: 1 });
  const error = await failureOf(snapshot.up({ ...program, runConfig, tag: "v2" }));
  expect(error).toMatch(/the request was/);
  expect(error).not.toMatch(/token-canary/);
});

test("one with labels of its image is taken over as any other, and shows no drift", async () => {
  const cut = await fresh();
  await failureOf(cut.up({ ...program, labels: { team: "data" }, buildTimeout: "10s" }));
  change("python", { labels: { ...stored()[0]?.labels, maintainer: "the image's", toString: "too" } });
  const snapshot = await fresh();
  await snapshot.up({ ...program, labels: { team: "data" }, __progressUrn: cut.current.inputs["__progressUrn"] });
  expect(snapshot.current.id).toBe(ids()[0]);
  expect(await snapshot.refresh()).toBe(false);
});

describe("a tag that is taken", () => {
  const others = (more: object = {}) => platform.ask("POST", SNAPSHOTS, { ...theirs, ...more });

  test.each<[reason: string, more: object]>([
    ["under another tag", { tag: "older" }],
    ["under another name", { name: "ruby" }],
    ["while the platform deletes it", {}],
  ])("is free where somebody else's snapshot has it %s", async (reason, more) => {
    await others(more);
    if (reason.startsWith("while")) change("python", { status_override: "deleting" });
    const snapshot = await made();
    expect(ids()).toContain(snapshot.current.id);
    expect(stored()).toHaveLength(2);
  });
});

describe("a replacement", () => {
  test.each<[reason: string, to: JsonObject]>([
    ["another image", { dockerImage: "registry.example/python:3.13" }],
    ["another size", { fsCapacityBytes: 2000 }],
    ["another tag", { tag: "v2" }],
    ["a label more", { labels: { team: "data" } }],
    ["another description", { description: "Python with our tools" }],
    ["another run", { runConfig: { user: "agent", envVars: { TOKEN: "token-canary" } } }],
    ["a field of the platform that this version does not know", { extra: { builder: "new" } }],
    ["a changed rebuildTrigger, for an image that has moved", { rebuildTrigger: "2" }],
  ])("for %s is made before the old one is deleted", async (_reason, to) => {
    const snapshot = await made({ ...program, rebuildTrigger: "1" });
    const old = snapshot.current.id;
    expect(await snapshot.up({ ...program, rebuildTrigger: "1", ...to })).toBe("replace");
    expect(platform.changing()).toEqual(["POST", "DELETE"]);
    expect(ids()).toEqual([snapshot.current.id]);
    expect(snapshot.current.id).not.toBe(old);
    expect(await snapshot.refresh()).toBe(false);
    const losing = "tag" in to ? [] : [`python:latest moves from snapshot ${old} to a new one`];
    expect(notes()).toEqual(losing);
  });

  test.each<[reason: string, to: JsonObject]>([
    ["a patience", { buildTimeout: "5m" }],
    ["the default tag, written out", { tag: "latest" }],
  ])("is not made for %s", async (_reason, to) => {
    const snapshot = await made();
    expect(await snapshot.up({ ...program, ...to })).toBe("same");
  });

  test("whose build fails keeps the old one, and nothing of its own", async () => {
    const snapshot = await made();
    const { current } = snapshot;
    expect(await failureOf(snapshot.up(failing))).toMatch(/its build failed/);
    expect(snapshot.current).toEqual(current);
    expect(ids()).toEqual([current.id]);
  });

  test.each([
    ["was adopted", {}],
    ["was adopted, and whose program still says so", { adopt: true }],
  ])("of one that %s takes its tag like any other", async (_reason, still) => {
    await platform.ask("POST", SNAPSHOTS, { ...theirs, docker_image: program.dockerImage, fs_capacity_bytes: 1000 });
    const snapshot = await made({ ...program, adopt: true });
    expect(await snapshot.up({ ...program, fsCapacityBytes: 2000, ...still })).toBe("replace");
    expect(platform.changing()).toEqual(["POST", "DELETE"]);
    expect(ids()).toEqual([snapshot.current.id]);
  });

  test("that is cut off goes on with the next up, and is built once", async () => {
    const snapshot = await made();
    const next = { ...program, fsCapacityBytes: 2000 };
    await failureOf(snapshot.up({ ...next, buildTimeout: "10s" }));
    await snapshot.up(next);
    expect(platform.changing()).toEqual(["POST", "DELETE"]);
    expect(ids()).toEqual([snapshot.current.id]);
  });

  test("whose wait ended, and that is taken back, puts the tag back", async () => {
    const snapshot = await made();
    await failureOf(snapshot.up({ ...stuck, buildTimeout: "10s" }));
    expect(await snapshot.up(program)).toBe("replace");
    expect(ids()).toEqual([snapshot.current.id]);
    expect(await snapshot.refresh()).toBe(false);
  });
});

describe("adopting", () => {
  const equal = { name: "python", docker_image: program.dockerImage, fs_capacity_bytes: 1000 };

  test("one that is still building waits for it", async () => {
    await platform.ask("POST", SNAPSHOTS, equal);
    const snapshot = await made({ ...program, adopt: true });
    expect(snapshot.current.outputs).toMatchObject({ fsUsedBytes: 500 });
    expect(platform.changing()).toEqual([]);
    expect(await snapshot.refresh()).toBe(false);
  });

  test("takes the one with this tag, of several with this name", async () => {
    await platform.ask("POST", SNAPSHOTS, equal);
    await platform.ask("POST", SNAPSHOTS, { ...equal, tag: "v2" });
    const [, second] = ids();
    const snapshot = await made({ ...program, tag: "v2", adopt: true });
    expect(snapshot.current.id).toBe(second);
  });

  test("one that has lost its tag is refused: it would not be what the program says", async () => {
    await platform.ask("POST", SNAPSHOTS, equal);
    platform.clock.advance(60_000);
    change("python", { tags: [] });
    expect(await failureOf((await fresh()).up({ ...program, adopt: ids()[0] ?? "" }))).toMatch(
      /cannot be adopted: .*\n {2}tag: "" on the platform, nothing declared/,
    );
  });

  test("one whose build failed is an error, and it stays: it is not ours", async () => {
    await platform.ask("POST", SNAPSHOTS, { ...equal, docker_image: failing.dockerImage });
    expect(await failureOf((await fresh()).up({ ...failing, adopt: true }))).toMatch(
      /its build failed: .*\. It stays\. Leave adopt out/,
    );
    expect(stored()).toHaveLength(1);
  });
});

describe("a refresh", () => {
  test.each<[reason: string, to: object, problem: string]>([
    ["a build that failed", { outcome: "BUILD_FAILED" }, "its build failed"],
    ["a deletion that goes on", { status_override: "deleting" }, "is being deleted"],
    ["a tag that went to another one", { tags: ["v2"] }, "another snapshot has its tag, latest"],
  ])("shows %s as a problem, and the next up replaces it", async (_reason, to, problem) => {
    const snapshot = await made();
    const old = snapshot.current.id;
    change("python", to);
    expect(await snapshot.refresh()).toBe(true);
    expect(snapshot.current.inputs).toMatchObject({ problem });
    expect(await snapshot.up(program)).toBe("replace");
    expect(ids()).toEqual([snapshot.current.id]);
    expect(snapshot.current.id).not.toBe(old);
    expect(await snapshot.refresh()).toBe(false);
  });

  test.each<[until: string, act: (id: string) => void, to: JsonObject]>([
    ["that one is deleted", (id) => platform.emulator.outOfBand(sandboxSnapshots).remove(id), {}],
    [
      "that one is taken over",
      () => undefined,
      { dockerImage: theirs.docker_image, fsCapacityBytes: theirs.fs_capacity_bytes, adopt: true },
    ],
    ["the program has another tag", () => undefined, { tag: "mine" }],
  ])("says the same of a tag that somebody else's snapshot has, and up fails, until %s", async (_until, act, to) => {
    const snapshot = await made();
    await platform.ask("POST", SNAPSHOTS, theirs);
    platform.clock.advance(120_000);
    for (const time of [1, 2]) {
      await snapshot.refresh();
      expect([time, snapshot.current.inputs["problem"]]).toEqual([time, "another snapshot has its tag, latest"]);
      expect(await failureOf(snapshot.up(program))).toMatch(/already exists/);
    }
    act(ids().find((id) => id !== snapshot.current.id) ?? "");
    await snapshot.up({ ...program, ...to });
    expect(await snapshot.refresh()).toBe(false);
    expect(ids()).toContain(snapshot.current.id);
  });

  test("shows no drift for one that is built again by the platform", async () => {
    const snapshot = await made();
    change("python", { status_override: "building" });
    expect(await snapshot.refresh()).toBe(false);
  });
});

test("the labels are the program's own: that of this provider is on the platform, and in no state", async () => {
  const snapshot = await made({ ...program, labels: { team: "data" } });
  const { "pulumi-agent-platform": key, ...labels } = stored()[0]?.labels ?? {};
  expect(key).toMatch(/^[0-9a-f]{12}-[0-9a-f]{12}$/);
  expect(labels).toEqual({ team: "data" });
  const read = await snapshot.handler.read(snapshot.current.id, { __provider: "p" });
  expect(read.props).toMatchObject({ labels: { team: "data" } });
});

test("it is read by its id, by name and tag, and by a name, which means name:latest", async () => {
  const snapshot = await made();
  // Newer, and of the same name.
  const edge = await made({ ...program, tag: "edge", dockerImage: theirs.docker_image });
  platform.emulator.clearLog();
  for (const [key, found] of [
    ["python", { tag: "latest", dockerImage: program.dockerImage }],
    ["python:edge", { tag: "edge", dockerImage: theirs.docker_image }],
    [edge.current.id, { tag: "edge", dockerImage: theirs.docker_image }],
  ] as const) {
    const read = await snapshot.handler.read(key, { __provider: "p" });
    expect(read.props).toMatchObject(found);
  }
  // The platform splits name and tag at a colon, which it does not see if it is encoded.
  expect(platform.emulator.requests.map(({ path }) => path)).toContain(`${SNAPSHOTS}/python:edge`);
});

test("of a program without this package's class, in which no row names the resource, a dynamic one is refused", async () => {
  const handler = await platform.handler("SandboxSnapshot");
  expect(await failureOf(handler.create(program))).toMatch(
    /the resource has no URN; create it with this package's class/,
  );
  expect(platform.changing()).toEqual([]);
});
