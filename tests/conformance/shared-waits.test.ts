import { z } from "zod";
import { deployments, revisions, type EmulatorOptions, type Layer } from "../../emulator";
import { CrowdUnderTest } from "../support/crowd-under-test";

// Many waits of one process: what they ask for together, and what no list can tell them.

let crowd: CrowdUnderTest;
const start = async (options: EmulatorOptions = {}) =>
  (crowd = await CrowdUnderTest.start({ buildSeconds: 300, deleteSeconds: 20, ...options }));
afterEach(() => crowd.close());

type Settings = Record<string, string>;
type Made = { readonly id: string; readonly outs: Readonly<Record<string, unknown>> };
const LIST = "/v2/deployments";
const text = z.string();
const latestOf = ({ outs }: Pick<Made, "outs">): string => text.parse(outs["latestRevisionId"]);
const DOCUMENTED: Settings = { contract: "documented" };

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

const lists = () => crowd.emulator.requests.filter(({ path }) => path === LIST);
const looksAt = (id: string) =>
  crowd.emulator.requests.filter(({ path, method }) => method === "GET" && path.includes(id));

/** Changes what the platform answers to a list by ids. */
const listing = (answer: (items: readonly Record<string, unknown>[]) => unknown): Layer => ({
  afterCommit: async ({ request, url }, response) => {
    if (request.method !== "GET" || !url.searchParams.has("deployment_ids") || response.status !== 200) return response;
    const page = z.looseObject({ resources: z.array(z.record(z.string(), z.unknown())) }).parse(await response.json());
    const changed = answer(page.resources);
    return changed instanceof Response ? changed : Response.json({ ...page, resources: changed });
  },
});

describe("waits for revisions", () => {
  test("of 10 deployments send a quarter of the requests that looks at each would be, and end no later", async () => {
    await start({ buildSeconds: 60 });
    const ours = await rollOut(await deploy(equal(10)));
    const shared = crowd.emulator.requests.length;
    await crowd.close();
    await start({ buildSeconds: 60 });
    const theirs = await rollOut(await deploy(equal(10)), DOCUMENTED);
    const single = crowd.emulator.requests.length;
    expect(new Set([...ours, ...theirs].map(({ result }) => /^[0-9a-f-]{36}$/.test(result)))).toEqual(new Set([true]));
    const latest = (all: typeof ours) => Math.max(...all.map(({ seconds }) => seconds));
    expect(latest(ours)).toBeLessThanOrEqual(latest(theirs));
    expect(shared).toBeLessThan(single / 4);
  });

  test("ask for up to 100 deployments in a request, as official clients do, and for no page more than that", async () => {
    await start({ buildSeconds: 20 });
    await rollOut(await deploy(equal(3)));
    expect(lists().length).toBeGreaterThan(3);
    for (const { query } of lists()) {
      expect(query).toMatchObject({ limit: "100", offset: "0" });
      expect(query["deployment_ids"]?.split(",").length).toBeLessThanOrEqual(3);
    }
  });

  test("take the outputs from the list, so that what is deployed is not asked for again", async () => {
    // Between two looks at each alone.
    await start({ buildSeconds: 8 });
    const made = await deploy(equal(10));
    await rollOut(made);
    expect(crowd.emulator.requests.filter(({ path }) => made.some(({ id }) => path === `${LIST}/${id}`))).toEqual([]);
  });

  test("end with the revision's own word, once: a list may name one as active that does not serve", async () => {
    const early = listing((items) =>
      items.map((item) => ({ ...item, active_revision_id: item["latest_revision_id"] })),
    );
    await start({ layers: [early] });
    const made = await deploy([...equal(12), ...equal(12, "emulator-fail-build")]);
    const ended = await rollOut(made);
    const looks = crowd.emulator.requests.filter(({ path }) => path.includes("/revisions/")).length;
    expect(ended.slice(0, 12).every(({ seconds }) => seconds >= 300 && seconds < 330)).toBe(true);
    for (const { result } of ended.slice(12)) expect(result).toMatch(/ended as BUILD_FAILED/);
    // No look more than where no list says so.
    expect(looks).toBeLessThan(24 * 40);
  });

  test("see a failure within 15 s and the turn of the others, although no list shows it", async () => {
    await start();
    const ended = await rollOut(await deploy([...equal(19), "emulator-fail-build"]));
    // It fails after three quarters of 300 s.
    expect(ended.at(-1)?.result).toMatch(/ended as BUILD_FAILED/);
    expect(ended.at(-1)?.seconds).toBeGreaterThanOrEqual(225);
    expect(ended.at(-1)?.seconds).toBeLessThanOrEqual(225 + 18);
    expect(ended.slice(0, -1).every(({ seconds }) => seconds >= 300 && seconds < 312)).toBe(true);
  });

  test("see it at the next look where the deployment's updated_at moves with it", async () => {
    await start();
    const made = await deploy(equal(8));
    const [first] = made;
    const fail = crowd.clock.sleep(101_000).then(() => {
      const outOfBand = crowd.emulator.outOfBand(revisions);
      outOfBand.change(latestOf({ outs: first?.outs ?? {} }), { status_override: "DEPLOY_FAILED" });
      crowd.emulator.outOfBand(deployments).change(first?.id ?? "", {});
    });
    const [ended] = await rollOut(made);
    await fail;
    expect(ended?.result).toMatch(/ended as DEPLOY_FAILED/);
    expect(ended?.seconds).toBeLessThanOrEqual(101 + 5);
  });

  test("name the status of each, although lists have none", async () => {
    await start();
    const made = await deploy(equal(5));
    await rollOut(made);
    for (const { id } of made) {
      expect(crowd.progress.filter((line) => line.startsWith(id)).join()).toMatch(/QUEUED.*BUILDING.*DEPLOYING/);
    }
  });

  test("follow what was superseded, and wait for what has no name yet", async () => {
    await start({ nullLatestRevisionMs: 20_000 });
    const made = await deploy(equal(3));
    const handler = await crowd.handler("Rollout");
    const up = made.map(({ id, outs }) =>
      handler.create({ deploymentId: id, revisionId: z.string().nullable().parse(outs["latestRevisionId"]) }),
    );
    const patched = crowd.clock.sleep(60_000).then(() =>
      fetch(`${crowd.emulator.url}${LIST}/${made[0]?.id ?? ""}`, {
        method: "PATCH",
        headers: { "X-Api-Key": crowd.emulator.apiKey },
        body: JSON.stringify({ source_revision_config: { image_uri: "a:2" } }),
      }),
    );
    const seen = await crowd.clock.until(Promise.all(up));
    await patched;
    const latest = made.map(({ id }) => {
      const all = crowd.emulator.outOfBand(revisions).list();
      return all.filter(({ deployment_id }) => deployment_id === id).at(-1)?.id;
    });
    expect(seen.map(({ outs }) => outs["activeRevisionId"])).toEqual(latest);
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

  test("outlive a minute in which every list fails", async () => {
    await start();
    const made = await deploy(equal(4));
    crowd.emulator.faults.add({ kind: "status", status: 503, path: LIST, forMs: 60_000 });
    const ended = await rollOut(made);
    expect(ended.every(({ seconds }) => seconds >= 300 && seconds < 312)).toBe(true);
  });
});

describe("a list that cannot be trusted is asked for no more, and nothing is taken for gone:", () => {
  const other = { id: "00000000-0000-4000-8000-000000000000", source_config: {}, source_revision_config: {} };
  const refused = (status: number) => (): Response => Response.json({ detail: "unknown parameter" }, { status });

  test.each<[why: string, layer: Layer, says: RegExp, most: number]>([
    [
      "it answers what was not asked for, as where the parameter is ignored",
      listing((items) => [...items, { ...other, latest_revision_id: null, active_revision_id: null }]),
      /which was not asked for/,
      1,
    ],
    ["it lacks what is there", listing((items) => items.slice(1)), /they lack deployment .*, which exists/, 2],
    ["it is empty", listing(() => []), /they lack deployment .*, which exists/, 1],
    [
      "it shows summaries, which cannot say what is active",
      listing((items) => items.map(({ active_revision_id: _, ...summary }) => summary)),
      /they show a summary/,
      1,
    ],
    ["it refuses the parameter: 400", listing(refused(400)), /answered 400: unknown parameter/, 1],
    ["it refuses the parameter: 422", listing(refused(422)), /answered 422: unknown parameter/, 1],
    ["this platform has none: 405", listing(refused(405)), /answered 405/, 1],
    ["it fails each time: 500", listing(refused(500)), /answered 500/, 3],
    ["it is no list", listing(() => Response.json({ deployments: [] })), /lacks what the contract promises/, 18],
  ])("%s", async (_why, layer, says, most) => {
    await start({ layers: [layer], buildSeconds: 60 });
    const made = await deploy(equal(3));
    const ended = await rollOut(made);
    expect(ended.map(({ result }) => result)).toEqual(made.map(latestOf));
    expect(ended.every(({ seconds }) => seconds >= 60 && seconds < 63)).toBe(true);
    expect(crowd.debug).toEqual([expect.stringMatching(says)]);
    expect(lists().length).toBeLessThanOrEqual(most);
  });

  test("a deletion is waited for all the same", async () => {
    await start({ layers: [listing(() => [])] });
    const made = await deploy(equal(5));
    for (const seconds of await removeAll(made)) expect(seconds).toBeGreaterThanOrEqual(20);
  });
});

test("under contract documented no list is asked for", async () => {
  await start({ contract: "documented" });
  await rollOut(await deploy(equal(3)), DOCUMENTED);
  expect(lists()).toEqual([]);
});

describe("waits for deletions", () => {
  test("share their lists, and each is over with the platform's own 404", async () => {
    await start({ deleteSeconds: 12 });
    const made = await deploy(equal(10));
    const ended = await removeAll(made);
    for (const seconds of ended) {
      expect(seconds).toBeGreaterThanOrEqual(12);
      expect(seconds).toBeLessThan(17);
    }
    for (const { id } of made) expect(looksAt(id)).toEqual([expect.objectContaining({ status: 404 })]);
    expect(lists().length).toBeLessThanOrEqual(10);
  });

  test("do not look at one deletion as at something that is just born", async () => {
    await start();
    const [made] = await deploy(equal(1));
    if (made === undefined) throw new Error("nothing was made");
    await removeAll([made]);
    const began = Date.parse(crowd.emulator.requests[0]?.at ?? "");
    const early = looksAt(made.id).filter(({ at }) => Date.parse(at) <= began + 5000);
    expect(early.length).toBeLessThanOrEqual(5);
  });

  test("do not believe for longer than 15 s a list that still shows what is gone", async () => {
    let stale: readonly Record<string, unknown>[] | undefined;
    await start({ layers: [listing((items) => (stale ??= items))] });
    for (const seconds of await removeAll(await deploy(equal(5)))) expect(seconds).toBeLessThan(20 + 17);
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
