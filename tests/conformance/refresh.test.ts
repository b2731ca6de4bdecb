import { sandboxTemplates, type EmulatorOptions, type Layer } from "../../emulator";
import type { ResourceType } from "../../provider/resources/resource-types";
import type { JsonObject } from "../../provider/base/json";
import { ofTest } from "../support/of-suite";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { CASES } from "./cases";

type Settings = Record<string, string>;
/** The resource types whose objects are read from lists. */
type Listed = "SandboxTemplate" | "OAuthProvider" | "Deployment";

const KEYS = { SandboxTemplate: "name", OAuthProvider: "providerId", Deployment: "name" } as const;
const programOf = (kind: Listed, name: string): JsonObject => ({ ...CASES[kind].program, [KEYS[kind]]: name });
const listOf = (kind: Listed): string => CASES[kind].path;

/** An object that was made, as the state holds it. */
interface Made {
  readonly kind: ResourceType;
  readonly id: string;
  readonly props: JsonObject;
}

let platform: PlatformUnderTest;
async function start(options: EmulatorOptions = {}): Promise<void> {
  platform = ofTest(await PlatformUnderTest.start(options));
}

async function make(kind: Listed, count: number, settings: Settings = {}): Promise<Made[]> {
  const handler = await platform.handler(kind, { rateLimit: "100000", ...settings });
  const made: Made[] = [];
  for (let n = 0; n < count; n++) {
    const { id, outs } = await handler.create(programOf(kind, `n${n}`));
    made.push({ kind, id, props: outs });
  }
  return made;
}

/** A platform with one template more than a page holds: made once, as no test changes them. */
let full: PlatformUnderTest;
let pageAndOne: readonly Made[];
beforeAll(async () => {
  full = await PlatformUnderTest.start();
  platform = full;
  pageAndOne = await make("SandboxTemplate", 501);
});
afterEach(() => full.emulator.faults.clear());
afterAll(() => full.close());

/** Plays on that platform. */
function startFull(): readonly Made[] {
  platform = full;
  return pageAndOne;
}

/** One `pulumi refresh`: all reads at once, as with --parallel as high as it goes. The requests that it took: paths with their queries. */
async function refresh(all: readonly Made[], settings: Settings = {}) {
  platform.newProcess();
  const from = platform.emulator.requests.length;
  const handlers = new Map<ResourceType, ReturnType<PlatformUnderTest["handler"]>>();
  const handlerOf = (kind: ResourceType) => {
    const handler = handlers.get(kind) ?? platform.handler(kind, settings);
    handlers.set(kind, handler);
    return handler;
  };
  const reads = await Promise.allSettled(
    all.map(async ({ kind, id, props }) => (await handlerOf(kind)).read(id, props)),
  );
  const requests = platform.emulator.requests.slice(from).map(({ path }) => path);
  return { reads, requests, found: reads.filter((read) => read.status === "fulfilled" && read.value.id !== "").length };
}

const onlyLists = (kind: Listed, requests: readonly string[]): boolean =>
  requests.every((path) => path === listOf(kind));

test.each<[kind: Listed, settings: Settings, requests: Readonly<Record<number, number>>]>([
  // A full page says nothing about an end, but by then everything is found.
  ["SandboxTemplate", {}, { 1: 1, 500: 1, 501: 2 }],
  ["SandboxTemplate", { contract: "documented" }, { 500: 1, 501: 2 }],
  ["OAuthProvider", {}, { 150: 1 }],
  ["Deployment", {}, { 100: 1, 101: 2 }],
])("%s under %j: so many are read with so many list requests, and no other: %j", async (kind, settings, expected) => {
  if (kind !== "SandboxTemplate") await start();
  const most = Math.max(...Object.keys(expected).map(Number));
  const made = kind === "SandboxTemplate" ? startFull() : await make(kind, most, settings);
  for (const [count, lists] of Object.entries(expected)) {
    const { requests, found } = await refresh(made.slice(0, Number(count)), settings);
    expect(found).toBe(Number(count));
    expect(requests).toHaveLength(lists);
    expect(onlyLists(kind, requests)).toBe(true);
  }
});

test("rollouts that serve are read from the list of their deployments", async () => {
  await start();
  const made = await make("Deployment", 20);
  platform.clock.advance(61_000);
  const rollouts = made.map(({ id, props }): Made => ({
    kind: "Rollout",
    id: `${id}/r`,
    props: { deploymentId: id, revisionId: props["latestRevisionId"], origin: props["origin"] },
  }));
  const { requests, reads } = await refresh([...made, ...rollouts]);
  expect(requests).toEqual(["/v2/deployments"]);
  for (const read of reads) expect(read).toMatchObject({ status: "fulfilled" });
});

test.each<[kind: Listed, left: string]>([
  ["Deployment", "source_config"],
  ["OAuthProvider", "auth_url"],
  ["SandboxTemplate", "image"],
])("%s of a list of summaries (without %s) is read by itself: those would hide drift", async (kind, left) => {
  const summaries: Layer = {
    afterCommit: async ({ request, url }, response) => {
      if (request.method !== "GET" || url.pathname !== listOf(kind)) return response;
      return new Response((await response.text()).replaceAll(`"${left}"`, '"elsewhere"'), response);
    },
  };
  await start({ layers: [summaries] });
  const made = await make(kind, 3);
  const { requests, found } = await refresh(made);
  expect(found).toBe(3);
  expect(requests.filter((path) => path !== listOf(kind))).toHaveLength(3);
});

describe("absence", () => {
  test.each<[kind: Listed, settings: Settings, confirmation: string, lists: number, singles: number]>([
    // A list to its end is one request more than it has pages: a short page may have left something out.
    ["SandboxTemplate", {}, "a 404 each, and one more list for all (a rename shows in lists alone)", 4, 10],
    ["SandboxTemplate", { contract: "documented" }, "four more lists for all, since each may be late", 10, 0],
    ["OAuthProvider", {}, "a 404 each", 1, 10],
    ["Deployment", {}, "a 404 each", 2, 10],
  ])("%s under %j: ten missing objects are confirmed by %s", async (kind, settings, _by, lists, singles) => {
    await start();
    const made = await make(kind, 30, settings);
    for (const { id } of made.slice(0, 10)) CASES[kind].remove(platform, id);
    const { requests, found } = await refresh(made, settings);
    expect(found).toBe(20);
    expect(requests.filter((path) => path === listOf(kind))).toHaveLength(lists);
    expect(requests.filter((path) => path !== listOf(kind))).toHaveLength(singles);
  });

  test("a template that was renamed by hand is the same template: drift of its name", async () => {
    await start();
    const made = await make("SandboxTemplate", 3);
    platform.emulator.outOfBand(sandboxTemplates).change("n1", { name: "renamed" });
    const { reads, requests } = await refresh(made);
    expect(requests).toEqual([listOf("SandboxTemplate")]);
    expect(reads[1]).toMatchObject({ value: { id: made[1]?.id, inputs: { name: "renamed" } } });
  });
});

describe("a page that fails", () => {
  test("for good fails every read that needs it, and no read reports an object as gone", async () => {
    const made = startFull();
    // The first page comes.
    platform.emulator.faults.add({ kind: "status", status: 400, path: listOf("SandboxTemplate"), nth: 2 });
    const { reads } = await refresh(made);
    expect(reads.filter(({ status }) => status === "rejected")).toHaveLength(1);
    const last = reads[500];
    expect(last?.status === "rejected" ? String(last.reason) : last).toMatch(
      /GET \/v2\/sandboxes\/templates answered 400/,
    );
  });

  test("does not stand in the way of a later read", async () => {
    await start();
    const [first] = await make("OAuthProvider", 1);
    if (first === undefined) throw new Error("nothing was made");
    platform.newProcess();
    const handler = await platform.handler("OAuthProvider");
    const fault = platform.emulator.faults.add({ kind: "status", status: 400, path: listOf("OAuthProvider") });
    expect(await failureOf(handler.read(first.id, first.props))).toMatch(/answered 400/);
    fault.remove();
    expect(await handler.read(first.id, first.props)).toMatchObject({ id: "n0" });
  });
});

describe("a key that may read an object and not list all", () => {
  const mayNotList = (kind: Listed) =>
    platform.emulator.faults.add({ kind: "status", status: 403, method: "GET", path: listOf(kind) });
  const rolloutOf = ({ id, props }: Made): Made => ({
    kind: "Rollout",
    id: `${id}/r`,
    props: { deploymentId: id, revisionId: props["latestRevisionId"], origin: props["origin"] },
  });

  test.each<Listed>(["SandboxTemplate", "OAuthProvider", "Deployment"])("reads each %s by itself", async (kind) => {
    await start();
    const made = await make(kind, 3);
    platform.clock.advance(61_000);
    mayNotList(kind);
    const { found, requests } = await refresh([...made, ...(kind === "Deployment" ? made.map(rolloutOf) : [])]);
    expect(found).toBe(kind === "Deployment" ? 6 : 3);
    expect(requests.filter((path) => path === listOf(kind))).toHaveLength(1);
  });

  test.each<Listed>(["SandboxTemplate", "OAuthProvider", "Deployment"])(
    "takes no %s for gone: it may not see what is there",
    async (kind) => {
      await start();
      const made = await make(kind, 1);
      mayNotList(kind);
      platform.emulator.faults.add({ kind: "status", status: 404, method: "GET", path: `${listOf(kind)}/*` });
      const { reads } = await refresh([...made, ...(kind === "Deployment" ? made.map(rolloutOf) : [])]);
      for (const read of reads) expect(read.status === "rejected" && String(read.reason)).toMatch(/answered 403/);
    },
  );
});

describe("a list is kept", () => {
  const readOne = async (made: readonly Made[]) => {
    const [first] = made;
    if (first === undefined) throw new Error("nothing was made");
    const before = platform.emulator.requests.length;
    const { props } = await (await platform.handler(first.kind)).read(first.id, first.props);
    return { image: props["image"], requests: platform.emulator.requests.length - before };
  };
  const drift = () => platform.emulator.outOfBand(sandboxTemplates).change("n0", { image: "other" });

  test.each<[until: string, act: () => unknown, requests: number]>([
    ["the next read", () => undefined, 0],
    ["ten seconds are over", () => platform.clock.advance(10_001), 1],
    [
      "a handler of the same process writes, whatever it writes",
      async () => (await platform.handler("OAuthProvider")).create(programOf("OAuthProvider", "other")),
      1,
    ],
    [
      "a handler of the same process fails to write",
      async () => {
        platform.emulator.faults.add({ kind: "status", status: 403, method: "POST" });
        await failureOf((await platform.handler("OAuthProvider")).create(programOf("OAuthProvider", "other")));
      },
      1,
    ],
  ])("until %s", async (_until, act, requests) => {
    await start();
    const made = await make("SandboxTemplate", 2);
    platform.newProcess();
    await readOne(made);
    drift();
    await act();
    expect(await readOne(made)).toEqual({ image: requests === 0 ? "python:3.12" : "other", requests });
  });

  test("per key: a list of one tenant says nothing about another's", async () => {
    await start();
    const made = await make("SandboxTemplate", 1);
    platform.newProcess();
    await readOne(made);
    const other = await platform.handler("SandboxTemplate", { apiKey: "another-key" });
    expect(await failureOf(other.read(made[0]?.id ?? "", made[0]?.props ?? {}))).toMatch(/answered 40[13]/);
  });
});

test("a platform without lists (contract documented, told extended): asked once, then each is read by itself", async () => {
  await start({ contract: "documented" });
  const made = await make("Deployment", 5);
  const { requests, found } = await refresh(made);
  expect(found).toBe(5);
  expect(requests.filter((path) => path === listOf("Deployment"))).toHaveLength(1);
  expect(requests).toHaveLength(6);
});
