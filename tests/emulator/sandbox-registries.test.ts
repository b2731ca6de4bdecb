import { sandboxRegistries } from "../../emulator/routes/sandbox-registries";
import { anyHeaders, field, problems, platformForTests, text, uuid } from "./api";

const platform = platformForTests();

const all = "/v2/sandboxes/registries";
const one = `${all}/internal`;
const body = { name: "internal", url: "https://registry.example", username: "robot", password: "registry-canary" };
const create = (change: object = {}) => platform.call("POST", all, { body: { ...body, ...change } });
const stored = () => platform.emulator.outOfBand(sandboxRegistries);

test("POST answers 201 without the credentials, which only the record holds", async () => {
  const answer = await create();
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: uuid,
    name: "internal",
    url: "https://registry.example",
    auth_type: "DOCKER_CONFIG",
    created_at: "2030-01-01T00:00:00.000Z",
    updated_at: "2030-01-01T00:00:00.000Z",
  });
  expect((await platform.call("GET", one)).body).toEqual(answer.body);
  expect(stored().get("internal")).toMatchObject(body);
});

test.each([
  ["a path needs a name", { name: "" }, "body.name: string_too_short"],
  ["username is required", { username: undefined }, "body.username: missing"],
  ["password is required", { password: undefined }, "body.password: missing"],
  ["a password has no role", { aws_role_arn: "arn" }, "body.aws_role_arn: type_error"],
  ["a role has no password", { auth_type: "AWS_ROLE", aws_role_arn: "arn", username: undefined }, "body.password: type_error"], // prettier-ignore
  ["auth_type is one of two", { auth_type: "ELSE" }, "body.auth_type: value_error"],
])("422: %s", async (_reason, change, problem) => {
  expect(problems(await create(change))).toEqual([problem]);
  expect(stored().list()).toEqual([]);
});

test("a name that is taken answers the Conflict body, also to a PATCH; the own name is not taken", async () => {
  await create();
  const taken = {
    status: 409,
    body: { detail: { error: "Conflict", message: "SandboxRegistry internal already exists" } },
    headers: anyHeaders,
  };
  expect(await create()).toEqual(taken);
  await create({ name: "b" });
  expect(await platform.call("PATCH", `${all}/b`, { body: { name: "internal" } })).toEqual(taken);
  expect((await platform.call("PATCH", one, { body: { name: "internal" } })).status).toBe(200);
});

test.each([
  ["the address", { url: "https://b.example" }],
  ["one credential without the other", { password: "new-canary" }],
  ["the name, which is the key from then on", { name: "renamed" }],
])("PATCH changes %s, and keeps the rest and the id", async (_reason, change) => {
  const id = text((await create()).body, "id");
  platform.advance(1);
  const answer = await platform.call("PATCH", one, { body: change });
  expect(answer).toMatchObject({ status: 200, body: { id, updated_at: new Date(platform.clock.now()).toISOString() } });
  expect(JSON.stringify(answer.body)).not.toMatch(/canary|username|password/);
  expect(stored().get(id)).toMatchObject({ ...body, ...change });
  expect((await platform.call("GET", one)).status).toBe("name" in change ? 404 : 200);
});

test("PATCH of auth_type drops what opened it before, and needs what opens it now", async () => {
  await create();
  const byRole = { auth_type: "AWS_ROLE", aws_role_arn: "arn:aws:iam::123456789012:role/pull" };
  expect(problems(await platform.call("PATCH", one, { body: { auth_type: "AWS_ROLE" } }))).toEqual([
    "body.aws_role_arn: missing",
  ]);
  expect((await platform.call("PATCH", one, { body: byRole })).body).toMatchObject(byRole);
  expect(stored().get("internal")).not.toHaveProperty("password");
  const { username, password } = body;
  const back = await platform.call("PATCH", one, { body: { auth_type: "DOCKER_CONFIG", username, password } });
  expect(back.body).not.toHaveProperty("aws_role_arn");
  expect(stored().get("internal")).toMatchObject(body);
});

describe("the list by cursor", () => {
  const page = async (query: string) => (await platform.call("GET", `${all}?${query}`)).body;

  test.each(["page_size=2", "page_size=2&limit=1&offset=1"])(
    "%s: null is the next cursor of the last page alone",
    async (query) => {
      for (const name of ["a", "b", "c"]) {
        await create({ name });
        platform.advance(1);
      }
      const first = await page(query);
      expect(first).toMatchObject({ items: [{ name: "a" }, { name: "b" }] });
      const second = await page(`${query}&cursor=${text(first, "next_cursor")}`);
      expect(second).toMatchObject({ items: [{ name: "c" }], next_cursor: null });
    },
  );

  test("goes on right after an object that has been deleted meanwhile, in one moment too", async () => {
    for (const name of ["a", "b", "c", "d"]) await create({ name });
    const first = await page("page_size=2");
    const [before, last] = [field(first, "items", 0), field(first, "items", 1)];
    for (const gone of [before, last]) await platform.call("DELETE", `${all}/${text(gone, "name")}`);
    const second = await page(`cursor=${text(first, "next_cursor")}`);
    const seen = [before, last, field(second, "items", 0), field(second, "items", 1)].map((each) => text(each, "name"));
    expect(seen.sort()).toEqual(["a", "b", "c", "d"]);
  });

  test("has at most 100, and without any word of a page both names of the items", async () => {
    await create();
    expect(await page("page_size=101")).toMatchObject({ detail: [{ loc: ["query", "page_size"] }] });
    const [items, registries] = ["items", "registries"].map(async (name) => field(await page(""), name));
    expect(await items).toMatchObject([{ name: "internal" }]);
    expect(await registries).toEqual(await items);
  });

  test.each(["x", "", "%20"])("refuses a cursor that it has not answered: %j", async (cursor) => {
    const answer = await platform.call("GET", `${all}?cursor=${cursor}`);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ["query", "cursor"] }] } });
  });
});

test("DELETE answers 204; the name is the key, and not the id", async () => {
  const id = text((await create()).body, "id");
  expect((await platform.call("GET", `${all}/${id}`)).status).toBe(404);
  expect(await platform.call("DELETE", one)).toMatchObject({ status: 204, body: undefined });
  expect(stored().list()).toEqual([]);
});
