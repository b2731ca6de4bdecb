import { z } from "zod";
import { deployments, revisions, type Layer } from "../../emulator";
import type { EngineModel } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite, ofTest } from "../support/of-suite";
import { deploymentOf } from "../support/ask";

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ buildSeconds: 300 }));

const Created = z.object({ id: z.string(), latest_revision_id: z.string().nullable() });

const deploy = async (over: Record<string, unknown> = {}, on = platform) =>
  Created.parse(await on.ask("POST", "/v2/deployments", { ...deploymentOf("agent", "a:1"), ...over }));
const patch = async (id: string, image: string) =>
  Created.parse(await platform.ask("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: image } }));
const inputsOf = ({ id, latest_revision_id: revisionId }: z.infer<typeof Created>) => ({
  deploymentId: id,
  revisionId,
  deploymentName: "agent",
});
const rollout = (): Promise<EngineModel> => platform.resource("Rollout");

test("up waits until the revision is DEPLOYED, and records where the agent answers", async () => {
  const made = await deploy();
  const resource = await rollout();
  const began = platform.clock.now();
  await resource.up(inputsOf(made));
  const waited = platform.clock.now() - began;
  expect(waited).toBeGreaterThanOrEqual(300_000);
  expect(waited).toBeLessThan(312_000);
  expect(resource.current).toMatchObject({
    // The id does not name the revision: an id never changes, and the next update rolls out another revision.
    id: made.id,
    outputs: { activeRevisionId: made.latest_revision_id, url: `${platform.emulator.url}/agents/${made.id}` },
  });
  expect(platform.progress.join("\n")).toMatch(/agent.*BUILDING; Ctrl-C twice ends the wait/);
  expect(platform.progress.at(-1)).toMatch(/^DEPLOYED in 5m(\d+s)?$/);
});

test("it waits for the revision that it was told, and only reads", async () => {
  const resource = await rollout();
  const made = await deploy();
  platform.emulator.clearLog();
  await resource.up(inputsOf(made));
  expect(platform.changing()).toEqual([]);
  expect(new Set(platform.emulator.requests.slice(0, -1).map(({ path }) => path))).toEqual(
    new Set([`/v2/deployments/${made.id}/revisions/${made.latest_revision_id ?? ""}`]),
  );
});

test("it polls within half of the rate limit, whatever else the process has to ask", async () => {
  const made = await deploy();
  const resource = await platform.resource("Rollout", { rateLimit: "2" });
  platform.emulator.clearLog();
  await resource.up(inputsOf(made));
  // One poll in ten seconds, and a look at the deployment in the end.
  expect(platform.emulator.requests.length).toBeLessThanOrEqual(33);
});

test("it ends with the revision's own word: a deployment may name one as active that does not serve", async () => {
  const early: Layer = {
    afterCommit: async ({ request, url }, response) => {
      if (request.method !== "GET" || !/^\/v2\/deployments\/[^/]+$/.test(url.pathname)) return response;
      const live = z.looseObject({ latest_revision_id: z.string().nullable() }).parse(await response.json());
      return Response.json({ ...live, active_revision_id: live.latest_revision_id });
    },
  };
  const on = ofTest(await PlatformUnderTest.start({ buildSeconds: 300, layers: [early] }));
  const made = await deploy({ source_revision_config: { image_uri: "emulator-fail-build" } }, on);
  expect(await failureOf((await on.resource("Rollout")).up(inputsOf(made)))).toMatch(/ended as BUILD_FAILED/);
});

test("it ends at once where the deployment is gone, and says so", async () => {
  const made = await deploy();
  platform.emulator.outOfBand(deployments).remove("agent");
  const began = platform.clock.now();
  expect(await failureOf((await rollout()).up(inputsOf(made)))).toMatch(/is gone; run `pulumi up --refresh`/);
  expect(platform.clock.now() - began).toBeLessThan(1000);
});

test.each(["emulator-fail-create", "emulator-fail-build", "emulator-fail-deploy"])(
  "%s ends the wait at once, with revision, status, time and next step",
  async (image) => {
    const made = await deploy({ source_revision_config: { image_uri: image } });
    const message = await failureOf((await rollout()).up(inputsOf(made)));
    const status = `${image.replace("emulator-fail-", "").toUpperCase()}_FAILED`;
    expect(message).toMatch(
      new RegExp(
        `deployment "agent" \\(${made.id}\\): revision ${made.latest_revision_id ?? ""} ended as ${status} after \\d+m?\\d*s`,
      ),
    );
    expect(message).toMatch(/run `pulumi up`.*redeployTrigger/s);
  },
);

test("a revision that never ends is given up at the deadline, with the last status and the next step", async () => {
  const made = await deploy({ source_revision_config: { image_uri: "emulator-stuck" } });
  const began = platform.clock.now();
  const message = await failureOf((await rollout()).up({ ...inputsOf(made), rolloutTimeout: "45m" }));
  expect(platform.clock.now() - began).toBe(45 * 60_000);
  expect(message).toMatch(
    /still BUILDING after 45m\n.*run `pulumi up` again, which resumes the wait; or raise rolloutTimeout/,
  );
});

test("a superseded revision is followed to its successor, and that is not a change afterwards", async () => {
  const made = await deploy();
  const newer = await patch(made.id, "a:2");
  const resource = await rollout();
  await resource.up(inputsOf(made));
  expect(resource.current.outputs).toMatchObject({
    revisionId: made.latest_revision_id,
    activeRevisionId: newer.latest_revision_id,
  });
  expect(await resource.up(inputsOf(made))).toBe("same");
  expect(await resource.refresh()).toBe(false);
  // The deployment's next read names the newer revision.
  expect(await resource.up(inputsOf(newer))).toBe("same");
});

test("a deployment without a revision yet is asked until it has one", async () => {
  const slow = ofTest(await PlatformUnderTest.start({ nullLatestRevisionMs: 20_000 }));
  const made = await deploy({}, slow);
  expect(made.latest_revision_id).toBeNull();
  const resource = await slow.resource("Rollout");
  await resource.up(inputsOf(made));
  const [revision] = slow.emulator.outOfBand(revisions).list();
  expect(resource.current).toMatchObject({
    id: made.id,
    outputs: { activeRevisionId: revision?.id },
  });
  // The deployment's next read names it; that is not a change.
  expect(await resource.up({ ...inputsOf(made), revisionId: revision?.id ?? "" })).toBe("same");
});

describe("a revision made behind the program's back", () => {
  test("is drift of the rollout, which moves to it once it serves", async () => {
    const made = await deploy();
    const resource = await rollout();
    await resource.up(inputsOf(made));
    const newer = await patch(made.id, "a:2");
    platform.clock.advance(301_000);
    expect(await resource.refresh()).toBe(true);
    // Inputs that the platform does not know are kept too: otherwise the next preview would show them as added.
    expect(resource.current.inputs).toMatchObject({ revisionId: newer.latest_revision_id, deploymentName: "agent" });
  });

  test("is not taken over by an update of something else, even if it does not differ: a read moves to it", async () => {
    const made = await deploy();
    const resource = await rollout();
    await resource.up(inputsOf(made));
    const redeploy = `/v2/deployments/${made.id}/revisions/${made.latest_revision_id ?? ""}/redeploy`;
    const newer = Created.parse(await platform.ask("POST", redeploy));
    platform.clock.advance(301_000);
    await resource.up({ ...inputsOf(made), customUrl: "agent.example" });
    expect(resource.current.outputs["activeRevisionId"]).toBe(made.latest_revision_id);
    expect(await resource.refresh()).toBe(true);
    expect(resource.current.outputs["activeRevisionId"]).toBe(newer.latest_revision_id);
  });

  test("is not drift where pushes make revisions by themselves", async () => {
    const made = await deploy();
    const resource = await rollout();
    await resource.up({ ...inputsOf(made), followsPushes: true });
    await patch(made.id, "a:2");
    expect(await resource.refresh()).toBe(false);
    platform.clock.advance(301_000);
    expect(await resource.refresh()).toBe(false);
  });
});

test("a new revision is waited for in an update, another deployment's in a replacement", async () => {
  const made = await deploy();
  const resource = await rollout();
  await resource.up(inputsOf(made));
  expect(await resource.up(inputsOf(await patch(made.id, "a:2")))).toBe("update");
  expect(await resource.up(inputsOf(await deploy({ name: "other" })))).toBe("replace");
});

test("delete sends nothing; a deployment that is gone takes its rollout with it", async () => {
  const made = await deploy();
  const resource = await rollout();
  await resource.up(inputsOf(made));
  platform.emulator.clearLog();
  await resource.handler.delete(resource.current.id, resource.current.outputs);
  expect(platform.emulator.requests).toEqual([]);
  platform.emulator.outOfBand(deployments).remove("agent");
  await resource.refresh();
  expect(resource.state).toBeUndefined();
});

describe("how often a revision is polled", () => {
  const polls = (): number => platform.emulator.requests.filter(({ path }) => path.includes("/revisions/")).length;

  test("follows from its age, also in a wait that began late", async () => {
    const made = await deploy();
    platform.clock.advance(200_000);
    const resource = await rollout();
    await resource.up(inputsOf(made));
    // It is 200 s old: there is no need to ask four times a second.
    expect(polls()).toBeLessThan(30);
  });

  test("follows from the time waited, where the revision is from the future of the platform's clock", async () => {
    const ahead: Layer = {
      afterCommit: async ({ url }, response) => {
        if (!/\/revisions\/[^/]+$/.test(url.pathname)) return response;
        const body = z.looseObject({ created_at: z.string() }).parse(await response.json());
        return Response.json({ ...body, created_at: new Date(Date.parse(body.created_at) + 3_600_000).toISOString() });
      },
    };
    const on = ofTest(await PlatformUnderTest.start({ buildSeconds: 300, layers: [ahead] }));
    const made = await deploy({}, on);
    const resource = await on.resource("Rollout");
    on.emulator.clearLog();
    await resource.up(inputsOf(made));
    expect(on.emulator.requests.length).toBeLessThan(300);
  });

  test("does not follow from what states of earlier versions have kept, which goes with the next wait", async () => {
    const made = await deploy();
    const resource = await rollout();
    await resource.up(inputsOf(made));
    if (resource.state) resource.state.outputs["__durationsMs"] = [3_600_000];
    expect(await resource.refresh()).toBe(false);
    const newer = await patch(made.id, "a:2");
    const began = platform.clock.now();
    await resource.up(inputsOf(newer));
    expect(platform.clock.now() - began - 300_000).toBeLessThan(0.04 * 300_000);
    expect(resource.current.outputs).not.toHaveProperty("__durationsMs");
  });
});
