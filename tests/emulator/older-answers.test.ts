import { revisions, sandboxTemplates, type EmulatorOptions } from "../../emulator";
import { deploymentBody, field, startPlatform, record, templateBody, text, uuid, type Platform } from "./api";

// The changes that the emulator's options make to answers, as the platform is known or feared to make them.

const templates = "/v2/sandboxes/templates";
const all = "/v2/deployments";

async function started(options: EmulatorOptions): Promise<Platform> {
  return startPlatform({ buildSeconds: 10, ...options });
}

/** A deployment that serves, and then a PATCH that makes a revision. */
async function patched(options: EmulatorOptions) {
  const at = await started(options);
  const { body } = await at.call("POST", all, { body: deploymentBody });
  const path = `${all}/${text(body, "id")}`;
  const before = text(body, "latest_revision_id");
  at.advance(20);
  const change = { source_revision_config: { image_uri: "registry.example/triage:2" } };
  const answer = await at.call("PATCH", path, { body: change });
  const made = at.emulator
    .outOfBand(revisions)
    .list()
    .find(({ id }) => id !== before);
  return { at, path, before, answer: answer.body, made: made?.id ?? "" };
}
const get = async (at: Platform, path: string) => (await at.call("GET", path)).body;

describe("lateRevision", () => {
  test.each([
    ["the one before", (before: string) => before],
    ["none", () => null],
  ] as const)("until then answers name %s, and show its configuration", async (names, named) => {
    const { at, path, before, answer, made } = await patched({ lateRevision: { ms: 3000, names } });
    const late = {
      latest_revision_id: named(before),
      source_revision_config: { image_uri: "registry.example/triage:1" },
    };
    expect(answer).toMatchObject(late);
    at.advance(2.999);
    expect(await get(at, path)).toMatchObject(late);
    expect((await at.call("GET", `${path}/revisions/${made}`)).status).toBe(404);
    at.advance(0.001);
    expect(await get(at, path)).toMatchObject({
      latest_revision_id: made,
      source_revision_config: { image_uri: "registry.example/triage:2" },
    });
    expect(await get(at, `${path}/revisions/${made}`)).toMatchObject({ id: made });
  });

  test("the first revision is named at once", async () => {
    const at = await started({ lateRevision: { ms: 3000, names: "none" } });
    const { body } = await at.call("POST", all, { body: deploymentBody });
    expect(body).toMatchObject({ latest_revision_id: uuid });
  });
});

test("freshRevision404Ms: a revision that is already named is not found for that long", async () => {
  const { at, path, answer, made } = await patched({ freshRevision404Ms: 2000 });
  expect(field(answer, "latest_revision_id")).toBe(made);
  const status = async () => (await at.call("GET", `${path}/revisions/${made}`)).status;
  at.advance(1.999);
  expect(await status()).toBe(404);
  at.advance(0.001);
  expect(await status()).toBe(200);
});

test("staleActiveMs: the revision before still counts as the one that serves, once the new one is DEPLOYED", async () => {
  const { at, path, before, made } = await patched({ staleActiveMs: 4000 });
  at.advance(10);
  expect(await get(at, `${path}/revisions/${made}`)).toMatchObject({ status: "DEPLOYED" });
  expect(await get(at, path)).toMatchObject({ active_revision_id: before });
  at.advance(4);
  expect(await get(at, path)).toMatchObject({ active_revision_id: made });
});

describe("pageSize", () => {
  const names = (body: unknown, list: string) => {
    const items = field(body, list);
    return Array.isArray(items) ? items.map((item) => field(item, "name")) : items;
  };

  test("no page has more items, whatever limit asks for, and offsets lead to all of them", async () => {
    const at = await started({ pageSize: 2 });
    for (const name of ["a", "b", "c"]) {
      await at.call("POST", templates, { body: { ...templateBody, name } });
      await at.call("POST", all, { body: { ...deploymentBody, name } });
    }
    for (const [path, list] of [
      [templates, "templates"],
      [all, "resources"],
    ] as const) {
      const first = await get(at, `${path}?limit=100`);
      expect([names(first, list), field(first, "offset")]).toEqual([["a", "b"], 2]);
      const second = await get(at, `${path}?limit=100&offset=2`);
      expect([names(second, list), field(second, "offset")]).toEqual([["c"], 3]);
    }
  });
});

test.each(["registries", "snapshots"])("offsetsOnly: a list of %s does not know cursors", async (list) => {
  const at = await started({ offsetsOnly: true });
  expect(await get(at, `/v2/sandboxes/${list}?page_size=1&cursor=x`)).toEqual({ [list]: [], offset: 0 });
});

describe("oldTemplateRows", () => {
  test("a template has no id and no times in any answer, until the platform gives it its own", async () => {
    const at = await started({ oldTemplateRows: true });
    const isOld = { id: null, created_at: null, updated_at: null };
    expect((await at.call("POST", templates, { body: templateBody })).body).toMatchObject(isOld);
    expect(await get(at, `${templates}/python`)).toMatchObject(isOld);
    expect(field(await get(at, templates), "templates", 0)).toMatchObject(isOld);
    expect((await at.call("PATCH", `${templates}/python`, { body: { name: "py" } })).body).toMatchObject(isOld);
    at.emulator.outOfBand(sandboxTemplates).change("py", { is_old_row: false });
    expect(await get(at, `${templates}/py`)).toMatchObject({ id: uuid, created_at: "2030-01-01T00:00:00.000Z" });
  });
});

test.each([
  ["1", 1],
  ["500m", "500m"],
])("numericCpu: %s is answered as %j", async (cpu, answered) => {
  const at = await started({ numericCpu: true });
  const resources = { cpu, memory: "1Gi" };
  const { body } = await at.call("POST", templates, { body: { ...templateBody, resources } });
  expect(record(body)["resources"]).toEqual({ cpu: answered, memory: "1Gi" });
});
