import { z } from "zod";
import { type EmulatorOptions, revisions } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import type { EngineModel } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite, ofTest } from "../support/of-suite";

// A deployment and its rollout, wired as the classes do it, while a revision does not serve: failed, unfinished, or not named yet.

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ buildSeconds: 60 }));

const Outputs = z.looseObject({ latestRevisionId: z.string().nullish() });

const agentOf = (imageUri: string, over: JsonObject = {}): JsonObject => ({
  name: "agent",
  source: "external_docker",
  sourceRevisionConfig: { imageUri },
  ...over,
});

/** The two resources of `new Deployment`: a deployment, and the rollout of the revision that it names. */
class Pair {
  private constructor(
    readonly deployment: EngineModel,
    readonly rollout: EngineModel,
  ) {}

  static async on(under: PlatformUnderTest): Promise<Pair> {
    return new Pair(await under.resource("Deployment"), await under.resource("Rollout"));
  }

  async up(image: string, over: JsonObject = {}): Promise<void> {
    await this.deployment.up(agentOf(image, over));
    await this.rollout.up(this.rolloutInputs);
  }

  get rolloutInputs() {
    const { id, outputs } = this.deployment.current;
    return { deploymentId: id, revisionId: Outputs.parse(outputs).latestRevisionId ?? null };
  }

  get latest(): string {
    return Outputs.parse(this.deployment.current.outputs).latestRevisionId ?? "";
  }

  async refresh(): Promise<boolean> {
    const drifts = [await this.deployment.refresh(), await this.rollout.refresh()];
    return drifts.includes(true);
  }
}

describe("a refresh after a rollout that failed", () => {
  test.each(["emulator-fail-build", "emulator-fail-deploy", "emulator-fail-create"])(
    "%s: says what is wrong, and the next up fails again instead of ending green",
    async (image) => {
      const pair = await Pair.on(platform);
      await pair.up("a:1");
      const served = pair.latest;
      expect(await failureOf(pair.up(image))).toMatch(/_FAILED/);
      expect(await pair.refresh()).toBe(true);
      const status = `${image.replace("emulator-fail-", "").toUpperCase()}_FAILED`;
      expect(pair.rollout.current.inputs["problem"]).toBe(
        `revision ${pair.latest} ended as ${status}; ${served} still serves`,
      );
      expect(pair.rollout.current.outputs).toMatchObject({ revisionId: served, activeRevisionId: served });
      expect(await failureOf(pair.up(image))).toMatch(/_FAILED/);
      await pair.up("a:3");
      expect(pair.rollout.current.outputs["activeRevisionId"]).toBe(pair.latest);
      expect(await pair.refresh()).toBe(false);
      expect(pair.rollout.current.inputs).not.toHaveProperty("problem");
    },
  );

  test("with buildOnPush: a failed push is named, and not followed", async () => {
    const pair = await Pair.on(platform);
    await pair.up("a:1");
    await pair.rollout.up({ ...pair.rolloutInputs, followsPushes: true });
    const { id } = pair.deployment.current;
    await platform.ask("PATCH", `/v2/deployments/${id}`, {
      source_revision_config: { image_uri: "emulator-fail-build" },
    });
    platform.clock.advance(61_000);
    expect(await pair.rollout.refresh()).toBe(true);
    expect(pair.rollout.current.inputs["problem"]).toMatch(/ended as BUILD_FAILED; .* still serves/);
    expect(pair.rollout.current.outputs["__followedRevisionId"]).toBeUndefined();
  });

  test("that an earlier version had turned green: the next refresh says so", async () => {
    const pair = await Pair.on(platform);
    await pair.up("a:1");
    await failureOf(pair.up("emulator-fail-build"));
    const { state } = pair.rollout;
    // As an earlier refresh wrote it: the failed revision, as if it were deployed.
    if (state) Object.assign(state.inputs, { revisionId: pair.latest });
    if (state) Object.assign(state.outputs, { revisionId: pair.latest });
    expect(await pair.refresh()).toBe(true);
    expect(await failureOf(pair.up("emulator-fail-build"))).toMatch(/BUILD_FAILED/);
  });
});

test("a refresh after a wait that was cut off leaves the rollout where it is, and the next up goes on waiting", async () => {
  const pair = await Pair.on(platform);
  await pair.up("a:1");
  const served = pair.latest;
  await pair.deployment.up(agentOf("a:2"));
  expect(await pair.refresh()).toBe(true);
  expect(pair.rollout.current.inputs["problem"]).toMatch(new RegExp(`is [A-Z_]+; ${served} still serves`));
  const began = platform.clock.now();
  await pair.up("a:2");
  expect(platform.clock.now() - began).toBeGreaterThan(50_000);
  expect(pair.rollout.current.outputs["activeRevisionId"]).toBe(pair.latest);
});

describe("somebody's revision that comes during the wait never turns it green", () => {
  const refusal =
    /revision .* has taken the place of .*, and is not as declared \(sourceRevisionConfig\): somebody else made it/;
  const push = (under: PlatformUnderTest, { deployment }: Pair, image: string) =>
    under.ask("PATCH", `/v2/deployments/${deployment.current.id}`, { source_revision_config: { image_uri: image } });

  test.each<[what: string, options: EmulatorOptions]>([
    ["of a revision that has its name at once", {}],
    ["of one that is named late", { lateRevision: { names: "the one before", ms: 20_000 } }],
  ])("%s", async (_what, options) => {
    const under = ofTest(await PlatformUnderTest.start({ buildSeconds: 60, ...options }));
    const pair = await Pair.on(under);
    await pair.up("a:1");
    await pair.deployment.up(agentOf("a:2"));
    under.clock.advance(2_000);
    await push(under, pair, "a:hand");
    expect(await failureOf(pair.rollout.up(pair.rolloutInputs))).toMatch(refusal);
  });

  test("of the first one, which is named late", async () => {
    const under = ofTest(await PlatformUnderTest.start({ buildSeconds: 60, nullLatestRevisionMs: 20_000 }));
    const pair = await Pair.on(under);
    await pair.deployment.up(agentOf("a:1"));
    under.clock.advance(1_000);
    await push(under, pair, "a:hand");
    expect(await failureOf(pair.rollout.up(pair.rolloutInputs))).toMatch(refusal);
  });

  test("that has other variables, where a later one is the latest, so that no answer shows them", async () => {
    const under = ofTest(await PlatformUnderTest.start({ buildSeconds: 60 }));
    const pair = await Pair.on(under);
    await pair.up("a:1", { secrets: { TOKEN: "t-1" } });
    const before = pair.latest;
    // The wait is cut off, and the revision comes to serve.
    await pair.deployment.up(agentOf("a:1", { secrets: { TOKEN: "t-2" } }));
    under.clock.advance(100_000);
    await under.ask("POST", `/v2/deployments/${pair.deployment.current.id}/revisions/${before}/redeploy`);
    under.clock.advance(100_000);
    await push(under, pair, "a:building");
    under.clock.advance(10_000);
    expect(await failureOf(pair.rollout.up(pair.rolloutInputs))).toMatch(
      /has taken the place of .*, and is not shown to be as declared \(secrets\): somebody else made it/,
    );
  });

  test.each(["emulator-fail-build", "a:building"])("also where a later one is the latest: %s", async (later) => {
    const under = ofTest(await PlatformUnderTest.start({ buildSeconds: 60 }));
    const pair = await Pair.on(under);
    await pair.up("a:1");
    // The wait is cut off, and the revision comes to serve.
    await pair.deployment.up(agentOf("a:2"));
    for (const image of ["a:hand", later]) {
      under.clock.advance(100_000);
      await push(under, pair, image);
    }
    under.clock.advance(later === "a:building" ? 10_000 : 100_000);
    expect(await failureOf(pair.rollout.up(pair.rolloutInputs))).toMatch(refusal);
  });
});

describe("a PATCH that is answered before its revision has a name", () => {
  test.each<["the one before" | "none", number]>([
    ["the one before", 20_000],
    ["none", 20_000],
    ["the one before", 70_000],
  ])("%s for %d ms: the rollout waits for the new revision, not for the previous one", async (names, ms) => {
    const under = ofTest(await PlatformUnderTest.start({ buildSeconds: 60, lateRevision: { names, ms } }));

    const pair = await Pair.on(under);
    await pair.up("a:1");
    const before = pair.rollout.current.outputs["activeRevisionId"];
    const began = under.clock.now();
    await pair.up("a:2");
    expect(under.clock.now() - began).toBeGreaterThanOrEqual(60_000);
    const after = pair.rollout.current.outputs["activeRevisionId"];
    expect(after).not.toBe(before);
    expect(await pair.refresh()).toBe(false);
    expect(pair.latest).toBe(after);
    expect(await pair.rollout.up(pair.rolloutInputs)).toBe("same");
    await pair.up("emulator-fail-build").catch(() => undefined);
    expect(await failureOf(pair.rollout.up(pair.rolloutInputs))).toMatch(/BUILD_FAILED/);
  });

  test("the rollout does not take a revision that somebody has made before for the new one", async () => {
    const under = ofTest(
      await PlatformUnderTest.start({ buildSeconds: 60, lateRevision: { names: "the one before", ms: 20_000 } }),
    );
    const pair = await Pair.on(under);
    await pair.up("a:1");
    const pushed = { source_revision_config: { image_uri: "a:pushed" } };
    await under.ask("PATCH", `/v2/deployments/${pair.deployment.current.id}`, pushed);
    under.clock.advance(120_000);
    const began = under.clock.now();
    await pair.up("a:2");
    expect(under.clock.now() - began).toBeGreaterThanOrEqual(60_000);
    expect(pair.rollout.current.outputs["activeRevisionId"]).toBe(
      under.emulator.outOfBand(revisions).list().at(-1)?.id,
    );
  });
});

describe("a wait", () => {
  test.each<[why: string, fault: Parameters<PlatformUnderTest["emulator"]["faults"]["add"]>[0]]>([
    ["a minute of 503", { kind: "status", status: 503, path: "/v2/deployments/**", count: 40 }],
    [
      "a 429 whose Retry-After is longer than a request may take",
      { kind: "status", status: 429, retryAfter: 90, path: "/v2/deployments/*/revisions/*", count: 1 },
    ],
    ["a 404 of a fresh revision", { kind: "status", status: 404, path: "/v2/deployments/*/revisions/*", count: 1 }],
  ])("outlives %s", async (_why, fault) => {
    const pair = await Pair.on(platform);
    await pair.deployment.up(agentOf("a:1"));
    platform.emulator.faults.add(fault);
    await pair.rollout.up(pair.rolloutInputs);
    expect(pair.rollout.current.outputs["activeRevisionId"]).toBe(pair.latest);
  });

  test("for a deletion outlives them too", async () => {
    const pair = await Pair.on(platform);
    await pair.up("a:1");
    const path = "/v2/deployments/*";
    platform.emulator.faults.add({ kind: "status", status: 503, method: "GET", path, nth: 2, count: 40 });
    await pair.deployment.destroy();
  });

  test("that a refused key ends names object, revision, last status, time and next step", async () => {
    const pair = await Pair.on(platform);
    await pair.deployment.up(agentOf("a:1"));
    const path = "/v2/deployments/*/revisions/*";
    platform.emulator.faults.add({ kind: "status", status: 403, path, nth: 8, count: 5 });
    const message = await failureOf(pair.rollout.up({ ...pair.rolloutInputs, deploymentName: "agent" }));
    expect(message).toMatch(
      /deployment "agent" \([0-9a-f-]+\): the wait for revision [0-9a-f-]+ ended after \d+s, its last status was [A-Z_]+: GET .* answered 403/,
    );
    expect(message).toMatch(/run `pulumi up` again, which resumes the wait/);
  });
});

test.each([
  ["is waited for until the platform names it", ["a:1", "a:2"], 20_000, 80, false],
  ["is waited for, too, where it is the first one: until then the agent has no address", ["a:1"], 20_000, 80, false],
  ["is done after a minute, with a warning that names both", ["a:1", "a:2"], 600_000, 120, true],
])(
  "a revision that is DEPLOYED while another one is still named as active %s",
  async (_what, images, staleActiveMs, seconds, warns) => {
    const under = ofTest(await PlatformUnderTest.start({ buildSeconds: 60, staleActiveMs }));
    const pair = await Pair.on(under);
    let [began, before] = [0, ""];
    for (const image of images) {
      under.clock.advance(700_000);
      [began, before] = [under.clock.now(), pair.deployment.hasState ? pair.latest : ""];
      await pair.up(image);
    }
    const waited = (under.clock.now() - began) / 1000;
    expect(waited).toBeGreaterThanOrEqual(seconds);
    expect(waited).toBeLessThan(seconds + 10);
    expect(pair.rollout.current.outputs["activeRevisionId"]).toBe(pair.latest);
    const warning = `revision ${pair.latest} is DEPLOYED, but the platform still names ${before} as the active one`;
    expect(under.warnings).toEqual(warns ? [expect.stringContaining(warning)] : []);
  },
);

test("a revision from before the one that is skipped, which a stale answer names, is not taken for its successor", async () => {
  const under = ofTest(await PlatformUnderTest.start({ buildSeconds: 60, secrets: "names" }));
  const pair = await Pair.on(under);
  await pair.up("a:1", { secrets: { TOKEN: "t-1" } });
  under.emulator.faults.add({ kind: "stale-read", path: "/v2/deployments/*", writes: 2, count: 2 });
  await pair.deployment.up(agentOf("a:1", { secrets: { TOKEN: "t-2" } }));
  under.clock.advance(1_000);
  const body = { source_revision_config: { image_uri: "a:1" } };
  await under.ask("PATCH", `/v2/deployments/${pair.deployment.current.id}`, body);
  await pair.rollout.up(pair.rolloutInputs);
  expect(pair.rollout.current.outputs["activeRevisionId"]).toBe(under.emulator.outOfBand(revisions).list().at(-1)?.id);
});

test("a revision that is DEPLOYED while an earlier one is active is waited for, too, where a newer one is being built", async () => {
  const under = ofTest(await PlatformUnderTest.start({ buildSeconds: 60, staleActiveMs: 20_000 }));
  const pair = await Pair.on(under);
  await pair.up("a:1");
  await pair.deployment.up(agentOf("a:2"));
  const body = { source_revision_config: { image_uri: "a:hand" } };
  under.clock.advance(61_000);
  await under.ask("PATCH", `/v2/deployments/${pair.deployment.current.id}`, body);
  const began = under.clock.now();
  await pair.rollout.up(pair.rolloutInputs);
  expect(under.clock.now() - began).toBeGreaterThanOrEqual(19_000);
  expect([pair.rollout.current.outputs["activeRevisionId"], under.warnings]).toEqual([pair.latest, []]);
});

test.each([
  [59, "none: it may be about to switch", 0],
  [61, "one that names both", 1],
])(
  "a read of a revision that is DEPLOYED for %d s while another one is active gives %s",
  async (seconds, _, warnings) => {
    const under = ofTest(await PlatformUnderTest.start({ buildSeconds: 60, staleActiveMs: 600_000 }));
    const pair = await Pair.on(under);
    await pair.up("a:1");
    under.clock.advance(600_000);
    const before = pair.latest;
    await pair.deployment.up(agentOf("a:2"));
    under.clock.advance(60_000 + seconds * 1000);
    await pair.refresh();
    expect(under.warnings).toHaveLength(warnings);
    for (const line of under.warnings) {
      expect(line).toMatch(
        `revision ${pair.latest} is DEPLOYED, but the platform still names ${before} as the active one`,
      );
    }
  },
);

describe("a deployment that is being deleted", () => {
  const deleting = async (): Promise<{ under: PlatformUnderTest; pair: Pair }> => {
    const under = ofTest(await PlatformUnderTest.start({ buildSeconds: 1, deleteSeconds: 30 }));
    const pair = await Pair.on(under);
    await pair.up("a:1");
    await under.ask("DELETE", `/v2/deployments/${pair.deployment.current.id}`);
    return { under, pair };
  };

  test("is drift, and the next up replaces it, once it is gone", async () => {
    const { pair } = await deleting();
    const before = pair.deployment.current.id;
    expect(await pair.refresh()).toBe(true);
    expect(pair.deployment.current.inputs["problem"]).toBe("is being deleted (AWAITING_DELETE)");
    await pair.up("a:1");
    expect(pair.deployment.current.id).not.toBe(before);
    expect(await pair.refresh()).toBe(false);
  });

  test("is not rolled out, nor updated", async () => {
    const { under, pair } = await deleting();
    const fresh = await under.resource("Rollout");
    expect(await failureOf(fresh.up(pair.rolloutInputs))).toMatch(/is being deleted .*pulumi up --refresh/);
    expect(await failureOf(pair.up("a:2"))).toMatch(/is being deleted .*pulumi up --refresh/);
  });

  test("is not adopted: its name is waited for, and a new one is made", async () => {
    const { under, pair } = await deleting();
    const other = await under.resource("Deployment");
    await other.up(agentOf("a:1", { adopt: true }));
    expect(other.current.id).not.toBe(pair.deployment.current.id);
  });

  test("whose name is declared again is waited for", async () => {
    const { under } = await deleting();
    const other = await under.resource("Deployment");
    await other.up(agentOf("a:1"));
  });
});

test("an update of a deployment that is gone says what to do", async () => {
  const pair = await Pair.on(platform);
  await pair.up("a:1");
  await platform.ask("DELETE", `/v2/deployments/${pair.deployment.current.id}`);
  platform.clock.advance(120_000);
  expect(await failureOf(pair.up("a:2"))).toMatch(
    /Deployment "agent" .* no longer exists on the platform; run `pulumi refresh`, then `pulumi up`/,
  );
});
