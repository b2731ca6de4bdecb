import type { Layer } from "../../emulator";
import { sandboxVolumes } from "../../emulator/routes/sandbox-volumes";
import { UNKNOWN, type JsonObject } from "../../provider/base/json";
import { CheckFailed } from "../support/engine-model";
import { record } from "../emulator/api";
import { ofSuite, ofTest } from "../support/of-suite";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start());

const GIB = 1024 ** 3;
const program = { name: "data", sizeBytes: 2 * GIB, description: "Files", labels: { team: "a", by: "me" } };
const stored = (name: string) => platform.emulator.outOfBand(sandboxVolumes).get(name);
const made = async (inputs: JsonObject = program) => {
  const volume = await platform.resource("SandboxVolume");
  await volume.up({ ...program, ...inputs });
  platform.emulator.clearLog();
  return volume;
};
const sent = () =>
  platform.emulator.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, requestBody }) => [method, path, requestBody]);
const clone = { name: "copy", sourceVolume: "data", description: "A copy" };

test.each([1, 2 * GIB - 1, 2 * GIB])("a size in the same GiB is no change: %i", async (bytes) => {
  const volume = await made({ sizeBytes: bytes });
  expect(await volume.refresh()).toBe(false);
  expect(await volume.up({ ...program, sizeBytes: Math.ceil(bytes / GIB) * GIB })).toBe("same");
});

test.each<[what: string, to: object]>([
  ["a volume that shrinks", { ...program, sizeBytes: GIB }],
  ["one that grows", { ...program, sizeBytes: 2 * GIB + 1 }],
])("%s is refused by name, before any request: its data would be lost", async (_what, to) => {
  const volume = await made();
  const error = await failureOf(volume.up({ ...to }));
  expect(error).toMatch(/sizeBytes: cannot change: a new volume would take its place, without its data/);
  expect(platform.emulator.requests).toEqual([]);
});

describe.each<[what: string, over: JsonObject, to: JsonObject]>([
  ["the source of a replaced clone", { sizeBytes: undefined, sourceVolume: "data" }, { sourceVolume: UNKNOWN }],
  ["a size that is not known yet", {}, { sizeBytes: UNKNOWN }],
  ["a field of extra", {}, { extra: { tier: "fast" } }],
])("a change of %s never takes the data of a volume that keeps its name", (_what, over, to) => {
  const other = { ...program, ...over, name: "other" };
  beforeEach(() => made());

  test("a preview refuses it", async () => {
    const volume = await made(other);
    expect(await failureOf(volume.up({ ...other, ...to }))).toMatch(
      /cannot change: a new volume would take its place, without its data\. .*`ignoreChanges`/,
    );
    expect(platform.emulator.requests).toEqual([]);
  });

  test("nor does the engine delete it first, with a resource that is replaced", async () => {
    const { handler, current } = await made(other);
    const unknown = { ...current.inputs, ...Object.fromEntries(Object.keys(to).map((name) => [name, UNKNOWN])) };
    expect(await handler.diff(current.id, current.outputs, unknown)).toMatchObject({ replaces: [] });
  });
});

test("a field of extra that is given up stays as it is, as with every other type", async () => {
  const volume = await made({ extra: { tier: "fast" } });
  expect(await volume.up({ ...program, description: "Other" })).toBe("update");
});

test("under another name it may have another size, and a clone another source", async () => {
  const volume = await made();
  expect(await volume.up({ ...program, name: "larger", sizeBytes: 3 * GIB })).toBe("replace");
  expect(stored("larger")).toMatchObject({ size_bytes: 3 * GIB });
});

test.each([
  ["a label that is left out is removed", { ...program, labels: { team: "a" } }, { labels: { team: "a" } }],
  ["no labels", { name: "data", sizeBytes: 2 * GIB, description: "Files" }, { labels: {} }],
  ["no description", { ...program, description: undefined }, { description: "" }],
])("%s, with nothing else", async (_what, to, body) => {
  const volume = await made();
  await volume.up(to);
  // Values are not in the log.
  const [[method, path, fields] = []] = sent();
  expect([method, path]).toEqual(["PATCH", `/v2/sandboxes/volumes/${volume.current.id}`]);
  expect(Object.keys(record(fields))).toEqual(Object.keys(body));
  expect(stored("data")).toMatchObject(body);
  expect(await volume.refresh()).toBe(false);
});

describe("a clone", () => {
  const cloned = async () => {
    const source = await made();
    const copy = await platform.resource("SandboxVolume");
    await copy.up(clone);
    return { source, copy };
  };

  test("is made of its source, has its size, and is compared without it", async () => {
    const { source, copy } = await cloned();
    expect(sent()).toEqual([["POST", "/v2/sandboxes/volumes/data/clone", { name: "copy", description: "<string>" }]]);
    expect(stored("copy")).toMatchObject({ size_bytes: 2 * GIB, source_volume_id: source.current.id });
    expect(copy.current.outputs["sourceVolumeId"]).toBe(source.current.id);
    expect(await copy.refresh()).toBe(false);
    expect(await copy.up(clone)).toBe("same");
  });

  test("whose answer is lost is there once", async () => {
    await made();
    platform.emulator.faults.add({ kind: "reset-after-commit", method: "POST", count: 1 });
    const copy = await platform.resource("SandboxVolume");
    await copy.up(clone);
    expect(sent()).toHaveLength(1);
    expect(stored("copy").id).toBe(copy.current.id);
  });

  test("of a volume that is not there is an error that says so", async () => {
    const copy = await platform.resource("SandboxVolume");
    const error = await failureOf(copy.up(clone));
    expect(error).toMatch('SandboxVolume "copy": there is no sandbox volume "data" to clone: correct sourceVolume');
    expect(sent()).toEqual([]);
  });

  test("keeps its source as long as its name", async () => {
    const { copy } = await cloned();
    const error = await copy.up({ ...clone, sourceVolume: "other" }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CheckFailed);
    expect(String(error)).toMatch(/sourceVolume: cannot change/);
  });
});

describe("a volume that is attached", () => {
  const attach = (...names: string[]) =>
    platform.emulator.outOfBand(sandboxVolumes).change("data", {
      attachments: names.map((name) => {
        return { sandbox_id: name, sandbox_name: name, mount_path: `/mnt/${name}`, read_only: false };
      }),
    });

  test("is not deleted: the error names the sandboxes, on one line each and not all", async () => {
    const volume = await made();
    attach("one", `two\u001b[2J${"x".repeat(600)}`, "3", "4", "5", "6", "7");
    const error = await failureOf(volume.destroy());
    expect(error).toMatch(
      /SandboxVolume "data" \([^)]+\) cannot be deleted: attached to it are the sandboxes "one" \(/,
    );
    expect(error).toMatch(/"5" \(\/mnt\/5\) and 2 more\. Delete those, or detach it/);
    expect(error).not.toContain("\u001b");
    expect(error).not.toContain("x".repeat(500));
    expect(stored("data")).toBeDefined();
    attach();
    await volume.destroy();
    expect(platform.emulator.outOfBand(sandboxVolumes).list()).toEqual([]);
  });

  test("by nobody whom an answer names: the platform's reason stands", async () => {
    const volume = await made();
    platform.emulator.faults.add({ kind: "status", status: 409, method: "DELETE" });
    expect(await failureOf(volume.destroy())).toMatch(/409/);
  });
});

test("one that the platform is deleting is a problem too, and the error tells the way out of that", async () => {
  const volume = await made();
  const { id } = volume.current;
  const volumes = platform.emulator.outOfBand(sandboxVolumes);
  volumes.change("data", { status: "deleting" });
  expect(await volume.refresh()).toBe(true);
  expect(await failureOf(volume.up(program))).toMatch(
    /^name: names a volume that is being deleted\. Once it is gone, run `pulumi refresh`/,
  );
  volumes.remove("data");
  await volume.refresh();
  expect(await volume.up(program)).toBe("create");
  expect(volume.current.id).not.toBe(id);
});

describe("a volume that is not ready yet", () => {
  test.each([
    ["a new one", program],
    ["a clone", clone],
  ])("is waited for, with progress: %s", async (_what, inputs) => {
    await made();
    const began = platform.clock.now();
    const volume = await platform.resource("SandboxVolume");
    await volume.up({ ...inputs, name: "next" });
    expect(platform.clock.now() - began).toBeGreaterThanOrEqual(60_000);
    expect(platform.progress.join("\n")).toMatch(/^provisioning; .*ends the wait$/m);
    expect(platform.progress.at(-1)).toMatch(/^ready in 1m/);
    platform.newProcess();
    expect(await volume.refresh()).toBe(false);
    expect(await volume.up({ ...inputs, name: "next" })).toBe("same");
  });

  test("and fails, is deleted, because it cannot have data yet, and fails the run with what to do", async () => {
    const volume = await platform.resource("SandboxVolume");
    const error = await failureOf(volume.up({ ...program, name: "emulator-fail-build" }));
    expect(error).toMatch(
      /^SandboxVolume "emulator-fail-build" \([^)]+\): its build failed: The volume could not be made\. It was of no use, and has been deleted\. Correct/,
    );
    expect(platform.emulator.outOfBand(sandboxVolumes).list()).toEqual([]);
    expect(volume.hasState).toBe(false);
  });

  test.each<[what: string, change: object, after: string | RegExp]>([
    ["is ready", { status: "ready" }, "update"],
    ["failed", { status: "failed", status_message: "no room" }, /: no room\. It may still have its data\. Repair it/],
  ])("when the time is up stays in state, and the next up waits on: it %s", async (_what, change, after) => {
    const stuck = { ...program, name: "emulator-stuck" };
    const volume = await platform.resource("SandboxVolume");
    expect(await failureOf(volume.up(stuck))).toMatch(
      /still provisioning after 30m\. It goes on building: run `pulumi up` again, which waits on$/,
    );
    const { id } = volume.current;
    platform.emulator.outOfBand(sandboxVolumes).change("emulator-stuck", change);
    const next = volume.up({ ...stuck, description: "Other files" });
    await (typeof after === "string" ? expect(next).resolves.toBe(after) : expect(next).rejects.toThrow(after));
    expect(stored("emulator-stuck").id).toBe(id);
    expect(volume.current.outputs["sourceVolumeId"]).toBe(typeof after === "string" ? null : undefined);
  });

  test("is waited for where it is adopted, and stays if it fails: it may have data", async () => {
    const [first, second] = [await made({ name: "data" }), await platform.resource("SandboxVolume")];
    platform.newProcess();
    platform.emulator.outOfBand(sandboxVolumes).change("data", { status: "failed" });
    expect(await failureOf(second.up({ ...program, adopt: true }))).toMatch(
      /its build failed: .* may still have its data/,
    );
    expect(stored("data").id).toBe(first.current.id);
    expect(second.hasState).toBe(false);
  });
});

test.each([
  ["is taken over", "data", undefined],
  ["of another volume is refused", "other", /"copy" cannot be adopted: it is a clone of \S+, not one of "other"/],
])("an adopted clone %s, and nothing is sent", async (_what, sourceVolume, refused) => {
  for (const each of [program, clone, { ...program, name: "other" }])
    await (await platform.resource("SandboxVolume")).up(each);
  platform.newProcess();
  platform.emulator.clearLog();
  const adopting = (await platform.resource("SandboxVolume")).up({ ...clone, sourceVolume, adopt: true });
  if (refused === undefined) expect(await adopting).toBe("create");
  else expect(await failureOf(adopting)).toMatch(refused);
  expect(sent()).toEqual([]);
});

test("a volume that was imported by its size, and is declared as a clone: the error says which to keep", async () => {
  const volume = await made({ sizeBytes: 2 * GIB });
  const error = await failureOf(volume.up({ ...program, sizeBytes: undefined, sourceVolume: "other" }));
  expect(error).toMatch(/sizeBytes: cannot change: .* Keep 2147483648 \(/);
  expect(error).toMatch(/sourceVolume: cannot change: .* Leave it out \(/);
});

test("what is no clone is not adopted as one", async () => {
  for (const name of ["data", "copy"]) await (await platform.resource("SandboxVolume")).up({ ...program, name });
  platform.newProcess();
  const adopting = (await platform.resource("SandboxVolume")).up({ ...clone, adopt: true });
  expect(await failureOf(adopting)).toMatch(/it is no clone, not one of "data"\. Correct sourceVolume, or/);
});

test("a name whose volume is being deleted is waited for, and is nobody's", async () => {
  let looks = 0;
  const deleting: Layer = {
    beforeRoute({ request }) {
      const volumes = slow.emulator.outOfBand(sandboxVolumes);
      if (request.method === "GET" && looks++ === 2) volumes.remove("data");
      return Promise.resolve(undefined);
    },
  };
  const slow = ofTest(await PlatformUnderTest.start({ layers: [deleting], buildSeconds: 0 }));
  const [old, fresh] = [await slow.resource("SandboxVolume"), await slow.resource("SandboxVolume")];
  await old.up(program);
  slow.emulator.outOfBand(sandboxVolumes).change("data", { status: "deleting" });
  looks = 0;
  await fresh.up(program);
  expect(fresh.current.id).not.toBe(old.current.id);
  expect(slow.emulator.outOfBand(sandboxVolumes).get("data").id).toBe(fresh.current.id);
});

test("one that has failed shows as a problem, and is not made anew while it may have data: both ways out that the error names", async () => {
  const volume = await made();
  const { id } = volume.current;
  const volumes = platform.emulator.outOfBand(sandboxVolumes);
  volumes.change("data", { status: "failed", status_message: "no room" });
  expect(await volume.refresh()).toBe(true);
  expect(volume.current.outputs["problem"]).toBe("its build failed");
  for (const next of [program, { ...program, sizeBytes: GIB }])
    expect(await failureOf(volume.up(next))).toMatch(
      /name: .* may still have its data\. Repair it there, or delete it there/,
    );
  volumes.change("data", { status: "ready" });
  await volume.refresh();
  expect(await volume.up(program)).toBe("same");
  expect(volume.current.id).toBe(id);
  volumes.change("data", { status: "failed" });
  await volume.refresh();
  volumes.remove("data");
  await volume.refresh();
  expect(await volume.up({ ...program, sizeBytes: GIB })).toBe("create");
});

test("after an update of unknown end, its `extra` makes it no volume that has failed: the next up goes on", async () => {
  const declared = { ...program, extra: { future_field: 1 } };
  const volume = await made(declared);
  const lost = platform.emulator.faults.add({ kind: "reset-before-commit", method: "PATCH", count: 1 });
  const refused = platform.emulator.faults.add({ kind: "status", status: 403, method: "PATCH" });
  expect(await failureOf(volume.up({ ...declared, description: "New" }))).toMatch(
    /got no answer.*then .* answered 403/,
  );
  for (const each of [lost, refused]) each.remove();
  await volume.refresh();
  await volume.up({ ...declared, description: "New" });
  expect(stored("data").description).toBe("New");
});
