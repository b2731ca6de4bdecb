import { seededRandom } from "../../emulator/faults/trigger";
import { EventClock } from "../../tests/support/event-clock";
import { HttpError, messageOf } from "../base/errors";
import { RequestLimit, WINDOW_MS } from "./limiter";
import type { Request } from "./request";
import { repeat } from "./retry";

const post: Request = { method: "POST", path: "/v2/deployments", body: {} };

/** A platform that takes `limit` requests of a key in any 10 seconds, and refuses the others. */
interface Policy {
  readonly limit: number;
  readonly retryAfter?: (waitMs: number) => number;
  readonly detail?: string;
}

/** Such a platform, and processes with its key. */
class Platform {
  readonly clock = new EventClock();
  refused = 0;
  taken = 0;
  private recent: number[] = [];
  private readonly random: () => number;

  constructor(
    public policy: Policy,
    seed = 1,
  ) {
    this.random = seededRandom(seed);
  }

  /** What a process has of its own. */
  limit(): RequestLimit {
    return new RequestLimit(1000, WINDOW_MS, this.clock);
  }

  /** Sends a request within the limit of its process. */
  send(limit: RequestLimit, request = post, until?: number): Promise<void> {
    const { clock, random } = this;
    return repeat(request, { clock, random, limit, attempts: 6, budgetMs: 60_000 }, until, () => this.answer(request));
  }

  /** The failures of so many requests of one process at once. */
  async failuresOf(count: number, limit: RequestLimit, request?: Request, until?: number): Promise<string[]> {
    const all = Array.from({ length: count }, () => this.send(limit, request, until).then(() => [], messageOf));
    return (await this.clock.until(Promise.all(all))).flat();
  }

  private async answer({ method, path }: Request): Promise<void> {
    await this.travel();
    const now = this.clock.now();
    this.recent = this.recent.filter((time) => time > now - WINDOW_MS);
    const { limit, retryAfter, detail = "Rate limit exceeded" } = this.policy;
    const isTaken = this.recent.length < limit;
    const wait = (this.recent[0] ?? now) + WINDOW_MS - now;
    if (isTaken) this.recent.push(now);
    await this.travel();
    if (isTaken) this.taken += 1;
    else this.refused += 1;
    if (!isTaken) throw new HttpError(method, path, 429, detail, retryAfter?.(wait), true);
  }

  /** A request takes 5 to 60 ms there, and as long back. */
  private travel(): Promise<void> {
    return this.clock.sleep(5 + 55 * this.random());
  }
}

const seconds = (waitMs: number): number => Math.ceil(waitMs / 1000) * 1000;
const longestGap = (times: readonly number[]): number =>
  Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? 0)));

const equal = (count: number): [number, number][] => Array.from({ length: 8 }, () => [count, 0]);
/** One with much to do has taken the whole limit already when seven come with little. */
const oneLarge = (large: number, small: number): [number, number][] => [
  [large, 0],
  ...Array.from({ length: 7 }, (_, n): [number, number] => [small, 2000 + 333 * n]),
];

describe("8 processes that share a key, and know nothing of each other: a refusal slows all of them, and none starves", () => {
  /** What they have to do, whether the platform says when to come back, its limit, and the requests of each process. */
  const stories: [string, Policy, [count: number, startMs: number][]][] = [
    ["the same, told when to come back", { limit: 100, retryAfter: seconds }, equal(100)],
    ["the same, not told when to come back", { limit: 100 }, equal(100)],
    ["the same, told to come back at once", { limit: 100, retryAfter: () => 0 }, equal(100)],
    ["the same, on a slow platform", { limit: 40 }, equal(40)],
    ["one much and seven little, told when to come back", { limit: 100, retryAfter: seconds }, oneLarge(600, 25)],
    ["one much and seven little, not told when to come back", { limit: 100 }, oneLarge(600, 25)],
    ["one much and seven little, on a slow platform", { limit: 40 }, oneLarge(240, 10)],
  ];
  test.each(stories)("%s", async (_what, policy, processes) => {
    const total = processes.reduce((sum, [count]) => sum + count, 0);
    for (const seed of [1, 2]) {
      const platform = new Platform(policy, seed);
      const { clock } = platform;
      const began = clock.now();
      const played = processes.map(async ([count, startMs]) => {
        const limit = platform.limit();
        const done: number[] = [];
        const one = () => clock.sleep(startMs).then(() => platform.send(limit));
        await Promise.all(Array.from({ length: count }, () => one().then(() => done.push(clock.now() - began))));
        return { startMs, done };
      });
      const all = await clock.until(Promise.all(played));
      // Each gets something done in any two windows.
      for (const { startMs, done } of all) expect(longestGap([startMs, ...done])).toBeLessThan(2 * WINDOW_MS);
      const least = WINDOW_MS * (Math.ceil(total / policy.limit) - 1);
      expect(clock.now() - began).toBeLessThan(1.5 * least);
      // A process that is refused asks less often: most of the refusals are those of the first seconds.
      expect(platform.refused).toBeLessThan(1.5 * total);
    }
  });
});

describe("a platform that takes far less than the limit that is set: 20 in 10 seconds", () => {
  test.each<[says: string, retryAfter: Policy["retryAfter"]]>([
    ["says when to come back", seconds],
    ["does not say when to come back", undefined],
    ["says to come back at once", () => 0],
    ["says to come back a moment too early", () => 1000],
  ])("and %s: all of 300 creates at once succeed, nearly as fast as it takes them", async (_says, retryAfter) => {
    const platform = new Platform({ limit: 20, ...(retryAfter && { retryAfter }) });
    const began = platform.clock.now();
    expect(await platform.failuresOf(300, platform.limit())).toEqual([]);
    expect(platform.taken).toBe(300);
    expect(platform.refused).toBeLessThan(200);
    expect(platform.clock.now() - began).toBeLessThan(1.5 * 150_000);
  });

  test("a request that must be done by a certain time ends there, and says that it was not sent", async () => {
    const platform = new Platform({ limit: 20, retryAfter: seconds });
    const until = platform.clock.now() + 25_000;
    const failures = await platform.failuresOf(300, platform.limit(), post, until);
    expect(platform.clock.now()).toBeLessThanOrEqual(until + 120);
    expect(platform.taken).toBeGreaterThanOrEqual(40);
    expect(failures).toHaveLength(300 - platform.taken);
    expect(failures.filter((text) => text.includes("it was not sent")).length).toBeGreaterThan(100);
  });

  test("once it takes more, requests go at the configured rate again", async () => {
    const platform = new Platform({ limit: 20, retryAfter: seconds });
    const [{ clock }, limit] = [platform, platform.limit()];
    await platform.failuresOf(60, limit);
    platform.policy = { limit: 1000 };
    await clock.until(clock.sleep(15 * 60_000));
    const before = clock.now();
    await platform.failuresOf(500, limit);
    // No more than the sockets that there are let wait for each other.
    expect(clock.now() - before).toBeLessThan(1000);
  });
});

describe("a platform that refuses all", () => {
  test.each([0, 1000, 86_400_000])(
    "and says to come back in %d ms is asked a few times, with pauses, and not for ever",
    async (retryAfter) => {
      const platform = new Platform({ limit: 0, retryAfter: () => retryAfter });
      const began = platform.clock.now();
      expect(await platform.failuresOf(300, platform.limit())).toHaveLength(300);
      expect(platform.clock.now() - began).toBeLessThan(5 * 60_000);
      expect(platform.refused).toBeLessThan(1000);
    },
  );

  test("Retry-After: 60, once: nothing fails, neither the refused request nor those that wait behind it", async () => {
    const platform = new Platform({ limit: 0, retryAfter: () => 60_000 });
    const creating = platform.failuresOf(20, platform.limit());
    await platform.clock.until(platform.clock.sleep(100));
    platform.policy = { limit: 1000 };
    expect(await creating).toEqual([]);
  });
});

test("a quota of the sandbox API is not a rate limit: it fails at once and delays no other request", async () => {
  const detail = "QuotaExceeded: the quota of 10 templates is used up";
  const platform = new Platform({ limit: 0, retryAfter: () => 30_000, detail });
  const [{ clock }, limit] = [platform, platform.limit()];
  const began = clock.now();
  expect(await platform.failuresOf(100, limit, { ...post, path: "/v2/sandboxes/templates" })).toHaveLength(100);
  platform.policy = { limit: 1000 };
  expect(await platform.failuresOf(300, limit)).toEqual([]);
  expect(clock.now() - began).toBeLessThan(2000);
});
