import { z } from "zod";
import { deployments, type EmulatorOptions, type Layer } from "../../emulator";
import { CrowdUnderTest } from "../support/crowd-under-test";
import { mostWithin } from "../support/most-within";

// Many waits of one process and key: each polls its own object, and together they leave half of the rate limit to others.

let crowd: CrowdUnderTest;
const start = async (options: EmulatorOptions = {}) =>
  (crowd = await CrowdUnderTest.start({ buildSeconds: 300, deleteSeconds: 20, ...options }));
afterEach(() => crowd.close());

type Settings = Record<string, string>;
type Made = { readonly id: string; readonly outs: Readonly<Record<string, unknown>> };
const text = z.string();
const latestOf = ({ outs }: Pick<Made, "outs">): string => text.parse(outs["latestRevisionId"]);

/** Deployments of these images, one after the other; their POSTs are not in the log. */
async function deploy(images: readonly string[]): Promise<Made[]> {
  const handler = await crowd.handler("Deployment");
  const made: Made[] = [];
  for (const [n, imageUri] of images.entries()) {
    const inputs = { name: `d${n}`, source: "external_docker", sourceRevisionConfig: { imageUri } };
    made.push(await crowd.clock.until(handler.create(inputs)));
  }
  crowd.emulator.clearLog();
  return made;
}

const equal = (count: number, image = "a:1"): string[] => Array.from({ length: count }, () => image);

/** How each wait ended, and when, in seconds since they all began. */
async function rollOut(made: readonly Made[], settings: Settings = {}, over: Settings = {}) {
  const handler = await crowd.handler("Rollout", settings);
  const began = crowd.clock.now();
  const ended = (result: string) => ({ result, seconds: (crowd.clock.now() - began) / 1000 });
  return crowd.clock.until(
    Promise.all(
      made.map(({ id, outs }) =>
        handler
          .create({ deploymentId: id, revisionId: latestOf({ outs }), ...over })
          .then(({ outs: seen }) => ended(text.parse(seen["activeRevisionId"])))
          .catch((error: unknown) => ended(String(error))),
      ),
    ),
  );
}

async function removeAll(made: readonly Made[], settings: Settings = {}) {
  const handler = await crowd.handler("Deployment", settings);
  const began = crowd.clock.now();
  return crowd.clock.until(
    Promise.all(
      made.map(async ({ id, outs }) => {
        await handler.delete(id, z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(outs))));
        return (crowd.clock.now() - began) / 1000;
      }),
    ),
  );
}

const pollsOf = (id: string) =>
  crowd.emulator.requests.filter(({ path, method }) => method === "GET" && path.includes(id));

describe("waits for revisions", () => {
  test("leave half of the rate limit to others, and notice a success and a failure alike", async () => {
    await start();
    const made = await deploy([...equal(18), ...equal(2, "emulator-fail-build")]);
    // 5 polls in 10 s for 20 waits: each has its turn every 40 s.
    const ended = await rollOut(made, { rateLimit: "10" });
    for (const { result, seconds } of ended.slice(0, 18)) {
      expect(result).toMatch(/^[0-9a-f-]{36}$/);
      expect(seconds - 300).toBeLessThan(45);
    }
    // It fails after three quarters of 300 s.
    for (const { result, seconds } of ended.slice(18)) {
      expect(result).toMatch(/ended as BUILD_FAILED/);
      expect(seconds).toBeGreaterThanOrEqual(225);
      expect(seconds - 225).toBeLessThan(45);
    }
    const polls = crowd.emulator.requests.filter(({ path }) => path.includes("/revisions/") && !path.endsWith("_logs"));
    expect(
      mostWithin(
        polls.map(({ at }) => Date.parse(at)),
        10_000,
      ),
    ).toBeLessThanOrEqual(6);
  });

  test("notice a success and a failure within 4 % where the limit is far", async () => {
    await start();
    const ended = await rollOut(await deploy([...equal(9), "emulator-fail-build"]));
    for (const { seconds } of ended.slice(0, 9)) expect(seconds - 300).toBeLessThan(0.04 * 300 + 1);
    expect(ended.at(-1)?.result).toMatch(/ended as BUILD_FAILED/);
    expect((ended.at(-1)?.seconds ?? 0) - 225).toBeLessThan(0.04 * 225 + 1);
  });

  test("end with the revision's own word: a deployment may name one as active that does not serve", async () => {
    const early: Layer = {
      afterCommit: async ({ request, url }, response) => {
        if (request.method !== "GET" || !/^\/v2\/deployments\/[^/]+$/.test(url.pathname)) return response;
        const live = z.looseObject({ latest_revision_id: z.string().nullable() }).parse(await response.json());
        return Response.json({ ...live, active_revision_id: live.latest_revision_id });
      },
    };
    await start({ layers: [early] });
    const ended = await rollOut(await deploy([...equal(3), "emulator-fail-build"]));
    expect(ended.slice(0, 3).every(({ seconds }) => seconds >= 300 && seconds < 313)).toBe(true);
    expect(ended.at(-1)?.result).toMatch(/ended as BUILD_FAILED/);
  });

  test("end at once where a deployment is gone, and say so", async () => {
    await start();
    const made = await deploy(equal(5));
    void crowd.clock.sleep(50_000).then(() => crowd.emulator.outOfBand(deployments).remove("d0"));
    const [first, ...others] = await rollOut(made);
    expect(first?.result).toMatch(/is gone; run `pulumi up --refresh`/);
    expect(first?.seconds).toBeLessThan(53);
    expect(others.every(({ seconds }) => seconds >= 300)).toBe(true);
    expect(crowd.debug).toEqual([]);
  });

  test("end at their deadlines, each at its own", async () => {
    await start({ buildSeconds: 3600 });
    // More than may ask at once: a last look is not held back.
    const made = await deploy(equal(12));
    const ended = await rollOut(made, {}, { rolloutTimeout: "2m" });
    for (const { result, seconds } of ended) {
      expect(result).toMatch(/still [A-Z]+ .*after 2m/);
      // The last looks are due at once, and take turns: none ends without having looked.
      expect(result).not.toContain("now unknown");
      expect(seconds).toBeGreaterThanOrEqual(120);
      expect(seconds).toBeLessThan(121);
    }
  });
});

describe("waits for deletions", () => {
  test("are each over with the platform's own 404", async () => {
    await start({ deleteSeconds: 12 });
    const made = await deploy(equal(10));
    for (const seconds of await removeAll(made)) {
      expect(seconds).toBeGreaterThanOrEqual(12);
      expect(seconds).toBeLessThan(17);
    }
    for (const { id } of made)
      expect(
        pollsOf(id)
          .map(({ status }) => status)
          .filter((status) => status !== 200),
      ).toEqual([404]);
  });

  test("do not poll one deletion like something that is just born", async () => {
    await start();
    const [made] = await deploy(equal(1));
    if (made === undefined) throw new Error("nothing was made");
    await removeAll([made]);
    const began = Date.parse(crowd.emulator.requests[0]?.at ?? "");
    const early = pollsOf(made.id).filter(({ at }) => Date.parse(at) <= began + 5000);
    expect(early.length).toBeLessThanOrEqual(5);
  });
});

describe("a revision that is DEPLOYED while another one is still named as active", () => {
  const second = async (staleActiveMs: number, count: number) => {
    await start({ buildSeconds: 30, staleActiveMs });
    const made = await deploy(equal(count));
    await crowd.clock.until(crowd.clock.sleep(30_000 + staleActiveMs));
    const handler = await crowd.handler("Deployment");
    const patched = made.map(async ({ id, outs }) => {
      const before = z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(outs)));
      const { name = null, source = null } = before;
      const news = { name, source, sourceRevisionConfig: { imageUri: "a:2" } };
      return { id, outs: (await handler.update(id, before, news)).outs };
    });
    const updated = await crowd.clock.until(Promise.all(patched));
    return { made, updated, ended: await rollOut(updated) };
  };

  test.each([1, 3])("is waited for, %d at once, until the platform names it", async (count) => {
    const { updated, ended } = await second(20_000, count);
    expect(ended.map(({ result }) => result)).toEqual(updated.map(latestOf));
    for (const { seconds } of ended) expect(seconds).toBeGreaterThanOrEqual(50);
    expect(crowd.warnings).toEqual([]);
  });

  test("is waited for, too, where it is the first one: until then the agent has no address", async () => {
    await start({ buildSeconds: 30, staleActiveMs: 20_000 });
    const made = await deploy(equal(1));
    const [{ result, seconds } = { result: "", seconds: 0 }] = await rollOut(made);
    expect(result).toBe(made.map(latestOf)[0]);
    expect(seconds).toBeGreaterThanOrEqual(50);
    expect(crowd.warnings).toEqual([]);
  });

  test.each([1, 3])("is done after a minute, %d at once, with a warning that names both", async (count) => {
    const { made, updated, ended } = await second(600_000, count);
    expect(ended.map(({ result }) => result)).toEqual(updated.map(latestOf));
    for (const { seconds } of ended) {
      expect(seconds).toBeGreaterThanOrEqual(90);
      expect(seconds).toBeLessThan(115);
    }
    updated.forEach(({ id, outs }, n) => {
      const [now, before] = [latestOf({ outs }), latestOf({ outs: made[n]?.outs ?? {} })];
      expect(crowd.warnings.filter((line) => line.includes(id))).toEqual([
        expect.stringMatching(`revision ${now} is DEPLOYED, but the platform still names ${before} as the active one`),
      ]);
    });
  });
});
