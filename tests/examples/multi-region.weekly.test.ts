import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deployments, revisions, sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { describeWithEngine } from "../support/with-engine";
import { notOk, ok } from "../support/cli-stack";
import { Example } from "./example";

type Region = "us" | "eu";
const tenantOf = (region: Region) => ({
  tenantId: `tenant-${region}`,
  organizationId: "organization",
  apiKey: `${region}-key-canary`,
});

let data: string;
let us: Emulator;
let eu: Emulator;
let current: Example | undefined;
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "multi-region-"));
  [us, eu] = await Promise.all([start("us"), start("eu")]);
});
afterEach(async () => {
  current?.remove();
  current = undefined;
  await Promise.all([us.close(), eu.close()]);
  rmSync(data, { recursive: true, force: true });
});

function start(region: Region, port = 0): Promise<Emulator> {
  const dataFile = join(data, `${region}.json`);
  return startEmulator({ buildSeconds: 0.5, tenants: [tenantOf(region)], dataFile, port });
}

async function made(): Promise<Example> {
  const example = await Example.copy("multi-region", ["dev"]);
  current = example;
  await example.stack("dev").configure(
    {
      "agent-platform:baseUrlUs": us.url,
      "agent-platform:baseUrlEu": eu.url,
      usTenantId: tenantOf("us").tenantId,
      euTenantId: tenantOf("eu").tenantId,
    },
    { usApiKey: tenantOf("us").apiKey, euApiKey: tenantOf("eu").apiKey },
  );
  return example;
}

const declared = (region: Region, tag = "1.0.0") => ({
  templates: [{ name: "notebook", image: "python:3.12-slim", tenant_id: `tenant-${region}` }],
  deployments: [
    {
      name: "assistant",
      tenant_id: `tenant-${region}`,
      source_revision_config: { image_uri: `registry.example.com/agents/assistant:${tag}` },
      secrets: [
        { name: "DATA_REGION", value: region },
        { name: "SANDBOX_TEMPLATE", value: "notebook" },
      ],
    },
  ],
});
const held = (emulator: Emulator) => ({
  templates: emulator.outOfBand(sandboxTemplates).list(),
  deployments: emulator.outOfBand(deployments).list(),
});
const nothing = { templates: [], deployments: [] };

describeWithEngine("the example multi-region", () => {
  test("each region gets exactly its own environment, by its own key; nothing is left to do, nothing stays after destroy", async () => {
    const example = await made();
    const dev = example.stack("dev");
    ok(await dev.up());
    expect(held(us)).toMatchObject(declared("us"));
    expect(held(eu)).toMatchObject(declared("eu"));
    const urls: unknown = JSON.parse((await dev.succeed("stack", "output", "urls", "--json")).stdout);
    expect(urls).toEqual({
      "us-assistant": `${us.url}/agents/${us.outOfBand(deployments).get("assistant").id}`,
      "eu-assistant": `${eu.url}/agents/${eu.outOfBand(deployments).get("assistant").id}`,
    });

    ok(await dev.up("--expect-no-changes"));
    ok(await dev.preview("--expect-no-changes"));
    expect((await dev.succeed("stack", "export")).stdout).not.toContain("key-canary");
    expect(example.text("Pulumi.dev.yaml")).not.toContain("key-canary");

    ok(await dev.destroy());
    expect([held(us), held(eu)]).toEqual([nothing, nothing]);
  });

  test("a region that is down: the error names it, the other one goes on, and the next up catches up", async () => {
    const dev = (await made()).stack("dev");
    ok(await dev.up());
    await eu.close();
    await dev.configure({ imageTag: "1.1.0" });
    const failed = notOk(await dev.up());
    expect(failed).toMatch(/Deployment \(support-eu-assistant\):\s+error: .*ECONNREFUSED/);
    expect(failed).not.toMatch(/\(support-us-\S+\):\s+error/);
    expect(held(us)).toMatchObject(declared("us", "1.1.0"));
    const inUs = us.outOfBand(revisions).list();

    eu = await start("eu", eu.port);
    expect(held(eu)).toMatchObject(declared("eu"));
    ok(await dev.up());
    expect(held(eu)).toMatchObject(declared("eu", "1.1.0"));
    expect(eu.outOfBand(revisions).list()).toHaveLength(2);
    expect(us.outOfBand(revisions).list()).toEqual(inUs);
    ok(await dev.preview("--expect-no-changes"));
  });
});
