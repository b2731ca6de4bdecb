import { deploymentBody, text as textIn } from "../api";
import { visit, type Visitor } from "./visitor";
import { fakeTimeouts } from "../../support/fake-timeouts";

let visitor: Visitor;
beforeEach(async () => void (visitor = await visit()));
afterEach(() => jest.useRealTimers());

const call = (method: string, path: string, body?: object, agent = "client-a") =>
  visitor.platform.call(method, path, { body, headers: { "user-agent": agent } });
/** The numbers on a page. */
const rowsOf = async (path: string): Promise<number[]> =>
  [...(await visitor.get(path)).text.matchAll(/<tr data-request="(\d+)"/g)].map(([, seq]) => Number(seq));

test("the log is newest first", async () => {
  for (const path of ["/v2/deployments", "/v2/deployments/none"]) await call("GET", path);
  expect(await rowsOf("/console/requests")).toEqual([2, 1]);
});

test("a refused request looks refused, and only one that waits for its answer looks under way", async () => {
  const { emulator } = visitor.platform;
  await call("GET", "/v2/deployments/none");
  emulator.faults.add({ kind: "reset-before-commit", method: "DELETE" });
  await call("DELETE", "/v2/deployments/none").catch(() => undefined);
  const hold = emulator.faults.add({ kind: "hold", path: "/v2/auth/providers" });
  const held = call("GET", "/v2/auth/providers");
  while (emulator.requests[2]?.fault !== "hold") await new Promise((resolve) => setTimeout(resolve, 5));
  const { text: page } = await visitor.get("/console/requests");
  const looks = [...page.matchAll(/<span class="status (\w+)" data-status="\w+">([^<]*)/g)];
  expect(looks.map(([, tone, said]) => [tone, said])).toEqual([
    ["busy", "under way"],
    ["idle", "none"],
    ["warn", "404"],
  ]);
  hold.release();
  await held;
});

test("a stream takes until its end", async () => {
  const { emulator } = visitor.platform;
  const { body } = await call("POST", "/v2/deployments", deploymentBody);
  visitor.platform.advance(100);
  const path = `/agents/${textIn(body, "id")}/runs/stream`;
  const headers = { "x-api-key": emulator.apiKey, "content-type": "application/json" };
  const input = { topic: "Ada", delay_ms: 1000 };
  const run = JSON.stringify({ assistant_id: "agent", input });
  const stream = await fetch(emulator.url + path, { method: "POST", headers, body: run });
  const took = async () =>
    /<dt><bdi>took<\/bdi><\/dt><dd><bdi>([^<]*)/.exec((await visitor.get("/console/requests/2")).text)?.[1];
  expect(await took()).toBe("under way");
  visitor.platform.advance(100);
  await stream.text();
  while ((await took()) === "under way") await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await took()).toMatch(/ ms$/);
});

test("older requests come in pages of 50", async () => {
  for (let index = 0; index < 60; index += 1) await call("GET", "/v2/deployments");
  expect(await rowsOf("/console/requests")).toHaveLength(50);
  expect((await visitor.get("/console/requests")).text).toContain('href="/console/requests?requests=2#requests"');
  expect(await rowsOf("/console/requests?requests=2")).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

test("an answer is kept only where somebody looks: it costs time", async () => {
  await call("POST", "/v2/deployments", deploymentBody);
  expect((await visitor.get("/console/requests/1")).text).toContain("no page was open when it was sent");
});

test("the page of a request has its answer, of harmless fields the values", async () => {
  await visitor.get("/console");
  await call("POST", "/v2/deployments", deploymentBody);
  await call("POST", "/v2/deployments", deploymentBody);
  const { text: created } = await visitor.get("/console/requests/1");
  expect(created).toContain("&quot;status&quot;: &quot;AWAITING_DATABASE&quot;");
  expect(created).toContain("&quot;value&quot;: &quot;&lt;string&gt;&quot;");
  const { text: refused } = await visitor.get("/console/requests/2");
  expect(refused).toContain("A deployment named triage already exists");
});

test("an answer that is too long to keep, a stream, and one that was cut say so", async () => {
  await visitor.get("/console");
  visitor.platform.emulator.faults.add({ kind: "reset-before-commit", method: "DELETE" });
  await call("DELETE", "/v2/deployments/none").catch(() => undefined);
  expect((await visitor.get("/console/requests/1")).text).toContain("the connection was cut");
  await call("POST", "/v2/deployments", { ...deploymentBody, long: "x".repeat(70_000) });
  expect((await visitor.get("/console/requests/2")).text).toMatch(/\d+ bytes: too long/);
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
