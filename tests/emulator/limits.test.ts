import fc from "fast-check";
import { get } from "node:http";
import { join } from "node:path";
import { ManualClock } from "../../emulator";
import { RateLimiter, governingRow, type LimitedRequest } from "../../emulator/limits/rate-limiter";
import { FALLBACK_ROWS, SPECIFIC_ROWS } from "../../emulator/limits/limits-table";
import { SlidingWindow } from "../../emulator/limits/sliding-window";
import { read, ROOT } from "../docs/pages";
import { containing, startPlatform, templateBody } from "./api";

/** The rows of the emulator's README, Rate limits: what is counted, by what, how many, and the category. */
const rows = [
  ...read(join(ROOT, "emulator", "README.md")).matchAll(
    /^\| (.*?) +\| (x-api-key|x-user-id \+ IP|IP) +\| (\d+\/\d+)(?:, EU (\d+\/\d+))? +\| (.*?) +\|$/gm,
  ),
].map(([, match = "", identity = "", us = "", eu = us, category = ""]) => ({
  match: match.replaceAll("\\", ""),
  ...{ identity, us, eu, category },
}));

const run = "0b6c8f0e-5d1f-4a53-9d0f-2f4a3b1c9e77";
/** Example requests for the table, by its first column. */
const examples: Readonly<Record<string, readonly string[]>> = {
  "OPTIONS, /info, */v1/metadata/submit": ["OPTIONS /v2/deployments", "GET /info", "POST /api/v1/metadata/submit"],
  "/auth": ["GET /auth", "POST /auth"],
  "/v1/beacon": ["GET /v1/beacon", "POST /v1/beacon"],
  "/repos": ["GET /repos", "POST /repos/owner"],
  "POST /runs/batch": ["POST /runs/batch"],
  "POST /otel/v1/traces": ["POST /otel/v1/traces"],
  "POST with /charts in it": ["POST /charts", "POST /api/v1/charts/section"],
  "POST /runs/multipart": ["POST /runs/multipart"],
  "POST /runs/query": ["POST /runs/query"],
  "/generate": ["POST /generate", "GET /generate"],
  "/commits": ["GET /commits", "POST /commits/owner/repo"],
  "DELETE /sessions or */trigger": ["DELETE /sessions", `DELETE /sessions/${run}`, "DELETE /v1/rules/1/trigger"],
  "POST /runs": ["POST /runs"],
  "PATCH with /runs in it": [`PATCH /runs/${run}`, `PATCH /api/v1/runs/${run}`],
  "POST /feedback": ["POST /feedback"],
  "GET /runs/{uuid}, /api/v1/runs/{uuid}": [`GET /runs/${run}`, `GET /api/v1/runs/${run}`],
  "GET with /examples in it": ["GET /examples", "GET /datasets/1/examples"],
  "any request with x-api-key": ["GET /v2/deployments", "POST /v2/auth/providers", "GET /runs/query", "POST /sessions"],
  "any request with x-user-id": ["GET /v2/deployments", "POST /runs/multipart", "GET /runs/stats"],
  "/public/download": ["GET /public/download", "GET /public/download/file"],
  "/runs/stats": ["GET /runs/stats", "POST /runs/stats"],
  "everything else": ["GET /v2/deployments", "POST /runs/batch", "GET /repos"],
};
const headersOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "x-api-key": { "x-api-key": "key" },
  "x-user-id + IP": { "x-user-id": "user" },
  IP: {},
};

function asked(line: string, headers: Readonly<Record<string, string>>, ip = "10.0.0.1"): LimitedRequest {
  const [method = "", path = ""] = line.split(" ");
  return { method, path, headers: new Headers(headers), ip };
}

test("the emulator has the rows of the document and no other", () => {
  expect(rows.length).toBeGreaterThan(25);
  const line = (identity: string, us: object, eu: object, category: string) =>
    [identity, Object.values(us).join("/"), Object.values(eu).join("/"), category].join(" | ");
  expect(
    [...SPECIFIC_ROWS, ...FALLBACK_ROWS].map((row) => line(row.identity, row.us, row.eu, row.category)).sort(),
  ).toEqual(rows.map(({ identity, us, eu, category }) => [identity, us, eu, category].join(" | ")).sort());
});

describe.each(["us", "eu"] as const)("%s", (region) => {
  test.each(rows)("$match by $identity: $us, $eu", ({ match, identity, category, [region]: rate }) => {
    const [count = 0, seconds = 0] = rate.split("/").map(Number);
    const headers = headersOf[identity];
    const lines = examples[match];
    if (headers === undefined || lines === undefined) throw new Error(`No example of ${match} by ${identity}.`);
    for (const line of lines) {
      const clock = new ManualClock();
      const limits = new RateLimiter({ region, retryAfter: "seconds" }, clock);
      const request = asked(line, headers);
      const taken = () => limits.check(request) === undefined;
      for (let time = 0; time < count; time += 1) if (!taken()) throw new Error(`${line}: refused at ${time}`);
      const refused = limits.check(request);
      expect(refused).toMatchObject({
        status: 429,
        detail: containing(`${count} requests in ${seconds} seconds (${category})`),
        headers: { "retry-after": String(seconds) },
      });
      clock.advance(seconds * 1000 - 1);
      expect([line, taken()]).toEqual([line, false]);
      clock.advance(1);
      expect([line, taken()]).toEqual([line, true]);
    }
  });
});

test.each<[string, string, Record<string, string>, string]>([
  ["the key counts before the user", "POST /runs/query", { "x-api-key": "k", "x-user-id": "u" }, "Run query (API)"],
  ["a bearer token counts as a key", "GET /v2/deployments", { authorization: "Bearer t" }, "Default (API key)"],
  ["a path inside another word does not match", "GET /authors", { "x-api-key": "k" }, "Default (API key)"],
  ["a path further down does not match", "GET /v2/auth/providers", { "x-api-key": "k" }, "Default (API key)"],
  ["another method does not match", "GET /feedback", { "x-api-key": "k" }, "Default (API key)"],
  ["the exact path wins over containing", "POST /runs/batch", { "x-api-key": "k" }, "High throughput"],
  ["a run without a UUID is not a lookup", "GET /runs/stream", { "x-api-key": "k" }, "Default (API key)"],
  ["a stream of runs is not an ingest", "POST /runs/stream", { "x-api-key": "k" }, "Default (API key)"],
  ["by IP, also with a key", "GET /public/download", { "x-api-key": "k" }, "Public download"],
])("most specific first: %s", (_reason, line, headers, category) => {
  expect(governingRow(asked(line, headers)).row.category).toBe(category);
});

test.each<[string, LimitedRequest, LimitedRequest, boolean]>([
  ["keys", asked("GET /repos", { "x-api-key": "a" }), asked("GET /repos", { "x-api-key": "b" }), true],
  [
    "one key from two addresses",
    asked("GET /repos", { "x-api-key": "a" }, "1"),
    asked("GET /repos", { "x-api-key": "a" }, "2"),
    false,
  ],
  ["users", asked("GET /repos", { "x-user-id": "a" }), asked("GET /repos", { "x-user-id": "b" }), true],
  [
    "one user at two addresses",
    asked("GET /repos", { "x-user-id": "a" }, "1"),
    asked("GET /repos", { "x-user-id": "a" }, "2"),
    true,
  ],
  ["addresses", asked("GET /x", {}, "1"), asked("GET /x", {}, "2"), true],
  ["paths of one row", asked("GET /repos", { "x-api-key": "a" }), asked("POST /repos/b", { "x-api-key": "a" }), false],
  ["rows", asked("GET /repos", { "x-api-key": "a" }), asked("GET /x", { "x-api-key": "a" }), true],
])("counted apart: %s", (_what, one, other, apart) => {
  const limits = new RateLimiter({ region: "us", retryAfter: "seconds" }, new ManualClock());
  for (let time = 0; time < 100; time += 1) expect(limits.check(one)).toBeUndefined();
  expect(limits.check(one)?.status).toBe(429);
  expect(limits.check(other) === undefined).toBe(apart);
});

test("never more than the count in any window, and no request is refused without need", () => {
  const length = 1000;
  // Steps that add up to the length: the end of a window is where a mistake would sit.
  const stepLength = fc.oneof(fc.constantFrom(0, 1, 99, 100, 250, 500, 1000), fc.integer({ min: 0, max: 400 }));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(stepLength, { maxLength: 200 }), (count, steps) => {
      const window = new SlidingWindow(count, length);
      const taken: number[] = [];
      let now = 0;
      for (const step of steps) {
        now += step;
        const inside = taken.filter((time) => time > now - length);
        const wait = window.take(now);
        expect(wait === 0).toBe(inside.length < count);
        if (wait === 0) taken.push(now);
        if (wait > 0) expect(inside.filter((time) => time > now + wait - length).length).toBeLessThan(count);
      }
      for (const start of taken) {
        expect(taken.filter((time) => time >= start && time < start + length).length).toBeLessThanOrEqual(count);
      }
    }),
  );
});

test("windows of callers that have gone are dropped", () => {
  const clock = new ManualClock();
  const limits = new RateLimiter({ region: "us", retryAfter: "seconds" }, clock);
  for (let key = 0; key < 5000; key += 1) {
    limits.check(asked("GET /x", { "x-api-key": `key-${key}` }));
    clock.advance(100);
  }
  // 10 seconds of the window and the second between two looks.
  expect(limits.size).toBeLessThanOrEqual(111);
});

describe("over HTTP", () => {
  const path = "/repos";

  test("before routing, and with Retry-After on the emulator's clock", async () => {
    const platform = await startPlatform({ limits: true });
    for (let time = 0; time < 100; time += 1) {
      expect((await platform.call("GET", path)).status).toBe(501);
      if (time === 0) platform.advance(20.5);
    }
    const refused = await platform.call("GET", path);
    expect(refused).toMatchObject({ status: 429, body: { detail: containing("Rate limit exceeded") } });
    expect(refused.headers.get("retry-after")).toBe("40");
    expect(platform.emulator.requests.at(-1)).toMatchObject({ status: 429, phase: "answered", tenant: null });
    expect((await platform.call("GET", "/v2/deployments")).status).toBe(200);
    platform.advance(40);
    expect((await platform.call("GET", path)).status).toBe(501);
    expect((await platform.call("GET", path)).status).toBe(429);
    platform.emulator.reset();
    expect((await platform.call("GET", path)).status).toBe(501);
  });

  test("an HTTP date that is not too early, or no Retry-After at all", async () => {
    for (const retryAfter of ["date", "none"] as const) {
      const platform = await startPlatform({ limits: { retryAfter } });
      platform.advance(0.25);
      for (let time = 0; time < 100; time += 1) await platform.call("GET", path);
      const header = (await platform.call("GET", path)).headers.get("retry-after");
      expect(header).toBe(retryAfter === "none" ? null : "Tue, 01 Jan 2030 00:01:01 GMT");
    }
  });

  test("a caller without a key is counted by address, whatever the answer", async () => {
    const platform = await startPlatform({ limits: true });
    const status = () =>
      new Promise((resolve) => {
        get(`${platform.emulator.url}/v2/deployments`, (response) => {
          response.resume();
          response.on("end", () => resolve(response.statusCode));
        });
      });
    for (let time = 0; time < 100; time += 1) expect(await status()).toBe(401);
    expect(await status()).toBe(429);
    expect((await platform.call("GET", "/v2/deployments")).status).toBe(200);
  });

  test("off by default", async () => {
    const platform = await startPlatform();
    for (let time = 0; time < 101; time += 1) expect((await platform.call("GET", path)).status).toBe(501);
  });
});

test("a quota of templates: 429 that names it, without Retry-After, until one is deleted", async () => {
  const platform = await startPlatform({ sandboxQuota: 1 });
  const templates = "/v2/sandboxes/templates";
  expect((await platform.call("POST", templates, { body: templateBody })).status).toBe(201);
  const refused = await platform.call("POST", templates, { body: { ...templateBody, name: "second" } });
  expect(refused).toMatchObject({
    status: 429,
    body: { detail: { error: "QuotaExceeded", message: containing("quota") } },
  });
  expect(refused.headers.get("retry-after")).toBeNull();
  expect((await platform.call("POST", templates, { body: templateBody })).status).toBe(409);
  await platform.call("DELETE", `${templates}/${templateBody.name}`);
  expect((await platform.call("POST", templates, { body: { ...templateBody, name: "second" } })).status).toBe(201);
});
