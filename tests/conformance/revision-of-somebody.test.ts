import { z } from "zod";
import { deployments, revisions, type Layer } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import type { EngineModel } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite } from "../support/of-suite";

// Somebody else makes a revision between two runs of the program. What an update believes of it, and what goes along with the next image: on a platform that
// shows the values of variables, and on one that shows their names alone.

const github = {
  name: "agent",
  source: "github",
  sourceConfig: { integrationId: "i", repoUrl: "https://git.example/agent", deploymentType: "dev" },
  sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
};
const image = (imageUri: string, over: JsonObject = {}): JsonObject => ({
  name: "agent",
  source: "external_docker",
  sourceConfig: { resourceSpec: {} },
  sourceRevisionConfig: { imageUri },
  ...over,
});

const Config = z.object({ customUrl: z.string().optional(), buildOnPush: z.boolean().default(false) });
const Body = z.record(z.string(), z.unknown());

describe.each(["values", "names"] as const)("on a platform that shows %s", (secrets) => {
  const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ buildSeconds: 1, secrets }));
  let deployment: EngineModel;
  let rollout: EngineModel;
  beforeEach(async () => {
    [deployment, rollout] = [await platform.resource("Deployment"), await platform.resource("Rollout")];
  });

  /** One `pulumi up` of a deployment and its Rollout, wired as the class does it. */
  const up = async (program: JsonObject): Promise<void> => {
    await deployment.up(program);
    const { id, outputs } = deployment.current;
    const { customUrl, buildOnPush } = Config.parse(program["sourceConfig"]);
    await rollout.up({
      deploymentId: id,
      revisionId: outputs["latestRevisionId"],
      deploymentName: "agent",
      followsPushes: buildOnPush,
      customUrl,
    });
  };
  const refresh = async (): Promise<boolean> => {
    const drifts = [await deployment.refresh(), await rollout.refresh()];
    return drifts.includes(true);
  };
  const all = () => platform.emulator.outOfBand(revisions).list();
  const live = () => platform.emulator.outOfBand(deployments).get("agent");
  const variables = () => Object.fromEntries(live().secrets.map(({ name, value }) => [name, value]));
  const path = () => `/v2/deployments/${deployment.current.id}`;
  /** Somebody's revision, which comes to serve. */
  const byHand = async (body: JsonObject): Promise<void> => {
    await platform.ask("PATCH", path(), body);
    platform.clock.advance(5_000);
  };
  const redeploy = async (index: number): Promise<void> => {
    await platform.ask("POST", `${path()}/revisions/${all()[index]?.id ?? ""}/redeploy`);
    platform.clock.advance(5_000);
  };
  const pushed = { source_revision_config: { image_uri: "pushed:1" } };

  describe("a body that makes no revision leaves the known one in state", () => {
    const url = { resourceSpec: {}, customUrl: "agent.example" };
    test.each<[what: string, over: JsonObject]>([
      ["displayName", { displayName: "The agent" }],
      ["a field of extra", { extra: { label: "a" } }],
      ["deleteTracingProject", { deleteTracingProject: true }],
      ["an environment that is given up", { environmentVariables: undefined }],
    ])("%s", async (_what, over) => {
      const before = image("a:1", { environmentVariables: { LEVEL: "info" } });
      await up(before);
      const { latestRevisionId: known } = deployment.current.outputs;
      await byHand(pushed);
      await up({ ...before, ...over });
      expect(deployment.current.outputs["latestRevisionId"]).toBe(known);
      expect(rollout.current.outputs).toMatchObject({ revisionId: known, activeRevisionId: known });
      // That there is another one is for a read to say.
      expect(await refresh()).toBe(true);
      expect(rollout.current.outputs["activeRevisionId"]).toBe(all()[1]?.id);
    });

    test("customUrl, whose Rollout looks where the agent is: it says that somebody else's revision serves", async () => {
      await up(image("a:1"));
      const { latestRevisionId: known } = deployment.current.outputs;
      await byHand(pushed);
      await expect(up(image("a:1", { sourceConfig: url }))).rejects.toThrow("somebody else made it");
      expect(deployment.current.outputs["latestRevisionId"]).toBe(known);
      expect(rollout.current.outputs["activeRevisionId"]).toBe(known);
    });

    test.each<[what: string, before: JsonObject, after: JsonObject]>([
      ["customUrl", image("a:1"), image("a:1", { sourceConfig: url })],
      ["buildOnPush", github, { ...github, sourceConfig: { ...github.sourceConfig, buildOnPush: true } }],
    ])("%s, where the platform shows no difference between the two", async (_what, before, after) => {
      await up(before);
      const { latestRevisionId: known } = deployment.current.outputs;
      await redeploy(0);
      await up(after);
      expect(deployment.current.outputs["latestRevisionId"]).toBe(known);
      expect(rollout.current.outputs["activeRevisionId"]).toBe(known);
    });

    test("an adoption that makes none takes over the latest one", async () => {
      await up(image("a:1"));
      platform.newProcess();
      [deployment, rollout] = [await platform.resource("Deployment"), await platform.resource("Rollout")];
      await up(image("a:1", { adopt: true, displayName: "The agent" }));
      expect(deployment.current.outputs["latestRevisionId"]).toBe(all()[0]?.id);
    });
  });

  describe("a variable that this program has changed is sent with the next revision, since an earlier one may have come back", () => {
    const first = { environmentVariables: { LEVEL: "info" }, secrets: { TOKEN: "t-1" } };
    test.each<[what: string, changed: JsonObject, refreshes: number]>([
      ["a secret", { secrets: { TOKEN: "t-2" } }, 0],
      ["a secret, after a refresh", { secrets: { TOKEN: "t-2" } }, 1],
      ["a plain variable", { environmentVariables: { LEVEL: "debug" } }, 0],
      ["a plain variable, after two refreshes", { environmentVariables: { LEVEL: "debug" } }, 2],
      ["one that is gone", { environmentVariables: {} }, 1],
    ])("%s", async (_what, changed, refreshes) => {
      const declared = { ...first, ...changed };
      await up(image("a:1", first));
      await up(image("a:1", declared));
      await redeploy(0);
      for (let times = 0; times < refreshes; times++) await refresh();
      await up(image("a:2", declared));
      expect(variables()).toEqual({ ...declared.environmentVariables, ...declared.secrets });
      expect(live().source_revision_config["image_uri"]).toBe("a:2");
      // And that one is ours.
      platform.emulator.clearLog();
      await up(image("a:3", declared));
      expect(bodies()).toEqual([["source_revision_config"]]);
    });

    test("also where the image that came back is the declared one: that it is there says nothing of the environment", async () => {
      await up(image("a:1", first));
      await up(image("a:1", { ...first, secrets: { TOKEN: "t-2" } }));
      await up(image("a:2", { ...first, secrets: { TOKEN: "t-2" } }));
      await redeploy(0);
      await up(image("a:1", { ...first, secrets: { TOKEN: "t-2" } }));
      expect(variables()).toEqual({ LEVEL: "info", TOKEN: "t-2" });
    });

    test("an adoption counts: it has sent them", async () => {
      await up(image("a:1", first));
      platform.newProcess();
      [deployment, rollout] = [await platform.resource("Deployment"), await platform.resource("Rollout")];
      const other = { ...first, secrets: { TOKEN: "t-2" }, adopt: true };
      await up(image("a:1", other));
      await redeploy(0);
      await refresh();
      await up(image("a:2", other));
      expect(variables()).toEqual({ LEVEL: "info", TOKEN: "t-2" });
    });

    test("a state of 0.2.0, which does not name them: all of them, if it says that a secret was changed", async () => {
      const declared = { ...first, secrets: { TOKEN: "t-2" } };
      await up(image("a:1", first));
      await up(image("a:1", declared));
      const { outputs } = deployment.current;
      deployment.current.outputs = { ...outputs, __changedVariables: undefined };
      await redeploy(0);
      await up(image("a:2", declared));
      expect(variables()).toEqual({ LEVEL: "info", TOKEN: "t-2" });
    });
  });

  test("a command that an earlier revision lacks is sent with the next one: an answer without it looks like one that hides it", async () => {
    await up(image("a:1"));
    const sourceConfig = { resourceSpec: {}, buildCommand: "make" };
    await up(image("a:1", { sourceConfig }));
    await redeploy(0);
    await up(image("a:2", { sourceConfig }));
    expect(live().source_config["build_command"]).toBe("make");
  });

  describe("a variable that only somebody else has changed", () => {
    // As with ignoreChanges: what is declared is what it was made with.
    const first = { environmentVariables: { LEVEL: "info" }, secrets: { TOKEN: "placeholder" } };
    const set = (value: string) =>
      byHand({
        secrets: [
          { name: "LEVEL", value: "info" },
          { name: "TOKEN", value },
        ],
      });

    test("is not overwritten by the next image, nor by the one after that", async () => {
      await up(image("a:1", first));
      await set("by hand");
      platform.emulator.clearLog();
      await up(image("a:2", first));
      await up(image("a:3", first));
      expect(bodies()).toEqual([["source_revision_config"], ["source_revision_config"]]);
      expect(variables()).toEqual({ LEVEL: "info", TOKEN: "by hand" });
    });

    test("nor after a refresh", async () => {
      await up(image("a:1", first));
      await set("by hand");
      await refresh();
      // ignoreChanges: the engine gives what the state declares.
      const { secrets: ignored } = deployment.current.inputs;
      await up(image("a:2", { ...first, secrets: ignored }));
      expect(variables()).toEqual({ LEVEL: "info", TOKEN: "by hand" });
    });

    test("is drift for a refresh, and restored by the up after that, where its value is shown", async () => {
      await up(image("a:1", first));
      await set("by hand");
      await up(image("a:2", first));
      expect(await refresh()).toBe(secrets === "values");
      await up(image("a:2", first));
      expect(variables()).toEqual({ LEVEL: "info", TOKEN: secrets === "values" ? "placeholder" : "by hand" });
    });

    test("goes along where another one changes, since the environment is one list: with its live value where that is shown", async () => {
      await up(image("a:1", first));
      for (const [level, value] of Object.entries({ debug: "by hand", trace: "by hand again" })) {
        await set(value);
        await up(image("a:1", { ...first, environmentVariables: { LEVEL: level } }));
        expect(variables()).toEqual({ LEVEL: level, TOKEN: secrets === "values" ? value : "placeholder" });
      }
    });

    test("is sent as declared by whoever asks for a revision anew, which does not change it", async () => {
      await up(image("a:1", first));
      await set("by hand");
      await up(image("a:1", { ...first, redeployTrigger: 1 }));
      expect(variables()).toEqual({ LEVEL: "info", TOKEN: "placeholder" });
      await set("by hand again");
      await up(image("a:2", { ...first, redeployTrigger: 1 }));
      expect(variables()).toEqual({ LEVEL: "info", TOKEN: "by hand again" });
    });

    test("does not make a lost answer unclear: one revision", async () => {
      await up(image("a:1", first));
      await set("by hand");
      platform.emulator.faults.add({ kind: "reset-after-commit", method: "PATCH", count: 1 });
      await up(image("a:2", first));
      expect(all()).toHaveLength(3);
      expect(variables()).toEqual({ LEVEL: "info", TOKEN: "by hand" });
    });

    test("nor a run that was cut off between the PATCH and its answer", async () => {
      await up(image("a:1", first));
      await set("by hand");
      await byHand({ source_revision_config: { image_uri: "a:2" } });
      await up(image("a:2", first));
      expect(all()).toHaveLength(3);
    });
  });

  /** The fields of the PATCHes. */
  const bodies = (): string[][] =>
    platform.emulator.requests
      .filter(({ method }) => method === "PATCH")
      .map(({ requestBody }) => Object.keys(Body.parse(requestBody)).sort());
});

describe("a platform that repeats what it refuses", () => {
  const refusing: Layer = {
    afterCommit: ({ request }, response) => {
      const refusal = Response.json({ detail: "TOKEN=canary-4711 is refused" }, { status: 422 });
      return Promise.resolve(request.method === "PATCH" ? refusal : response);
    },
  };
  const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ layers: [refusing] }));

  test("no message shows a secret that somebody else has set, and that goes along", async () => {
    const deployment = await platform.resource("Deployment");
    const first = { environmentVariables: { LEVEL: "info" }, secrets: { TOKEN: "placeholder" } };
    await deployment.up(image("a:1", first));
    const byHand = { LEVEL: "info", TOKEN: "canary-4711" };
    const secrets = Object.entries(byHand).map(([name, value]) => ({ name, value }));
    platform.emulator.outOfBand(deployments).change("agent", { secrets });
    const said = await failureOf(deployment.up(image("a:1", { ...first, environmentVariables: { LEVEL: "debug" } })));
    expect(said).toMatch(/TOKEN=\S+ is refused/);
    expect(said).not.toContain("canary-4711");
  });
});

describe("on a platform that names the first revision late", () => {
  const late = { ms: 3000, names: "none" } as const;
  const platform = ofSuite(PlatformUnderTest.prototype, () =>
    PlatformUnderTest.start({ buildSeconds: 1, nullLatestRevisionMs: 2000, lateRevision: late }),
  );

  test("the next revision is as declared: no name in state tells somebody's from its own", async () => {
    const deployment = await platform.resource("Deployment");
    await deployment.up(image("ours:1"));
    expect(deployment.current.outputs["latestRevisionId"]).toBeNull();
    platform.clock.advance(60_000);
    const body = { source_revision_config: { image_uri: "pushed:1" } };
    await platform.ask("PATCH", `/v2/deployments/${deployment.current.id}`, body);
    platform.clock.advance(60_000);
    await deployment.up(image("ours:1", { sourceConfig: { resourceSpec: { cpu: 2 } } }));
    const { source_revision_config: config } = platform.emulator.outOfBand(deployments).get("agent");
    expect(config).toEqual({ image_uri: "ours:1" });
  });
});
