import { deployments, sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { notOk, ok, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { stacksOfTests } from "./on-emulator";
import { deployed } from "../support/agent-under-test";
import { ask } from "../support/ask";

let here: Emulator;
let there: Emulator;
const stacks = stacksOfTests();

beforeAll(async () => {
  here = await startEmulator({ buildSeconds: 0, apiKey: "key-canary-of-here" });
  there = await startEmulator({ buildSeconds: 0, apiKey: "key-canary-of-there" });
  for (const emulator of [here, there]) {
    const image = emulator === here ? "here:1" : "there:1";
    await ask(emulator, "POST", "/v2/sandboxes/templates", { name: "shared", image, resources: { cpu: "1" } });
    await deployed(emulator, image, "agent", { TOKEN: "canary-of-a-secret" });
  }
});
afterEach(() => {
  here.clearLog();
  there.clearLog();
});
afterAll(async () => {
  await here.close();
  await there.close();
});

function stackOf(program: string): Promise<CliStack> {
  const secrets = { "agent-platform:apiKey": here.apiKey, "test:thereKey": there.apiKey };
  return stacks.makeWith({ "agent-platform:baseUrl": here.url }, secrets, program);
}

const imageOf = (emulator: Emulator, name: string): unknown => emulator.outOfBand(sandboxTemplates).get(name).image;

describeWithEngine("reading functions on the real engine", () => {
  test("values that are read go into arguments and outputs: by the stack's configuration, and by a Platform", async () => {
    const stack = await stackOf(`
      const config = new pulumi.Config();
      const away = new platform.Platform("away", { baseUrl: "${there.url}", apiKey: config.requireSecret("thereKey") });
      const make = (name, options, functionOptions) => {
        const agent = platform.getDeploymentOutput({ name: "agent" }, functionOptions);
        return new platform.SandboxTemplate(name, {
          image: agent.sourceRevisionConfig.apply((config) => config.imageUri),
          resources: { cpu: "1" },
        }, options);
      };
      make("of-here", {}, {});
      make("of-there", { provider: away }, { platform: away });
      const names = (options) => platform.listSandboxTemplatesOutput({ maximum: 1 }, options)
        .apply((list) => list.map(({ image }) => image));
      exports.here = names({});
      exports.there = names({ platform: away });
      exports.whole = platform.getSandboxTemplateOutput({ name: "shared" });
      exports.plain = platform.getSandboxTemplate({ name: "shared" }).then(({ image }) => image);
      exports.plainThere = platform.getSandboxTemplate({ name: "shared" }, { platform: away }).then(({ image }) => image);
      exports.platform = away;
    `);
    const preview = ok(await stack.preview());
    expect(preview).toMatch(/image\s*: "here:1"/);
    expect(preview).toMatch(/image\s*: "there:1"/);
    const up = ok(await stack.up());
    expect([imageOf(here, "of-here"), imageOf(there, "of-there")]).toEqual(["here:1", "there:1"]);
    const outputs = await stack.outputs();
    expect(outputs).toMatchObject({
      here: ["here:1"],
      there: ["there:1"],
      whole: { name: "shared", image: "here:1", resources: { cpu: "1" } },
      plain: "here:1",
      plainThere: "there:1",
    });
    ok(await stack.up("--expect-no-changes"));
    for (const place of [preview, up, JSON.stringify(outputs), stack.stateText()]) expect(place).not.toMatch(/canary/);
    ok(await stack.destroy());
  });

  test("at preview, an argument or a connection that is not known yet gives a result that is not known yet; up reads it", async () => {
    const stack = await stackOf(`
      const made = new platform.Deployment("made", { source: "external_docker", sourceRevisionConfig: { imageUri: "made:1" } });
      const read = platform.getDeploymentOutput({ id: made.id });
      exports.image = read.sourceRevisionConfig.apply((config) => config.imageUri);
      exports.status = platform.getRevisionOutput({ deploymentId: made.id, revisionId: made.activeRevisionId }).status;
      const apiKey = new pulumi.Config("agent-platform").requireSecret("apiKey");
      const late = new platform.Platform("late", { baseUrl: made.id.apply(() => "${here.url}"), apiKey });
      exports.late = platform.listSandboxTemplatesOutput({}, { platform: late }).length;
    `);
    here.clearLog();
    ok(await stack.preview());
    expect(here.requests).toEqual([]);
    ok(await stack.up());
    expect(await stack.outputs()).toEqual({ image: "made:1", status: "DEPLOYED", late: 1 });
    ok(await stack.destroy());
  });

  test.each<[what: string, program: string, message: string]>([
    [
      "the Output form, not found",
      `exports.id = platform.getDeploymentOutput({ name: "none" }).id;`,
      `Deployment "none" does not exist at URL for this key and tenant`,
    ],
    [
      "the plain form, not found",
      `exports.id = platform.getSandboxTemplate({ name: "none" });`,
      `SandboxTemplate "none" does not exist at URL for this key and tenant`,
    ],
    [
      "the plain form with a connection that is not known yet",
      `
        const made = new platform.SandboxTemplate("made", { image: "a", resources: { cpu: "1" } });
        platform.getDeployment({ name: "agent" }, { connection: { tenantId: made.id } });
      `,
      "getDeployment: the connection has settings that are not known before `pulumi up`; use getDeploymentOutput",
    ],
  ])("an error is one clear message, without a stack: %s", async (_what, program, message) => {
    const stack = await stackOf(program);
    // As users see it: the process of the program prints it, too.
    stack.host = undefined;
    const output = notOk(await stack.preview());
    expect(output).toContain(message.replace("URL", here.url));
    expect(output).not.toMatch(/\n\s+at .*:\d+|canary/);
    expect(output.split(message.slice(0, 30)).length).toBe(2);
  });
});

describeWithEngine("X.get on the real engine", () => {
  test("a template is found by its id and by its name, and is not managed; a missing one is named at preview", async () => {
    const { id } = here.outOfBand(sandboxTemplates).get("shared");
    const deployment = here.outOfBand(deployments).get("agent").id;
    const stack = await stackOf(`
      const byId = platform.SandboxTemplate.get("by-id", "${id}");
      const byName = platform.SandboxTemplate.get("by-name", "shared");
      exports.names = [byId.name, byName.name];
      exports.images = [byId.image, byName.image];
      exports.waited = platform.Deployment.get("agent", "${deployment}").deployed;
    `);
    ok(await stack.up());
    expect(await stack.outputs()).toEqual({ names: ["shared", "shared"], images: ["here:1", "here:1"], waited: false });
    expect(stack.stateText()).not.toContain("canary");
    ok(await stack.up("--expect-no-changes"));
    expect(ok(await stack.refresh("--expect-no-changes", "--diff"))).not.toMatch(/^ *[-+~] [a-z]\w* *:/m);
    expect(ok(await stack.preview())).not.toMatch(/^ *[-+~] [a-z]\w* *:/m);
    ok(await stack.destroy());
    expect(imageOf(here, "shared")).toBe("here:1");
    stack.write('platform.SandboxTemplate.get("wanted", "none");');
    expect(notOk(await stack.preview())).toMatch(/SandboxTemplate.*wanted[^]*none.* does not exist/);
  });
});
