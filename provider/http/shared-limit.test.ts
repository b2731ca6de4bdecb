import { EventClock } from "../../tests/support/event-clock";
import { seededRandom } from "../../emulator/faults/trigger";
import { HttpError } from "../base/errors";
import { RequestLimit, WINDOW_MS } from "./limiter";
import { repeat } from "./retry";
import type { Request } from "./request";

const post: Request = { method: "POST", path: "/v2/deployments", body: {} };

/** A platform that takes `limit` requests of a key in any 10 seconds, and refuses the others. */
interface Platform {
  readonly limit: number;
  readonly retryAfter?: (waitMs: number) => number;
}

/** When each request of a process was done, in milliseconds from the beginning; and how many the platform refused. */
interface Played {
  readonly done: readonly (readonly number[])[];
  readonly refused: number;
  readonly failures: readonly string[];
}

/** Processes that share a key, and know nothing of each other: each sends its requests as fast as it may. */
async function play(
  platform: Platform,
  processes: readonly (readonly [count: number, startMs: number])[],
  seed: number,
): Promise<Played> {
  const clock = new EventClock();
  const random = seededRandom(seed);
  const began = clock.now();
  const taken: number[] = [];
  const failures: string[] = [];
  let refused = 0;
  // A request takes 5 to 60 ms there, and as long back.
  const travel = (): Promise<void> => clock.sleep(5 + 55 * random());
  const attempt = async (): Promise<void> => {
    await travel();
    const now = clock.now();
    while (taken[0] !== undefined && taken[0] <= now - WINDOW_MS) taken.shift();
    const isTaken = taken.length < platform.limit;
    const wait = (taken[0] ?? now) + WINDOW_MS - now;
    if (isTaken) taken.push(now);
    await travel();
    if (isTaken) return;
    refused += 1;
    throw new HttpError(post.method, post.path, 429, "Rate limit exceeded", platform.retryAfter?.(wait), true);
  };
  const done = processes.map(([count, startMs]) => {
    const limit = new RequestLimit(1000, WINDOW_MS, clock);
    const times: number[] = [];
    const all = Array.from({ length: count }, () =>
      clock
        .sleep(startMs)
        .then(() => repeat(post, { clock, random, limit, attempts: 6, budgetMs: 60_000 }, undefined, attempt))
        .then(
          () => times.push(clock.now() - began),
          (error: unknown) => failures.push(String(error)),
        ),
    );
    return { times, all: Promise.all(all) };
  });
  await clock.until(Promise.all(done.map(({ all }) => all)));
  return { done: done.map(({ times }) => times), refused, failures };
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

describe("8 processes that share a key: a refusal slows all of them, and none starves", () => {
  /** What they have to do, whether the platform says when to come back, its limit, and the requests of each process. */
  const stories: [string, Platform, [count: number, startMs: number][]][] = [
    ["the same, told when to come back", { limit: 100, retryAfter: seconds }, equal(100)],
    ["the same, not told when to come back", { limit: 100 }, equal(100)],
    ["the same, on a slow platform", { limit: 40 }, equal(40)],
    ["one much and seven little, told when to come back", { limit: 100, retryAfter: seconds }, oneLarge(600, 25)],
    ["one much and seven little, not told when to come back", { limit: 100 }, oneLarge(600, 25)],
    ["one much and seven little, on a slow platform", { limit: 40 }, oneLarge(240, 10)],
  ];
  test.each(stories)("%s", async (_what, policy, processes) => {
    const total = processes.reduce((sum, [count]) => sum + count, 0);
    for (const seed of [1, 2]) {
      const { done, refused, failures } = await play(policy, processes, seed);
      expect(failures).toEqual([]);
      expect(done.map((times) => times.length)).toEqual(processes.map(([count]) => count));
      // Each gets something done in any two windows.
      done.forEach((times, at) => {
        const [, startMs] = processes[at] ?? [0, 0];
        expect(longestGap([startMs, ...times])).toBeLessThan(2 * WINDOW_MS);
      });
      const least = WINDOW_MS * (Math.ceil(total / policy.limit) - 1);
      expect(Math.max(...done.flat())).toBeLessThan(1.5 * least);
      // A process that is refused asks less often: most of the refusals are those of the first seconds.
      expect(refused).toBeLessThan(1.5 * total);
    }
  });
});
