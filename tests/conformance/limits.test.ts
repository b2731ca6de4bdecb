import { PlatformUnderTest, failureOf } from "../support/platform-under-test";

let platform: PlatformUnderTest;
afterEach(() => platform.close());

/** Reads `count` times, one request each. One after the other: on a clock that only sleeps move on, time must not overtake a request under way. */
async function readOften(count: number, settings: Record<string, string>): Promise<void> {
  platform = await PlatformUnderTest.start({ limits: true });
  const maker = await platform.resource("Deployment", settings);
  await maker.up({ name: "agent", source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } });
  const { id, outputs } = maker.current;
  for (let n = 0; n < count; n++) {
    // Otherwise a kept list answers.
    platform.newProcess();
    await maker.handler.read(id, outputs);
  }
}

const refused = (): number => platform.emulator.requests.filter(({ status }) => status === 429).length;

test("1,100 requests under a limit of 1000 per 10 seconds: none is refused, and they take as long as they must", async () => {
  const before = Date.UTC(2030, 0, 1);
  await readOften(1100, {});
  expect(refused()).toBe(0);
  expect(platform.clock.now() - before).toBeGreaterThanOrEqual(10_000);
  expect(platform.clock.now() - before).toBeLessThan(11_000);
});

test("another user of the same key: refused requests are sent again when the platform says, and all succeed", async () => {
  // A limit that is set too high has the same effect as another process with the same key.
  await readOften(1100, { rateLimit: "5000" });
  expect(refused()).toBeGreaterThan(0);
});

test("a quota is not a rate limit: its message is shown at once", async () => {
  platform = await PlatformUnderTest.start({ sandboxQuota: 1 });
  const template = (name: string) => ({ name, image: "a", resources: { cpu: "1" } });
  await (await platform.resource("SandboxTemplate")).up(template("one"));
  const second = await platform.resource("SandboxTemplate");
  expect(await failureOf(second.up(template("two")))).toMatch(/POST \/v2\/sandboxes\/templates answered 429: .*quota/i);
  expect(platform.emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(2);
});
