import { faultKinds } from "../../../emulator";
import { containing, deploymentBody, githubBody, text } from "../api";
import { reasonsOf, visit, type Visitor } from "./visitor";

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
  const fields = { kind: "status", status: "418", method: "GET", path: "/v2/**", retryAfter: "7", body: "text" };
  const { status, headers } = await visitor.submit("/console/faults", fields);
  expect([status, headers.get("location")]).toEqual([303, "/console/break?done=fault-on&kind=status#fault-status"]);
  const struck = await fetch(`${visitor.platform.emulator.url}/v2/deployments`);
  expect([struck.status, struck.headers.get("retry-after")]).toEqual([418, "7"]);
  for (const path of ["/console", "/console/requests", "/console/requests/1", "/console/break"]) {
    expect([path, await switchedOn(path)]).toEqual([path, ["Fault: error status 418"]]);
  }
  expect(await visitor.view("")).toMatchObject({ switchedOn: [{ what: "Fault: error status 418" }] });
  expect((await visitor.submit(await addressOf("Switch off"), {})).status).toBe(303);
  expect(await switchedOn("/console")).toEqual([]);
  expect((await call("GET", "/v2/deployments")).status).toBe(200);
});

test("faults of the options are shown as well, and how often each struck", async () => {
  const own = await visit({ faults: [{ kind: "status", status: 503, count: 2 }] });
  await own.platform.call("GET", "/v2/deployments");
  expect(await own.view("")).toMatchObject({
    switchedOn: [{ what: "Fault: error status 503", detail: containing("struck 1 request of 2"), isSpent: false }],
  });
  await own.platform.call("GET", "/v2/deployments");
  expect(await own.view("")).toMatchObject({ switchedOn: [{ isSpent: true }] });
});

test("each kind has a form, and the form as it is shown is taken, or says what is missing", async () => {
  const { text: page } = await visitor.get("/console/break");
  const missing: string[] = [];
  for (const kind of faultKinds) {
    expect(page).toContain(`data-fault-kind="${kind}"`);
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

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    "no number",
    { kind: "status", status: "often" },
    ["fault-status-status: Invalid input: expected number, received string"],
  ],
  [
    "out of range",
    { kind: "status", status: "200" },
    ["fault-status-status: Too small: expected number to be &gt;=400"],
  ],
  ["no path", { kind: "html", path: "v2" }, ["fault-html-path: a path that starts with a slash, or *"]],
  ["no method", { kind: "html", method: "get" }, ["fault-html-method: a method in capitals, or *"]],
  [
    "two at once",
    { kind: "html", nth: "0", count: "1.5" },
    [
      "fault-html-nth: Too small: expected number to be &gt;=1",
      "fault-html-count: Invalid input: expected int, received number",
    ],
  ],
])(
  "a fault that the schema refuses: the reason at the field, nothing changed (%s)",
  async (_which, fields, reasons) => {
    const page = await visitor.submit("/console/faults", fields);
    expect([page.status, reasonsOf(page)]).toEqual([422, reasons]);
    expect(page.text).toContain('aria-invalid="true"');
    for (const entered of Object.values(fields)) expect(page.text).toContain(`value="${entered}"`);
    expect(visitor.platform.emulator.faults.list).toEqual([]);
  },
);

test.each([
  ["latency", "needs ms or jitterMs"],
  ["nonsense", "There is no such fault"],
])("a fault of kind %s is refused as a whole: %s", async (kind, reason) => {
  const page = await visitor.submit("/console/faults", { kind });
  expect([page.status, page.text.includes(reason)]).toEqual([422, true]);
});

test("the next revision ends as it was set, which stands on every page until then, or until it is switched off", async () => {
  await visitor.submit("/console/next-revision", { outcome: "BUILD_FAILED" });
  await visitor.submit("/console/next-revision", { outcome: "STUCK" });
  expect(await switchedOn("/console")).toEqual(["Next 2 revisions"]);
  const id = text((await call("POST", "/v2/deployments", deploymentBody)).body, "id");
  expect(await switchedOn("/console")).toEqual(["Next revision: STUCK"]);
  visitor.platform.advance(100);
  expect(await visitor.view(`/deployments/${id}`)).toMatchObject({ history: [{ status: "BUILD_FAILED" }] });
  await visitor.submit(await addressOf("Switch off"), {});
  expect(await switchedOn("/console")).toEqual([]);
  expect((await visitor.submit("/console/next-revision", { outcome: "NONSENSE" })).status).toBe(422);
});

test("a pushed commit makes a revision of each deployment that builds the branch on push", async () => {
  const body = { ...githubBody, source_config: { ...githubBody.source_config, build_on_push: true } };
  const id = text((await call("POST", "/v2/deployments", body)).body, "id");
  const { text: page } = await visitor.get("/console/break");
  expect(page).toContain(`<option value="${githubBody.source_config.repo_url}">`);
  const { headers } = await visitor.submit("/console/push", {
    repoUrl: githubBody.source_config.repo_url,
    branch: "main",
  });
  expect(headers.get("location")).toContain("done=pushed");
  expect(await visitor.view(`/deployments/${id}`)).toMatchObject({ history: [{ number: 2 }, { number: 1 }] });
});

test("a push without a repository or a branch says so at the field", async () => {
  const page = await visitor.submit("/console/push", { repoUrl: " ", branch: "" });
  expect([page.status, reasonsOf(page)]).toEqual([
    422,
    [
      "push-repoUrl: Say which repository, as in source_config.repo_url.",
      "push-branch: Say which branch, such as main.",
    ],
  ]);
});

test("after a change the page says what was done, and only in words of its own", async () => {
  expect((await visitor.get("/console/break?done=fault-on&kind=html")).text).toContain("The fault is switched on.");
  expect((await visitor.get("/console/break?done=You+won")).text).not.toContain("You won");
});

test("what was done, or why not, is said in the form whose button was pressed", async () => {
  const formOf = (page: string, name: string): string =>
    new RegExp(`<form[^>]*aria-label="${name}"[^]*?</form>`).exec(page)?.[0] ?? "";
  for (const [done, form] of [
    ["revision-set", "Next revision"],
    ["pushed", "Push a commit"],
    ["fault-on&kind=hold", "Fault: Wait until released"],
  ] as const) {
    const { text: page } = await visitor.get(`/console/break?done=${done}`);
    expect([form, formOf(page, form).includes("data-notice")]).toEqual([form, true]);
    expect(page.match(/data-notice/g)).toHaveLength(1);
  }
  const { text: refused } = await visitor.submit("/console/faults", { kind: "latency" });
  expect(formOf(refused, "Fault: Delay")).toContain("needs ms or jitterMs");
  expect(refused.match(/data-problem/g)).toHaveLength(1);
});

test("Break it begins with what most people come for, and faults have names in groups", async () => {
  const { text: page } = await visitor.get("/console/break");
  const regions = [...page.matchAll(/<section aria-labelledby="([\w-]+)"/g)].map(([, name]) => name);
  expect(regions).toEqual(["next-revision", "push", "faults"]);
  const groups = [...page.matchAll(/<section class="fault-group" aria-label="([^"]+)">[^]*?<\/section>/g)];
  const kinds = groups.flatMap(([group]) => [...group.matchAll(/data-fault-kind="([^"]+)"/g)].map(([, kind]) => kind));
  expect(kinds.sort()).toEqual([...faultKinds].sort());
  for (const [, said = ""] of page.matchAll(/<summary>(?:<strong>)?([^<]*)/g))
    expect(said).not.toMatch(/^[a-z]+(-[a-z]+)*$/);
});

test("a form that is corrected leads back to its page, and so does the address of the refused one", async () => {
  const corrected = await visitor.submit("/console/faults", { kind: "html" }, "/console/faults");
  expect(corrected.headers.get("location")).toBe("/console/break?done=fault-on&kind=html#fault-html");
  for (const [path, behind] of [
    ["/console/faults", "/console/break"],
    ["/console/push", "/console/break"],
    ["/console/objects/deployments/some/change", "/console/deployments/some"],
  ] as const) {
    const { status, headers } = await visitor.get(path);
    expect([status, headers.get("location")]).toEqual([303, behind]);
  }
});
