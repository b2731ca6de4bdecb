import { z } from "zod";
import {
  deployments,
  oauthProviders,
  revisions,
  sandboxSnapshots,
  sandboxTemplates,
  type Exchange,
  type Layer,
} from "../../emulator";
import { providerOf } from "../support/ask";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite } from "../support/of-suite";
import { CASES } from "./cases";

// What somebody does between two requests of a verb. tests/player found these, and plays all others.

const template = { name: "a", image: "i:1", resources: { cpu: "1", memory: "1Gi" } };
const snapshot = { name: "python", dockerImage: "python:3", fsCapacityBytes: 1024, __progressUrn: "urn:a::b::c::d" };

/** Done once, before a request of ours: by somebody, whose own requests pass. */
let meanwhile: { readonly before: string; readonly does: () => Promise<void> | void } | undefined;
const layer: Layer = {
  async beforeRoute({ request, url }: Exchange) {
    if (meanwhile === undefined || !`${request.method} ${url.pathname}`.startsWith(meanwhile.before)) return undefined;
    const { does } = meanwhile;
    meanwhile = undefined;
    await does();
    return undefined;
  },
};

const platform = ofSuite(PlatformUnderTest.prototype, () =>
  PlatformUnderTest.start({ layers: [layer], buildSeconds: 1 }),
);
beforeEach(() => void (meanwhile = undefined));

describe("an object that somebody deletes and makes anew", () => {
  const provider = { ...CASES.OAuthProvider.program, providerId: "work" };
  const remakeProvider = async (): Promise<void> => {
    platform.emulator.outOfBand(oauthProviders).remove("work");
    await platform.ask("POST", "/v2/auth/providers", { ...providerOf("work", "theirs"), name: "Theirs" });
  };
  const stored = () => platform.emulator.outOfBand(oauthProviders).get("work");

  test("is not deleted by its provider_id, which the new one has", async () => {
    const resource = await platform.resource("OAuthProvider");
    await resource.up(provider);
    await remakeProvider();
    await resource.destroy();
    expect(stored().name).toBe("Theirs");
    expect(platform.warnings.join()).toContain('OAuthProvider "work" was recreated outside of this stack; it stays');
  });

  test("is not changed by it either", async () => {
    const resource = await platform.resource("OAuthProvider");
    await resource.up(provider);
    await remakeProvider();
    platform.emulator.clearLog();
    const said = await failureOf(resource.up({ ...provider, clientId: "other" }));
    expect(said).toBe('OAuthProvider "work" no longer exists on the platform; run `pulumi refresh`, then `pulumi up`');
    expect(platform.changing()).toEqual([]);
  });

  test("between the look and the change, which has no condition: the error says where the change went", async () => {
    const resource = await platform.resource("OAuthProvider");
    await resource.up(provider);
    meanwhile = { before: "PATCH /v2/auth/providers", does: remakeProvider };
    expect(await failureOf(resource.up({ ...provider, clientId: "other" }))).toMatch(
      /^OAuthProvider "work" was deleted and made anew outside of this stack while it was updated, so the change went to the new one; run `pulumi up --refresh`/,
    );
  });

  test("under its name, between the look and a rename: the same", async () => {
    const resource = await platform.resource("SandboxTemplate");
    await resource.up(template);
    meanwhile = {
      before: "PATCH /v2/sandboxes/templates",
      does: async () => {
        platform.emulator.outOfBand(sandboxTemplates).remove("a");
        await platform.ask("POST", "/v2/sandboxes/templates", { ...template, image: "theirs:1" });
      },
    };
    expect(await failureOf(resource.up({ ...template, name: "b" }))).toMatch(
      /^SandboxTemplate "a" was deleted and made anew .* so the change went to the new one/,
    );
  });
});

describe("a list that comes late", () => {
  test("after a rename whose answer was lost: the old name in it is not believed, since a look-up has denied it", async () => {
    const resource = await platform.resource("SandboxTemplate");
    await resource.up(template);
    platform.emulator.faults.add({ kind: "reset-after-commit", method: "PATCH", count: 1 });
    platform.emulator.faults.add({ kind: "stale-read", path: "/v2/sandboxes/templates", count: 1 });
    expect(await resource.up({ ...template, name: "b" })).toBe("update");
    expect(resource.current.outputs["name"]).toBe("b");
  });

  test("after a creation whose answer was lost: what has the name then is found, and not made twice", async () => {
    const resource = await platform.resource("SandboxSnapshot");
    platform.emulator.faults.add({ kind: "reset-after-commit", method: "POST", count: 1 });
    platform.emulator.faults.add({ kind: "stale-read", path: "/v2/sandboxes/snapshots", count: 1 });
    await resource.up(snapshot);
    const made = platform.emulator.outOfBand(sandboxSnapshots).list();
    expect(made.map(({ id }) => id)).toEqual([resource.current.id]);
  });
});

describe("a creation whose answer was lost", () => {
  const theirs = { name: "python", docker_image: "theirs:1", fs_capacity_bytes: 1024 };
  const made = () =>
    platform.emulator
      .outOfBand(sandboxSnapshots)
      .list()
      .filter(({ docker_image }) => docker_image === "python:3");

  test.each<[reason: string, look: string, isLate: boolean]>([
    ["before the next look", "GET /v2/sandboxes/snapshots", false],
    ["once a list that came late has not shown it", "GET /v2/sandboxes/snapshots", true],
  ])("of a snapshot whose tag somebody takes %s: it is found, and not made twice", async (_reason, look, isLate) => {
    const resource = await platform.resource("SandboxSnapshot");
    platform.emulator.faults.add({ kind: "reset-after-commit", method: "POST", count: 1 });
    const takeTag = async (): Promise<void> => {
      platform.clock.advance(5_000);
      await platform.ask("POST", "/v2/sandboxes/snapshots", theirs);
      platform.clock.advance(5_000);
    };
    meanwhile = {
      before: "POST /v2/sandboxes/snapshots",
      does: () => {
        if (isLate) platform.emulator.faults.add({ kind: "stale-read", path: "/v2/sandboxes/snapshots", count: 1 });
        // The first look is late; the second one comes after somebody has taken the tag.
        const atSecond = (): void => void (meanwhile = { before: look, does: takeTag });
        meanwhile = { before: look, does: isLate ? atSecond : takeTag };
      },
    };
    await resource.up(snapshot);
    expect(made().map((each) => each.id)).toEqual([resource.current.id]);
    // It has lost its tag, as if that had happened after the answer: the next run says so, and builds a new one.
    await resource.refresh();
    expect(resource.current.outputs["problem"]).toBe("another snapshot has its tag, latest");
  });

  test("of a snapshot that takes the place of one without its tag, which has the same label: it is not the one found", async () => {
    const resource = await platform.resource("SandboxSnapshot");
    await resource.up(snapshot);
    const { id } = z.object({ id: z.string() }).parse(await platform.ask("POST", "/v2/sandboxes/snapshots", theirs));
    platform.clock.advance(5_000);
    platform.emulator.outOfBand(sandboxSnapshots).remove(id);
    await resource.refresh();
    const before = resource.current.id;
    platform.emulator.faults.add({ kind: "reset-before-commit", method: "POST", count: 1 });
    expect(await resource.up(snapshot)).toBe("replace");
    expect(resource.current.id).not.toBe(before);
    expect(made().map((each) => each.id)).toEqual([resource.current.id]);
  });
});

describe("a revision of somebody else", () => {
  const ourImage = "registry.example/agent:ours";
  const theirImage = "registry.example/agent:theirs";
  const agent = { name: "agent", source: "external_docker", sourceConfig: { resourceSpec: {} } };
  const push = async (): Promise<void> => {
    const list = platform.emulator.requests.find(({ path }) => /^\/v2\/deployments\/[^/?]+/.test(path));
    const id = list?.path.split("/")[3] ?? "";
    await platform.ask("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: theirImage } });
  };
  const deployed = async (over: object = {}) => {
    const [deployment, rollout] = [await platform.resource("Deployment"), await platform.resource("Rollout")];
    await deployment.up({ ...agent, sourceRevisionConfig: { imageUri: ourImage }, ...over });
    const { id: deploymentId, outputs } = deployment.current;
    const awaited = { deploymentId, revisionId: outputs["latestRevisionId"], deploymentName: "agent" };
    return { deploymentId, rollOut: () => rollout.up({ ...awaited, followsPushes: false }) };
  };

  test("that serves by the time the awaited one is DEPLOYED makes the rollout fail", async () => {
    const { deploymentId, rollOut } = await deployed();
    platform.clock.advance(60_000);
    meanwhile = {
      before: `GET /v2/deployments/${deploymentId}`,
      does: () => {
        // The revision is read first: what serves comes next.
        meanwhile = {
          before: `GET /v2/deployments/${deploymentId}`,
          does: async () => {
            const body = { source_revision_config: { image_uri: theirImage } };
            await platform.ask("PATCH", `/v2/deployments/${deploymentId}`, body);
            platform.clock.advance(60_000);
          },
        };
      },
    };
    expect(await failureOf(rollOut())).toMatch(
      /revision .* has taken the place of .*, and is not as declared \(sourceRevisionConfig\): somebody else made it/,
    );
  });

  test("between the look and the PATCH of something else does not stay below it: the program's image comes back", async () => {
    const program = { ...agent, sourceRevisionConfig: { imageUri: ourImage }, environmentVariables: { LEVEL: "info" } };
    const resource = await platform.resource("Deployment");
    await resource.up(program);
    meanwhile = { before: "PATCH /v2/deployments/", does: push };
    await resource.up({ ...program, environmentVariables: { LEVEL: "debug" } });
    const live = platform.emulator.outOfBand(deployments).get("agent");
    expect(live.source_revision_config).toMatchObject({ image_uri: ourImage });
    expect(live.secrets).toEqual([{ name: "LEVEL", value: "debug" }]);
    expect(resource.current.outputs["latestRevisionId"]).toBe(platform.emulator.outOfBand(revisions).list().at(-1)?.id);
  });

  test("between a creation and the name that follows it is not taken for the created one", async () => {
    meanwhile = { before: "PATCH /v2/deployments/", does: push };
    const { rollOut } = await deployed({ displayName: "Agent" });
    expect(await failureOf(rollOut())).toMatch(
      /has taken the place of .*, and is not as declared \(sourceRevisionConfig\)/,
    );
  });
});
