import { sandboxVolumes } from "../../emulator/routes/sandbox-volumes";
import { field, platformForTests, problems, text, uuid } from "./api";

const platform = platformForTests();

const GIB = 1024 ** 3;
const all = "/v2/sandboxes/volumes";
const body = { name: "data", size_bytes: GIB + 1, description: "Files", labels: { team: "a" } };
const create = (change: object = {}) => platform.call("POST", all, { body: { ...body, ...change } });

test.each([
  ["data", "ready", null],
  ["emulator-fail-build", "failed", "The volume could not be made"],
  ["emulator-stuck", "provisioning", null],
])("a volume, like its clone, is provisioning until it is made: %s is then %s", async (name, status, message) => {
  await create();
  for (const [path, over] of [
    [all, body],
    [`${all}/data/clone`, {}],
  ] as const) {
    const { body: made } = await platform.call("POST", path, { body: { ...over, name: `${name}-${path.length}` } });
    expect(made).toMatchObject({ status: "provisioning", status_message: null });
    platform.clock.advance(1_000_000);
    const { body: now } = await platform.call("GET", `${all}/${text(made, "id")}`);
    expect(now).toMatchObject({ status, status_message: message });
  }
});

test("POST answers 201 with the size rounded up to a whole GiB; a path takes the id or the name", async () => {
  const { status, body: made } = await create();
  expect([status, made]).toEqual([
    201,
    {
      ...body,
      id: uuid,
      size_bytes: 2 * GIB,
      source_volume_id: null,
      ...{ attachments: [], status: "provisioning", status_message: null },
      created_at: "2030-01-01T00:00:00.000Z",
      updated_at: "2030-01-01T00:00:00.000Z",
    },
  ]);
  for (const key of ["data", text(made, "id")])
    expect((await platform.call("GET", `${all}/${key}`)).body).toEqual(made);
});

test("a volume has a size, and a name of its own, as has a clone", async () => {
  expect(problems(await create({ size_bytes: 0 }))).toEqual(["body.size_bytes: greater_than_equal"]);
  await create();
  expect((await create()).status).toBe(409);
  expect((await platform.call("POST", `${all}/data/clone`, { body: { name: "data" } })).status).toBe(409);
});

test("a clone has the size of its source, and a description and labels of its own", async () => {
  const { body: source } = await create();
  const clone = await platform.call("POST", `${all}/data/clone`, { body: { name: "copy" } });
  expect(clone).toMatchObject({
    status: 201,
    body: { name: "copy", size_bytes: 2 * GIB, source_volume_id: text(source, "id"), description: "", labels: {} },
  });
});

test.each([
  ["description alone", { description: "Other" }, { description: "Other", labels: { team: "a" } }],
  ["labels as a whole", { labels: { by: "me" } }, { description: "Files", labels: { by: "me" } }],
  ["null clears", { description: null, labels: null }, { description: "", labels: {} }],
  ["and so does what is empty", { description: "", labels: {} }, { description: "", labels: {} }],
  ["nothing else", { name: "other", size_bytes: 9 * GIB }, { name: "data", size_bytes: 2 * GIB }],
])("PATCH: %s", async (_what, change, then) => {
  await create();
  expect(await platform.call("PATCH", `${all}/data`, { body: change })).toMatchObject({ status: 200, body: then });
});

test("DELETE refuses an attached one with 409, and answers 204 for any other", async () => {
  await create();
  const attachment = { sandbox_id: "1", sandbox_name: "box", mount_path: "/data", read_only: false };
  const stored = platform.emulator.outOfBand(sandboxVolumes);
  stored.change("data", { attachments: [attachment] });
  expect((await platform.call("DELETE", `${all}/data`)).status).toBe(409);
  expect(field((await platform.call("GET", `${all}/data`)).body, "attachments")).toEqual([attachment]);
  stored.change("data", { attachments: [] });
  expect((await platform.call("DELETE", `${all}/data`)).status).toBe(204);
  expect(stored.list()).toEqual([]);
});

test.each([
  ["all, without a question", "", 2],
  ["a part of the name", "?name_contains=at", 1],
  ["a page", "?page_size=1", 1],
])("the list pages by cursor alone: %s", async (_what, query, count) => {
  await create();
  await create({ name: "logs" });
  const { body: page } = await platform.call("GET", `${all}${query}`);
  expect(field(page, "items")).toHaveLength(count);
  expect(typeof field(page, "next_cursor")).toBe(query.includes("page_size") ? "string" : "object");
});
