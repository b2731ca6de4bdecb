import { deployments, oauthProviders, revisions, sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { describeWithEngine } from "../support/with-engine";
import { notOk, ok } from "../support/cli-stack";
import { Example } from "./example";

const STACKS = ["dev", "prod"] as const;
type Stack = (typeof STACKS)[number];
const SECRET = "client-secret-canary";

let emulator: Emulator;
let current: Example | undefined;
beforeAll(async () => {
  // One platform, a tenant per stack: only the key tells them apart.
  const tenants = STACKS.map((stack) => ({
    tenantId: stack,
    organizationId: `organization-${stack}`,
    apiKey: `key-of-${stack}`,
  }));
  emulator = await startEmulator({ buildSeconds: 0.5, tenants });
});
afterEach(() => {
  current?.remove();
  current = undefined;
  emulator.reset();
});
afterAll(() => emulator.close());

async function made(stacks: readonly Stack[]): Promise<Example> {
  const example = await Example.copy("promotion", stacks);
  current = example;
  for (const stack of stacks) {
    await example
      .stack(stack)
      .configure(
        { "agent-platform:baseUrl": emulator.url },
        { "agent-platform:apiKey": `key-of-${stack}`, githubClientSecret: SECRET },
      );
  }
  return example;
}

/** All that a stack's tenant holds. */
function held(stack: Stack) {
  const own = <T extends { tenant_id: string }>(records: readonly T[]) =>
    records.filter(({ tenant_id: tenant }) => tenant === stack);
  return {
    templates: own(emulator.outOfBand(sandboxTemplates).list()),
    providers: own(emulator.outOfBand(oauthProviders).list()),
    deployments: own(emulator.outOfBand(deployments).list()),
    revisions: own(emulator.outOfBand(revisions).list()),
  };
}

function declared(stack: Stack, tag: string, scale: { min_scale: number; max_scale: number }) {
  const image = { image_uri: `registry.example.com/agents/reviewer:${tag}` };
  return {
    templates: [{ name: "workshop", image: "node:20-bookworm" }],
    providers: [{ provider_id: "github", client_id: `reviewer-${stack}` }],
    deployments: [{ name: "reviewer", resource_spec: scale, source_revision_config: image }],
    revisions: [{ source_revision_config: image }],
  };
}
const DEV = { min_scale: 1, max_scale: 1 };
const PROD = { min_scale: 2, max_scale: 6 };

describeWithEngine("the example promotion", () => {
  test("a version goes from dev to prod: dev's change leaves prod alone, the promotion makes one new revision in prod", async () => {
    const example = await made(STACKS);
    for (const stack of STACKS) ok(await example.stack(stack).up());
    expect(held("dev")).toMatchObject(declared("dev", "1.5.0", DEV));
    expect(held("prod")).toMatchObject(declared("prod", "1.4.0", PROD));
    for (const stack of STACKS) {
      ok(await example.stack(stack).up("--expect-no-changes"));
      ok(await example.stack(stack).preview("--expect-no-changes"));
      expect((await example.stack(stack).succeed("stack", "export")).stdout).not.toContain(SECRET);
      expect(example.text(`Pulumi.${stack}.yaml`)).not.toContain(SECRET);
    }

    const prod = held("prod");
    await example.stack("dev").configure({ imageTag: "1.6.0" });
    ok(await example.stack("dev").up());
    expect(held("dev").revisions).toHaveLength(2);
    expect(held("prod")).toEqual(prod);

    const proven = (await example.stack("dev").succeed("config", "get", "imageTag")).stdout.trim();
    await example.stack("prod").configure({ imageTag: proven });
    const preview = ok(await example.stack("prod").preview());
    expect(preview).toMatch(/imageUri\s*: "\S+reviewer:1\.4\.0" => "\S+reviewer:1\.6\.0"/);
    expect(held("prod")).toEqual(prod);
    ok(await example.stack("prod").up());
    const promoted = held("prod");
    expect(promoted.revisions.map(({ source_revision_config: source }) => source["image_uri"])).toEqual([
      "registry.example.com/agents/reviewer:1.4.0",
      "registry.example.com/agents/reviewer:1.6.0",
    ]);
    expect(promoted.deployments).toMatchObject(declared("prod", "1.6.0", PROD).deployments);
    expect([promoted.templates, promoted.providers]).toEqual([prod.templates, prod.providers]);

    ok(await example.stack("dev").destroy());
    expect(held("dev")).toMatchObject({ templates: [], providers: [], deployments: [] });
    expect(held("prod")).toEqual(promoted);
    ok(await example.stack("prod").destroy());
    expect(held("prod")).toMatchObject({ templates: [], providers: [], deployments: [] });
  });

  test("a wrong or missing value fails at preview, names its key, and sends the platform nothing", async () => {
    const example = await made(["dev"]);
    const right = { imageTag: "1.5.0", minScale: "1", maxScale: "1" };
    const wrong: [key: string, value: string, why: string, message: RegExp][] = [
      ["imageTag", "latest", "a tag that moves", /promotion:imageTag must be a version like "1\.4\.0", not "latest"/],
      ["minScale", "two", "not a number", /promotion:minScale must be a whole number of at least 0, not "two"/],
      ["maxScale", "1.5", "half an instance", /promotion:maxScale must be a whole number of at least 1, not "1\.5"/],
      ["maxScale", "0", "less than minScale", /promotion:maxScale must be a whole number of at least 1, not "0"/],
    ];
    for (const [key, value, why, message] of wrong) {
      await example.stack("dev").configure({ ...right, [key]: value });
      const { code, output } = await example.stack("dev").preview();
      // The reason stands beside the output, for whoever reads a failure.
      expect(`${why}: ${code === 0 ? "accepted" : "refused"}\n${output}`).toMatch(message);
      expect(code).not.toBe(0);
    }
    await example.stack("dev").succeed("config", "rm", "imageTag");
    expect(notOk(await example.stack("dev").preview())).toMatch(
      /Missing required configuration variable 'promotion:imageTag'/,
    );
    expect(emulator.requests).toEqual([]);
  });
});
