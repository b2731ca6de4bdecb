import { startPlatform, text } from "../api";
import { enter, rawRequest, visit, type Visitor } from "./visitor";

let visitor: Visitor;
let url: string;
beforeAll(async () => {
  visitor = await visit();
  url = visitor.platform.emulator.url;
});

const CHANGES = [
  "/console/faults",
  "/console/faults/1/off",
  "/console/faults/1/release",
  "/console/next-revision",
  "/console/next-revision/off",
  "/console/deployments/x/push",
  "/console/objects/deployments/x/change",
  "/console/objects/deployments/x/delete",
  "/console/deployments/x/ask",
  "/console/deployments/x/revisions/y/redeploy",
];
const PAGES = ["", "/requests", "/requests/1", "/break", "/deployments/x", "/nothing"].map((page) => `/console${page}`);

describe("without the cookie", () => {
  test.each(PAGES)("%s says how to get a new address, and nothing of the environment", async (path) => {
    const answer = await fetch(url + path);
    const page = await answer.text();
    expect(answer.status).toBe(401);
    expect(page).toContain("This page needs a new address");
    expect(page).toContain(`${url}/console/code`);
  });

  test.each(CHANGES)("POST %s is refused", async (path) => {
    const answer = await fetch(url + path, { method: "POST", headers: { origin: url }, body: new URLSearchParams() });
    expect(answer.status).toBe(401);
  });

  test.each(["/console/assets/client.js", "/console/assets/console.css", "/console/assets/icon.svg"])(
    "%s is there: it tells nothing",
    async (path) => expect((await fetch(url + path)).status).toBe(200),
  );
});

describe("a change", () => {
  const body = "kind=status&status=503";
  const type = { "content-type": "application/x-www-form-urlencoded" };
  test.each<[string, Readonly<Record<string, string>>]>([
    ["of another site", { origin: "http://evil.example" }],
    ["of another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["without an origin", {}],
    ["of a frame without an origin", { origin: "null" }],
  ])("%s is refused even with the cookie", async (_which, headers) => {
    for (const path of CHANGES) {
      const sent = { cookie: visitor.cookie, ...type, ...headers };
      expect([path, (await fetch(url + path, { method: "POST", headers: sent, body })).status]).toEqual([path, 403]);
    }
    expect(visitor.platform.emulator.faults.list).toEqual([]);
  });

  test("is no JSON: no script of another site can send it without being asked first", async () => {
    const headers = { cookie: visitor.cookie, origin: url, "content-type": "application/json" };
    const answer = await fetch(`${url}/console/faults`, { method: "POST", headers, body: "{}" });
    expect(answer.status).toBe(415);
  });
});

describe("a page of another port of this machine, to which browsers send the cookie, too", () => {
  const asked = (path: string, site: string, dest: string) =>
    rawRequest(url + path, "GET", { cookie: visitor.cookie, "sec-fetch-site": site, "sec-fetch-dest": dest });

  test.each(PAGES)("reads nothing and sets off nothing at %s", async (path) => {
    for (const dest of ["empty", "image", "script", "iframe"])
      expect((await asked(path, "same-site", dest)).status).toBe(403);
    expect((await asked(path, "cross-site", "empty")).status).toBe(403);
  });

  test.each(PAGES)("opens %s in a window without what it would look for there", async (path) => {
    const pattern = encodeURIComponent("/**".repeat(60));
    for (const site of ["same-site", "cross-site"]) {
      const { status, location } = await asked(`${path}?path=${pattern}&q=a`, site, "document");
      expect([status, location]).toEqual([303, path]);
      if (path !== "/console") expect((await asked(`${path}?code=a`, site, "document")).status).not.toBe(200);
    }
  });

  test("may lead a person here, and to an address with a code; the console's own pages and an address typed in get all", async () => {
    const { pathname, search } = new URL(visitor.platform.emulator.consoleUrl());
    const coded = await asked(pathname + search, "cross-site", "document");
    expect(coded).toMatchObject({ status: 303, location: "/console" });
    expect(await asked("/console?code=wrong", "cross-site", "document")).toMatchObject({ status: 303 });
    expect((await asked("/console", "same-site", "document")).status).toBe(200);
    expect((await asked("/console/requests", "same-origin", "empty")).status).toBe(200);
    expect((await asked("/console", "none", "document")).status).toBe(200);
  });
});

describe("under another name (DNS rebinding)", () => {
  test.each(["/console", "/console/assets/client.js", "/console/code"])(
    "%s is refused even with the cookie",
    async (path) => {
      const headers = { host: "evil.example", cookie: visitor.cookie, "x-api-key": "emulator-key" };
      const answer = await rawRequest(url + path, path === "/console/code" ? "POST" : "GET", headers);
      expect(answer.status).toBe(403);
    },
  );

  test("the API answers as before: clients behind a proxy name another host", async () => {
    const headers = { host: "platform.example", "x-api-key": "emulator-key" };
    expect((await rawRequest(`${url}/v2/deployments`, "GET", headers)).status).toBe(200);
  });
});

describe("a code", () => {
  test("becomes the cookie, and leaves the address", async () => {
    const answer = await fetch(visitor.platform.emulator.consoleUrl(), { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/console"]);
    expect(answer.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Strict$/);
  });

  test.each(["wrong", ""])("that is %j says how to get a new one", async (code) => {
    const answer = await fetch(`${url}/console?code=${code}`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([401, null]);
    expect(await answer.text()).toContain("wrong, too old or already used");
  });

  test("that was used leads a browser with a session to its page, and gives no new cookie", async () => {
    const { status, headers } = await visitor.get("/console?code=used");
    expect([status, headers.get("location"), headers.get("set-cookie")]).toEqual([303, "/console", null]);
  });

  test("comes with the API key, and only with it", async () => {
    const asked = await visitor.platform.call("POST", "/console/code");
    expect(await enter(text(asked.body, "url"))).not.toBe("");
    const wrong = await visitor.platform.call("POST", "/console/code", { headers: { "x-api-key": "wrong" } });
    expect(wrong.status).toBe(401);
  });
});

test("every answer forbids inline scripts and styles, frames, sniffing and keeping", async () => {
  for (const path of [...PAGES, "/console/assets/client.js"]) {
    const { headers } = await visitor.get(path);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toMatch(/^no-(store|cache)$/);
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
});

test("an emulator without the console has no such page, and no address of one", async () => {
  const plain = await startPlatform();
  expect((await plain.call("GET", "/console")).status).toBe(501);
  expect(() => plain.emulator.consoleUrl()).toThrow("start it with `console: true`");
});

test("requests of the console are in no log, and no fault or limit of the API meets them", async () => {
  const { emulator } = visitor.platform;
  const fault = emulator.faults.add({ kind: "status", status: 503 });
  emulator.clearLog();
  expect((await visitor.get("/console")).status).toBe(200);
  expect([emulator.requests, fault.fired]).toEqual([[], 0]);
  fault.remove();
});
