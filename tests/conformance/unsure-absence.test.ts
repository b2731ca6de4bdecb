import { ORIGIN, originOf } from "../../provider/lifecycle/identity/origin";
import { deployments, type EmulatorOptions, type FaultInput, type Layer } from "../../emulator";
import { UNREAD } from "../../provider/lifecycle/state";
import type { ResourceType } from "../../provider/resources/resource-types";
import type { EngineModel } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite, ofTest } from "../support/of-suite";
import { CASES } from "./cases";

// docs/internals/design.md, promise 3: 404 is the only thing that means gone, and it has to be the platform's own. An object may still be there
// that another workspace's key does not see, that is not listed, or that a gateway does not find.

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ buildSeconds: 1 }));

const MANAGED = ["SandboxTemplate", "OAuthProvider", "Listener", "Deployment"] as const;

const made = async (
  kind: (typeof MANAGED)[number],
  settings: Record<string, string> = {},
  on = platform,
): Promise<EngineModel> => {
  const resource = await on.resource(kind, settings);
  await resource.up(CASES[kind].program);
  on.clock.advance(5_000);
  return resource;
};
const count = (on = platform): number => MANAGED.flatMap((kind) => CASES[kind].objects(on)).length;

interface Answer {
  readonly status: number;
  readonly body?: "text" | "html" | "json" | "empty";
}

const UNLISTED: readonly [string, Answer][] = [
  ["501", { status: 501 }],
  ["405", { status: 405 }],
  ["a gateway's 404, plain", { status: 404, body: "text" }],
  ["a gateway's 404, HTML", { status: 404, body: "html" }],
  ["a gateway's 404, JSON", { status: 404, body: "json" }],
  ["a gateway's 404, empty", { status: 404, body: "empty" }],
  ["the platform's 404", { status: 404 }],
];
/** For a deployment the platform's own 404 by id is the truth: that endpoint is documented. */
const untold = (kind: ResourceType): typeof UNLISTED =>
  UNLISTED.filter(([, { status, body }]) => kind !== "Deployment" || status !== 404 || body !== undefined);

const strike = (method: string, path: string, answer: Answer) =>
  platform.emulator.faults.add({ kind: "status", method, path, ...answer });

describe.each(MANAGED)("a %s that is not listed", (kind) => {
  // Contract documented has no listeners.
  const contracts = kind === "Listener" ? ["extended"] : ["extended", "documented"];
  test.each(UNLISTED.flatMap(([why, answer]) => contracts.map((contract) => [why, contract, answer] as const)))(
    "(%s) stays in state under contract %s",
    async (_why, contract, answer) => {
      const resource = await made(kind, { contract });
      strike("GET", CASES[kind].path, answer);
      expect(await resource.refresh().catch(() => false)).toBe(false);
      expect(resource.state).toBeDefined();
    },
  );

  test.each(untold(kind))("(%s) stays in state where the look-up by id answers the same", async (_why, answer) => {
    const resource = await made(kind);
    strike("GET", `${CASES[kind].path}**`, answer);
    await resource.refresh().catch(() => undefined);
    expect(resource.state).toBeDefined();
  });

  test.each(untold(kind))("(%s) does not read as absent in `.get` and in adopt by id", async (_why, answer) => {
    const resource = await made(kind);
    const { id } = resource.current;
    strike("GET", `${CASES[kind].path}**`, answer);
    const handler = await platform.handler(kind);
    const read = await failureOf(handler.read(id, {}));
    const adopting = await platform.resource(kind);
    const adopted = await failureOf(adopting.up({ ...CASES[kind].program, adopt: id }));
    for (const message of [read, adopted]) {
      expect(message).not.toMatch(/it succeeded|does not exist/);
    }
    expect(count()).toBe(1);
  });

  test.each(untold(kind))("(%s) is not deleted in silence", async (_why, answer) => {
    const resource = await made(kind);
    strike("*", `${CASES[kind].path}**`, answer);
    await resource.destroy().catch(() => undefined);
    if (resource.state === undefined) expect(platform.warnings.join()).toMatch(/stays on the platform/);
    expect(count()).toBe(1);
  });
});

describe("a list that shows each change two seconds late drops nothing that was just made", () => {
  const newer = ["SandboxRegistry", "SandboxSnapshot", "SandboxVolume", "WorkspaceSecret", "PlatformAgent"] as const;
  const kinds = [...MANAGED, ...newer];
  const rows = [
    ...kinds.map((kind) => [kind, "extended", "is offered"] as const),
    // Without it, no deployment can be changed, and no snapshot made.
    ...kinds
      .filter((kind) => kind !== "Deployment" && kind !== "SandboxSnapshot")
      .map((kind) => [kind, "extended", "is not offered"] as const),
    ["SandboxTemplate", "documented", "is not offered"] as const,
  ];
  test.each(rows)("%s, contract %s, where a look at one object %s", async (kind, contract, one) => {
    const { path, program, named, objects } = CASES[kind];
    const faults: FaultInput[] = [
      { kind: "stale-read", agoMs: 2000, method: "GET", path },
      ...(one === "is offered" ? [] : [{ kind: "status", status: 405, method: "GET", path: `${path}/*` } as const]),
    ];
    const on = ofTest(await PlatformUnderTest.start({ buildSeconds: 0, contract, faults }));
    const [first, second] = [await on.resource(kind, { contract }), await on.resource(kind, { contract })];
    await first.up(program);
    expect(await first.refresh()).toBe(false);
    expect(first.hasState).toBe(true);
    if (contract === "documented") return;
    await second.up({ ...program, ...named(2) });
    await second.destroy();
    expect(objects(on)).toHaveLength(1);
  });
});

test("while a list is not offered, one warning says that the state is kept", async () => {
  const resource = await made("SandboxTemplate");
  platform.emulator.faults.add({ kind: "status", status: 501, method: "GET", path: "/v2/sandboxes/templates**" });
  await resource.refresh();
  await resource.refresh();
  expect(platform.warnings).toEqual([
    expect.stringMatching(/SandboxTemplate: GET .* answered 501.* The state stays as it was/),
  ]);
});

describe("a read without an answer about the object marks its outputs, which is no drift", () => {
  const isUnread = ({ current }: EngineModel): boolean => UNREAD in current.outputs;
  const rolloutOf = async ({ current: { id, outputs } }: EngineModel): Promise<EngineModel> => {
    const rollout = await platform.resource("Rollout");
    await rollout.up({ deploymentId: id, revisionId: outputs["latestRevisionId"] });
    return rollout;
  };
  /** A check has nothing on the platform that a read could ask about. */
  const passedCheck = async (): Promise<EngineModel> => {
    const check = await platform.resource("RunCheck");
    check.state = {
      id: "run",
      inputs: {},
      outputs: { runId: "run", [ORIGIN]: originOf(platform.emulator.url, undefined) },
    };
    return check;
  };
  const template = () => made("SandboxTemplate");
  const documented = (kind: (typeof MANAGED)[number]) => () => made(kind, { contract: "documented" });
  const rows: [
    what: string,
    start: () => Promise<EngineModel>,
    status: number | undefined,
    unread: boolean,
    path?: string,
  ][] = [
    ["a template, where no GET is offered", template, 501, true],
    ["a provider, where no GET is offered", () => made("OAuthProvider"), 501, true],
    ["a listener, where no GET is offered", () => made("Listener"), 405, true],
    ["a provider under documented", documented("OAuthProvider"), undefined, true],
    ["a template under documented, by its name", documented("SandboxTemplate"), undefined, false],
    ["a template, where only the list is offered", template, 501, false, "/v2/sandboxes/templates/*"],
    ["a check, which has nothing to read", passedCheck, 501, false],
  ];
  test.each(rows)("%s", async (_what, start, status, unread, path = "/**") => {
    const resource = await start();
    if (status !== undefined) strike("GET", path, { status });
    expect(await resource.refresh()).toBe(false);
    expect(isUnread(resource)).toBe(unread);
  });

  test("a rollout whose latest revision the platform does not show", async () => {
    const deployment = await made("Deployment");
    const rollout = await rolloutOf(deployment);
    await platform.ask("PATCH", `/v2/deployments/${deployment.current.id}`, {
      source_revision_config: { image_uri: "a:2" },
    });
    strike("GET", "/v2/deployments/*/revisions/*", { status: 501 });
    expect(await rollout.refresh()).toBe(false);
    expect(isUnread(rollout)).toBe(true);
  });

  test("an object that is only read", async () => {
    const { id } = (await template()).current;
    const handler = await platform.handler("SandboxTemplate");
    const { props } = await handler.read(id, {});
    platform.clock.advance(60_000);
    strike("GET", "/**", { status: 501 });
    // The engine compares all of its outputs: a mark with a value would be drift.
    expect(await handler.read(id, props)).toEqual({ id, props: { ...props, [UNREAD]: null } });
    platform.emulator.faults.clear();
    platform.clock.advance(60_000);
    expect(await handler.read(id, { ...props, [UNREAD]: null })).toEqual({ id, props });
  });

  test("the next answer takes the mark off", async () => {
    const resource = await template();
    strike("GET", "/**", { status: 501 });
    await resource.refresh();
    platform.emulator.faults.clear();
    expect(await resource.refresh()).toBe(false);
    expect(isUnread(resource)).toBe(false);
  });
});

describe("a router's bare 404 for every path", () => {
  let isOut = false;
  const router: Layer = {
    beforeRoute: ({ url }) =>
      Promise.resolve(
        isOut && /^\/v[12]\//.test(url.pathname) ? Response.json({ detail: "Not Found" }, { status: 404 }) : undefined,
      ),
  };
  const bare = /answered 404: Not Found.*not the platform's own answer/;
  const start = async () => {
    isOut = false;
    const on = ofTest(await PlatformUnderTest.start({ buildSeconds: 1, layers: [router] }));
    const deployment = await on.resource("Deployment");
    const image = { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } };
    await deployment.up({ name: "agent", sourceConfig: { resourceSpec: {} }, ...image });
    const { id, outputs } = deployment.current;
    const rollout = await on.resource("Rollout");
    await rollout.up({ deploymentId: id, revisionId: outputs["latestRevisionId"] });
    const cron = await on.resource("Cron");
    const { url } = rollout.current.outputs;
    const agent = { deploymentId: id, url, customUrl: url, assistantId: "agent" };
    const urn = "urn:pulumi:dev::p::agent-platform:index:Cron::c";
    await cron.up({ ...agent, schedule: "0 9 * * *", ["__progressUrn"]: urn });
    on.clock.advance(60_000);
    on.newProcess();
    isOut = true;
    return { on, deployment, rollout, cron };
  };

  test.each(["deployment", "rollout"] as const)("drops no %s", async (which) => {
    const { [which]: resource } = await start();
    expect(await failureOf(resource.refresh())).toMatch(bare);
    expect(resource.state).toBeDefined();
  });

  test("deletes no deployment in silence", async () => {
    const { on, deployment } = await start();
    expect(await failureOf(deployment.destroy())).toMatch(bare);
    expect(deployment.state).toBeDefined();
    expect(on.emulator.outOfBand(deployments).list()).toHaveLength(1);
  });

  test("drops no cron of an agent that does not answer", async () => {
    const { on, cron } = await start();
    on.emulator.faults.add({ kind: "status", status: 503, path: "/agents/**", count: 100 });
    expect(await cron.refresh()).toBe(false);
    expect(cron.state).toBeDefined();
  });
});

describe("a key of another workspace, with no tenantId set", () => {
  const tenant = (name: string, apiKey = `key-of-${name}`) => ({ tenantId: name, organizationId: name, apiKey });
  let shared: PlatformUnderTest;
  const share = async (options: EmulatorOptions = {}): Promise<void> => {
    const tenants = [tenant("ours"), tenant("theirs"), tenant("ours", "rotated")];
    shared = ofTest(await PlatformUnderTest.start({ tenants, buildSeconds: 1, ...options }));
  };
  beforeEach(() => share());

  /** The same state, in the hands of a connection with another key. */
  const withKey = async (
    resource: EngineModel,
    kind: ResourceType,
    apiKey: string,
    settings: Record<string, string> = {},
  ) => {
    const other = await shared.resource(kind, { apiKey, ...settings });
    other.state = resource.state;
    return other;
  };

  describe.each(MANAGED)("for a %s", (kind) => {
    test.each(["an empty workspace", "a workspace with objects of its own"])(
      "%s: nothing reads as gone, and no delete succeeds",
      async (which) => {
        const ours = await made(kind, { apiKey: "key-of-ours" }, shared);
        if (which !== "an empty workspace")
          for (const each of MANAGED) await made(each, { apiKey: "key-of-theirs" }, shared);
        const before = count(shared);
        shared.newProcess();
        const wrong = await withKey(ours, kind, "key-of-theirs");
        const told = /(opens another one|last seen with another key|is in the workspace).*agent-platform:apiKey/s;
        expect(await failureOf(wrong.refresh())).toMatch(told);
        expect(wrong.state).toBeDefined();
        expect(await failureOf(wrong.destroy())).toMatch(told);
        expect(wrong.state).toBeDefined();
        expect(count(shared)).toBe(before);
      },
    );

    test("a rotated key of the same workspace sees it, and is remembered", async () => {
      const ours = await made(kind, { apiKey: "key-of-ours" }, shared);
      const rotated = await withKey(ours, kind, "rotated");
      expect(await rotated.refresh()).toBe(false);
      await rotated.destroy();
      expect(count(shared)).toBe(0);
    });

    test("allowOriginChange trusts that key", async () => {
      const ours = await made(kind, { apiKey: "key-of-ours" }, shared);
      const wrong = await withKey(ours, kind, "key-of-theirs", { allowOriginChange: "true" });
      await wrong.refresh();
      expect(wrong.state).toBeUndefined();
    });
  });

  test("a rollout whose deployment is gone is gone under a rotated key, too", async () => {
    const deployment = await made("Deployment", { apiKey: "key-of-ours" }, shared);
    const rollout = await shared.resource("Rollout", { apiKey: "key-of-ours" });
    const { id, outputs } = deployment.current;
    await rollout.up({ deploymentId: id, revisionId: outputs["latestRevisionId"], deploymentName: "agent" });
    shared.emulator.outOfBand(deployments).remove(id);
    const rotated = await withKey(rollout, "Rollout", "rotated");
    expect(await rotated.refresh()).toBe(true);
    expect(rotated.state).toBeUndefined();
  });

  test("that has an OAuth provider of the same id: it is neither changed nor deleted", async () => {
    const ours = await made("OAuthProvider", { apiKey: "key-of-ours" }, shared);
    await made("OAuthProvider", { apiKey: "key-of-theirs" }, shared);
    const wrong = await withKey(ours, "OAuthProvider", "key-of-theirs");
    expect(await failureOf(wrong.up({ ...CASES.OAuthProvider.program, name: "Changed" }))).toMatch(
      /is in the workspace/,
    );
    expect(await failureOf(wrong.destroy())).toMatch(/is in the workspace/);
    expect(count(shared)).toBe(2);
  });

  test("that has a template of the same name, whose rows have no ids: it is neither read as ours nor deleted", async () => {
    await share({ oldTemplateRows: true });
    const ours = await made("SandboxTemplate", { apiKey: "key-of-ours" }, shared);
    await made("SandboxTemplate", { apiKey: "key-of-theirs" }, shared);
    const wrong = await withKey(ours, "SandboxTemplate", "key-of-theirs");
    for (const act of [() => wrong.refresh(), () => wrong.destroy()]) {
      expect(await failureOf(act())).toMatch(/this key sees one with its name, but it was last seen with another key/);
    }
    expect(count(shared)).toBe(2);
  });
});
