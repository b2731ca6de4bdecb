import { z } from "zod";
import { connectionTo } from "../../tests/support/connection";
import { EventClock } from "../../tests/support/event-clock";
import { seededRandom } from "../../emulator/faults/trigger";
import { servingRead } from "../../tests/support/serving";
import { createSend } from "./client";
import type { Request, Send } from "./request";
import { RequestLimits } from "./limiter";

/** A platform that takes `limit` requests in any 10 seconds and refuses the others with a 429. */
interface Policy {
  readonly limit: number;
  readonly retryAfter?: (waitMs: number) => string;
  readonly detail?: string;
}

let policy: Policy;
let times: { taken: number[]; refused: number[] };
let clock: EventClock;
let send: Send;

beforeEach(async () => {
  times = { taken: [], refused: [] };
  const url = await servingRead((response) => {
    const now = clock.now();
    const recent = times.taken.filter((time) => time > now - 10_000);
    const [oldest = now] = recent;
    if (recent.length < policy.limit) {
      times.taken.push(now);
      response.end('{"id":"1"}');
      return;
    }
    times.refused.push(now);
    const retryAfter = policy.retryAfter?.(oldest + 10_000 - now);
    response.writeHead(429, retryAfter === undefined ? {} : { "retry-after": retryAfter });
    response.end(JSON.stringify({ detail: policy.detail ?? "Rate limit exceeded" }));
  });
  let begun = 0;
  const writes = { count: 0 };
  // Time stands still while a request is under way: it is counted when it begins and when it ends.
  clock = new EventClock(Date.UTC(2030, 0, 1), () => writes.count === 2 * begun);
  send = createSend(connectionTo(url), url, {
    clock,
    random: seededRandom(1),
    limits: new RequestLimits(clock),
    checkAlive: () => {
      begun += 1;
      return Promise.resolve();
    },
    writes,
  });
});

const Body = z.object({ id: z.string() });
const post: Request = { method: "POST", path: "/v2/deployments", body: {} };
const seconds = (waitMs: number) => String(Math.ceil(waitMs / 1000));
const create = (count: number, request = post, until?: number) =>
  clock.until(Promise.allSettled(Array.from({ length: count }, () => send(request, Body, until))));
const failuresOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));

describe("a platform that takes far less than the limit that is set: 20 in 10 seconds", () => {
  test.each<[says: string, retryAfter: Policy["retryAfter"]]>([
    ["says when to come back", seconds],
    ["does not say when to come back", undefined],
    ["says to come back at once", () => "0"],
    ["says to come back a moment too early", () => "1"],
  ])("and %s: all of 300 creates at once succeed, nearly as fast as it takes them", async (_says, retryAfter) => {
    policy = { limit: 20, ...(retryAfter === undefined ? {} : { retryAfter }) };
    const began = clock.now();
    expect(failuresOf(await create(300))).toEqual([]);
    expect(times.taken).toHaveLength(300);
    expect(times.refused.length).toBeLessThan(200);
    expect(clock.now() - began).toBeLessThan(1.5 * 150_000);
  });

  test("a request that must be done by a certain time ends there, and says that it was not sent", async () => {
    policy = { limit: 20, retryAfter: seconds };
    const until = clock.now() + 25_000;
    const failures = failuresOf(await create(300, post, until));
    expect(clock.now()).toBeLessThanOrEqual(until);
    expect(times.taken.length).toBeGreaterThanOrEqual(40);
    expect(failures).toHaveLength(300 - times.taken.length);
    expect(failures.filter((text) => text.includes("it was not sent")).length).toBeGreaterThan(100);
  });

  test("once it takes more, requests go at the configured rate again", async () => {
    policy = { limit: 20, retryAfter: seconds };
    await create(60);
    policy = { limit: 1000 };
    await clock.until(clock.sleep(15 * 60_000));
    const before = clock.now();
    await create(500);
    expect(clock.now()).toBe(before);
  });
});

describe("a platform that refuses all", () => {
  test.each<[says: string, retryAfter: string]>([
    ["to come back at once", "0"],
    ["to come back in a second", "1"],
    ["to come back tomorrow", "86400"],
  ])("and says %s is asked a few times, with pauses, and not for ever", async (_says, retryAfter) => {
    policy = { limit: 0, retryAfter: () => retryAfter };
    const began = clock.now();
    const failures = failuresOf(await create(300));
    expect(failures).toHaveLength(300);
    expect(clock.now() - began).toBeLessThan(5 * 60_000);
    expect(times.refused.length).toBeLessThan(1000);
  });

  test("Retry-After: 60, once: nothing fails, neither the refused request nor those that wait behind it", async () => {
    policy = { limit: 0, retryAfter: () => "60" };
    const creating = create(20);
    await clock.until(clock.sleep(100));
    policy = { limit: 1000 };
    expect(failuresOf(await creating)).toEqual([]);
  });
});

test("a quota of the sandbox API is not a rate limit: it fails at once and delays no other request", async () => {
  policy = { limit: 0, retryAfter: () => "30", detail: "QuotaExceeded: the quota of 10 templates is used up" };
  const began = clock.now();
  const failures = failuresOf(await create(100, { ...post, path: "/v2/sandboxes/templates" }));
  expect(failures.filter((text) => text.includes("quota of 10"))).toHaveLength(100);
  policy = { limit: 1000 };
  expect(failuresOf(await create(300))).toEqual([]);
  expect(clock.now()).toBe(began);
});
