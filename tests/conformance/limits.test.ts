import { RateLimiter } from "../../emulator/limits/rate-limiter";
import { resolveConnection } from "../../provider/base/connection";
import { RequestLimits } from "../../provider/http/limiter";
import { FakeClock } from "../support/fake-clock";
import { PlatformUnderTest } from "../support/platform-under-test";

let platform: PlatformUnderTest | undefined;
afterEach(() => platform?.close());

test("1,100 requests under the default limit: the platform refuses none, and they take as long as they must", async () => {
  const settings: Record<string, string> = { baseUrl: "http://127.0.0.1:1", apiKey: "k" };
  const resolved = resolveConnection((setting) => settings[setting], {});
  if ("problems" in resolved) throw new Error("no connection");
  const clock = new FakeClock();
  const limit = new RequestLimits(clock).of(resolved.connection, "http://127.0.0.1:1");
  // The platform's own count, without a network in between: a thousand requests would take seconds.
  const counted = new RateLimiter("seconds", { now: () => clock.now(), after: () => () => undefined });
  const request = { headers: new Headers({ "x-api-key": "k" }), ip: "127.0.0.1" };
  const before = clock.now();
  for (let n = 0; n < 1100; n++) {
    const end = await limit.admit({ isPoll: false });
    expect(counted.check(request)).toBeUndefined();
    end?.();
  }
  expect(clock.now() - before).toBeGreaterThanOrEqual(10_000);
  expect(clock.now() - before).toBeLessThan(11_000);
});

/** Reads `count` times, one request each. One after the other: on a clock that only sleeps move on, time must not overtake a request under way. */
async function readOften(on: PlatformUnderTest, count: number, settings: Record<string, string>): Promise<void> {
  const maker = await on.resource("Deployment", settings);
  await maker.up({ name: "agent", source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } });
  const { id, outputs } = maker.current;
  for (let n = 0; n < count; n++) {
    // Otherwise a kept list answers.
    on.newProcess();
    await maker.handler.read(id, outputs);
  }
}

const refused = ({ emulator }: PlatformUnderTest): number =>
  emulator.requests.filter(({ status }) => status === 429).length;

test("the limit holds for what a resource sends: 30 reads under a limit of 20 per 10 seconds", async () => {
  platform = await PlatformUnderTest.start({ limits: true });
  const before = platform.clock.now();
  await readOften(platform, 30, { rateLimit: "20" });
  expect(refused(platform)).toBe(0);
  expect(platform.clock.now() - before).toBeGreaterThanOrEqual(10_000);
  expect(platform.clock.now() - before).toBeLessThan(11_000);
});

test("another user of the same key: refused requests are sent again when the platform says, and all succeed", async () => {
  platform = await PlatformUnderTest.start({ limits: true });
  const { url, apiKey } = platform.emulator;
  const theirs = () => fetch(`${url}/v2/deployments/none`, { headers: { "x-api-key": apiKey } }).then((r) => r.text());
  for (let n = 0; n < 20; n++) await Promise.all(Array.from({ length: 50 }, theirs));
  expect(refused(platform)).toBe(0);
  const before = platform.clock.now();
  await readOften(platform, 3, {});
  expect(refused(platform)).toBeGreaterThan(0);
  expect(platform.clock.now() - before).toBeGreaterThanOrEqual(10_000);
});
