import { deploymentBody, problems, platformForTests, text } from "./api";

// docs/internals/platform.md, Deletion of a deployment: of many at once.

const platform = platformForTests({ deleteSeconds: 30 });

const all = "/v2/deployments";
async function made(name: string): Promise<string> {
  return text((await platform.call("POST", all, { body: { ...deploymentBody, name } })).body, "id");
}
const deleted = (ids: readonly string[]) =>
  platform.call("DELETE", `${all}?${ids.map((id) => `deployment_ids=${id}`).join("&")}`);

test("deletes all that are named, each as a deletion of its own: AWAITING_DELETE first, then 404", async () => {
  const ids = [await made("a"), await made("b")];
  const kept = await made("c");
  const answer = await deleted(ids);
  expect([answer.status, answer.body]).toEqual([200, { deleted: ids, failed: [] }]);
  for (const id of ids) {
    expect((await platform.call("GET", `${all}/${id}`)).body).toMatchObject({ status: "AWAITING_DELETE" });
  }
  platform.advance(30);
  expect((await platform.call("GET", `${all}/${ids[0] ?? ""}`)).status).toBe(404);
  expect((await platform.call("GET", all)).body).toMatchObject({ resources: [{ id: kept }], offset: 1 });
});

test("207 where some failed: the others are deleted all the same", async () => {
  const id = await made("a");
  const answer = await deleted([id, "x"]);
  expect([answer.status, answer.body]).toMatchObject([207, { deleted: [id], failed: [{ deployment_id: "x" }] }]);
  expect((await platform.call("GET", `${all}/${id}`)).body).toMatchObject({ status: "AWAITING_DELETE" });
});

test("an id that is named twice is deleted once", async () => {
  const id = await made("a");
  expect((await deleted([id, id])).body).toEqual({ deleted: [id], failed: [] });
});

test.each<[reason: string, query: string, problem: string]>([
  ["without ids: never all of them", "", "query.deployment_ids: missing"],
  ["with empty ones", "?deployment_ids=", "query.deployment_ids: missing"],
  [
    "of more than 100",
    `?deployment_ids=${Array.from({ length: 101 }, (_, n) => n).join(",")}`,
    "query.deployment_ids: too_long",
  ],
])("422 %s", async (_reason, query, problem) => {
  const id = await made("a");
  const answer = await platform.call("DELETE", all + query);
  expect([answer.status, problems(answer)]).toEqual([422, [problem]]);
  expect((await platform.call("GET", `${all}/${id}`)).body).toMatchObject({ status: "AWAITING_DATABASE" });
});

test.each([
  ["true", 204],
  ["false", 204],
  ["perhaps", 422],
])("delete_tracing_project=%s answers %i, and the request log shows it", async (value, status) => {
  const id = await made("a");
  const answer = await platform.call("DELETE", `${all}/${id}?delete_tracing_project=${value}`);
  expect(answer.status).toBe(status);
  expect(platform.emulator.requests.at(-1)?.query).toEqual({ delete_tracing_project: value });
});
