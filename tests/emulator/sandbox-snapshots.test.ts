import { sandboxSnapshots } from "../../emulator";
import { anyText, field, matching, problems, platformForTests, text, uuid } from "./api";

const platform = platformForTests();

const all = "/v2/sandboxes/snapshots";
const body = { name: "python", docker_image: "registry.example/python:3.12", fs_capacity_bytes: 1001 };
const create = (change: object = {}) => platform.call("POST", all, { body: { ...body, ...change } });
const made = async (change?: object) => text((await create(change)).body, "id");
const read = async (key: string) => (await platform.call("GET", `${all}/${key}`)).body;

test("POST answers 201 with a snapshot that is built, and ready after the time of a build", async () => {
  const at = platform.clock.now();
  const times = { created_at: new Date(at).toISOString(), updated_at: new Date(at).toISOString() };
  const answer = await create();
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    ...{ ...body, ...times, id: uuid, tags: ["latest"], labels: {}, description: "", registry_id: null },
    ...{ image_digest: null, fs_used_bytes: null, status: "building", status_message: null },
  });
  const id = text(answer.body, "id");
  platform.advance(99.999);
  expect(await read(id)).toEqual(answer.body);
  platform.advance(0.001);
  expect(await read(id)).toEqual({
    ...Object(answer.body),
    ...{ image_digest: matching(/^sha256:[0-9a-f]{64}$/), fs_used_bytes: 501, status: "ready" },
    updated_at: new Date(at + 100_000).toISOString(),
  });
});

test.each([
  ["a build that fails", "emulator-fail-build", "failed", anyText],
  ["one that cannot start", "emulator-fail-create", "failed", anyText],
  ["one that never ends", "emulator-stuck", "building", null],
])("an image decides as that of a deployment: %s", async (_reason, marker, status, message) => {
  const id = await made({ docker_image: `registry.example/${marker}:1` });
  expect(await read(id)).toMatchObject({ status: "building", status_message: null });
  platform.advance(1000);
  expect(await read(id)).toMatchObject({ status, status_message: message, image_digest: null });
});

test("a status that the clock never reaches is set out of band", async () => {
  await create();
  platform.emulator.outOfBand(sandboxSnapshots).change("python:latest", { status_override: "deleting" });
  expect(await read("python:latest")).toMatchObject({ status: "deleting" });
});

test.each([
  ["nothing fits into no bytes", { fs_capacity_bytes: 0 }, "body.fs_capacity_bytes: greater_than_equal"],
  ["a tag is not empty", { tag: "" }, "body.tag: string_too_short"],
  ["a registry has to be there", { registry_id: "x" }, "body.registry_id: value_error"],
])("422: %s", async (_reason, change, problem) => {
  expect(problems(await create(change))).toEqual([problem]);
  expect(platform.emulator.outOfBand(sandboxSnapshots).list()).toEqual([]);
});

test("registry_id is the id of a registry, and not its name", async () => {
  const registry = { name: "internal", url: "https://registry.example", username: "robot", password: "canary" };
  const { body: answered } = await platform.call("POST", "/v2/sandboxes/registries", { body: registry });
  const id = text(answered, "id");
  expect(await create({ registry_id: id })).toMatchObject({ status: 201, body: { registry_id: id } });
  expect((await create({ registry_id: "internal" })).status).toBe(422);
});

describe("a tag", () => {
  test("moves to the newest snapshot of the name, and leaves other tags and other names alone", async () => {
    const [first, stable, other] = [await made(), await made({ tag: "stable" }), await made({ name: "node" })];
    const second = await made();
    const tags = async (id: string) => field(await read(id), "tags");
    expect([await tags(first), await tags(second)]).toEqual([[], ["latest"]]);
    expect([await tags(stable), await tags(other)]).toEqual([["stable"], ["latest"]]);
    expect(await read("python:latest")).toMatchObject({ id: second, status: "building" });
  });

  test("of a snapshot that is deleted is gone: no older one gets it back", async () => {
    await create();
    await platform.call("DELETE", `${all}/${await made()}`);
    expect((await platform.call("GET", `${all}/python:latest`)).status).toBe(404);
  });
});

test("a bare name means name:latest, and without that its newest ready snapshot that has no tag", async () => {
  await made({ tag: "edge" });
  platform.advance(100);
  expect((await platform.call("GET", `${all}/python`)).status).toBe(404);
  const [first, second] = [await made(), await made()];
  await create({ tag: "newer" });
  expect(await read("python")).toMatchObject({ id: second, status: "building" });
  platform.advance(100);
  await platform.call("DELETE", `${all}/${second}`);
  await create({ docker_image: "registry.example/emulator-fail-build:1", tag: "newest" });
  await create({ tag: "newest" });
  expect(await read("python")).toMatchObject({ id: first });
});

test("the tags of a name are listed with what has them; an unknown name answers 404", async () => {
  const byName = (name: string) => platform.call("GET", `/v2/sandboxes/snapshots-by-name/${name}`);
  await create();
  const [latest, edge] = [await made(), await made({ tag: "edge" })];
  const tags = [
    { tag: "latest", snapshot_id: latest },
    { tag: "edge", snapshot_id: edge },
  ];
  expect(await byName("python")).toMatchObject({ status: 200, body: { name: "python", tags } });
  for (const id of [latest, edge]) await platform.call("DELETE", `${all}/${id}`);
  expect((await byName("python")).body).toEqual({ name: "python", tags: [] });
  expect((await byName("ruby")).status).toBe(404);
  expect((await byName("python:latest")).status).toBe(404);
});

test.each([
  ["all, oldest first", "", ["python", "node", "node-slim"], 3],
  ["a part of the name, in any case", "?name_contains=NODE", ["node", "node-slim"], 2],
  ["the status of now", "?status=ready", ["python"], 1],
  ["a label with its value", "?label=team%3Da", ["node"], 1],
  ["a label with any value", "?label=team", ["node"], 1],
  ["a label whose value has a comma", "?label=on%3Da%2Cb", ["node"], 1],
  ["several labels, which all have to fit", "?label=team&label=on%3Da%2Cb", ["node"], 1],
  ["one of several that does not fit", "?label=team&label=other", [], 0],
  ["another value of the label", "?label=team%3Db", [], 0],
  ["pages count what came through the filters", "?name_contains=node&limit=1&offset=1", ["node-slim"], 2],
  ["an empty filter is not set", "?name_contains=&status=&label=", ["python", "node", "node-slim"], 3],
])("the list: %s", async (_reason, query, names, offset) => {
  await create();
  platform.advance(100);
  await create({ name: "node", labels: { team: "a", on: "a,b" } });
  await create({ name: "node-slim" });
  const { body: page } = await platform.call("GET", `${all}${query}`);
  expect(page).toMatchObject({ snapshots: names.map((name) => ({ name })), offset });
  expect(field(page, "snapshots")).toHaveLength(names.length);
});

test("DELETE takes what GET takes; there is no PATCH", async () => {
  const id = await made();
  const edge = await made({ tag: "edge" });
  expect((await platform.call("PATCH", `${all}/${id}`, { body: {} })).status).toBe(405);
  expect(await platform.call("DELETE", `${all}/python:edge`)).toMatchObject({ status: 204, body: undefined });
  expect((await platform.call("DELETE", `${all}/python:edge`)).status).toBe(404);
  expect((await platform.call("DELETE", `${all}/python`)).status).toBe(204);
  for (const [key, method] of [id, edge].flatMap((each) => [[each, "GET"] as const, [each, "DELETE"] as const])) {
    const detail = `SandboxSnapshot ${key} not found`;
    expect(await platform.call(method, `${all}/${key}`)).toMatchObject({ status: 404, body: { detail } });
  }
});
