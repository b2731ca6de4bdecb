import fc from "fast-check";
import { ManualClock } from "../../emulator";
import { RateLimiter, SlidingWindow, type LimitedRequest } from "../../emulator/limits/rate-limiter";
import { containing, startPlatform, templateBody, type Platform } from "./api";

const asked = (headers: Readonly<Record<string, string>>, ip = "10.0.0.1"): LimitedRequest => ({
  headers: new Headers(headers),
  ip,
});

describe("the rows of emulator/README.md, Rate limits", () => {
  test.each<[string, Record<string, string>, number, number, string]>([
    ["the key", { "x-api-key": "k" }, 1000, 10, "Default (API key)"],
    ["the key before the user", { "x-api-key": "k", "x-user-id": "u" }, 1000, 10, "Default (API key)"],
    ["a bearer token as a key", { authorization: "Bearer t" }, 1000, 10, "Default (API key)"],
    ["the user", { "x-user-id": "u" }, 1000, 10, "Default (User)"],
    ["the address", {}, 100, 60, "Public (catch-all)"],
    ["no bearer token without a text", { authorization: "Bearer " }, 100, 60, "Public (catch-all)"],
  ])("count by %s", (_by, headers, count, seconds, category) => {
    const clock = new ManualClock();
    const limits = new RateLimiter("seconds", clock);
    const request = asked(headers);
    const taken = () => limits.check(request) === undefined;
    for (let time = 0; time < count; time += 1) if (!taken()) throw new Error(`refused at ${time}`);
    expect(limits.check(request)).toMatchObject({
      status: 429,
      detail: containing(`${count} requests in ${seconds} seconds (${category})`),
      headers: { "retry-after": String(seconds) },
    });
    clock.advance(seconds * 1000 - 1);
    expect(taken()).toBe(false);
    clock.advance(1);
    expect(taken()).toBe(true);
  });

  test.each<[string, LimitedRequest, LimitedRequest, boolean]>([
    ["keys", asked({ "x-api-key": "a" }), asked({ "x-api-key": "b" }), true],
    ["one key from two addresses", asked({ "x-api-key": "a" }, "1"), asked({ "x-api-key": "a" }, "2"), false],
    ["users", asked({ "x-user-id": "a" }), asked({ "x-user-id": "b" }), true],
    ["one user at two addresses", asked({ "x-user-id": "a" }, "1"), asked({ "x-user-id": "a" }, "2"), true],
    ["addresses", asked({}, "1"), asked({}, "2"), true],
    ["rows", asked({ "x-api-key": "a" }), asked({}), true],
  ])("count apart: %s", (_what, one, other, apart) => {
    const limits = new RateLimiter("seconds", new ManualClock());
    while (limits.check(one) === undefined);
    expect(limits.check(other) === undefined).toBe(apart);
  });
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

describe("over HTTP", () => {
  const path = "/v2/deployments";
  /** Without the key that `call` sends. */
  const ask = async ({ emulator }: Platform) => {
    const { status, headers } = await fetch(`${emulator.url}${path}`);
    return { status, retryAfter: headers.get("retry-after") };
  };

  test("before the key is asked for, by address, and with Retry-After on the emulator's clock", async () => {
    const platform = await startPlatform({ limits: true });
    for (let time = 0; time < 100; time += 1) {
      expect(await ask(platform)).toMatchObject({ status: 401 });
      if (time === 0) platform.advance(20.5);
    }
    expect(await ask(platform)).toEqual({ status: 429, retryAfter: "40" });
    expect(platform.emulator.requests.at(-1)).toMatchObject({ status: 429, phase: "answered", tenant: null });
    expect((await platform.call("GET", path)).status).toBe(200);
    platform.advance(40);
    expect(await ask(platform)).toMatchObject({ status: 401 });
    expect(await ask(platform)).toMatchObject({ status: 429 });
    platform.emulator.reset();
    expect(await ask(platform)).toMatchObject({ status: 401 });
  });

  test("an HTTP date that is not too early, or no Retry-After at all", async () => {
    for (const retryAfter of ["date", "none"] as const) {
      const platform = await startPlatform({ limits: { retryAfter } });
      platform.advance(0.25);
      for (let time = 0; time < 100; time += 1) await ask(platform);
      const named = retryAfter === "none" ? null : "Tue, 01 Jan 2030 00:01:01 GMT";
      expect(await ask(platform)).toEqual({ status: 429, retryAfter: named });
    }
  });

  test("off by default", async () => {
    const platform = await startPlatform();
    for (let time = 0; time < 101; time += 1) expect(await ask(platform)).toMatchObject({ status: 401 });
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
