import { visit, type Visitor } from "./visitor";
import { fakeTimeouts } from "../../support/fake-timeouts";

let visitor: Visitor;
beforeEach(async () => void (visitor = await visit()));
afterEach(() => jest.useRealTimers());

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

test("a request that comes while the page is open is on it soon", async () => {
  const { emulator } = visitor.platform;
  const stream = await fetch(`${emulator.url}/console/events/requests`, { headers: { cookie: visitor.cookie } });
  const reader = stream.body?.getReader();
  const next = async (): Promise<string> => Buffer.from((await reader?.read())?.value ?? []).toString();
  await next();
  const begin = performance.now();
  await call("GET", "/v2/deployments");
  const answered = performance.now();
  let text = "";
  while (!text.includes('"seq":1')) text += await next();
  // Usually 20 to 30 ms; this bound holds on a busy machine, too.
  expect(performance.now() - Math.min(begin, answered)).toBeLessThan(1000);
  await reader?.cancel();
});

test("closing the emulator ends the streams of open pages at once", async () => {
  const own = await visit();
  const stream = await fetch(`${own.platform.emulator.url}/console/events`, { headers: { cookie: own.cookie } });
  const over = stream.text();
  // Requests under way get two seconds to end, which do not pass here.
  fakeTimeouts();
  await own.platform.emulator.close();
  expect(await over).toContain("event: view");
});
