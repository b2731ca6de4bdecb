import { faultKinds } from "../../../emulator";
import { containing, deploymentBody, githubBody, text } from "../api";
import { reasonOf, visit, withoutEntities, type Visitor } from "./visitor";

let visitor: Visitor;
beforeEach(async () => void (visitor = await visit()));

const call = (method: string, path: string, body?: object) => visitor.platform.call(method, path, { body });
/** What the pages say is switched on. */
const switchedOn = async (path: string): Promise<string[]> =>
  [...(await visitor.get(path)).text.matchAll(/<li data-switched-on="[^"]*"[^>]*><strong>([^<]*)/g)].map(
    ([, what = ""]) => what,
  );
/** The first of the addresses where something is switched off, or let go. */
const addressOf = async (label: string): Promise<string> =>
  new RegExp(`action="([^"]+)"[^>]*><button type="submit">${label}`).exec((await visitor.get("/console")).text)?.[1] ??
  "";

test("a fault that is set on the page strikes a real request, stands on every page, and is over once it is switched off", async () => {
  const more = JSON.stringify({ status: 418, retryAfter: "7", body: "text" });
  const fields = { kind: "status", method: "GET", path: "/v2/**", more };
  const { status, headers } = await visitor.submit("/console/faults", fields);
  expect([status, headers.get("location")]).toEqual([303, "/console/break?done=fault-on"]);
  const struck = await fetch(`${visitor.platform.emulator.url}/v2/deployments`);
  expect([struck.status, struck.headers.get("retry-after")]).toEqual([418, "7"]);
  for (const path of ["/console", "/console/requests", "/console/requests/1", "/console/break"]) {
    expect([path, await switchedOn(path)]).toEqual([path, ["Fault: status 418"]]);
  }
  expect((await visitor.submit(await addressOf("Switch off"), {})).status).toBe(303);
  expect(await switchedOn("/console")).toEqual([]);
  expect((await call("GET", "/v2/deployments")).status).toBe(200);
});

test("faults of the options are shown as well, and how often each struck", async () => {
  const own = await visit({ faults: [{ kind: "status", status: 503, count: 2 }] });
  await own.platform.call("GET", "/v2/deployments");
  const page = async (): Promise<string> => (await own.get("/console")).text;
  expect(await page()).toMatch(/class=""><strong>Fault: status 503<\/strong> <bdi>[^<]*; struck 1 request of 2</);
  await own.platform.call("GET", "/v2/deployments");
  expect(await page()).toMatch(/class="faint"><strong>Fault: status 503<\/strong> <bdi>[^<]*, used up</);
});

test("each kind is offered, and the form with it alone is taken, or says what is missing", async () => {
  const { text: page } = await visitor.get("/console/break");
  const missing: string[] = [];
  for (const kind of faultKinds) {
    expect(page).toContain(`<option value="${kind}">`);
    const { status } = await visitor.submit("/console/faults", { kind });
    if (status !== 303) missing.push(kind);
  }
  expect(missing).toEqual(["latency", "status"]);
  expect(visitor.platform.emulator.faults.list).toHaveLength(faultKinds.length - 2);
});

test("what a fault holds waits until it is let go", async () => {
  await visitor.submit("/console/faults", { kind: "hold", path: "/v2/deployments" });
  const held = call("GET", "/v2/deployments");
  const { emulator } = visitor.platform;
  while (emulator.requests[0]?.fault !== "hold") await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await visitor.submit(await addressOf("Release"), {})).status).toBe(303);
  expect((await held).status).toBe(200);
});

test.each<[string, Readonly<Record<string, string>>, string]>([
  ["no path", { kind: "html", path: "v2" }, "path: a path that starts with a slash, or *"],
  ["no method", { kind: "html", method: "get" }, "method: a method in capitals, or *"],
  ["no count", { kind: "html", count: "some" }, "count: Invalid input: expected number"],
  ["no field of this kind", { kind: "html", more: '{"status":503}' }, 'Unrecognized key: "status"'],
  ["no JSON", { kind: "html", more: "status: 503" }, "The further fields are no JSON object"],
  ["no kind", { kind: "nonsense" }, "kind: "],
])("a fault that is refused: the reason, and what was typed, nothing changed (%s)", async (_which, typed, reason) => {
  const page = await visitor.submit("/console/faults", typed);
  expect([page.status, reasonOf(page)]).toEqual([422, containing(reason)]);
  const { kind, ...fields } = typed;
  for (const entered of Object.values(fields)) expect(withoutEntities(page.text)).toContain(`value="${entered}"`);
  if (kind !== "nonsense") expect(page.text).toContain(`<option value="${String(kind)}" selected`);
  expect(visitor.platform.emulator.faults.list).toEqual([]);
});

test("the next revision ends as it was set, which stands on every page until then, or until it is switched off", async () => {
  await visitor.submit("/console/next-revision", { outcome: "BUILD_FAILED" });
  await visitor.submit("/console/next-revision", { outcome: "STUCK" });
  expect(await switchedOn("/console")).toEqual(["Next 2 revisions"]);
  const id = text((await call("POST", "/v2/deployments", deploymentBody)).body, "id");
  expect(await switchedOn("/console")).toEqual(["Next revision: STUCK"]);
  visitor.platform.advance(100);
  expect(await visitor.revisions(id)).toEqual(["Revision 1 BUILD_FAILED"]);
  await visitor.submit(await addressOf("Switch off"), {});
  expect(await switchedOn("/console")).toEqual([]);
  expect((await visitor.submit("/console/next-revision", { outcome: "NONSENSE" })).status).toBe(422);
});

test("a pushed commit makes a revision of each deployment that builds the branch on push, and of no other", async () => {
  const body = { ...githubBody, source_config: { ...githubBody.source_config, build_on_push: true } };
  const id = text((await call("POST", "/v2/deployments", body)).body, "id");
  const page = `/console/deployments/${id}`;
  expect((await visitor.get(page)).text).toContain(`action="${page}/push"`);
  expect((await visitor.submit(`${page}/push`)).headers.get("location")).toBe(`${page}?done=pushed`);
  expect(await visitor.revisions(id)).toEqual(["Revision 2 CREATING", "Revision 1 SKIPPED"]);
  const other = `/console/deployments/${text((await call("POST", "/v2/deployments", deploymentBody)).body, "id")}`;
  expect((await visitor.get(other)).text).not.toContain("/push");
  expect((await visitor.submit(`${other}/push`)).status).toBe(422);
});

test("after a change the page says what was done, and only in words of its own", async () => {
  expect((await visitor.get("/console/break?done=fault-on")).text).toContain("The fault is switched on.");
  expect((await visitor.get("/console/break?done=You+won")).text).not.toContain("You won");
});

test("a switch leads back to its page", async () => {
  visitor.platform.emulator.faults.add({ kind: "html" });
  const { headers } = await visitor.submit(await addressOf("Switch off"), {}, "/console/requests?requests=2");
  expect(headers.get("location")).toBe("/console/requests?done=fault-off");
});

test("Break it begins with what most people come for", async () => {
  const { text: page } = await visitor.get("/console/break");
  const regions = [...page.matchAll(/<section aria-labelledby="([\w-]+)"/g)].map(([, name]) => name);
  expect(regions).toEqual(["next-revision", "faults"]);
});
