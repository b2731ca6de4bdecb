import { visit, type Visitor } from "./visitor";

let visitor: Visitor;
beforeEach(async () => void (visitor = await visit()));

const call = (method: string, path: string) => visitor.platform.call(method, path);
/** The numbers on a page. */
const rowsOf = async (path: string): Promise<number[]> =>
  [...(await visitor.get(path)).text.matchAll(/<tr data-request="(\d+)"/g)].map(([, seq]) => Number(seq));

test("the log is newest first", async () => {
  for (const path of ["/v2/deployments", "/v2/deployments/none"]) await call("GET", path);
  expect(await rowsOf("/console/requests")).toEqual([2, 1]);
});

test("a refused request looks refused, and one without an answer says so", async () => {
  await call("GET", "/v2/deployments/none");
  visitor.platform.emulator.faults.add({ kind: "reset-before-commit", method: "DELETE" });
  await call("DELETE", "/v2/deployments/none").catch(() => undefined);
  const { text: page } = await visitor.get("/console/requests");
  const looks = [...page.matchAll(/<span class="status (\w+)" data-status="\w+">([^<]*)/g)];
  expect(looks.map(([, tone, said]) => [tone, said])).toEqual([
    ["idle", "no answer"],
    ["warn", "404"],
  ]);
});

test("older requests come in pages of 50", async () => {
  for (let index = 0; index < 60; index += 1) await call("GET", "/v2/deployments");
  expect(await rowsOf("/console/requests")).toHaveLength(50);
  expect((await visitor.get("/console/requests")).text).toContain('href="/console/requests?requests=2#requests"');
  expect(await rowsOf("/console/requests?requests=2")).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
});
